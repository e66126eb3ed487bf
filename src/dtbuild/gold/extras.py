"""Numbers that are no events: candidates from people without the right, and distractors."""

from __future__ import annotations

import random
from collections.abc import Sequence
from decimal import Decimal

from dtbuild.gold.case import Case
from dtbuild.gold.draw import Raw, first, pick, revised, value_of
from dtbuild.gold.shape import DeadEnd
from dtbuild.records.blueprint import DistractorKind, Field, Toward
from dtbuild.records.plan import Person
from dtbuild.records.values import Value


def candidate(
    rng: random.Random,
    case: Case,
    field: Field,
    standing: Raw,
    toward: Toward,
    named: Sequence[Raw],
    later: Sequence[Raw],
) -> Value | None:
    """A value on the wished side of the one that stands, and equal to none of the chain's, `named`; None without room.

    Nobody is given more than he wished for: it lies beyond what the chain comes to `later`.
    """
    for _ in range(8):
        near = revised(field.value, standing, toward, rng, case.resolve, case.calendar)
        if near is not None and near not in named and all(_wished(near, raw, toward) for raw in later):
            return value_of(field.value, near, case.calendar)
    return None


def _wished(near: Raw, raw: Raw, toward: Toward) -> bool:
    if not isinstance(near, Decimal) or not isinstance(raw, Decimal):
        return near != raw
    return near < raw if toward == "lower" else near > raw


def distractor(
    rng: random.Random, case: Case, person: Person | None, cast: Sequence[Person], taken: set[str], values: set[Value]
) -> tuple[str, str, Value]:
    """Kind, person and value of a number that belongs to no chain and equals no value of one.

    `person` asks for a certain speaker. Raises DeadEnd when nobody present would say any kind not yet taken.
    """
    options = [
        (kind, each.id)
        for kind in case.index.blueprint.distractors
        if kind.id not in taken
        for each in ([person] if person else cast)
        if _says(kind, each, cast)
    ]
    if not options:
        raise DeadEnd
    for _ in range(8):
        kind, speaker = pick(rng, options)
        value = value_of(kind.value, first(kind.value, rng, case.resolve, case.calendar), case.calendar)
        if value not in values:
            return kind.id, speaker, value
    raise DeadEnd


def _says(kind: DistractorKind, person: Person, cast: Sequence[Person]) -> bool:
    """Whether the person would say the number here: he knows it, or stands in, and somebody is there to ask."""
    knowing = [each for each in cast if each.role in kind.by]
    if person.role not in (kind.by if knowing else kind.instead):
        return False
    return not kind.asked_by or any(each.role in kind.asked_by for each in cast if each.id != person.id)
