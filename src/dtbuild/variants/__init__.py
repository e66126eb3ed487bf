"""Makes the B recording of a pair from the edited plan.

`swap` makes and judges it; `difference` names everything in which it differs from A; `coherence` reads the talk.
"""
