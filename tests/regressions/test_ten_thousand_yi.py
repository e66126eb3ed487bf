"""万 before 亿: the 大写 of ten thousand 亿 and more, and 一万两千亿, were beyond writer and reader."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dtbuild.lexicon import read, say, styles_of
from dtbuild.records.values import Money


@pytest.mark.parametrize(
    ("words", "amount"),
    [
        ("一万亿元", 10**12),
        ("一万两千亿元", 12 * 10**11),
        ("一万零五百亿元", 105 * 10**10),
        ("一万两千亿零三百万元", 12 * 10**11 + 3 * 10**6),
        ("壹万亿元整", 10**12),
        ("壹万贰仟亿零叁佰元整", 12 * 10**11 + 300),
    ],
)
def test_ten_thousand_yi_reads_as_one_amount(words: str, amount: int) -> None:
    (mention,) = read(words)
    assert mention.text == words
    assert isinstance(mention.value, Money) and mention.value.amount == amount


@given(st.integers(10**4, 10**5 - 1), st.sampled_from([0, 300, 5 * 10**6, 12_345_678]))
def test_what_is_said_of_such_amounts_reads_back(yi: int, rest: int) -> None:
    value = Money(amount=Decimal(yi * 10**8 + rest), currency="CNY")
    for style in styles_of(value):
        (mention,) = read(say(value, style))
        assert isinstance(mention.value, Money) and mention.value.amount == value.amount, style


def test_a_wan_beside_a_lone_yi_stays_apart() -> None:
    assert [each.text for each in read("先付三万，一亿的额度不动")] == ["三万", "一亿"]
