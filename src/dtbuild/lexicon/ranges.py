"""How a word such as 不到, 将近 or 左右 turns a number into a range, and what the ends of an open range are.

The written convention, both ends included:

| words | range |
|---|---|
| 不到, 不足, 低于 X | 0 .. just under X |
| 不超过, 最多, X以内 | 0 .. X |
| 至少, 起码, X以上 | X .. just under 10 X (no upper end is said) |
| 超过, 多于 X | just over X .. just under 10 X |
| 近, 将近, 小 X | 0.9 X .. just under X |
| 约, 大概, 差不多, X左右 | 0.9 X .. 1.1 X |
| X出头 | just over X .. 1.1 X |
| 上千万, 上亿 | X .. just under 10 X |

"Just" is one 元 (0.01 below ten), 0.01 percent or point, a tenth of a month, one day or piece (a tenth below ten).

>>> closed("money", Decimal(0), Decimal(5_000_000), False, True)
(Decimal('0'), Decimal('4999999'))
"""

from __future__ import annotations

from decimal import Decimal

from dtbuild.lexicon.measures import Measure

_TENTH, _HUNDREDTH = Decimal("0.1"), Decimal("0.01")


def approximate(measure: Measure, word: str) -> Measure:
    """The measure as a range by one of the conventions above; what is a range already keeps its own ends."""
    low, high = measure.lo, measure.hi
    if not high:
        return measure
    if word == "below_open":
        return measure._replace(lo=Decimal(0), lo_open=False, hi_open=True)
    if word == "below":
        return measure._replace(lo=Decimal(0), lo_open=False)
    if word in ("above", "above_open", "order"):
        return measure._replace(lo_open=word == "above_open" or measure.lo_open, hi=low * 10, hi_open=True)
    if not measure.exact:
        return measure
    if word == "near":
        return measure._replace(lo=low * 9 / 10, hi_open=True)
    if word == "over":
        return measure._replace(hi=high * 11 / 10, lo_open=True)
    return measure._replace(lo=low * 9 / 10, hi=high * 11 / 10)


def closed(kind: str, low: Decimal, high: Decimal, low_open: bool, high_open: bool) -> tuple[Decimal, Decimal]:
    """Both ends included."""
    if low >= high:
        return low, high
    step = step_of(kind, high)
    while low_open + high_open and high - low <= (low_open + high_open) * step:
        step /= 10
    return low + step * low_open, high - step * high_open


def step_of(kind: str, high: Decimal) -> Decimal:
    """One step of what is measured: see the head of this module."""
    if kind == "money":
        return Decimal(1) if high >= 10 else _HUNDREDTH
    if kind in ("rate", "change", "factor"):
        return _HUNDREDTH
    if kind == "month":
        return _TENTH
    if kind == "count":
        return Decimal(1)
    return Decimal(1) if high >= 10 else _TENTH
