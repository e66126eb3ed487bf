"""Draws typed values from a blueprint's priors and revises them within their bounds.

Inside planning a value is *raw*: a Decimal in the base unit of its type (a date in days after the anchor), a
status code, the parts of a ratio, or the raws of a composite in the order of its parts.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Decimal
from typing import Any, TypeVar, get_args

import msgspec

from dtbuild.records.blueprint import Draw, Effect, Prior, Revision, ValueSpec
from dtbuild.records.values import Atom, Composite, Value

Raw = Decimal | str | tuple["Raw", ...]
Resolve = Callable[[str, str], Decimal]
"""Gives the number a reference stands for; the second argument says what for: "prior", "at_most", "at_least"."""

T = TypeVar("T")


class Calendar(msgspec.Struct, frozen=True):
    """The anchor date and the days without business, for dates."""

    anchor: date
    closed: frozenset[date] = frozenset()


def pick(rng: random.Random, items: Sequence[T], weights: Sequence[float] | None = None) -> T:
    """One item by weight."""
    if weights is None:
        return items[rng.randrange(len(items))]
    at = rng.random() * sum(weights)
    for item, weight in zip(items, weights, strict=True):
        at -= weight
        if at < 0:
            return item
    return items[-1]


def first(spec: ValueSpec, rng: random.Random, resolve: Resolve, calendar: Calendar) -> Raw:
    """A first value from the prior, rounded and within its bounds."""
    if spec.type == "composite":
        return tuple(first(part, rng, resolve, calendar) for part in spec.parts.values())
    prior = spec.prior
    if prior.codes:
        return pick(rng, prior.codes)
    if prior.ratios:
        return pick(rng, prior.ratios)
    return _fit(spec, _number(prior, rng, resolve), resolve, calendar)


def revised(
    spec: ValueSpec,
    raw: Raw,
    toward: Effect | None,
    rng: random.Random,
    resolve: Resolve,
    calendar: Calendar,
    side: str | None = None,
) -> Raw | None:
    """A changed value, in the given direction or any; None when the bounds leave no other value.

    `side` is that of the person who changes it: revisions that are another side's come only when it has none.
    """
    if spec.type == "composite":
        return _revised_part(spec, raw, toward, rng, resolve, calendar, side)
    if isinstance(raw, str):
        following = spec.next.get(raw, ())
        return pick(rng, following) if following else None
    if isinstance(raw, tuple):
        others = [ratio for ratio in spec.prior.ratios if ratio != raw]
        return pick(rng, others) if others else None
    ways = [way for way in spec.revise if toward in (None, "other", way.toward)]
    ways = [way for way in ways if not way.by or side is None or side in way.by] or ways
    for _ in range(6):
        if not ways:
            return None
        way = pick(rng, ways, [float(way.weight) for way in ways])
        result = _fit(spec, _changed(way, raw, rng), resolve, calendar)
        if result != raw and (result < raw) == (way.toward == "lower"):
            return result
    return None


def value_of(spec: ValueSpec, raw: Raw, calendar: Calendar) -> Value:
    """The record of a raw value."""
    if spec.type == "composite":
        assert isinstance(raw, tuple)
        parts = tuple(_atom(part, each, calendar) for part, each in zip(spec.parts.values(), raw, strict=True))
        return Composite(parts=parts)
    return _atom(spec, raw, calendar)


def draw(source: Draw | Prior, rng: random.Random) -> Decimal:
    """One number of a grid or list."""
    if source.choice:
        return pick(rng, source.choice)
    assert source.lo is not None and source.hi is not None and source.step is not None
    return source.lo + source.step * rng.randrange(int((source.hi - source.lo) / source.step) + 1)


def _number(prior: Prior, rng: random.Random, resolve: Resolve) -> Decimal:
    if prior.of is None:
        return draw(prior, rng)
    base = resolve(prior.of, "prior")
    if prior.share is not None:
        base = base * draw(prior.share, rng) / 100
    if prior.plus is not None:
        base = base + draw(prior.plus, rng)
    return base


def _changed(way: Revision, raw: Decimal, rng: random.Random) -> Decimal:
    if way.share is not None:
        raw = raw * draw(way.share, rng) / 100
    if way.plus is not None:
        raw = raw + draw(way.plus, rng)
    return raw


def _fit(spec: ValueSpec, number: Decimal, resolve: Resolve, calendar: Calendar) -> Decimal:
    unit = spec.round or (Decimal(1) if spec.type in ("date", "count", "ordinal", "term") else None)
    number = _to_multiple(number, unit, ROUND_HALF_EVEN)
    uppers = [resolve(ref, "at_most") for ref in spec.at_most] + ([spec.ceiling] if spec.ceiling is not None else [])
    lowers = [resolve(ref, "at_least") for ref in spec.at_least] + ([spec.floor] if spec.floor is not None else [])
    if uppers and number > min(uppers):
        number = _to_multiple(min(uppers), unit, ROUND_FLOOR)
    if lowers and number < max(lowers):
        number = _to_multiple(max(lowers), unit, ROUND_CEILING)
    return plain(_snapped(spec, number, calendar))


def _to_multiple(number: Decimal, unit: Decimal | None, rounding: str) -> Decimal:
    return number if unit is None else (number / unit).to_integral_value(rounding) * unit


def _snapped(spec: ValueSpec, number: Decimal, calendar: Calendar) -> Decimal:
    if spec.snap is None:
        return number
    day = calendar.anchor + timedelta(days=int(number))
    if spec.snap == "workday":
        while day.weekday() >= 5 or day in calendar.closed:
            day += timedelta(days=1)
    else:
        day = (day.replace(day=28) + timedelta(days=4)).replace(day=1) - timedelta(days=1)
    return Decimal((day - calendar.anchor).days)


def plain(number: Decimal) -> Decimal:
    """The number without exponent or trailing zeros, so that equal numbers are written equally."""
    short = number.normalize()
    return short.quantize(Decimal(1)) if int(short.as_tuple().exponent) > 0 else short


def _revised_part(
    spec: ValueSpec,
    raw: Raw,
    toward: Effect | None,
    rng: random.Random,
    resolve: Resolve,
    calendar: Calendar,
    side: str | None,
) -> Raw | None:
    assert isinstance(raw, tuple)
    order = list(enumerate(spec.parts.values()))
    rng.shuffle(order)
    for at, part in order:
        changed = revised(part, raw[at], toward, rng, resolve, calendar, side)
        if changed is not None:
            return (*raw[:at], changed, *raw[at + 1 :])
    return None


_NUMBER_KEY = {"money": "amount"}
_ATOMS: dict[str, type[Atom]] = {str(kind.__struct_config__.tag): kind for kind in get_args(Atom)}


def _atom(spec: ValueSpec, raw: Raw, calendar: Calendar) -> Atom:
    data: dict[str, Any] = {}
    if spec.type == "status":
        data["code"] = raw
    elif spec.type == "ratio":
        data["parts"] = raw
    elif spec.type == "date":
        assert isinstance(raw, Decimal)
        data |= {"iso": (calendar.anchor + timedelta(days=int(raw))).isoformat(), "bound": spec.bound}
    else:
        data[_NUMBER_KEY.get(spec.type, "value")] = raw
        data |= {key: given for key in ("currency", "unit", "per", "base") if (given := getattr(spec, key)) is not None}
    return _ATOMS[spec.type](**data)
