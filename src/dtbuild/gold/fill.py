"""Gives every step of a bare chain its person, scope, obstacle and result.

Rights come from the authority table; an obstacle needs somebody present who may name it and, where the chain
goes on, somebody who brings what clears it.
"""

from __future__ import annotations

import random
from typing import NamedTuple

from dtbuild.gold import motives
from dtbuild.gold.course import AWAY, MOST_CHANGES, Course
from dtbuild.gold.draw import pick
from dtbuild.gold.shape import Chain, Cycle, DeadEnd, Kind
from dtbuild.gold.step import ACTION, Step, Used
from dtbuild.gold.troupe import Troupe
from dtbuild.records.blueprint import Effect, Field, Obstacle, Toward
from dtbuild.records.plan import CLOSING, Reason, Result

_NULL_START = 0.06
_NULL_HOLD = 0.25
_OWN = 0.1
"""How much less often somebody stops a number that he has just set."""
_SLOW = 0.1
"""How much less often what takes a journey or days is cleared while all sit there."""
_SPARE = 3
"""Steps that a cycle has at least where one may fall away."""


class Asked(NamedTuple):
    """What one chain is about: its field, and the narrower scope it is concluded in, if any.

    `revisable` lets what clears an obstacle change the value; `concluded` asks for a conclusion in the positive that
    leaves the value as it is.
    """

    field: Field
    limited: str | None
    revisable: bool
    concluded: bool


def fill(rng: random.Random, chain: Chain, asked: Asked, troupe: Troupe, used: Used) -> list[list[Step]]:
    """The chain's steps with everything but values. Raises DeadEnd when the cast cannot act it out."""
    return _Filling(rng, asked, troupe, used).cycles(chain)


