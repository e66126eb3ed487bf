"""What a measure is (a number with its unit, not yet a value), and the unit price that may stand at its side.

>>> per_after("三万一天", 2), per_before("每套八十万", 0)
(('天', 4), ('套', 2))
"""

from __future__ import annotations

from decimal import Decimal
from typing import NamedTuple

from dtbuild.lexicon.numerals import Numeral
from dtbuild.lexicon.tables import IDIOMS, PER_UNITS, PERIOD_OF, UNITS

ONE, HALF = Decimal(1), Decimal("0.5")
_WITH_GE = {"个月": "月", "个季度": "季", "个小时": "小时", "个人": "人"}
_NOT_LEADING_PER = frozenset({"笔", "张", "单", "份", "批", "条", "项", "个", "件", "期", "次", "趟", "部", "组"})


class Measure(NamedTuple):
    """What one number measures. `kind` is a type tag of the values, or one of the kinds still open:

    point (个点), percent (百分之), pp, bp: a level or a difference; fen, li: a share whose period decides;
    number: nothing said yet; ratio: `parts`; skip: words that name no amount.
    """

    kind: str
    start: int
    end: int
    lo: Decimal = Decimal(0)
    hi: Decimal = Decimal(0)
    lo_open: bool = False
    hi_open: bool = False
    arg: str = ""
    per: str | None = None
    unit: Decimal = ONE
    """The last unit named, in base units."""
    numeral: Numeral | None = None
    parts: tuple[Decimal, ...] = ()
    article: bool = False
    extra: tuple[str, Decimal] | None = None
    """Months and days in one term (三个月零五天) are two terms: the second one's unit and value."""

    @property
    def exact(self) -> bool:
        return self.lo == self.hi and not self.lo_open and not self.hi_open


def per_after(text: str, at: int) -> tuple[str, int] | None:
    """一套, 每套, /套 at this place: the thing a unit price is for and where it ends."""
    if text[at : at + 1] not in ("一", "每", "/"):
        return None
    return _per_unit(text, at)


def per_before(text: str, at: int) -> tuple[str, int] | None:
    """每套 or 一套 before the price. 一张八十万 is an invoice of that amount, so it takes 每."""
    if text[at : at + 1] not in ("一", "每"):
        return None
    found = _per_unit(text, at)
    if found and text[at] == "一" and found[0] in _NOT_LEADING_PER:
        return None
    return found


def _per_unit(text: str, at: int) -> tuple[str, int] | None:
    idiom = IDIOMS.at(text, at)
    entry = UNITS.at(text, at + 1)
    if entry is None:
        return None
    name = _WITH_GE.get(entry.surface) or PER_UNITS.get(entry.surface)
    end = at + 1 + len(entry.surface)
    if name is None or (entry.surface == "月" and text[at] == "一"):
        return None
    if idiom and len(idiom.surface) >= end - at:
        return None
    if text[end : end + 1] in ("期", "半", "零") and entry.rows[0].kind == "term":
        return None
    return name, end


def period_of(name: str) -> str | None:
    return PERIOD_OF.get(name)
