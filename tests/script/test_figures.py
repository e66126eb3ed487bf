"""Which form a number takes in talk, and that it reads back there."""

from __future__ import annotations

import datetime
import random
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from dtbuild.lexicon import read
from dtbuild.records.values import Count, Money, Rate, Term, Value
from dtbuild.script.compare import direction, less
from dtbuild.script.draft import Draft, DraftMention
from dtbuild.script.figures import Numbers, reads_as_declared

ANCHOR = datetime.date(2026, 1, 31)


def money(amount: int) -> Money:
    return Money(amount=Decimal(amount), currency="CNY")


@given(st.integers(10, 99999), st.integers(0, 50))
def test_every_form_of_an_amount_reads_back_with_its_unit_in_play(tens: int, seed: int) -> None:
    value = money(tens * 10_000)
    numbers = Numbers("2026-01-31", random.Random(seed))
    words = numbers.surface(value, "echo", value, 1.0)
    values = [mention.value for play in (None, "money:万") for mention in read(words, unit_in_play=play)]
    assert value in values, words


def test_short_form_appears_only_where_the_number_is_in_play() -> None:
    numbers = Numbers("2026-01-31", random.Random(1))
    assert numbers.surface(money(7_200_000), "echo", money(7_200_000), 1.0) == "七百二"
    assert all("万" in numbers.surface(money(7_200_000), "event", None, 1.0) for _ in range(20))


def test_years_of_business_are_said_in_years() -> None:
    numbers = Numbers("2026-01-31", random.Random(1))
    said = {numbers.surface(Term(value=Decimal(72), unit="month"), "distractor", None, 1.0) for _ in range(30)}
    assert said == {"六年"}


def test_a_bare_number_stands_for_a_rate_only_with_a_decimal_point() -> None:
    numbers = Numbers("2026-01-31", random.Random(1))
    ten = Rate(value=Decimal(10), unit="percent")
    assert all(numbers.surface(ten, "echo", ten, 1.0) in {"十个点", "百分之十"} for _ in range(30))


def mention(text: str, words: str, value: Value) -> Draft:
    draft = Draft("p1", "x", text)
    start = text.index(words)
    draft.mentions.append(DraftMention("m1", start, start + len(words), "event", value, "e1"))
    return draft


def test_words_around_a_number_that_change_its_reading_are_seen() -> None:
    assert reads_as_declared(mention("先按三十万走。", "三十万", money(300_000)), 0, ANCHOR)
    assert not reads_as_declared(mention("三十万本书。", "三十万", money(300_000)), 0, ANCHOR)
    assert not reads_as_declared(mention("三十万，加上五万。", "三十万", money(300_000)), 0, ANCHOR)


def test_direction_and_difference() -> None:
    assert direction(money(8), money(7)) == ["lower"]
    assert direction(money(7), money(8)) == ["raise"]
    assert direction(money(7), money(7)) == direction(None, money(7)) == ["same"]
    assert less(money(8), money(7)) == money(1)
    assert less(money(7), money(8)) is None
    assert less(Count(value=Decimal(9), unit="张"), Count(value=Decimal(7), unit="张")) == Count(
        value=Decimal(2), unit="张"
    )
