"""Gives every step of a bare chain its person, scope, obstacle and result.

Rights come from the authority troupe; an obstacle needs somebody present who may name it and, where the chain
goes on, somebody who brings what clears it.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

import msgspec

from dtbuild.gold.draw import pick
from dtbuild.gold.shape import Chain, DeadEnd, Kind
from dtbuild.gold.troupe import Troupe
from dtbuild.records.blueprint import Effect, Field, Obstacle
from dtbuild.records.plan import Action, Result

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
    """One event in the making."""

    kind: Kind
    person: str = ""
    scope: str = ""
    obstacle: Obstacle | None = None
    clears: str | None = None
    condition: str | None = None
    result: Result | None = None
    effect: Effect = "keep"


class Used(msgspec.Struct):
    """What one dialogue has used up: obstacles and conditions occur once, and speakers take turns."""

    obstacles: set[str] = msgspec.field(default_factory=set)
    conditions: set[str] = msgspec.field(default_factory=set)
    spoken: dict[str, int] = msgspec.field(default_factory=dict)


def fill(
    rng: random.Random, chain: Chain, field: Field, limited: str | None, troupe: Troupe, used: Used, revisable: bool
) -> list[list[Step]]:
    """The chain's steps with everything but values. Raises DeadEnd when the cast cannot act it out."""
    cycles: list[list[Step]] = []
    previous = ""
    for kinds in chain:
        steps: list[Step] = []
        held: Obstacle | None = None
        for at, kind in enumerate(kinds):
            step = Step(kind=kind)
            following = kinds[at + 1] if at + 1 < len(kinds) else None
            if kind in ("hold", "hold_again"):
                direct = not cycles and at <= 1 and (at == 0 or kinds[0] == "start")
                _hold(rng, step, field, limited, troupe, used, previous, following, revisable, direct)
                held = step.obstacle
            elif kind == "settle":
                _settle(rng, step, field, limited, troupe, used, previous, held)
                held = None
            else:
                _move(rng, step, field, limited, troupe, used, previous, held, steps)
                held = None
            previous = step.person
            used.spoken[previous] = used.spoken.get(previous, 0) + 1
            steps.append(step)
        cycles.append(steps)
    return cycles


def _choose(
    rng: random.Random, options: list[tuple[str, str]], used: Used, previous: str, favoured: Sequence[str] = ()
) -> tuple[str, str]:
    if not options:
        raise DeadEnd
    weights = [
        (0.15 if person == previous else 1.0)
        * (1.0 if used.spoken.get(person) else 2.0)
        * (3.0 if scope in favoured else 1.0)
        for person, scope in options
    ]
    return pick(rng, options, weights)


def _move(
    rng: random.Random,
    step: Step,
    field: Field,
    limited: str | None,
    troupe: Troupe,
    used: Used,
    previous: str,
    held: Obstacle | None,
    steps: list[Step],
) -> None:
    scopes = (field.scope,) if limited is None else (field.scope, limited)
    if held is not None:
        scopes = tuple(dict.fromkeys((steps[-1].scope, *scopes)))
    options = troupe.able(field, ACTION[step.kind], scopes)
    if step.kind == "start":
        # whoever may conclude a matter seldom opens it
        proposers = [each for each in options if not troupe.index.may(troupe.roles[each[0]], field.scope, "settle")]
        if proposers and rng.random() < 0.7:
            options = proposers
    if step.kind == "condition":
        met = [
            (condition.id, each)
            for condition in troupe.index.conditions[field.key]
            if condition.id not in used.conditions
            for each in options
            if troupe.roles[each[0]] in condition.by
        ]
        if not met:
            raise DeadEnd
        step.condition, (step.person, step.scope) = pick(rng, met)
        used.conditions.add(step.condition)
        return
    favoured = (steps[-1].scope,) if held is not None else (limited,) if limited else ()
    step.person, step.scope = _choose(rng, options, used, previous, favoured)
    if held is not None:
        step.clears = held.id
        step.effect = next(each.effect for each in reversed(steps) if each.obstacle is held)


def _hold(
    rng: random.Random,
    step: Step,
    field: Field,
    limited: str | None,
    troupe: Troupe,
    used: Used,
    previous: str,
    following: Kind | None,
    revisable: bool,
    direct: bool,
) -> None:
    options = troupe.able(field, "hold", field.scopes)
    found: list[tuple[Obstacle, tuple[str, str]]] = []
    for obstacle in troupe.index.obstacles[field.key]:
        if obstacle.id in used.obstacles or (following is not None and not troupe.present & set(obstacle.cleared_by)):
            continue
        if not _effects(obstacle, following, revisable, direct):
            continue
        # after a hold somebody must be able to go on in its scope or in the deciding one
        found += [
            (obstacle, each)
            for each in options
            if troupe.roles[each[0]] in obstacle.found_by
            and (following != "resume" or troupe.able(field, "advance", (each[1], field.scope)))
        ]
    if not found:
        raise DeadEnd
    weights = [
        (0.15 if person == previous else 1.0)
        * (1.0 if used.spoken.get(person) else 2.0)
        * (1.0 if scope == (limited or field.scope) else 0.3)
        for _, (person, scope) in found
    ]
    step.obstacle, (step.person, step.scope) = pick(rng, found, weights)
    # the effect belongs to the clearing; it is drawn here because a cap shows in the value held
    step.effect = pick(rng, _effects(step.obstacle, following, revisable, direct))
    used.obstacles.add(step.obstacle.id)


def _effects(obstacle: Obstacle, following: Kind | None, revisable: bool, direct: bool) -> list[Effect]:
    """Effects that clearing the obstacle may have here."""
    if following != "resume":
        return ["keep"] if "cap" not in obstacle.effect else []
    return [effect for effect in obstacle.effect if effect == "keep" or (revisable and (effect != "cap" or direct))]


def _settle(
    rng: random.Random,
    step: Step,
    field: Field,
    limited: str | None,
    troupe: Troupe,
    used: Used,
    previous: str,
    held: Obstacle | None,
) -> None:
    step.scope = limited or field.scope
    options = troupe.closers(field, step.scope)
    if held is not None and not troupe.present & set(held.cleared_by):
        options = [each for each in options if each[1] in ("rejected", "withdrawn")]
    if not options:
        raise DeadEnd
    weights = [
        {"approved": 9.0, "confirmed": 9.0, "rejected": 1.0, "withdrawn": 0.4}[result]
        * (0.5 if person == previous else 1.0)
        for person, result in options
    ]
    step.person, step.result = pick(rng, options, weights)
    if held is not None and step.result in ("approved", "confirmed"):
        step.clears = held.id
