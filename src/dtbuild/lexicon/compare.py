"""`same`: whether two values are the same decision. One comparator for builder, checker and scorer.

The layers of spec section 5, each adding to the one before, so that none ever undoes a match:

- `legacy`: equal canonical JSON. `text` takes no part, except where a value carries nothing else.
- `amount`: money is read from its text, and compared as a number in one currency.
- `semantics`: every other type is read too; statuses are equal by code, by text, or by the expression map.
- `extras` compares values as `semantics` does.

Null equals null. The parts of a composite are unordered. A range never equals a point; rates with another period
or base, terms in other units (90 days, three months), a level and a difference are different. What cannot be
read equals only its own JSON.

>>> same({"type": "money", "text": "290万"}, {"type": "money", "amount": "2900000", "currency": "CNY"}, "amount")
True
>>> same({"type": "term", "text": "三年"}, {"type": "term", "text": "三个月"})
False
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any, Literal

import msgspec

from dtbuild.lexicon.reading import value_of
from dtbuild.lexicon.widths import normalise
from dtbuild.records.values import Composite, Money, Ratio, Status, Value

Layer = Literal["legacy", "amount", "semantics", "extras"]
LAYERS: tuple[Layer, ...] = ("legacy", "amount", "semantics", "extras")
ExpressionMap = Iterable[Sequence[str]]
"""Classes of texts that mean the same in one field."""
Given = Value | Mapping[str, Any] | None


def same(a: Given, b: Given, layer: Layer = "semantics", expression_map: ExpressionMap | None = None) -> bool:
    """Whether `a` and `b` are equal at `layer`. Takes values or their JSON; never raises on malformed ones.

    `expression_map` holds the classes of the field the values belong to; it counts from `semantics` on.
    """
    if layer not in LAYERS:
        raise ValueError(f"layer {layer!r}; expected one of: {', '.join(LAYERS)}")
    if a is None or b is None:
        return a is None and b is None
    left, right = _json(a), _json(b)
    if canonical(left) == canonical(right):
        return True
    if layer == "legacy" or not isinstance(left, dict) or not isinstance(right, dict):
        return False
    classes = [frozenset(map(_words, group)) for group in expression_map or ()] if layer != "amount" else []
    return _equal(left, right, layer, classes)


def canonical(value: object) -> str:
    """Canonical JSON of one value, without its surface text."""
    return json.dumps(_without_text(value), ensure_ascii=False, sort_keys=True, separators=(",", ":"), default=str)


def _equal(left: dict[str, Any], right: dict[str, Any], layer: str, classes: list[frozenset[str]]) -> bool:
    if _mapped(left, right, classes):
        return True
    if left.get("type") != right.get("type"):
        return False
    if left.get("type") == "composite":
        return _same_parts(left.get("parts"), right.get("parts"), layer, classes)
    if left.get("type") == "status":
        return layer != "amount" and _same_status(left, right)
    if layer == "amount" and left.get("type") != "money":
        return canonical(left) == canonical(right)
    one, other = _value(left), _value(right)
    return one is not None and other is not None and _key(one) == _key(other)


def _same_parts(left: object, right: object, layer: str, classes: list[frozenset[str]]) -> bool:
    if not isinstance(left, list | tuple) or not isinstance(right, list | tuple) or len(left) != len(right):
        return False
    rest = list(right)
    for part in left:
        hit = next((i for i, other in enumerate(rest) if _part_equal(part, other, layer, classes)), None)
        if hit is None:
            return False
        del rest[hit]
    return True


def _part_equal(left: object, right: object, layer: str, classes: list[frozenset[str]]) -> bool:
    if canonical(left) == canonical(right):
        return True
    return isinstance(left, dict) and isinstance(right, dict) and _equal(left, right, layer, classes)


def _same_status(left: dict[str, Any], right: dict[str, Any]) -> bool:
    codes = left.get("code"), right.get("code")
    if all(codes):
        return codes[0] == codes[1]
    return bool(_names(left) & _names(right))


def _names(value: dict[str, Any]) -> frozenset[str]:
    """What a value may be called in an expression map: its text, and a status's code."""
    names = (value.get("text"), value.get("code"))
    return frozenset(_words(name) for name in names if isinstance(name, str) and name)


def _mapped(left: dict[str, Any], right: dict[str, Any], classes: list[frozenset[str]]) -> bool:
    return any(_names(left) & group and _names(right) & group for group in classes)


def _words(text: str) -> str:
    return normalise(text).strip(" ，。！？；、")


def _value(given: dict[str, Any]) -> Value | None:
    """The typed value of JSON, read from its text where that is all it carries."""
    kind = given.get("type")
    if not isinstance(kind, str):
        return None
    if set(given) <= {"type", "text"}:
        return _read(given.get("text"), kind)
    fields = {key: item for key, item in given.items() if key != "text"}
    if kind == "money":
        return _money(fields)
    try:
        value: Value = msgspec.convert(_decimals(fields), Value, strict=False)
    except (msgspec.ValidationError, InvalidOperation, ValueError, TypeError):
        return None
    return value


def _money(fields: dict[str, Any]) -> Value | None:
    amount, currency, per = fields.get("amount"), fields.get("currency", "CNY"), fields.get("per")
    if not isinstance(currency, str) or isinstance(amount, bool) or not isinstance(amount, str | int | float | Decimal):
        return None
    try:
        number = Decimal(str(amount))
    except InvalidOperation:
        found = _read(str(amount), "money")
        if not isinstance(found, Money) or found.per:
            return None
        number, currency = found.amount, found.currency if found.currency != "CNY" else currency
    return Money(amount=number, currency=currency, per=per) if number.is_finite() else None


def _read(text: object, kind: str) -> Value | None:
    return value_of(text, kind) if isinstance(text, str) else None


def _decimals(fields: dict[str, Any]) -> dict[str, Any]:
    """Numbers as strings, which is how decimals are written; text of parts dropped."""
    out: dict[str, Any] = {}
    for key, item in fields.items():
        if isinstance(item, float | int) and not isinstance(item, bool):
            out[key] = str(item)
        elif isinstance(item, list | tuple):
            out[key] = [str(x) if isinstance(x, float | int) else x for x in item]
        else:
            out[key] = item
    return out


def _key(value: Value) -> object:
    """What decides equality: numbers by size, ratios in lowest terms, no surface text."""
    if isinstance(value, Ratio) and value.parts and all(value.parts):
        return "ratio", tuple(part / value.parts[0] for part in value.parts)
    if isinstance(value, Composite | Status):
        return value
    return msgspec.structs.replace(value, text=None)


def _json(value: Given) -> object:
    if isinstance(value, msgspec.Struct):
        return msgspec.to_builtins(value, str_keys=True)
    return dict(value) if isinstance(value, Mapping) else value


def _without_text(value: object) -> object:
    if isinstance(value, Mapping):
        bare = set(value) <= {"type", "text"}
        return {key: _without_text(item) for key, item in value.items() if key != "text" or bare}
    if isinstance(value, list | tuple):
        return [_without_text(item) for item in value]
    return value
