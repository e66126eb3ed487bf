"""Damage to who may do what, and to the words that let a listener know it."""

from __future__ import annotations

import random

from msgspec.structs import replace

from dtbuild.records.script import Script
from text_bench import claims
from text_bench.edits import (
    drawn,
    reworded,
    set_event,
    set_turn,
    spans_of,
    trigger_index,
    without,
)
from text_bench.kind import Damaged, Subject, told


def event_without_right(subject: Subject, rng: random.Random) -> Damaged | None:
    """Plan and text give an event to somebody whom the table of authority does not give it."""
    plan, script, blueprint, _ = subject
    for event in told(subject, rng):
        at = trigger_index(script, event)
        near = {script.turns[n].person for n in (at - 1, at + 1) if 0 <= n < len(script.turns)}
        others = [p for p in plan.cast if not blueprint.may(p.role, event.scope, event.action)]
        for person in sorted(drawn(others, rng), key=lambda each: each.id in near):
            damaged = set_turn(script, at, person=person.id)
            return Damaged(set_event(plan, event.id, person=person.id), damaged, claims.may(event.id))
    return None


def right_taken_away(subject: Subject, rng: random.Random) -> Damaged | None:
    """Who does an event has a role without the right to it."""
    plan, script, blueprint, _ = subject
    for event in told(subject, rng):
        roles = [role for role in blueprint.roles if not blueprint.may(role.id, event.scope, event.action)]
        for role in drawn(roles, rng):
            cast = tuple(replace(each, role=role.id) if each.id == event.person else each for each in plan.cast)
            damaged = replace(plan, cast=cast), replace(script, cast=cast)
            return Damaged(*damaged, claims.may(event.id))
    return None


def entitled_candidate(subject: Subject, rng: random.Random) -> Damaged | None:
    """A number planned as nobody's to name comes from a person who may name it."""
    plan, script, blueprint, _ = subject
    for candidate in drawn(plan.candidates, rng):
        field = blueprint.field(next(each.key for each in plan.trajectories if each.id == candidate.trajectory))
        entitled = [
            role.id for role in blueprint.roles if any(blueprint.may(role.id, s, "advance") for s in field.scopes)
        ]
        for role in drawn(entitled, rng):
            cast = tuple(replace(each, role=role) if each.id == candidate.person else each for each in plan.cast)
            damaged = replace(plan, cast=cast), replace(script, cast=cast)
            return Damaged(*damaged, claims.may_not(candidate.id))
    return None


def authority_words_gone(subject: Subject, rng: random.Random) -> Damaged | None:
    """Nothing in the words tells that the speaker of a settle may conclude it."""
    plan, script, _, _ = subject
    for event in told(subject, rng, "settle"):
        damaged = reworded(script, event.id, "authority", rng.choice(("我也在听", "说到这条", "我看了好几遍")))
        may = "定|批|签|做主|说了算|归|权|管|手里|负责|这一?关|审|点头|算数"
        return Damaged(plan, damaged, claims.words_like(event.id, "authority", may))
    return None


def authority_unmarked(subject: Subject, rng: random.Random) -> Damaged | None:
    """The words are cut, and their span with them."""
    plan, script, _, _ = subject
    for event in told(subject, rng, "settle"):
        if spans_of(script, event.id, "authority"):
            damaged = _unmarked(reworded(script, event.id, "authority", "嗯"), event.id)
            return Damaged(plan, damaged, claims.has(event.id, "authority"))
    return None


def authority_of_another(subject: Subject, rng: random.Random) -> Damaged | None:
    """The words let a listener know that somebody else decides."""
    plan, script, _, _ = subject
    for event in told(subject, rng, "settle"):
        spans = spans_of(script, event.id, "authority")
        speakers = {script.turn(span.turn).person for span in spans}
        for other in drawn([p for p in plan.cast if p.id not in {event.person, *speakers}], rng):
            words = other.name + rng.choice(("说了算", "定就行", "签字就行"))
            damaged = reworded(script, event.id, "authority", words)
            return Damaged(plan, damaged, claims.not_like(event.id, "authority", words))
    return None


def limit_words_gone(subject: Subject, rng: random.Random) -> Damaged | None:
    """Nothing tells that whoever names an unauthorised number may not decide."""
    plan, script, _, _ = subject
    for candidate in drawn(plan.candidates, rng):
        damaged = reworded(script, candidate.id, "authority", rng.choice(("说句心里话", "我看了好几遍", "我多一句嘴")))
        may_not = "不|没|请示|归|听|定|批|签|权|决定|拍板|轮"
        return Damaged(plan, damaged, claims.words_like(candidate.id, "authority", may_not))
    return None


def limit_unmarked(subject: Subject, rng: random.Random) -> Damaged | None:
    """The words are cut, and their span with them."""
    plan, script, _, _ = subject
    for candidate in drawn(plan.candidates, rng):
        damaged = _unmarked(reworded(script, candidate.id, "authority", "嗯"), candidate.id)
        return Damaged(plan, damaged, claims.has(candidate.id, "authority"))
    return None


def _unmarked(script: Script, target: str) -> Script:
    return without(script, *spans_of(script, target, "authority"))
