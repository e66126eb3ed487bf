"""Gives every step of a bare chain its person, scope, obstacle and result.

Rights come from the authority troupe; an obstacle needs somebody present who may name it and, where the chain
goes on, somebody who brings what clears it.
"""

from __future__ import annotations

import random

import msgspec

from dtbuild.gold.draw import pick
from dtbuild.gold.shape import Chain, DeadEnd, Kind
from dtbuild.gold.troupe import CLOSING, Troupe
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
    """The chain's steps with everything but values; `limited` is the narrower scope it is concluded in, if any.

    Raises DeadEnd when the cast cannot act it out.
    """
    return _Filling(rng, field, limited, troupe, used, revisable).cycles(chain)


class _Filling:
    """One chain on its way; `previous` is who spoke last in it, `held` the obstacle that stands."""

    def __init__(
        self, rng: random.Random, field: Field, limited: str | None, troupe: Troupe, used: Used, revisable: bool
    ) -> None:
        self.rng, self.field, self.limited, self.troupe, self.used = rng, field, limited, troupe, used
        self.revisable = revisable
        self.previous = ""
        self.held: Obstacle | None = None
        self.steps: list[Step] = []

    def cycles(self, chain: Chain) -> list[list[Step]]:
        result: list[list[Step]] = []
        for number, kinds in enumerate(chain):
            self.steps, self.held = [], None
            for at, kind in enumerate(kinds):
                step = Step(kind=kind)
                following = kinds[at + 1] if at + 1 < len(kinds) else None
                if kind in ("hold", "hold_again"):
                    # a cap shows in the chain's first value, so only a hold right after it can ask for one
                    direct = number == 0 and (at == 0 or (at == 1 and kinds[0] == "start"))
                    self._hold(step, following, direct)
                elif kind == "settle":
                    self._settle(step)
                elif kind == "condition":
                    self._condition(step)
                else:
                    self._move(step)
                self.held = step.obstacle
                self.previous = step.person
                self.used.spoken[step.person] = self.used.spoken.get(step.person, 0) + 1
                self.steps.append(step)
            result.append(self.steps)
        return result

    def _scopes(self) -> tuple[str, ...]:
        return (self.field.scope,) if self.limited is None else (self.field.scope, self.limited)

    def _turn_taking(self, person: str, again: float) -> float:
        """Weight of a person: `again` for whoever spoke last in the chain, more for those not heard yet."""
        return (again if person == self.previous else 1.0) * (1.0 if self.used.spoken.get(person) else 2.0)

    def _move(self, step: Step) -> None:
        scopes = self._scopes()
        if self.held is not None:
            scopes = tuple(dict.fromkeys((self.steps[-1].scope, *scopes)))
        options = self.troupe.able(self.field, ACTION[step.kind], scopes)
        if step.kind == "start":
            may = self.troupe.index.may
            proposers = [each for each in options if not may(self.troupe.roles[each[0]], self.field.scope, "settle")]
            # whoever may conclude a matter seldom opens it
            if proposers and self.rng.random() < 0.7:
                options = proposers
        if not options:
            raise DeadEnd
        favoured = self.steps[-1].scope if self.held is not None else self.limited
        # a number is changed by somebody else than the one who named it, where somebody else may
        again = 0.04 if step.kind == "revise" else 0.15
        weights = [self._turn_taking(person, again) * (3.0 if scope == favoured else 1.0) for person, scope in options]
        step.person, step.scope = pick(self.rng, options, weights)
        if self.held is not None:
            step.clears = self.held.id
            step.effect = self.steps[-1].effect

    def _condition(self, step: Step) -> None:
        met = [
            (condition.id, person, scope)
            for condition in self.troupe.index.conditions[self.field.key]
            if condition.id not in self.used.conditions
            for person, scope in self.troupe.able(self.field, "advance", self._scopes())
            if self.troupe.roles[person] in condition.by
        ]
        if not met:
            raise DeadEnd
        weights = [self._turn_taking(person, 0.3) for _, person, _ in met]
        step.condition, step.person, step.scope = pick(self.rng, met, weights)
        self.used.conditions.add(step.condition)

    def _hold(self, step: Step, following: Kind | None, direct: bool) -> None:
        field, troupe = self.field, self.troupe
        found: list[tuple[Obstacle, str, str]] = []
        for obstacle in troupe.index.obstacles[field.key]:
            lost = following is not None and not troupe.present & set(obstacle.cleared_by)
            if obstacle.id in self.used.obstacles or lost or not self._effects(obstacle, following, direct):
                continue
            # after a hold somebody must be able to go on in its scope or in the deciding one
            found += [
                (obstacle, person, scope)
                for person, scope in troupe.able(field, "hold", field.scopes)
                if troupe.roles[person] in obstacle.found_by
                and (following != "resume" or troupe.able(field, "advance", (scope, field.scope)))
            ]
        if not found:
            raise DeadEnd
        usual = self.limited or field.scope
        weights = [self._turn_taking(person, 0.15) * (1.0 if scope == usual else 0.3) for _, person, scope in found]
        step.obstacle, step.person, step.scope = pick(self.rng, found, weights)
        step.effect = pick(self.rng, self._effects(step.obstacle, following, direct))
        self.used.obstacles.add(step.obstacle.id)

    def _effects(self, obstacle: Obstacle, following: Kind | None, direct: bool) -> list[Effect]:
        """What clearing the obstacle may do here; drawn with the hold because a cap shows in the value held."""
        if following != "resume":
            return [] if "cap" in obstacle.effect else ["keep"]
        return [
            effect for effect in obstacle.effect if effect == "keep" or (self.revisable and (effect != "cap" or direct))
        ]

    def _settle(self, step: Step) -> None:
        step.scope = self.limited or self.field.scope
        options = self.troupe.closers(self.field, step.scope)
        if self.held is not None and not self.troupe.present & set(self.held.cleared_by):
            options = [each for each in options if each[1] not in CLOSING]
        if not self.previous:
            # nobody refuses a number that was never named
            options = [each for each in options if each[1] in CLOSING]
        if not options:
            raise DeadEnd
        weights = [_RESULT_WEIGHT[result] * (0.4 if person == self.previous else 1.0) for person, result in options]
        step.person, step.result = pick(self.rng, options, weights)
        if self.held is not None and step.result in CLOSING:
            step.clears = self.held.id


_RESULT_WEIGHT: dict[Result, float] = {"approved": 9.0, "confirmed": 9.0, "rejected": 0.7, "withdrawn": 0.3}
