"""Evidence windows: where in a recording an event can be heard (spec, section 5, Windows).

Intervals are in samples from the start of the recording; files carry integer microseconds.
"""

from __future__ import annotations

import msgspec

from dtbuild.timebase import Interval


class EventEvidence(msgspec.Struct, frozen=True, kw_only=True):
    """`anchor`: the pieces of speech that carry the event, in time order, apart from each other. `utterance`:
    its trigger turn. `coarse`: what the official score uses. `score` is the alignment score of the turn.
    """

    event: str
    turn: str
    anchor: tuple[Interval, ...]
    utterance: Interval
    coarse: Interval
    score: float
