"""The words around a measure: what stands before it and after it, and whether they fit it.

`phrase(text, start, clause)` reads from `start` any words before (不到, 年化, 降, 本金的, 每套, 人民币, 打), the
measure, and what follows (一套, 左右, 一年). Words that do not fit the measure make the phrase fail; the reader
then tries the next place, so the measure itself is still found. A rate without a period takes the one that was
named earlier in its clause (年化我给你六个点).

>>> found = phrase("日息万分之五", 0, 0)
>>> found.kind, found.lo, found.per
('rate', Decimal('0.05'), 'day')
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import NamedTuple

from dtbuild.lexicon.cores import core
from dtbuild.lexicon.measures import Measure, per_after, per_before, period_of
from dtbuild.lexicon.numerals import NUMERAL_CHARS
from dtbuild.lexicon.ranges import approximate
from dtbuild.lexicon.tables import AFTER, BEFORE, LINKS, VOIDS, Row

_SHARES = ("point", "percent")
_LEVELS = frozenset("到至为成")
_CLAUSE = re.compile(r"[，。？！；、…]")
_PERIOD = re.compile(r"(年化|年息|年利|年费率)|(月息|月利|月费率|月化)|(日息|日利|日费率)")
_HANDED_ON = re.compile(r"往上[报递交送呈提]")
_FIRSTS = BEFORE.firsts | frozenset("打一每")
_FEN_SCALE = {"year": Decimal(10), "month": Decimal(1), "day": Decimal("0.1")}


class _Before(NamedTuple):
    end: int
    approx: str | None = None
    period: str | None = None
    sign: str | None = None
    base: str | None = None
    currency: str | None = None
    per: str | None = None
    dozen: bool = False

    @property
    def any(self) -> bool:
        return any((self.approx, self.period, self.sign, self.base, self.currency, self.per, self.dozen))


def phrase(text: str, start: int, clause: int) -> Measure | None:
    """The longest amount with its words that starts at `start`; `clause` is where the mention before ended."""
    before = _before(text, start)
    if before.any:
        found = _finish(text, core(text, before.end), before, start, clause)
        if found is not None:
            return found
    return _finish(text, core(text, start), _Before(start), start, clause)


def _finish(text: str, found: Measure | None, before: _Before, start: int, clause: int) -> Measure | None:
    if found is None:
        return None
    if found.kind in ("skip", "ratio", "open", "ordinal"):
        return None if before.any else found
    lone = found.numeral is not None and found.numeral.lone and found.kind == "number"
    order = lone and text[found.start : found.start + 1] in tuple("百千万亿")
    if order and before.approx not in ("order", "near", "above_open", "below_open", "around"):
        return None
    if before.approx == "order" and not (
        found.numeral and found.numeral.lone and found.kind != "percent" and _starts_order(text, found)
    ):
        return None
    found = _per(text, found, before)
    if found is None:
        return None
    found = _after(text, found)
    if before.approx:
        if before.approx == "near" and (found.kind == "term" or (found.kind == "count" and found.hi < 10)):
            return None  # 近三年, 近三期 are the last three
        if before.approx == "near" and lone and not order:
            return None
        found = approximate(found, before.approx)
    if before.sign or found.kind in ("pp", "bp"):
        found = _change(found, before)
    elif before.base == "LPR" and found.kind == "number":
        return None
    if found is None:
        return None
    found = _rate(text, found, before, start, clause)
    if found is None:
        return None
    if before.dozen and found.kind != "factor":
        return None
    if before.currency:
        if found.kind not in ("money", "number") or (
            found.kind == "money" and found.arg not in ("CNY", before.currency)
        ):
            return None
        found = found._replace(kind="money", arg=before.currency)
    return found._replace(start=start)


def _starts_order(text: str, found: Measure) -> bool:
    return text[found.start : found.start + 1] in tuple("百千万亿")


def _before(text: str, start: int) -> _Before:
    state = _Before(start)
    if text[start : start + 1] not in _FIRSTS:
        return state
    if text.startswith("打", start):
        return state._replace(end=start + 1, dozen=True)
    for _ in range(4):
        at = state.end
        per = per_before(text, at) if state.per is None else None
        if per is not None and text[per[1] : per[1] + 1] != "期" and _goes_on(text, per[1]):
            state = state._replace(end=per[1], per=per[0])
            continue
        entry = BEFORE.at(text, at)
        if entry is None:
            break
        after = at + len(entry.surface)
        step = _step(text, state, {row.kind: row for row in entry.rows}, entry.surface, after)
        if step is None:
            break
        state = step
    return state


def _goes_on(text: str, at: int) -> bool:
    """Whether a number comes here: 一台八十万 is a price each, 至少一台吧 is not."""
    return text[at : at + 1] in _FIRSTS or core(text, at) is not None


def _step(text: str, state: _Before, rows: dict[str, Row], surface: str, after: int) -> _Before | None:
    if "base" in rows and (text.startswith("的", after) or surface == "LPR"):
        if surface == "LPR" and not text.startswith("的", after):
            return state._replace(end=after, base="LPR")
        return state._replace(end=after + 1, base=surface)
    if "verb" in rows and state.sign is None:
        end = after
        while (void := VOIDS.at(text, end)) is not None and text[end : end + 2] not in ("个点", "个百", "个基"):
            end += len(void.surface)
        if text[end : end + 1] in _LEVELS:
            return None
        return state._replace(end=end, sign=rows["verb"].argument)
    if "approx" in rows and state.approx is None:
        return state._replace(end=after, approx=rows["approx"].argument)
    if "period" in rows and state.period is None:
        return state._replace(end=_linked(text, after), period=rows["period"].argument)
    if "currency" in rows and state.currency is None:
        return state._replace(end=after, currency=rows["currency"].argument)
    return None


def _linked(text: str, at: int) -> int:
    """Past the words that may stand between a period and its number (年化利率是六个点)."""
    for _ in range(3):
        entry = LINKS.at(text, at)
        if entry is None:
            break
        at += len(entry.surface)
    return at


def _per(text: str, found: Measure, before: _Before) -> Measure | None:
    """The unit price, and the numbers that are money though no unit was said."""
    after = per_after(text, found.end)
    numeral = found.numeral
    said = numeral is not None and (numeral.big or numeral.elided >= 1000)
    if found.kind == "number" and numeral is not None:
        whole = not numeral.lone and (numeral.unit >= 100 or numeral.hi >= 100)
        order = numeral.lone and numeral.big
        if said or order or ((after or before.per) and whole):
            found = found._replace(kind="money", arg="CNY")
    if found.kind == "money":
        if text.startswith("整", found.end) and not text.startswith(("整体", "整个", "整批"), found.end):
            found = found._replace(end=found.end + 1)
        after = per_after(text, found.end)
        if after:
            return found._replace(end=after[1], per=after[0]) if not before.per else None
        return found._replace(per=before.per) if before.per else found
    if found.kind in (*_SHARES, "fen", "li"):
        if after and period_of(after[0]):
            return found._replace(end=after[1], per=period_of(after[0]))
        if before.per:
            period = period_of(before.per)
            return found._replace(per=period) if period else None
        return found
    return None if before.per else found


def _after(text: str, found: Measure) -> Measure:
    """A range where words after the number make it one (七百二十万往上), not where it is handed on (按七百二十万往上报)."""
    entry = AFTER.at(text, found.end)
    if (
        entry is None
        or _HANDED_ON.match(text, found.end)
        or (found.kind == "number" and not (found.numeral and not found.numeral.lone))
    ):
        return found
    return approximate(found, entry.rows[0].argument)._replace(end=found.end + len(entry.surface))


def _change(found: Measure, before: _Before) -> Measure | None:
    """A difference in percentage points: a verb with 个点, 百分点, BP; BP alone counts upwards."""
    if found.kind == "number" and before.base == "LPR" and found.numeral and not found.numeral.lone:
        # LPR加五十: the unit that goes without saying is the basis point
        found = found._replace(lo=found.lo / 100, hi=found.hi / 100, kind="bp")
    if found.kind not in ("pp", "bp", "point", "percent") or found.per:
        return None
    if before.sign is None:
        return found._replace(kind="open-change") if found.kind == "pp" else found._replace(kind="change")
    if found.kind == "percent":
        return found._replace(kind="open-change-" if before.sign == "-" else "open-change")
    found = found._replace(kind="change")
    if before.sign == "-":
        return found._replace(lo=-found.hi, hi=-found.lo, lo_open=found.hi_open, hi_open=found.lo_open)
    return found


def _rate(text: str, found: Measure, before: _Before, start: int, clause: int) -> Measure | None:
    if found.kind not in (*_SHARES, "fen", "li"):
        return None if before.period or (before.base and before.base != "LPR") else found
    period = before.period or found.per or _period_in_clause(text, start, clause)
    if found.kind in ("fen", "li"):
        if period is None:
            return _without_period(text, found)
        scale = _FEN_SCALE[period]
        found = found._replace(lo=found.lo * scale, hi=found.hi * scale)
    return found._replace(kind="rate", per=period, arg=before.base or "")


def _without_period(text: str, found: Measure) -> Measure | None:
    """一分二 is a rate of a period nobody named; 三分 alone is a score, not ours."""
    number = found.numeral
    if number is None or (text[number.start - 1 : number.start] in tuple(NUMERAL_CHARS) and number.start):
        return None
    said_more = found.end > number.end + 1
    return found._replace(kind="open-fen") if said_more or found.kind == "li" else None


def _period_in_clause(text: str, start: int, clause: int) -> str | None:
    begin = clause
    for mark in _CLAUSE.finditer(text, clause, start):
        begin = mark.end()
    period = None
    for word in _PERIOD.finditer(text, begin, start):
        period = "year" if word.group(1) else "month" if word.group(2) else "day"
    return period
