"""Makes the B recording of a pair from the edited plan.

`change.make_variant` makes and judges it. `swap`, `reassign` and `confirm` edit the script for one kind of change each
and say what may differ; `difference` names everything in which B differs from A; `coherence*` read the talk.
"""
