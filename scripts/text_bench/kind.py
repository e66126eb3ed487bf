"""What a kind of damage is: where it strikes is drawn, and it proves that gold and text disagree after it."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import NamedTuple

from msgspec.structs import replace

from dtbuild.records.blueprint import Blueprint
from dtbuild.records.plan import Action, Confirmation, Event, Plan, Reassignment, Swap
from dtbuild.records.script import KEEP, SWAP, Script, Turn
from text_bench.claims import Claim
from text_bench.edits import drawn, set_event, without_event


class Subject(NamedTuple):
    """A good family to be damaged; `chars` is the window of 汉字 it was written for."""

    plan: Plan
    script: Script
    blueprint: Blueprint
    chars: tuple[int, int]


class Damaged(NamedTuple):
    """The family after it, and the claim that held before."""

    plan: Plan
    script: Script
    claim: Claim


class Kind(NamedTuple):
    """`rule` is the code that must find it; `make` gives None where there is nothing of its kind to damage.

    `windowed` kinds are judged by the length the settings ask for, all others by a window that leaves room for a
    sentence more or less. A `copy` is judged beside the family it was made from. A `leak` is true in A and false
    in B: it is done to A's script, proved on B, and judged by the gate of variants too.
    """

    name: str
    rule: str
    make: Callable[[Subject, random.Random], Damaged | None]
    windowed: bool = False
    copy: bool = False
    leak: bool = False


def strike(kind: Kind, subject: Subject, seed: int) -> Damaged | None:
    """One instance, the same for the same seed; None where the kind finds no place or cannot prove itself."""
    rng = random.Random(f"{seed}/{kind.name}/{subject.script.recording}")
    damaged = kind.make(subject, rng)
    if damaged is None:
        return None
    good, bad = (subject.plan, subject.script), (damaged.plan, damaged.script)
    if kind.leak:
        good, bad = bad, second(*bad)
    before, after = damaged.claim(*good, subject.blueprint), damaged.claim(*bad, subject.blueprint)
    return damaged if before and not after else None


def told(subject: Subject, rng: random.Random, *actions: Action) -> list[Event]:
    """The events of these actions, or all, that the script tells, in a drawn order."""
    events = [event for _, _, event in subject.plan.events() if not actions or event.action in actions]
    return drawn([event for event in events if subject.script.trigger(event.id)], rng)


def second(plan: Plan, script: Script) -> tuple[Plan, Script]:
    """Who does and says what in B, told from the planned change and the script of A; words are A's."""
    match plan.change:
        case Swap(events=events, giver=_, taker=taker):
            moving = {script.trigger(event) for event in events}
            moves = tuple(SWAP + event for event in events)
            for event in events:
                plan = set_event(plan, event, person=taker)
            return plan, _given(
                script, lambda turn: taker if turn.id in moving or turn.move.startswith(moves) else None
            )
        case Confirmation(event=event, person=person):
            trigger = script.trigger(event)
            return without_event(plan, event), _given(script, lambda turn: person if turn.id == trigger else None)
        case Reassignment(one=one, other=other):
            to = {one: other, other: one}
            role = {id: plan.person(heir).role for id, heir in to.items()}
            cast = tuple(replace(person, role=role.get(person.id, person.role)) for person in plan.cast)
            moved = _given(script, lambda turn: to.get(turn.person) if turn.move != KEEP else None)
            return replace(plan, cast=cast), replace(moved, cast=cast)
    return plan, script


def _given(script: Script, to: Callable[[Turn], str | None]) -> Script:
    return replace(script, turns=tuple(replace(turn, person=to(turn) or turn.person) for turn in script.turns))
