"""按七百二十万往上报 was read as a range: 往上 belongs to 报 there."""

from __future__ import annotations

from decimal import Decimal

from dtbuild.lexicon import read
from dtbuild.records.values import Money


def test_a_sum_handed_upwards_is_that_sum() -> None:
    (found,) = read("我先按七百二十万往上报")
    assert isinstance(found.value, Money) and found.value.amount == Decimal(7_200_000)


def test_and_upwards_is_a_range() -> None:
    (found,) = read("要七百二十万往上")
    assert found.kind == "range"
