"""The B recording of a pair: what it is, how it was made from A, and everything in which it differs."""

from __future__ import annotations

from typing import Literal

import msgspec

from dtbuild.records.plan import Change, Confirmation, Plan, Reassignment, Swap
from dtbuild.records.script import Script
from dtbuild.records.verdict import Verdict

VariantKind = Literal["speaker_swap", "role_reassignment", "confirmation_change"]


def kind_of(change: Change) -> VariantKind:
    """
    >>> kind_of(Reassignment(one="p1", other="p2"))
    'role_reassignment'
    """
    match change:
        case Swap():
            return "speaker_swap"
        case Reassignment():
            return "role_reassignment"
        case Confirmation():
            return "confirmation_change"


class TurnChange(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One turn that differs, by its number from 1. What is equal in A and B is left out."""

    number: int
    person: tuple[str, str] | None = None
    text: tuple[str, str] | None = None
    spans: bool = False
    """Whether spans or mentions of the turn differ."""


class EventChange(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One event of gold that differs; `a` and `b` are the speaker label or other field as text.

    `what` is the field of the event; "missing" and "extra" speak of B.
    """

    event: str
    what: str
    a: str | None = None
    b: str | None = None


class PersonChange(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One member of the cast whose role or title differs, as (A, B)."""

    person: str
    role: tuple[str, str] | None = None
    title: tuple[str, str] | None = None


class Diff(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Everything in which B differs from A, ids of turns and recording left out.

    `persons` are the events that another person has, `gold` the differences that are scored; `plan` and `script` name
    the parts that differ beyond turns, events and cast (`plan.beats`); `speakers` says whether the order of first
    speech changed, and with it the labels S1, S2, …
    """

    turns: tuple[TurnChange, ...] = ()
    persons: tuple[EventChange, ...] = ()
    gold: tuple[EventChange, ...] = ()
    cast: tuple[PersonChange, ...] = ()
    plan: tuple[str, ...] = ()
    script: tuple[str, ...] = ()
    speakers: bool = False


class Variant(msgspec.Struct, frozen=True, kw_only=True):
    """Variant B with its plan, the verdicts on it (variant gate first, then the review of its script), its diff."""

    format: str = "dtbuild.variant/1"
    kind: VariantKind
    family: str
    declared: Change
    plan: Plan
    script: Script
    diff: Diff
    verdicts: tuple[Verdict, ...]
