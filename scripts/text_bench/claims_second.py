"""Proofs of what a sentence of A takes for granted and B has otherwise. What a claim is: `text_bench.claims`."""

from __future__ import annotations

from dtbuild.records.blueprint import Blueprint
from dtbuild.records.plan import Plan
from dtbuild.records.script import Script
from text_bench.claims import Claim


def done_by(event: str, person: str) -> Claim:
    """The event is this person's."""
    return lambda plan, script, _: plan.event(event).person == person


def spoken_by(turn: int, person: str) -> Claim:
    """The turn is this person's."""
    return lambda plan, script, _: script.turns[turn].person == person


def not_spoken_by(turn: int, person: str) -> Claim:
    """The turn, which names this person, is somebody else's."""
    return lambda plan, script, _: script.turns[turn].person != person


def own_event(event: str, turn: int) -> Claim:
    """Who speaks the turn, and claims the event for himself, has done it."""
    return lambda plan, script, _: plan.event(event).person == script.turns[turn].person


def gender_of(turn: int, gender: str) -> Claim:
    """Who speaks the turn before this one is he or she as this one says."""
    return lambda plan, script, _: plan.person(script.turns[turn - 1].person).gender == gender


def side_of(turn: int, side: str) -> Claim:
    """Who speaks the turn is of this side by his role."""

    def holds(plan: Plan, script: Script, blueprint: Blueprint) -> bool:
        return blueprint.role(plan.person(script.turns[turn].person).role).side == side

    return holds
