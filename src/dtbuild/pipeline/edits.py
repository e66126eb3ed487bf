"""What must hold of a plan edited by hand before its chains can be judged at all.

A planner never breaks these, so nothing behind asks again: ids that name two things or nothing, a date that is none,
a number that cannot be said, a plan of another place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from typing import Any

import msgspec

from dtbuild.records.blueprint import Blueprint
from dtbuild.records.plan import Plan
from dtbuild.records.variant import kind_of
from dtbuild.records.verdict import Finding, finding

_LARGEST = Decimal(10) ** 12
"""Nothing that is agreed on at work is larger, in 元 or any other unit; and nothing larger is read back."""


def unusable(plan: Plan, blueprint: Blueprint, *, attempt: int, pair: bool) -> list[Finding]:
    """Findings about an edited plan; the rules of chains are asked only where there are none.

    `pair` says whether the config makes the family one: an edit may change what B changes, not whether there is a B.
    """
    return [*_place(plan, blueprint, attempt), *_change(plan, pair), *_cast(plan), *_ids(plan), *_numbers(plan)]


def _place(plan: Plan, blueprint: Blueprint, attempt: int) -> Iterator[Finding]:
    if plan.scenario != blueprint.id:
        yield finding("scenario", "scenario", "not the scenario of this cohort", blueprint.id, plan.scenario)
    if plan.attempt != attempt:
        yield finding("attempt", "attempt", "not the sub-seed in the file's name", attempt, plan.attempt)
    try:
        date.fromisoformat(plan.anchor_date)
    except ValueError as error:
        yield finding("anchor_date", "anchor_date", f"not a date ({error})", "YYYY-MM-DD", plan.anchor_date)


def _change(plan: Plan, pair: bool) -> Iterator[Finding]:
    if (plan.change is not None) != pair:
        expected = "the change that makes variant B" if pair else "none: the config makes this family no pair"
        found = None if plan.change is None else kind_of(plan.change)
        yield finding("change", "change", "the plan and the config disagree on variant B", expected, found)


def _cast(plan: Plan) -> Iterator[Finding]:
    for person in plan.cast:
        if len(person.name) < 2:
            yield finding("name", person.id, "a person without surname and given name", "汉字", repr(person.name))


def _ids(plan: Plan) -> Iterator[Finding]:
    known = {
        "event": [event.id for _, _, event in plan.events()],
        "candidate": [each.id for each in plan.candidates],
        "distractor": [each.id for each in plan.distractors],
    }
    named = [id for ids in known.values() for id in ids]
    named += [id for each in plan.trajectories for id in (each.id, *(cycle.id for cycle in each.cycles))]
    for id, count in Counter([*named, *(person.id for person in plan.cast)]).items():
        if count > 1:
            yield finding("ids", id, "an id that names more than one thing", 1, count)
    if not known["event"]:
        yield finding("events", "trajectories", "a plan without events", "at least one", 0)
    for beat in plan.beats:
        if beat.ref not in known[beat.kind]:
            yield finding("beats", beat.ref, f"no such {beat.kind} in the plan")


def _numbers(plan: Plan) -> Iterator[Finding]:
    """Every number of the plan's values can be said: finite, and of a size that has a name."""
    holders: list[tuple[str, Any]] = [(event.id, event.value) for _, _, event in plan.events()]
    holders += [(each.id, each.value) for each in plan.candidates]
    holders += [(each.id, each.value) for each in plan.distractors]
    holders += list(plan.quantities.items())
    for where, value in holders:
        for number in _decimals(value):
            if not number.is_finite() or abs(number) >= _LARGEST:
                yield finding("number", where, "a number that cannot be said", f"less than {_LARGEST:f}", number)


def _decimals(value: Any) -> Iterator[Decimal]:
    if isinstance(value, Decimal):
        yield value
    elif isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            yield from _decimals(getattr(value, name))
    elif isinstance(value, tuple):
        for each in value:
            yield from _decimals(each)
