"""Evidence windows: where in a recording an event can be heard (spec, section 5, Windows).

Intervals are in samples from the start of the recording; files carry integer microseconds.
"""

from __future__ import annotations

import msgspec

from dtbuild.timebase import Interval


class EventEvidence(msgspec.Struct, frozen=True, kw_only=True):
    """`anchor`: the pieces of speech that carry the event, in time order, apart from each other; empty where nothing
    was aligned. `utterance`: its trigger turn. `coarse`: what the official score uses.

    `score` is the alignment score of the turn, None where nothing was aligned; `anchor_score` and `anchor_lowest` are
    mean and least of the anchor's own characters, None where the aligner gives no score for a character.
    """

    event: str
    turn: str
    anchor: tuple[Interval, ...]
    utterance: Interval
    coarse: Interval
    score: float | None = None
    anchor_score: float | None = None
    anchor_lowest: float | None = None


NO_ALIGNER = "none"
"""Name of the aligner in a config that wants none: events have utterance and coarse windows only."""
