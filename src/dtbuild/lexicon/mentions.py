"""From measures to values: what a mention reports.

A mention has a `value`, or a bare `number`, or several values in `ambiguous`, or none of them: then something was
said that names no single value (下周五, 三分之一), and `kind` says what it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

import msgspec

from dtbuild.lexicon import dates
from dtbuild.lexicon.measures import Measure
from dtbuild.lexicon.numerals import NUMERAL_CHARS
from dtbuild.lexicon.ranges import closed
from dtbuild.lexicon.tables import BEFORE, IDIOMS
from dtbuild.records.values import (
    Change,
    Composite,
    Count,
    Factor,
    Money,
    Of,
    Ordinal,
    Range,
    Rate,
    Ratio,
    Term,
    Value,
)  # fmt: skip

_FIRST = NUMERAL_CHARS | BEFORE.firsts | IDIOMS.firsts | dates.FIRSTS | frozenset("百千万每打半第")
_START = re.compile("[" + re.escape("".join(sorted(_FIRST))) + "]")
_SCALES = {"万": 10**4, "亿": 10**8, "千": 1000, "百": 100, "千万": 10**7, "百万": 10**6, "元": 1}


class Mention(msgspec.Struct, frozen=True):
    """One mention: half-open character span of the text given to `read`, and what it names."""

    start: int
    end: int
    text: str
    value: Value | None = None
    number: Decimal | None = None
    ambiguous: tuple[Value, ...] = ()
    kind: str = "number"
    """Type tag of the value; `number` for a bare one; of what is meant where nothing could be settled."""


def starts(plain: str) -> Iterator[int]:
    """The places where a mention or an idiom can start."""
    for found in _START.finditer(plain):
        at = found.start()
        char = plain[at]
        if char.isascii() and at:
            before = plain[at - 1]
            if char.isdigit() and before.isascii() and (before.isalnum() or before in "+-_"):
                continue
            if char.isalpha() and before.isascii() and before.isalnum():
                continue
        yield at


def as_mention(text: str, plain: str, measure: Measure, play: str | None) -> Mention | None:
    """The measure as a mention, or None where it is an article, a lone digit, or a word with a digit in it."""
    start, end = measure.start, measure.end
    whole = start == 0 and end == len(plain)
    words = text[start:end]
    if measure.kind == "skip":
        return Mention(start, end, words, kind="skip")
    if measure.article and not whole:
        return Mention(start, end, words, kind="skip")
    if measure.kind == "number":
        return _number(measure, words, play, whole)
    if play and _unit_unsaid(measure) and play.partition(":")[0] in (*_SCALES, "money"):
        measure = measure._replace(kind="number")
        return _number(measure, words, play, whole)
    if measure.kind == "open":
        return Mention(start, end, words, kind="rate")
    if measure.kind.startswith("open-"):
        return _open(measure, words, play)
    value = value_from(measure)
    return Mention(start, end, words, value, kind=str(value.__struct_config__.tag))


def _unit_unsaid(m: Measure) -> bool:
    """两千五: money by its dropped unit, but neither 万 nor 元 was said."""
    number = m.numeral
    return m.kind == "money" and m.per is None and number is not None and not number.big and m.end == number.end


def value_from(m: Measure) -> Value:
    """The value of a settled measure: a point, or a range with both ends included."""
    if m.kind == "ratio":
        return Ratio(parts=m.parts)
    if m.kind == "ordinal":
        return Ordinal(value=_plain(m.lo), unit=m.arg)
    if m.extra is not None:
        first = Term(value=_plain(m.lo), unit="month")
        return Composite(parts=(first, Term(value=_plain(m.extra[1]), unit="day")))
    if m.exact:
        return _point(m, _plain(m.lo))
    name = m.arg if m.kind == "term" else m.kind
    low, high = closed(name, m.lo, m.hi, m.lo_open, m.hi_open)
    return Range(lo=_plain(low), hi=_plain(high), of=_of(m))


def _point(m: Measure, value: Decimal) -> Value:
    if m.kind == "money":
        return Money(amount=value, currency=m.arg, per=m.per)
    if m.kind == "rate":
        return Rate(value=value, unit="percent", per=m.per, base=m.arg or None)
    if m.kind == "change":
        return Change(value=value, unit="pp")
    if m.kind == "term":
        return Term(value=value, unit="month" if m.arg == "month" else "day" if m.arg == "day" else "workday")
    if m.kind == "count":
        return Count(value=value, unit=m.arg)
    return Factor(value=value)


def _of(m: Measure) -> Of:
    if m.kind == "money":
        return Of(type="money", currency=m.arg, per=m.per)
    if m.kind == "rate":
        return Of(type="rate", unit="percent", per=m.per, base=m.arg or None)
    if m.kind == "change":
        return Of(type="change", unit="pp")
    if m.kind in ("term", "count"):
        return Of(type="term" if m.kind == "term" else "count", unit=m.arg)
    return Of(type="factor")


def _plain(value: Decimal) -> Decimal:
    """Without trailing zeros or exponent, so that equal numbers are written alike."""
    if value == value.to_integral_value():
        return value.quantize(Decimal(1)) if abs(value) < Decimal(10) ** 20 else Decimal(int(value))
    return value.normalize()


def _number(m: Measure, words: str, play: str | None, whole: bool) -> Mention | None:
    numeral = m.numeral
    if numeral is None or (numeral.lone and not (whole and play)):
        return None
    settled = _in_play(m, play) if play else None
    if settled is not None:
        value = value_from(settled)
        return Mention(m.start, m.end, words, value, kind=str(value.__struct_config__.tag))
    if not m.exact:
        return Mention(m.start, m.end, words)
    number = _plain(m.lo)
    if numeral.elided:
        choices = tuple(Money(amount=number * scale, currency="CNY") for scale in (1, 10**4))
        return Mention(m.start, m.end, words, None, number, choices)
    return Mention(m.start, m.end, words, None, number)


def _in_play(m: Measure, play: str) -> Measure | None:
    kind, _, argument = play.partition(":")
    if kind in _SCALES:
        kind, argument = "money", kind
    if kind == "money":
        scale = _SCALES.get(argument, 1)
        return m._replace(kind="money", arg="CNY", lo=m.lo * scale, hi=m.hi * scale)
    if kind == "rate":
        return m._replace(kind="rate", per=argument or None, arg="")
    if kind in ("change", "factor"):
        return m._replace(kind=kind, arg="")
    if kind == "term":
        return m._replace(kind="term", arg=argument or "month")
    return m._replace(kind="count", arg=argument) if kind == "count" and argument else None


def _open(m: Measure, words: str, play: str | None) -> Mention:
    if m.kind == "open-fen":
        monthly, yearly = m._replace(kind="rate", per="month", arg=""), m._replace(kind="rate", per="year", arg="")
        yearly = yearly._replace(lo=m.lo * 10, hi=m.hi * 10)
        period = (play or "").partition(":")[2] if (play or "").startswith("rate:") else ""
        if period in ("month", "year"):
            value = value_from(monthly if period == "month" else yearly)
            return Mention(m.start, m.end, words, value, kind="rate")
        return Mention(m.start, m.end, words, None, None, (value_from(monthly), value_from(yearly)), "rate")
    level = m._replace(kind="rate", arg="", per=None)
    moved = m._replace(kind="change", arg="")
    if m.kind == "open-change-":
        moved = moved._replace(lo=-m.hi, hi=-m.lo, lo_open=m.hi_open, hi_open=m.lo_open)
    if play in ("change", "rate"):
        value = value_from(moved if play == "change" else level)
        return Mention(m.start, m.end, words, value, kind=play)
    return Mention(m.start, m.end, words, None, None, (value_from(moved), value_from(level)), "change")
