"""Cells, wrapping and colour of text with 汉字, and values in brief."""

from __future__ import annotations

import io
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
)
from dtbuild.release.brief import brief
from dtbuild.release.terminal import cells, cut, pad, plain, render, wants_color, wrap

TEXT = st.text(st.sampled_from("金额八百万先停一停，。！？、“”（）《》……LPR12.5% ab-[]—é"), max_size=120)


def lines_of(text: str, width: int) -> list[str]:
    return ["".join(char for char, _ in line) for line in wrap(plain(text), width)]


@given(TEXT, st.integers(8, 60))
def test_wrapping_fits_and_loses_nothing(text: str, width: int) -> None:
    lines = lines_of(text, width)
    assert all(cells(line) <= width for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")


@given(
    st.text(st.sampled_from("金额八百万，。！？"), min_size=1, max_size=80).filter(
        lambda text: text[0] not in "，。！？"
    )
)
def test_no_line_begins_with_closing_punctuation(text: str) -> None:
    runs = max(len(run) for run in "".join("p" if char in "，。！？" else " " for char in text).split(" "))
    for line in lines_of(text, 2 * (runs + 2)):
        assert line[0] not in "，。！？"


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("按LPR加五十个基点", 8, ["按LPR加", "五十个基", "点"]),
        ("他说“行”就行", 6, ["他说", "“行”就", "行"]),
        ("waits for papers", 10, ["waits for", "papers"]),
        ("abcdefghij", 4, ["abcd", "efgh", "ij"]),
        ("", 10, [""]),
    ],
)
def test_breaks(text: str, width: int, lines: list[str]) -> None:
    assert [line.rstrip() for line in lines_of(text, width)] == lines


@given(TEXT, st.integers(1, 40))
def test_cut_and_pad(text: str, width: int) -> None:
    assert cells(cut(text, width)) <= width
    assert cells(pad(cut(text, width), width)) == width


def test_combining_marks_take_no_cell() -> None:
    assert cells("e\u0301") == 1 and cells("ｅ") == 2 and cells("，") == 2


def test_colour_only_where_asked() -> None:
    glyphs = plain("按") + plain("八百万", "start") + plain("做  ")
    assert render(glyphs, color=False) == "按八百万做"
    assert render(glyphs, color=True) == "按\x1b[1;32m八百万\x1b[0m做"


def test_wants_color() -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    assert wants_color(Terminal(), {})
    assert not wants_color(io.StringIO(), {})
    assert not wants_color(Terminal(), {"NO_COLOR": "1"}) and not wants_color(Terminal(), {"TERM": "dumb"})


D = Decimal


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "—"),
        (Money(amount=D(2_900_000), currency="CNY"), "290万元"),
        (Money(amount=D(8_765_432), currency="CNY"), "876.5432万元"),
        (Money(amount=D("8765432.5"), currency="CNY"), "8765432.5元"),
        (Money(amount=D(150_000_000), currency="USD"), "1.5亿 USD"),
        (Money(amount=D("0.5"), currency="CNY", per="天"), "0.5元/天"),
        (Rate(value=D("0.80"), unit="percent", per="month", base="本金"), "月0.8% of 本金"),
        (Change(value=D("-0.25"), unit="pp"), "-0.25pp"),
        (Term(value=D(90), unit="day"), "90天"),
        (Date(iso="2026-03-31", bound="by"), "2026-03-31前"),
        (Date(iso="2026-03-31", bound="on"), "2026-03-31"),
        (Count(value=D(12), unit="张"), "12张"),
        (Ordinal(value=D(3), unit="期"), "第3期"),
        (Ratio(parts=(D(3), D(7))), "3:7"),
        (Factor(value=D("0.85")), "×0.85"),
        (Status(code="complete", text="齐了"), "齐了"),
        (Status(code="complete"), "complete"),
        (Range(lo=D(3_000_000), hi=D(5_000_000), of=Of(type="money", currency="CNY")), "约300万元至500万元"),
        (Range(lo=D(3), hi=D(5), of=Of(type="count", unit="台")), "约3台至5台"),
        (Composite(parts=(Term(value=D(6), unit="month"), Rate(value=D(1), unit="percent"))), "6个月 + 1%"),
    ],
)
def test_brief(value: Value | None, text: str) -> None:
    assert brief(value) == text
