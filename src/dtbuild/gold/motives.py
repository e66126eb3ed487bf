"""Why people say a number: who would name it first, who would change it, in which direction and for what reason.

A term is talked about by people with interests (`wants` of the blueprint): somebody counters another's number
towards his own side's interest, or gives way, with his own side's number, to what somebody else wants. Colleagues do not
haggle: of theirs only one who decides judges the number of one who passes it on. A fact has no interests: it changes
where somebody counts or checks again. Nobody changes his own number for nothing.
"""

from __future__ import annotations

from collections.abc import Sequence, Set

import msgspec

from dtbuild.gold.troupe import Troupe
from dtbuild.records.blueprint import Field, Toward, ValueSpec
from dtbuild.records.plan import Action, Reason

_COUNTER, _CONCESSION, _RECOUNT = 1.0, 1.0, 1.0
_AMONG_COLLEAGUES = 0.25
"""A number of one's own side is seldom worsened in front of the other side."""
_OWN_COUNT = 0.1
"""Whoever counted seldom counts again unasked."""

Option = tuple[str, str]
"""A person, and the scope he has the right in."""


class Move(msgspec.Struct, frozen=True):
    """A change of a value: who, in which scope, where to (None: anywhere), why, and how likely beside others."""

    person: str
    scope: str
    toward: Toward | None
    reason: Reason | None
    weight: float

    def weighed(self, share: float) -> Move:
        """The same move, so much less likely."""
        return msgspec.structs.replace(self, weight=self.weight * share)


def proposers(troupe: Troupe, field: Field, options: Sequence[Option]) -> list[Option]:
    """Of those with the right, the ones who would name the first value; all of them where the field does not say."""
    able = {troupe.roles[person] for person, _ in options}
    first = next((role for role in field.proposed_by if role in able), None)
    if first is None:
        return list(options)
    side = troupe.index.sides[first]
    natural = {role for role in field.proposed_by if troupe.index.sides[role] == side}
    return [each for each in options if troupe.roles[each[0]] in natural]


def homes(troupe: Troupe, field: Field, action: Action, limited: str | None) -> list[Option]:
    """Who may start or advance the field at all, each in one scope: the narrower one in question, or his first."""
    found: dict[str, str] = {}
    for person, scope in troupe.able(field, action, field.scopes):
        if person not in found or scope == limited:
            found[person] = scope
    return list(found.items())


def moves(
    troupe: Troupe, field: Field, options: Sequence[Option], namer: str, barred: Set[Toward] = frozenset()
) -> list[Move]:
    """Changes that make sense after `namer` named the last value; none goes in a `barred` direction."""
    if field.nature == "fact":
        return _recounts(troupe, field, options, namer, barred)
    ways = set(_ways(field.value, None)) - barred
    if not ways or not field.wants:
        return [
            Move(person=person, scope=scope, toward=None, reason="counter", weight=_COUNTER)
            for person, scope in options
            if person != namer
            and not barred
            and (_across(troupe, person, namer) or judges(troupe, field, person, namer))
        ]
    found: list[Move] = []
    for person, scope in options:
        side = troupe.side(person)
        own = field.wants.get(side)
        ours = troupe.side(namer) == side
        if person != namer and own in ways and (not ours or judges(troupe, field, person, namer)):
            weight = _COUNTER * (_AMONG_COLLEAGUES if ours and len(troupe.sides) > 1 else 1.0)
            found.append(Move(person=person, scope=scope, toward=own, reason="counter", weight=weight))
        if not ours:
            continue
        # to the other side one gives way, to a colleague only when the two are among themselves
        among = len(troupe.sides) == 1
        wishes = {
            field.wants.get(troupe.side(other))
            for other in troupe.objectors(field)
            if other != person and (_across(troupe, other, person) or (among and judges(troupe, field, other, person)))
        }
        if not among:
            wishes -= {own}
        for wish in sorted(each for each in wishes if each is not None):
            if wish in ways:
                weight = _CONCESSION * (1.0 if person == namer else 0.5)
                found.append(Move(person=person, scope=scope, toward=wish, reason="concession", weight=weight))
    return found


def judges(troupe: Troupe, field: Field, person: str, namer: str) -> bool:
    """Whether a number of one who only passes it on is for the other to judge, who may conclude the field."""
    may, roles = troupe.index.may, troupe.roles
    return bool(namer) and may(roles[person], field.scope, "settle") and not may(roles[namer], field.scope, "settle")


def _across(troupe: Troupe, person: str, other: str) -> bool:
    return troupe.side(person) != troupe.side(other)


def wish(troupe: Troupe, field: Field, person: str) -> Toward | None:
    """Where somebody without a say would like the number to go; None when he has no interest in it."""
    if field.nature == "fact" or field.value.type in ("status", "ratio", "composite"):
        return None
    return field.wants.get(troupe.side(person))


def _recounts(troupe: Troupe, field: Field, options: Sequence[Option], namer: str, barred: Set[Toward]) -> list[Move]:
    found: list[Move] = []
    for person, scope in options:
        ways = _ways(field.value, troupe.side(person))
        weight = _RECOUNT * (_OWN_COUNT if person == namer else 1.0)
        if not field.value.revise and not barred:
            found.append(Move(person=person, scope=scope, toward=None, reason="recount", weight=weight))
        for toward, share in sorted(ways.items()):
            if toward not in barred:
                found.append(Move(person=person, scope=scope, toward=toward, reason="recount", weight=weight * share))
    return found


def _ways(spec: ValueSpec, side: str | None) -> dict[Toward, float]:
    """Directions a value can be changed in by a side (None: by anybody), with the weight of each."""
    found: dict[Toward, float] = {}
    for part in spec.parts.values() or (spec,):
        for way in part.revise:
            if not way.by or side is None or side in way.by:
                found[way.toward] = found.get(way.toward, 0.0) + float(way.weight)
    return found
