"""The typed values a decision can be about (spec, section 5).

Numbers are `decimal.Decimal` in base units (元, percent, months) and strings in JSON. `text`, where set, is
the surface form the value was read from; it takes no part in equality (`same` in `dtbuild.lexicon.compare`).

>>> msgspec.json.decode(b'{"type":"money","amount":"2900000","currency":"CNY"}', type=Value).amount
Decimal('2900000')
"""

from __future__ import annotations

from decimal import Decimal
from typing import Literal

import msgspec


class _Value(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="type"
):
    text: str | None = None


class Money(_Value, frozen=True, kw_only=True, tag="money"):
    """An amount of money in base units of `currency`; `per` makes it a unit price (套, 天, 年, 平, …)."""

    amount: Decimal
    currency: str
    per: str | None = None


class Rate(_Value, frozen=True, kw_only=True, tag="rate"):
    """A level in percent; `per` is its period (year, month, day), `base` what it is a share of (本金, LPR)."""

    value: Decimal
    unit: Literal["percent"]
    per: str | None = None
    base: str | None = None


class Change(_Value, frozen=True, kw_only=True, tag="change"):
    """A difference in percentage points; never equal to a level."""

    value: Decimal
    unit: Literal["pp"]


class Term(_Value, frozen=True, kw_only=True, tag="term"):
    """A duration. Years are stored as months; 90 days is not 3 months."""

    value: Decimal
    unit: Literal["month", "day", "workday"]


class Date(_Value, frozen=True, kw_only=True, tag="date"):
    """A calendar day; bound "by" makes it a deadline."""

    iso: str
    bound: Literal["on", "by"]


class Count(_Value, frozen=True, kw_only=True, tag="count"):
    """How many: `unit` is the measure word (台, 张, 期)."""

    value: Decimal
    unit: str


class Ordinal(_Value, frozen=True, kw_only=True, tag="ordinal"):
    """Which one: 第三期."""

    value: Decimal
    unit: str


class Ratio(_Value, frozen=True, kw_only=True, tag="ratio"):
    """Shares, in order: 三七开."""

    parts: tuple[Decimal, ...]


class Factor(_Value, frozen=True, kw_only=True, tag="factor"):
    """A multiplier: 八五折 is 0.85."""

    value: Decimal


class Status(_Value, frozen=True, kw_only=True, tag="status"):
    """A state from a closed list of the field; `code` is the name, `text` the words."""

    code: str


class Of(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What the ends of a range measure: the exact type's name with its own unit fields."""

    type: Literal["money", "rate", "change", "term", "count", "factor", "date"]
    currency: str | None = None
    unit: str | None = None
    per: str | None = None
    base: str | None = None


class Range(_Value, frozen=True, kw_only=True, tag="range"):
    """An approximate value, both ends included. Never equal to a point.

    >>> approx = Range(lo=Decimal(3), hi=Decimal(5), of=Of(type="rate", unit="percent"))
    """

    lo: Decimal
    hi: Decimal
    of: Of


class Composite(_Value, frozen=True, kw_only=True, tag="composite"):
    """Several values decided as one; unordered."""

    parts: tuple[Money | Rate | Change | Term | Date | Count | Ordinal | Ratio | Factor | Status, ...]


Atom = Money | Rate | Change | Term | Date | Count | Ordinal | Ratio | Factor | Status
Value = Atom | Range | Composite
