"""The spoken forms of ranges: each style rebuilds the words whose convention (`ranges.py`) gives these ends.

`plain` takes the first that fits, in the order people would choose; A到B is always the last way out.

>>> from dtbuild.records.values import Of
>>> money = Of(type="money", currency="CNY")
>>> forms(Range(lo=Decimal(3_000_001), hi=Decimal(3_999_999), of=money), "more")
['三百多万', '三百多万块']
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import NamedTuple

from dtbuild.errors import Unspeakable
from dtbuild.lexicon.ranges import step_of
from dtbuild.lexicon.spelling import DIGITS, integer, spell
from dtbuild.lexicon.tables import CURRENCY_WORD
from dtbuild.records.values import Range

_PERIOD_PREFIX = {"year": "年化", "month": "月息", "day": "日息"}
_ORDER = ("more", "about", "teens", "pair", "several", "near", "order", "under", "most", "around", "least", "to")


class _Frame(NamedTuple):
    """What stands around the number: words before, the unit, and its size in base units."""

    before: str
    unit: str
    size: Decimal = Decimal(1)


def forms(value: Range, style: str) -> list[str]:
    """Candidate texts of one style; for `plain` of all styles, most natural first."""
    styles = _ORDER if style == "plain" else (style,)
    low, high = (-value.hi, -value.lo) if value.of.type == "change" and value.hi <= 0 else (value.lo, value.hi)
    if low < 0 or low >= high:
        raise Unspeakable(f"range {value.lo}..{value.hi}", expected="two different ends, neither below zero")
    kind = value.of.unit or "" if value.of.type == "term" else value.of.type
    out: list[str] = []
    for name in styles:
        for frame in _frames(value):
            step = step_of(kind, high) / frame.size
            words = _BUILDERS[name](low / frame.size, high / frame.size, step, frame.unit)
            out += [frame.before + text for text in words]
    return out


def _frames(value: Range) -> list[_Frame]:
    of = value.of
    if of.type == "money":
        word = CURRENCY_WORD.get(of.currency or "CNY", "")
        units = [word] if of.currency != "CNY" else ["", "块"] if value.hi >= 10**4 else ["块", "元"]
        return [_Frame(f"每{of.per}" if of.per else "", unit) for unit in units]
    if of.type == "rate":
        if of.per and of.per not in _PERIOD_PREFIX:
            raise Unspeakable(f"rate per {of.per!r}", expected=f"per {', '.join(_PERIOD_PREFIX)}")
        head = (_PERIOD_PREFIX[of.per] if of.per else "") + (f"{of.base}的" if of.base else "")
        return [_Frame(head, "个点")]
    if of.type == "change":
        verb = "降" if value.hi <= 0 else "加"
        return [_Frame(verb, "个点"), _Frame(verb, "个基点", Decimal("0.01"))]
    if of.type == "term" and of.unit == "month":
        return [_Frame("", "个月"), _Frame("", "年", Decimal(12))]
    if of.type == "term":
        return [_Frame("", "天" if of.unit == "day" else "个工作日")]
    if of.type == "count":
        return [_Frame("", of.unit or "")]
    if of.type == "factor":
        return [_Frame("", "倍"), _Frame("", "折", Decimal("0.1"))]
    raise Unspeakable(f"range of {of.type}", expected="money, rate, change, term, count or factor")


def _more(low: Decimal, high: Decimal, step: Decimal, unit: str) -> list[str]:
    """三百多万, 十多个点, 三年多."""
    out = []
    for each in (step, step / 10):
        base, size = low - each, high - low + 2 * each
        if base > 0 and base == int(base) and size == int(size):
            out += _marked(int(base), int(size), "多", unit)
            if size == 1 and unit:
                out.append(_inside(spell(base, counting=True), "多", unit))
    return out


def _about(low: Decimal, high: Decimal, step: Decimal, unit: str) -> list[str]:
    """三百来万: a tenth of the unit below, three tenths above."""
    size = (high - low) * 10 / 4
    base = low + size / 10
    return _marked(int(base), int(size), "来", unit) if size == int(size) and base == int(base) else []


def _teens(low: Decimal, high: Decimal, step: Decimal, unit: str) -> list[str]:
    """十几万, 二十几个."""
    tenth = (high + step - low) / 9
    base = low - tenth
    if tenth < 1 or tenth != int(tenth) or base != int(base):
        return []
    return _marked(int(base), int(tenth) * 10, "几", unit)


def _pair(low: Decimal, high: Decimal, step: Decimal, unit: str) -> list[str]:
    """三四十万, 三十五六万, 七八个点."""
    size = high - low
    if size <= 0 or size != int(size) or low != int(low):
        return []
    digit = int(low / size) % 10 if low % size == 0 else 0
    if not 1 <= digit <= 8:
        return []
    whole = integer(int(high))
    second = DIGITS[digit + 1]
    at = whole.rfind(second)
    head = "一两" if digit == 1 and at == 0 else DIGITS[digit] + second
    texts = [whole[:at] + head + whole[at + 1 :]] if at >= 0 else []
    if whole.startswith("两") and digit == 1:
        texts.append("一" + whole)
    if digit == 2:
        texts += [text.replace("二三", "两三", 1) for text in texts if text.startswith("二三") and text[2:3] != "十"]
    return [text + unit for text in reversed(texts)]


def _several(low: Decimal, high: Decimal, step: Decimal, unit: str) -> list[str]:
    """几百万."""
    size = (high + step) / 10
    return [f"几{_named(int(size))}{unit}"] if size == int(size) and low == 2 * size and _named(int(size)) else []


def _order(low: Decimal, high: Decimal, step: Decimal, unit: str) -> list[str]:
    """上千万."""
    name = _named(int(low)) if low == int(low) else ""
    return [f"上{name}{unit}"] if name and high + step == low * 10 else []


def _near(low: Decimal, high: Decimal, step: Decimal, unit: str) -> list[str]:
    point = high + step
    return [word + _said(point, unit) for word in ("近", "小", "将近")] if low == point * 9 / 10 else []


def _under(low: Decimal, high: Decimal, step: Decimal, unit: str) -> list[str]:
    points = [high + step, high + 1] if low == 0 else []
    return ["不到" + _said(point, unit) for point in points if len(spell(point)) < len(spell(high))]


def _most(low: Decimal, high: Decimal, step: Decimal, unit: str) -> list[str]:
    return ["最多" + _said(high, unit), _said(high, unit) + "以内"] if low == 0 else []


def _least(low: Decimal, high: Decimal, step: Decimal, unit: str) -> list[str]:
    return ["至少" + _said(low, unit)] if low and high + step == low * 10 else []


def _around(low: Decimal, high: Decimal, step: Decimal, unit: str) -> list[str]:
    point = low * 10 / 9
    return [_said(point, unit) + "左右", "大概" + _said(point, unit)] if point and high * 9 == low * 11 else []


def _to(low: Decimal, high: Decimal, step: Decimal, unit: str) -> list[str]:
    """三到五个点, 三百到五百万, 两百九十万到三百三十万."""
    first, last = spell(low, counting=bool(unit)), _said(high, unit)
    texts = [f"{first}到{last}", f"{_said(low, unit)}到{last}"]
    for name, size in (("亿", 10**8), ("万", 10**4)):
        if low >= size and high >= size and not unit and last.endswith(name) and first.endswith(name):
            texts.insert(0, f"{first.removesuffix(name)}到{last}")
    return texts


def _said(number: Decimal, unit: str) -> str:
    return spell(number, counting=True) + unit


def _named(size: int) -> str:
    names = {10: "十", 100: "百", 1000: "千", 10**4: "万", 10**5: "十万", 10**6: "百万", 10**7: "千万", 10**8: "亿"}
    return names.get(size, "")


def _inside(number: str, mark: str, unit: str) -> str:
    """三个多月, but 三年多."""
    return f"{number}个{mark}{unit[1:]}" if unit.startswith("个") and unit != "个" else f"{number}{unit}{mark}"


def _marked(base: int, size: int, mark: str, unit: str) -> list[str]:
    """The base said down to the unit of `size`, the mark behind that unit: 三百多万."""
    if size < 10 or base % size or not base:
        return []
    for big, name in ((10**8, "亿"), (10**4, "万"), (1, "")):
        if size >= big:
            if big > 1 and size == big:
                return [f"{integer(base)}{mark}{unit}"] if mark == "多" else []
            whole = integer(base)
            return [f"{whole[: -len(name)] if name else whole}{mark}{name}{unit}"] if whole.endswith(name) else []
    return []


_BUILDERS: dict[str, Callable[[Decimal, Decimal, Decimal, str], list[str]]] = {
    "more": _more, "about": _about, "teens": _teens, "pair": _pair, "several": _several, "near": _near,
    "order": _order, "under": _under, "around": _around, "to": _to, "most": _most, "least": _least,
}  # fmt: skip
