"""`core`: the longest amount at a place, before the words around it are weighed.

Two readings of one place are settled here: a unit price goes before a dropped unit (三万一天 is 30,000 a day, not
31,000 days), a term or rate before a dropped unit (五百万六个月). A到B becomes one range.

>>> core("三个半月", 0).lo, core("三到五百万", 0).lo
(Decimal('3.5'), Decimal('3000000'))
"""

from __future__ import annotations

import re
from decimal import Decimal

from dtbuild.lexicon.measures import ONE, Measure, per_after
from dtbuild.lexicon.numerals import NUMERAL_CHARS, Numeral, digit_run, scan
from dtbuild.lexicon.tables import UNITS
from dtbuild.lexicon.unitreading import between, with_unit

_FRACTIONS = {"百分之": ONE, "千分之": Decimal("0.1"), "万分之": Decimal("0.01")}
_LINKS = re.compile(r"到|至|~|-|－|—{1,2}|–")
_SPLIT = re.compile(r"开(?!户|工|始|会|票)|分账|分成|分(?=$|[，。？！；、…吧了])")
_POINT = re.compile(r"[点.]")
_COLONS = re.compile(r"(\d+(?:\.\d+)?)((?::\d+(?:\.\d+)?)+)(?![\d:])")
_CLOCK = re.compile(r"\d{1,2}:\d\d")
_UNIT_CHARS = frozenset("十百千万亿点年")
_FIRSTS = NUMERAL_CHARS | frozenset("半第对百千万")


def core(text: str, start: int) -> Measure | None:
    """The longest amount that starts at `start`, with A到B joined into one range."""
    if text[start : start + 1] not in _FIRSTS:
        return None
    first = _single(text, start)
    if first is None or first.kind in ("skip", "ratio", "ordinal") or first.extra:
        return first
    link = _LINKS.match(text, first.end)
    if link is None:
        return first
    second = _single(text, link.end())
    if second is None or second.kind in ("skip", "ratio", "ordinal"):
        return first
    if first.kind == "percent" and second.kind == "number" and second.numeral:
        scale = next((factor for words, factor in _FRACTIONS.items() if text.startswith(words, start)), None)
        if scale is None:
            return first
        second = second._replace(kind="percent", lo=second.lo * scale, hi=second.hi * scale)
    if second.kind == "number" and first.kind != "number":
        return first
    if first.kind == "number" and first.numeral and second.kind == "factor" and second.numeral is None:
        return second._replace(start=start, lo=first.lo / 10) if first.lo / 10 < second.hi else first
    if first.kind == "number" and first.numeral and second.numeral and second.kind != "number":
        low = _shared(first.numeral, second)
        if text[start - 1 : start] in ("第", "降", "从") and second.kind == "number":
            return first
        first = second._replace(start=start, lo=low, hi=low, lo_open=False, hi_open=False)
    elif first.kind == "number" and first.numeral and second.numeral:
        if second.numeral.lone:
            return first
        low = _shared(first.numeral, second)
        first = first._replace(lo=low, hi=low)
    elif text[start - 1 : start] == "从" and not text.startswith(("之间", "不等"), second.end):
        return first
    if (first.kind, first.arg) != (second.kind, second.arg) or not first.lo < second.hi:
        return _single(text, start)
    return second._replace(start=start, lo=first.lo, lo_open=first.lo_open)


def _single(text: str, start: int) -> Measure | None:
    for words, factor in _FRACTIONS.items():
        if text.startswith(words, start):
            return _fraction(text, start, start + len(words), factor)
    if text.startswith("第", start):
        return _ordinal(text, start)
    special = _halves(text, start) or _digits(text, start)
    if special is not None:
        return special
    number = scan(text, start)
    if number is None:
        return None
    if number.clock:
        return Measure("skip", start, number.end)
    if text.startswith("分之", number.end) and number.lo == number.hi:
        return _share(text, start, number)
    if text.startswith("比", number.end) and number.exact:
        ratio = _ratio(text, start, number)
        if ratio is not None:
            return ratio
    number = _settled(text, number)
    entry = UNITS.at(text, number.end)
    found = between(text, start, number)
    if found is None and entry is not None:
        found = with_unit(text, start, number, entry)
    if found is None:
        found = Measure(
            "number", start, number.end, number.lo, number.hi, number.lo_open, number.hi_open,
            unit=Decimal(number.unit), numeral=number,
        )  # fmt: skip
    return found


def _settled(text: str, number: Numeral) -> Numeral:
    """Which of the two readings of a dropped unit holds, by what follows."""
    short = number.shorter
    if short is None or not number.elided:
        return number
    if per_after(text, number.end):
        return number
    if text[short.end] == "一" and per_after(text, short.end):
        return short
    entry = UNITS.at(text, number.end)
    if entry is None:
        if text[number.end : number.end + 1] in ("月", "号") or between(text, short.end, number) is not None:
            return short
        return number
    if entry.rows[0].kind in ("term", "rate", "pp", "bp", "cheng", "zhe", "permonth", "fen", "li"):
        return short
    return number


