"""What is said reads back: for every type and style, over the values people use; and what must be sayable is."""

from __future__ import annotations

import datetime
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dtbuild.errors import Unspeakable
from dtbuild.lexicon import STYLES, read, say, styles_of
from dtbuild.lexicon.saying import tag_of
from dtbuild.records.values import (
    Change,
    Composite,
    Count,
    Date,
    Factor,
    Money,
    Of,
    Ordinal,
    Range,
    Rate,
    Ratio,
    Status,
    Term,
    Value,
)  # fmt: skip

ANCHOR = datetime.date(2026, 1, 31)


def D(text: str | int) -> Decimal:
    return Decimal(text)


def decimals(low: str, high: str, places: int) -> st.SearchStrategy[Decimal]:
    """Without trailing zeros: 8 and 8.0 are one value, written one way."""
    scale = 10**places
    whole = st.integers(int(D(low) * scale), int(D(high) * scale))
    return whole.map(lambda n: Decimal(f"{(Decimal(n) / scale).normalize():f}"))


amounts = st.one_of(
    st.integers(1, 10**12),
    st.integers(1, 9999).map(lambda n: n * 10**4),
    st.integers(1, 999).map(lambda n: n * 10**6),
    st.integers(1, 99999).map(lambda n: n * 100),
).map(Decimal)
money = st.builds(
    Money,
    amount=st.one_of(amounts, decimals("0.01", "9999.99", 2)),
    currency=st.sampled_from(["CNY", "USD", "HKD", "EUR", "JPY", "GBP"]),
    per=st.none() | st.sampled_from(["套", "台", "平", "年", "月", "天", "吨", "股", "次", "人"]),
)
rates = st.builds(
    Rate,
    value=decimals("0.01", "100", 2),
    unit=st.just("percent"),
    per=st.sampled_from([None, "year", "month", "day"]),
    base=st.sampled_from([None, "本金", "货款", "票面金额"]),
)
changes = st.builds(Change, value=decimals("-20", "20", 2).filter(bool), unit=st.just("pp"))
terms = st.one_of(
    st.builds(Term, value=st.integers(1, 360).map(Decimal), unit=st.sampled_from(["month", "day", "workday"])),
    st.builds(Term, value=st.integers(0, 30).map(lambda n: n + D("0.5")), unit=st.just("month")),
)
dates = st.builds(
    Date,
    iso=st.dates(datetime.date(2020, 1, 1), datetime.date(2035, 12, 31)).map(lambda day: day.isoformat()),
    bound=st.sampled_from(["on", "by"]),
)
counts = st.builds(
    Count, value=st.integers(0, 10**6).map(Decimal), unit=st.sampled_from(["台", "张", "期", "笔", "吨", "家"])
)
ordinals = st.builds(
    Ordinal, value=st.integers(2, 999).map(Decimal), unit=st.sampled_from(["期", "批", "笔", "条", "台"])
)
ratios = st.lists(st.integers(1, 99).map(Decimal), min_size=2, max_size=4).map(lambda parts: Ratio(parts=tuple(parts)))
factors = st.builds(Factor, value=decimals("0.01", "20", 2))
ends = st.tuples(st.integers(1, 999), st.integers(1, 999)).filter(lambda pair: pair[0] < pair[1])
ofs = st.sampled_from([
    (Of(type="money", currency="CNY"), D(10**4)), (Of(type="money", currency="CNY"), D(1)),
    (Of(type="money", currency="USD"), D(10**4)), (Of(type="money", currency="CNY", per="套"), D(10**4)),
    (Of(type="rate", unit="percent"), D("0.1")), (Of(type="rate", unit="percent", per="year"), D("0.1")),
    (Of(type="change", unit="pp"), D("0.01")), (Of(type="change", unit="pp"), D("-0.01")),
    (Of(type="term", unit="month"), D(1)), (Of(type="term", unit="day"), D(1)),
    (Of(type="count", unit="台"), D(1)), (Of(type="factor"), D("0.1")),
])  # fmt: skip


@st.composite
def ranges(draw: st.DrawFn) -> Range:
    of, scale = draw(ofs)
    low, high = sorted(Decimal(f"{(Decimal(end) * scale).normalize():f}") for end in draw(ends))
    return Range(lo=low, hi=high, of=of)


