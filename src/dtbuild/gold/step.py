"""One event in the making, and what one dialogue has used up."""

from __future__ import annotations

import msgspec

from dtbuild.gold.shape import Kind
from dtbuild.records.blueprint import Cause, Effect, Obstacle, Toward
from dtbuild.records.plan import Action, Reason, Result

ACTION: dict[Kind, Action] = {
    "start": "start",
    "revise": "advance",
    "condition": "advance",
    "hold": "hold",
    "hold_again": "hold",
    "resume": "advance",
    "settle": "settle",
}


class Step(msgspec.Struct):
    """One event in the making.

    `reason` and `toward` are those of a change of value; a hold or settle that could change it has them too, and
    whether it does is drawn with the values. `unnamed` leaves the value open.
    """

    kind: Kind
    person: str = ""
    scope: str = ""
    obstacle: Obstacle | None = None
    clears: str | None = None
    condition: str | None = None
    result: Result | None = None
    effect: Effect = "keep"
    reason: Reason | None = None
    toward: Toward | None = None
    cause: Cause | None = None
    unnamed: bool = False


class Used(msgspec.Struct):
    """What one dialogue has used up: obstacles and conditions occur once, and speakers take turns."""

    obstacles: set[str] = msgspec.field(default_factory=set)
    conditions: set[str] = msgspec.field(default_factory=set)
    causes: set[str] = msgspec.field(default_factory=set)
    spoken: dict[str, int] = msgspec.field(default_factory=dict)