class _Filling:
    """One chain on its way.

    `previous` is who spoke last in it, `course` what its number has been through, `held` the obstacle that stands.
    """

    def __init__(self, rng: random.Random, asked: Asked, troupe: Troupe, used: Used) -> None:
        self.rng, self.troupe, self.used = rng, troupe, used
        self.field, self.limited, self.revisable, self.concluded = asked
        self.previous = ""
        self.course = Course(troupe, asked.field)
        self.held: Obstacle | None = None
        self.steps: list[Step] = []
        self.concluder = ""

    def cycles(self, chain: Chain) -> list[list[Step]]:
        result: list[list[Step]] = []
        for number, kinds in enumerate(chain):
            self.steps, self.held = [], None
            if number:
                self.course.reopened()
            unheld = False
            for at, kind in enumerate(kinds):
                if unheld and kind in ("hold_again", "resume"):
                    continue
                step = Step(kind=kind)
                following = kinds[at + 1] if at + 1 < len(kinds) else None
                fits = self._fits(step, number, at, following, kinds)
                unheld = kind == "hold" and not fits
                if fits:
                    self._note(step)
                elif len(kinds) < _SPARE:
                    raise DeadEnd
            result.append(self.steps)
        return result

    def _fits(self, step: Step, number: int, at: int, following: Kind | None, kinds: Cycle) -> bool:
        """Gives the step all it needs; False where the cycle does without it. Raises DeadEnd where it cannot."""
        if step.kind in ("hold", "hold_again"):
            # a cap shows in the chain's first value, so only a hold right after it can ask for one
            direct = number == 0 and (at == 0 or (at == 1 and kinds[0] == "start"))
            if not self._hold(step, following, direct, reopens=number > 0 and at == 0):
                if not any(each.kind == "hold" for each in self.steps):
                    raise DeadEnd
                return False
            if at and following != "settle" and step.effect == "keep":
                self._may_change(step)
        elif step.kind == "settle":
            self._settle(step)
        elif step.kind == "condition":
            return self._condition(step)
        elif step.kind == "revise":
            return self._revise(step)
        elif step.kind == "resume":
            self._resume(step)
        elif number:
            self._reopen(step)
        else:
            self._start(step, following)
        return True

    def _note(self, step: Step) -> None:
        """Takes the step in, with whoever has named the value."""
        course = self.course
        if step.kind == "revise" or step.cause is not None or (step.kind == "resume" and step.effect != "keep"):
            course.namer = step.person
        elif not course.namer:
            course.namer = self._applicant() or step.person if step.kind != "start" else step.person
            if step.unnamed:
                course.namer = ""
        course.note(step)
        self.held = step.obstacle
        self.previous = step.person
        self.used.spoken[step.person] = self.used.spoken.get(step.person, 0) + 1
        self.steps.append(step)

    def _scopes(self) -> tuple[str, ...]:
        return (self.field.scope,) if self.limited is None else (self.field.scope, self.limited)

    def _turn_taking(self, person: str, again: float) -> float:
        """Weight of a person: `again` for whoever spoke last in the chain, more for those not heard yet."""
        return (again if person == self.previous else 1.0) * (1.0 if self.used.spoken.get(person) else 2.0)

    def _applicant(self) -> str:
        """Who had named the first value where the talk does not begin with it: usually asked for before."""
        options = motives.proposers(self.troupe, self.field, self._openers())
        return options[0][0] if options else ""

    def _openers(self) -> list[motives.Option]:
        if self.field.proposed_by:
            return motives.homes(self.troupe, self.field, "start", self.limited)
        return self.troupe.able(self.field, "start", self._scopes())

    def _start(self, step: Step, following: Kind | None) -> None:
        options = motives.proposers(self.troupe, self.field, self._openers())
        index, roles = self.troupe.index, self.troupe.roles
        rank = [role for role in self.field.proposed_by if role in {roles[person] for person, _ in options}]
        first = [each for each in options if rank and roles[each[0]] == rank[0]]
        others = [each for each in options if not index.may(roles[each[0]], self.field.scope, "settle")]
        # the most natural person; else whoever may conclude a matter seldom opens it
        if (first or others) and self.rng.random() < 0.7:
            options = first or others
        step.person, step.scope = self._pick(options, 0.15, self.limited)
        step.unnamed = following == "revise" and self.rng.random() < _NULL_START

    def _revise(self, step: Step) -> bool:
        """Whether somebody has a reason to change the value once more; the first change has to find one."""
        options = self.troupe.able(self.field, "advance", self._scopes())
        if self.field.nature == "fact":
            options = motives.homes(self.troupe, self.field, "advance", self.limited)
        if not self.course.namer:
            # the first value, after a start that named none
            step.person, step.scope = self._pick(motives.proposers(self.troupe, self.field, options), 1.0, self.limited)
            return True
        found = self.course.moves(options)
        if not found:
            if not self.course.changes:
                raise DeadEnd
            return False
        move = pick(self.rng, found, [each.weight * (3.0 if each.scope == self.limited else 1.0) for each in found])
        step.person, step.scope, step.toward, step.reason = move.person, move.scope, move.toward, move.reason
        return True

    def _resume(self, step: Step) -> None:
        """The side that holds lifts: the holder himself, or a colleague with the right."""
        assert self.held is not None
        hold = self.steps[-1]
        scopes = tuple(dict.fromkeys((hold.scope, *self._scopes())))
        options = self._own_side(hold.person, self.troupe.able(self.field, "advance", scopes))
        if not options:
            raise DeadEnd
        weights = [
            (3.0 if person == hold.person else 1.0) * (2.0 if scope == hold.scope else 1.0) for person, scope in options
        ]
        step.person, step.scope = pick(self.rng, options, weights)
        step.clears, step.effect = self.held.id, hold.effect
        if step.effect != "keep":
            step.reason = "obstacle"
        elif len(self.steps) == 1 and step.person in dict(motives.proposers(self.troupe, self.field, self._openers())):
            hold.unnamed = self.rng.random() < _NULL_HOLD

    def _reopen(self, step: Step) -> None:
        """A settled matter is taken up again by the side that concluded it, because something came up."""
        concluded = self.concluder
        options = self._own_side(concluded, self.troupe.able(self.field, "start", self._scopes()))
        causes = [each for each in self.troupe.index.causes[self.field.key] if each.id not in self.used.causes]
        found = [
            (cause, person, scope)
            for cause in causes
            for person, scope in options
            if self.troupe.roles[person] in cause.by and not _TO[cause.effect] & self.course.barred
        ]
        if not found and self.troupe.index.causes[self.field.key]:
            raise DeadEnd
        if not found:
            step.person, step.scope = self._pick(options, 1.0, self.limited)
            return
        weights = [2.0 if person == concluded else 1.0 for _, person, _ in found]
        step.cause, step.person, step.scope = pick(self.rng, found, weights)
        step.reason = "reopening"
        self.used.causes.add(step.cause.id)
        self.course.barred |= AWAY[step.cause.effect]

    def _may_change(self, step: Step) -> None:
        """A change of value that would come from this very step's person, in answer to somebody else."""
        if (
            not self.course.namer
            or (step.kind != "settle" and self.course.namer == step.person)
            or self.field.value.type == "status"
        ):
            return
        # what concludes a term gives a little; what stops one sets another number against it
        usual: Reason = "concession" if step.kind == "settle" else "counter"
        found = [each for each in self.course.moves([(step.person, step.scope)]) if each.reason in (usual, "recount")]
        if found:
            move = pick(self.rng, found, [each.weight for each in found])
            step.toward, step.reason = move.toward, move.reason

    def _own_side(self, person: str, options: list[motives.Option]) -> list[motives.Option]:
        return [each for each in options if self.troupe.side(each[0]) == self.troupe.side(person)]

    def _pick(self, options: list[motives.Option], again: float, favoured: str | None) -> motives.Option:
        if not options:
            raise DeadEnd
        weights = [self._turn_taking(each[0], again) * (3.0 if each[1] == favoured else 1.0) for each in options]
        return pick(self.rng, options, weights)

    def _condition(self, step: Step) -> bool:
        """Whether some condition is left that nothing said denies; a longer chain does without."""
        told = {each.person for each in self.steps if each.condition is not None}
        met = [
            (condition.id, person, scope)
            for condition in self.troupe.index.conditions[self.field.key]
            if condition.id not in self.used.conditions and not self.used.obstacles & set(condition.excludes)
            for person, scope in self.troupe.able(self.field, "advance", self._scopes())
            if self.troupe.roles[person] in condition.by
        ]
        if not met:
            return False
        weights = [self._turn_taking(person, 0.3) * (0.1 if person in told else 1.0) for _, person, _ in met]
        step.condition, step.person, step.scope = pick(self.rng, met, weights)
        self.used.conditions.add(step.condition)
        return True

    def _hold(self, step: Step, following: Kind | None, direct: bool, reopens: bool) -> bool:
        """Whether somebody finds an obstacle: not who has himself let the number go on, seldom who has just set it."""
        field, troupe = self.field, self.troupe
        found: list[tuple[Obstacle, str, str]] = []
        denied = {each for id in self.used.conditions for each in troupe.index.condition[id].excludes}
        concluded = self.concluder if reopens else ""
        for obstacle in troupe.index.obstacles[field.key]:
            lost = following is not None and not troupe.present & set(obstacle.cleared_by)
            if obstacle.id in self.used.obstacles | denied or lost or not self._effects(obstacle, following, direct):
                continue
            if reopens and obstacle.above:
                continue
            # after a hold somebody must be able to go on in its scope or in the deciding one
            found += [
                (obstacle, person, scope)
                for person, scope in motives.homes(troupe, field, "hold", self.limited)
                if troupe.roles[person] in obstacle.found_by
                and person not in self.course.onward
                and (
                    following != "resume"
                    or self._own_side(person, troupe.able(field, "advance", (scope, *self._scopes())))
                )
                and (self.held is None or troupe.side(person) == troupe.side(self.steps[-1].person))
                and (not reopens or troupe.side(person) == troupe.side(concluded))
                and self._beyond(obstacle, person, scope)
            ]
        if not found:
            return False
        usual = self.limited or field.scope
        weights = [
            self._turn_taking(person, 0.15)
            * (1.0 if scope == usual else 0.3)
            * (_OWN if person in self.course.passed else 1.0)
            * (_SLOW if each.slow and following in ("resume", "settle") else 1.0)
            for each, person, scope in found
        ]
        step.obstacle, step.person, step.scope = pick(self.rng, found, weights)
        step.effect = pick(self.rng, self._effects(step.obstacle, following, direct))
        self.used.obstacles.add(step.obstacle.id)
        return True

    def _beyond(self, obstacle: Obstacle, person: str, scope: str) -> bool:
        """Whether the person may say that the matter is above him: not while somebody present decides it."""
        deciders = {each for each, result in self.troupe.closers(self.field, scope) if result in CLOSING}
        return not obstacle.above or not deciders or person in deciders

    def _effects(self, obstacle: Obstacle, following: Kind | None, direct: bool) -> list[Effect]:
        """What clearing the obstacle may do here; drawn with the hold because a cap shows in the value held."""
        if following != "resume":
            # a chain that stays held, or is refused, needs no clearing; else it must be able to leave the value
            return [] if "cap" in obstacle.effect or (following and "keep" not in obstacle.effect) else ["keep"]
        return [
            effect
            for effect in obstacle.effect
            if effect == "keep"
            or (
                self.revisable
                and self.course.changes < MOST_CHANGES
                and (effect != "cap" or direct)
                and not _TO[effect] & self.course.barred
            )
        ]

    def _settle(self, step: Step) -> None:
        step.scope = self.limited or self.field.scope
        options = self.troupe.closers(self.field, step.scope)
        if self.held is not None:
            able = self.troupe.present & set(self.held.cleared_by)
            ours = self._own_side(self.steps[-1].person, [(person, "") for person, _ in options])
            options = [each for each in options if each[1] not in CLOSING or (able and (each[0], "") in ours)]
        options = [each for each in options if each[1] != "rejected" or self._refuses(each[0], step.scope)]
        if self.steps and self.steps[-1].kind == "start":
            options = [each for each in options if each[1] != "withdrawn"]
        if not self.previous or self.concluded:
            # nobody refuses a number that was never named
            options = [each for each in options if each[1] in CLOSING]
        if not options:
            raise DeadEnd
        # nobody concludes in the next breath what he has just named, where somebody else can
        again = 0.1 if self.steps and self.steps[-1].kind == "start" else 0.4
        weights = [self._likely(result) * (again if person == self.previous else 1.0) for person, result in options]
        step.person, step.result = pick(self.rng, options, weights)
        self.concluder = step.person
        if step.result in CLOSING:
            if self.held is not None:
                step.clears = self.held.id
            elif not self.concluded and not (self.steps and self.steps[-1].cause):
                self._may_change(step)

    def _refuses(self, person: str, scope: str) -> bool:
        """Nobody refuses what his own side named or moved on, but a colleague's number who only passes it on; and
        nobody refuses in one breath what has only just been named, without a ground."""
        side = self.troupe.side(person)
        moved = any(ACTION[each.kind] == "advance" and self.troupe.side(each.person) == side for each in self.steps)
        if self.held is None and self.course.given(person):
            return False
        if not self.course.namer or person == self.course.namer or moved or self.steps[-1].kind == "start":
            return False
        passes_on = not self.troupe.index.may(self.troupe.roles[self.course.namer], scope, "settle")
        return side != self.troupe.side(self.course.namer) or (passes_on and len(self.troupe.sides) == 1)

    def _likely(self, result: Result) -> float:
        """A refusal is likelier while the obstacle stands."""
        return _RESULT_WEIGHT[result] * (1.0 if result in CLOSING or self.held is None else 8.0)


_TO: dict[Effect, set[Toward]] = {
    "lower": {"lower"},
    "cap": {"lower"},
    "raise": {"raise"},
    "other": set(),
    "keep": set(),
}
_RESULT_WEIGHT: dict[Result, float] = {"approved": 9.0, "confirmed": 9.0, "rejected": 4.0, "withdrawn": 0.6}