def _halves(text: str, start: int) -> Measure | None:
    """半年, 半个月, 半个点, 半成, 半个亿."""
    if text[start : start + 1] != "半" or (text[start - 1 : start] in ("多", "大", "前", "后", "上", "下") and start):
        return None
    for words, kind, value, arg in (
        ("个月", "term", "0.5", "month"), ("年", "term", "6", "month"), ("个季度", "term", "1.5", "month"),
        ("个点", "point", "0.5", ""), ("个百分点", "pp", "0.5", ""), ("成", "percent", "5", ""),
        ("个亿", "money", "50000000", "CNY"), ("个小时", "count", "0.5", "小时"), ("小时", "count", "0.5", "小时"),
    ):  # fmt: skip
        if text.startswith(words, start + 1):
            end = start + 1 + len(words)
            if words == "年" and text[end : end + 1] in ("报", "度"):
                return None
            end += kind == "term" and text.startswith("期", end)
            number = Decimal(value)
            unit = Decimal(2) * number if kind == "term" else ONE
            return Measure(kind, start, end, number, number, arg=arg, unit=unit)
    return None


def _digits(text: str, start: int) -> Measure | None:
    """八五折, 三七开: digits one by one; three and more that stand alone are a plain number (编号一零三五)."""
    if text.startswith(("对半开", "对半分"), start):
        return Measure("ratio", start, start + 3, parts=(Decimal(5), Decimal(5)))
    digits, end = digit_run(text, start)
    if not digits:
        return None
    if text.startswith("折", end) and len(digits) <= 2 and text[end + 1 : end + 2] not in ("叠", "旧", "线", "页"):
        value = Decimal(int(digits)) / 10 ** len(digits)
        return Measure("factor", start, end + 1, value, value) if value else None
    if text[end : end + 1] in ("折", "点", ".") and len(digits) == 1:
        point = _POINT.match(text, end)
        tail, after = digit_run(text, end + 1) if point else ("", end)
        if tail and text.startswith("折", after):
            value = Decimal(f"{digits}.{tail}") / 10
            return Measure("factor", start, after + 1, value, value)
    split = _SPLIT.match(text, end)
    if len(digits) == 2 and split is not None:
        parts = tuple(Decimal(digit) for digit in digits)
        if sum(parts) == 10:
            return Measure("ratio", start, split.end(), parts=parts)
    if len(digits) > 2 and not text[start].isascii() and text[end : end + 1] not in _UNIT_CHARS:
        value = Decimal(int(digits))
        return Measure("number", start, end, value, value, numeral=Numeral(start, end, value, value))
    arabic = _COLONS.match(text, start)
    if arabic and not _CLOCK.fullmatch(arabic.group()):
        return Measure("ratio", start, arabic.end(), parts=tuple(map(Decimal, arabic.group().split(":"))))
    return None


def _ratio(text: str, start: int, number: Numeral) -> Measure | None:
    """三比七, 一比一点五, 二比三比五."""
    parts, end = [number.lo], number.end
    while text.startswith("比", end):
        after = scan(text, end + 1)
        if after is None or not after.exact or after.clock:
            break
        parts.append(after.lo)
        end = after.end
    return Measure("ratio", start, end, parts=tuple(parts)) if len(parts) > 1 else None


def _fraction(text: str, start: int, at: int, factor: Decimal) -> Measure | None:
    """百分之三点八五, 百分之十几, 百分之百."""
    if text.startswith("百", at) and factor == 1:
        return Measure("percent", start, at + 1, Decimal(100), Decimal(100))
    number = scan(text, at)
    if number is None or number.clock:
        return None
    short = number.shorter
    if number.elided and short is not None and UNITS.at(text, number.end):
        number = short
    return Measure(
        "percent", start, number.end, number.lo * factor, number.hi * factor, number.lo_open, number.hi_open,
        unit=number.unit * factor, numeral=number.scaled(factor),
    )  # fmt: skip


def _ordinal(text: str, start: int) -> Measure | None:
    """第三期 names which one; 第一 alone is an adverb."""
    number = scan(text, start + 1)
    if number is None or not number.exact or number.clock:
        return None
    short = number.shorter if number.elided else None
    number = short or number
    entry = UNITS.at(text, number.end)
    row = entry.rows[0] if entry else None
    if entry is None or row is None or row.kind not in ("count", "term"):
        return Measure("skip", start, number.end)
    unit = row.argument if row.kind == "count" else entry.surface.removeprefix("个")
    return Measure("ordinal", start, number.end + len(entry.surface), number.lo, number.hi, arg=unit)


def _share(text: str, start: int, number: Numeral) -> Measure | None:
    """三分之一: a share where it has an end as a decimal, otherwise an amount without a value."""
    top = scan(text, number.end + 2)
    if top is None or top.clock or not top.exact or not number.lo:
        return None
    value = top.lo * 100 / number.lo
    if value * number.lo != top.lo * 100 or -int(value.normalize().as_tuple().exponent) > 6:
        return Measure("open", start, top.end)
    return Measure("percent", start, top.end, value, value)


def _shared(low: Numeral, high: Measure) -> Decimal:
    """三到五百万 and 三百到五百万: the first number takes the unit of the second where it must."""
    number = high.numeral
    if number is None or low.big:
        return low.lo * _factor(high)
    unit, value = Decimal(number.unit), number.lo
    coefficient = value / unit if unit else value
    if low.lone and low.lo < coefficient < 10 and (number.big or unit >= 100):
        return low.lo * unit * _factor(high)
    if number.big and low.lo < value:
        scale = Decimal(10**8) if value >= 10**8 else Decimal(10**4)
        if low.lo * scale < value:
            return low.lo * scale * _factor(high)
    return low.lo * _factor(high)


def _factor(high: Measure) -> Decimal:
    number = high.numeral
    return high.hi / number.hi if number is not None and number.hi else ONE
