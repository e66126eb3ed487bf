"""Whether a value has the shape its field asks for, and whether two values are the same inside a plan.

Plans hold exact numbers, so sameness is equality of the records without their surface `text`; a composite is
unordered. Comparing what people wrote or said is another matter (`dtbuild.lexicon`).
"""

from __future__ import annotations

import msgspec

from dtbuild.records.blueprint import ValueSpec
from dtbuild.records.values import Composite, Range, Value

_SHAPE = ("currency", "unit", "per", "base", "bound")


def same(one: Value | None, other: Value | None) -> bool:
    """Equal apart from surface text; null equals null.

    >>> from dtbuild.records.values import Term
    >>> from decimal import Decimal
    >>> same(Term(value=Decimal(6), unit="month"), Term(value=Decimal("6.0"), unit="month", text="半年"))
    True
    """
    if one is None or other is None:
        return one is other
    if isinstance(one, Composite) and isinstance(other, Composite):
        left, right = ([bare(part) for part in each.parts] for each in (one, other))
        return len(left) == len(right) and all(left.count(part) == right.count(part) for part in left)
    return bare(one) == bare(other)


def bare(value: Value) -> Value:
    """The value without its surface text."""
    return value if value.text is None else msgspec.structs.replace(value, text=None)


def misfit(value: Value, spec: ValueSpec) -> str | None:
    """What is wrong with the value's type or units for this field, None when it fits."""
    if isinstance(value, Composite):
        return _composite_misfit(value, spec)
    found = kind(value)
    if isinstance(value, Range):
        found = value.of.type
    if found != spec.type:
        return f"{found} where {spec.type} is asked for"
    holder = value.of if isinstance(value, Range) else value
    for name in _SHAPE:
        if name == "bound" and isinstance(value, Range):
            continue
        given, asked = getattr(holder, name, None), getattr(spec, name)
        if given != asked:
            return f"{name} {given!r} where {asked!r} is asked for"
    return None


def kind(value: Value) -> str:
    """The name of the value's type (`money`)."""
    return str(type(value).__struct_config__.tag)


def _composite_misfit(value: Composite, spec: ValueSpec) -> str | None:
    if spec.type != "composite":
        return f"composite where {spec.type} is asked for"
    open_parts = list(spec.parts.values())
    for part in value.parts:
        fitting = next((each for each in open_parts if misfit(part, each) is None), None)
        if fitting is None:
            return f"part {kind(part)} that the field does not have (or twice)"
        open_parts.remove(fitting)
    return f"part {open_parts[0].type} missing" if open_parts else None
