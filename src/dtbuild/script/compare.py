"""How one value lies to another of its type: lower, higher, the same; and what was taken off."""

from __future__ import annotations

from decimal import Decimal

import msgspec

from dtbuild.records.values import Change, Composite, Count, Date, Factor, Money, Rate, Term, Value


def size(value: Value | None) -> Decimal | None:
    """A number to order values of one type by; None for statuses, ratios and the like."""
    if isinstance(value, Money):
        return value.amount
    if isinstance(value, Rate | Change | Term | Count | Factor):
        return value.value
    if isinstance(value, Date):
        return Decimal(value.iso.replace("-", ""))
    return None


def direction(old: Value | None, now: Value | None) -> list[str]:
    """Tag of a change: `same` (also where there was no value before), `lower`, `raise`, or `other`.

    >>> direction(Count(value=Decimal(3), unit="张"), Count(value=Decimal(2), unit="张"))
    ['lower']
    """
    if old is None or now is None or old == now:
        return ["same"]
    pairs = [(old, now)]
    if isinstance(old, Composite) and isinstance(now, Composite):
        pairs = list(zip(old.parts, now.parts, strict=False))
    for one, two in ((size(a), size(b)) for a, b in pairs):
        if one is not None and two is not None and one != two:
            return ["lower" if two < one else "raise"]
    return ["other"]


def less(old: Value, now: Value) -> Value | None:
    """What was taken off a money amount or a count, None where nothing was or it cannot be said so."""
    if isinstance(old, Money) and isinstance(now, Money) and now.amount < old.amount and not old.per:
        return msgspec.structs.replace(old, amount=old.amount - now.amount, text=None)
    if isinstance(old, Count) and isinstance(now, Count) and now.value < old.value:
        return msgspec.structs.replace(old, value=old.value - now.value, text=None)
    return None
