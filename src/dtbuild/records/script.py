"""Scripts: what is said, turn by turn, and which characters carry what.

`Turn.text` is the shown text: 汉字, Chinese punctuation and Latin terms of the closed table. Character ranges
are half open and count characters (code points) of `text`. Rules: spec, section 5, Spans.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from dtbuild.records.plan import Person
from dtbuild.records.values import Value

SpanKind = Literal["value", "action", "obstacle", "conclusion", "scope", "premise", "authority"]
TRIGGER_KINDS: tuple[SpanKind, ...] = ("value", "action", "obstacle", "conclusion")
"""Kinds whose spans all lie in one turn, the event's trigger."""

KEEP = "keep"
"""Move of an opening turn that stays with its person when two exchange roles in variant B."""
SWAP = "swap:"
"""Begins the move of a turn that another person says in B; the event's id follows."""
CONFIRM = "confirm:"
"""Begins the move of a turn whose words B changes; the event's id follows, and AFTER where it takes the event up."""
AFTER = ":after"


class Turn(msgspec.Struct, frozen=True, kw_only=True):
    """One utterance. `move` names what the turn does in the talk (ask, hold, echo, errand, …)."""

    id: str
    person: str
    text: str
    move: str = ""


class Span(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Words that carry part of an event (or show who may decide). `target` is opaque: here an event or
    candidate id. `antecedent` is the id of the mention that an anaphor (那个数) or an elided value refers to.
    """

    turn: str
    kind: SpanKind
    start: int
    end: int
    target: str
    antecedent: str | None = None


class Mention(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One declared amount, rate, term, date or count in the text, with the value it stands for there.

    `target` is the event an event value, echo or premise belongs to, the candidate id of an unauthorised
    candidate, the distractor id (or None, for a number of the small talk) of a distractor.
    """

    id: str
    turn: str
    start: int
    end: int
    role: Literal["event", "echo", "premise", "unauthorised", "distractor"]
    value: Value
    target: str | None = None


class Script(msgspec.Struct, frozen=True, kw_only=True):
    """The text of one recording, complete in itself: an edited script can be reviewed from it and the plan."""

    format: str = "dtbuild.script/1"
    recording: str
    family: str
    scenario: str
    anchor_date: str
    cast: tuple[Person, ...]
    turns: tuple[Turn, ...]
    spans: tuple[Span, ...]
    mentions: tuple[Mention, ...]
    edited: bool = False

    def turn(self, id: str) -> Turn:
        return next(turn for turn in self.turns if turn.id == id)

    def trigger(self, event: str) -> str | None:
        """Id of the turn that carries the event, None when no trigger span names it."""
        for span in self.spans:
            if span.target == event and span.kind in TRIGGER_KINDS:
                return span.turn
        return None


def speakers(script: Script) -> dict[str, str]:
    """Person id → S1, S2, … in the order of first speech (spec, section 5)."""
    order: dict[str, str] = {}
    for turn in script.turns:
        order.setdefault(turn.person, f"S{len(order) + 1}")
    return order