@st.composite
def composites(draw: st.DrawFn) -> Composite:
    first = draw(money.filter(lambda value: value.per is None))
    others = [draw(terms), draw(rates.filter(lambda rate: rate.base is None))]
    return Composite(parts=(first, *others[: draw(st.integers(1, 2))]))


plain_values: st.SearchStrategy[Value] = st.one_of(
    money, rates, changes, terms, dates, counts, ordinals, ratios, factors, ranges(), composites()
)


def comparable(value: Value | None) -> object:
    return frozenset(value.parts) if isinstance(value, Composite) else value


@settings(max_examples=300, deadline=None)
@given(plain_values)
def test_every_value_can_be_said_plainly_and_every_style_reads_back(value: Value) -> None:
    assert "plain" in styles_of(value, anchor=ANCHOR)
    for style in styles_of(value, anchor=ANCHOR):
        words = say(value, style, anchor=ANCHOR)
        (mention,) = read(words, anchor=ANCHOR)
        assert comparable(mention.value) == comparable(value), (style, words)
        assert (mention.start, mention.end) == (0, len(words))
        assert not any(char.isdigit() for char in words if char.isascii())


@settings(max_examples=150, deadline=None)
@given(plain_values.filter(lambda value: not isinstance(value, Date)))
def test_what_is_said_is_found_inside_a_turn(value: Value) -> None:
    words = say(value)
    turn = f"好，那就{words}，没问题吧？"
    assert [(m.text, comparable(m.value)) for m in read(turn)] == [(words, comparable(value))]


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (Money(amount=D(7_200_000), currency="CNY"), {"plain": "七百二十万", "full": "七百二十万元", "formal": "柒佰贰拾万元整"}),
        (Money(amount=D(120_000_000), currency="CNY"), {"plain": "一亿两千万", "short": "一亿二", "decimal": "一点二亿"}),
        (Money(amount=D(2500), currency="CNY"), {"plain": "两千五百块", "short": "两千五"}),
        (Money(amount=D(258_000), currency="CNY"), {"short": "二十五万八", "decimal": "二十五点八万"}),
        (Money(amount=D(10_200), currency="CNY"), {"plain": "一万零二百", "short": "一万零二百"}),
        (Money(amount=D(102_000_000), currency="CNY"), {"plain": "一亿零二百万", "short": "一亿零二百万"}),
        (Money(amount=D("0.85"), currency="CNY"), {"plain": "八毛五", "full": "零点八五元"}),
        (Money(amount=D(800_000), currency="CNY", per="套"), {"plain": "八十万一套", "each": "每套八十万"}),
        (Money(amount=D(5_000_000), currency="USD"), {"plain": "五百万美元"}),
        (Money(amount=D(309_825), currency="CNY"), {"formal": "叁拾万玖仟捌佰贰拾伍元整"}),
        (Rate(value=D(8), unit="percent"), {"plain": "八个点", "percent": "百分之八"}),
        (Rate(value=D("1.5"), unit="percent"), {"half": "一个半点"}),
        (Rate(value=D("0.5"), unit="percent"), {"half": "半个点", "permille": "千分之五"}),
        (Rate(value=D("1.2"), unit="percent", per="month"), {"li": "月息一分二"}),
        (Rate(value=D("0.8"), unit="percent", per="month"), {"li": "月息八厘"}),
        (Rate(value=D(6), unit="percent", per="year"), {"plain": "年化六个点"}),
        (Rate(value=D("0.05"), unit="percent", per="day"), {"wan": "日息万分之五"}),
        (Rate(value=D(75), unit="percent"), {"cheng": "七成五"}),
        (Change(value=D("-0.25"), unit="pp"), {"plain": "降二十五个基点", "bp": "降二十五个BP"}),
        (Change(value=D("0.1"), unit="pp"), {"float": "上浮十个基点"}),
        (Term(value=D(6), unit="month"), {"plain": "六个月", "years": "半年", "period": "六个月期"}),
        (Term(value=D(18), unit="month"), {"plain": "一年半", "months": "十八个月"}),
        (Term(value=D(15), unit="month"), {"years": "一年零三个月"}),
        (Term(value=D(90), unit="workday"), {"plain": "九十个工作日"}),
        (Date(iso="2026-02-28", bound="by"), {"full": "二零二六年二月二十八号前", "end": "下月底前"}),
        (Date(iso="2026-03-05", bound="on"), {"plain": "三月五号"}),
        (Count(value=D(2), unit="台"), {"plain": "两台"}),
        (Ordinal(value=D(2), unit="期"), {"plain": "第二期"}),
        (Ratio(parts=(D(3), D(7))), {"plain": "三七开", "to": "三比七"}),
        (Factor(value=D("0.85")), {"plain": "八五折"}),
        (Range(lo=D(2_900_000), hi=D(3_300_000), of=Of(type="money", currency="CNY")), {"plain": "三百来万"}),
        (Range(lo=D(3_000_001), hi=D(3_999_999), of=Of(type="money", currency="CNY")), {"plain": "三百多万"}),
        (Range(lo=D(110_000), hi=D(199_999), of=Of(type="money", currency="CNY")), {"plain": "十几万"}),
        (Range(lo=D(300_000), hi=D(400_000), of=Of(type="money", currency="CNY")), {"plain": "三四十万", "to": "三十到四十万"}),
        (Range(lo=D(10_000_000), hi=D(99_999_999), of=Of(type="money", currency="CNY")), {"plain": "上千万"}),
        (Range(lo=D(0), hi=D(4_999_999), of=Of(type="money", currency="CNY")), {"plain": "不到五百万"}),
        (Range(lo=D(900_000), hi=D(999_999), of=Of(type="money", currency="CNY")), {"near": "近一百万"}),
        (Range(lo=D(3), hi=D(5), of=Of(type="rate", unit="percent")), {"plain": "三到五个点"}),
        (Range(lo=D(31), hi=D(39), of=Of(type="term", unit="day")), {"plain": "三十多天"}),
        (Range(lo=D("-0.3"), hi=D("-0.2"), of=Of(type="change", unit="pp")), {"plain": "降二三十个基点"}),
        (
            Composite(parts=(Money(amount=D(5_000_000), currency="CNY"), Term(value=D(6), unit="month"))),
            {"plain": "五百万六个月", "list": "五百万、六个月"},
        ),
        (
            Composite(
                parts=(
                    Money(amount=D(3_000_000), currency="CNY"),
                    Rate(value=D(6), unit="percent", per="year"),
                    Term(value=D(12), unit="month"),
                )
            ),
            {"terms": "本金三百万、年化六个点、一年期"},
        ),
        (Status(code="complete", text="材料齐全"), {"plain": "材料齐全"}),
    ],
)  # fmt: skip
def test_said_as_people_say_it(value: Value, said: dict[str, str]) -> None:
    assert {style: say(value, style, anchor=ANCHOR) for style in said} == said


