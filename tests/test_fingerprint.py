"""Digests: what must change them, what must not, and equality in a second process."""

from __future__ import annotations

import subprocess
import sys
from decimal import Decimal

import pytest

from dtbuild.fingerprint import digest
from dtbuild.records.values import Money, Term
from dtbuild.seeds import derive, rng

MONEY = Money(amount=Decimal("2900000"), currency="CNY")


def test_key_order_does_not_count() -> None:
    assert digest({"a": 1, "b": {"c": 2, "d": 3}}) == digest({"b": {"d": 3, "c": 2}, "a": 1})


@pytest.mark.parametrize("other", [Money(amount=Decimal("2900001"), currency="CNY"),
                                   Money(amount=Decimal("2900000"), currency="USD"),
                                   Term(value=Decimal("2900000"), unit="day")])  # fmt: skip
def test_every_part_of_a_value_counts(other: object) -> None:
    assert digest(MONEY) != digest(other)


def test_what_json_cannot_hold_is_refused() -> None:
    with pytest.raises(TypeError):
        digest(object())


def test_equal_in_a_second_process() -> None:
    code = (
        "from decimal import Decimal; from dtbuild.fingerprint import digest; from dtbuild.seeds import derive, rng;"
        "from dtbuild.records.values import Money;"
        "print(digest(Money(amount=Decimal('2900000'), currency='CNY')), derive(7, 'x', 3), rng(7, 'x').random())"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out.split() == [digest(MONEY), str(derive(7, "x", 3)), str(rng(7, "x").random())]


def test_keys_are_typed_and_delimited() -> None:
    seeds = [derive(1, "a", "b"), derive(1, "ab"), derive(1, "1"), derive(1, 1), derive(2, "a", "b"), derive(1)]
    assert len(set(seeds)) == len(seeds)