@pytest.mark.parametrize("style", STYLES["money"])
def test_short_never_changes_the_amount(style: str) -> None:
    for amount in (720, 7200, 72_000, 720_000, 10_002, 100_200, 1_000_001, 250):
        value = Money(amount=D(amount), currency="CNY")
        if style in styles_of(value):
            assert read(say(value, style))[0].value == value


@pytest.mark.parametrize(
    ("value", "style"),
    [
        (Money(amount=D(-5), currency="CNY"), "plain"),
        (Money(amount=D(5), currency="XAU"), "plain"),
        (Money(amount=D(5), currency="CNY"), "each"),
        (Money(amount=D(5), currency="CNY"), "shouted"),
        (Rate(value=D(8), unit="percent"), "li"),
        (Rate(value=D(8), unit="percent", base="月亮"), "plain"),
        (Rate(value=D(8), unit="percent", per="decade"), "plain"),
        (Change(value=D(0), unit="pp"), "plain"),
        (Count(value=D(2), unit="座座"), "plain"),
        (Date(iso="2026-02-30", bound="on"), "full"),
        (Range(lo=D(5), hi=D(5), of=Of(type="rate", unit="percent")), "plain"),
        (Composite(parts=(Term(value=D(1), unit="month"), Term(value=D(2), unit="month"))), "plain"),
    ],
)
def test_what_has_no_exact_spoken_form_is_refused(value: Value, style: str) -> None:
    with pytest.raises(Unspeakable):
        say(value, style)


def test_every_type_has_styles_and_its_surface_text_changes_nothing() -> None:
    assert set(STYLES) == {
        "money", "rate", "change", "term", "date", "count", "ordinal", "ratio", "factor", "range", "status",
        "composite",
    }  # fmt: skip
    told = Money(amount=D(3_000_000), currency="CNY", text="三百个")
    assert say(told) == "三百万"
    assert tag_of(told) == "money"
