"""Calendar days as they are said, read against an anchor day.

A day without a year (三月五号) or month (二十八号) is the next such day after the anchor; 月底 and 年底 are the
end of the anchor's month and year. 前 after a day, 最晚 or 截至 before it make it a deadline. What names no single
day (下周五, 三月初, 二零二六年, 中旬), or needs an anchor that was not given, is found but has no value. Words
that only point (今天, 明天, 下个月) are no mention.

>>> find("下月底前", 0, date(2026, 1, 31)).iso
'2026-02-28'
"""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import date
from typing import NamedTuple

from dtbuild.lexicon.numerals import digit_run, scan

_CN_MONTH = "十[一二]?|[一二两三四五六七八九]|1[0-2]|0?[1-9]"
_CN_DAY = "三十一?|二十[一二三四五六七八九]?|十[一二三四五六七八九]?|[一二三四五六七八九]|3[01]|[12]\\d|0?[1-9]"
_YEAR = "(?:[12]\\d{3}|[零〇一二三四五六七八九]{4}|\\d\\d(?=年\\d)|[零〇一二三][零〇一二三四五六七八九](?=年(?:十|[一二三四五六七八九])[一二]?月))"
_NOT_DAY = "楼|机|线|库|仓|厂|店|院|车|柜|桥|位|文|段|地块|标|公馆|门|铺|炉|井|窑|罐|员|码|人|基金|产品|合同|单|票"
_PATTERN = re.compile(
    rf"""
    (?P<late>最晚不超过|最晚|最迟|不晚于|截止到|截止|截至)?
    (?:
      (?P<quarter>(?:本|下|上|这|这个|下个|上个|第?[一二三四])季度)(?P<qend>末|底)?
    | (?P<week>(?:下下|下|上|这|本)?(?:个)?(?:周|星期|礼拜)(?:[一二三四五六日天](?![个次年天])|末))
    | (?P<iso>\d{{4}}[-/.]\d{{1,2}}[-/.]\d{{1,2}}(?!\d))
    | (?:(?P<year>{_YEAR})年|(?P<ryear>今年|本年|明年|后年|去年|前年))?(?:的)?
      (?:
        (?P<month>{_CN_MONTH})月(?:份)?(?!报|结|度|薪|息|利|费|供|化|租|光|嫂|亮|饼|卡)
      | (?P<rmonth>下个月|下月|上个月|上月|本月|这个月|当月|次月)
      )?(?:的)?
      (?:
        (?P<day>{_CN_DAY})[号日](?!{_NOT_DAY}|内|以内|之内)
      | (?P<end>月底|月末|底(?!层|价|下|线|单|稿|子|气|盘|账|档)|末)
      | (?P<bareday>(?<=月)(?:{_CN_DAY})(?=[，。？！；、…]|$|前|之前|以前))
      | (?P<vague>初|上旬|中旬|下旬|月中|中(?=[旬，。？！；、]|$))
      | (?P<yend>年底|年末|年终(?!奖))
      | (?P<yvague>年初|年中|月初)
      )?
    )
    (?P<by>之前|以前|前(?!后|面|者|期|台|提|途|几))?
    """,
    re.VERBOSE,
)
FIRSTS = frozenset("最不截今本明后去前零〇一二两三四五六七八九十0123456789下上这当次月年第周星礼")


class Day(NamedTuple):
    """A day found in the text; `iso` is None where no single day is named."""

    start: int
    end: int
    iso: str | None
    bound: str


def find(text: str, start: int, anchor: date | None) -> Day | None:
    """The date expression that starts at `start`, or None."""
    found = _PATTERN.match(text, start)
    if found is None or found.end() == start:
        return None
    get = found.group
    bound = "by" if get("by") or get("late") else "on"
    names_day = any(get(name) for name in ("iso", "day", "bareday", "end", "yend"))
    if get("quarter") or get("week"):
        return Day(start, found.end(), _quarter_end(found, anchor), bound)
    if get("end") == "末" and not (get("month") or get("rmonth")):
        return None
    if get("end") == "底" and not (get("month") or get("rmonth") or get("ryear") or get("year")):
        return None
    if not names_day and not get("month") and not get("year") and not get("vague") and not get("yvague"):
        return None
    if get("vague") in ("初", "中") and not (get("month") or get("rmonth") or get("ryear") or get("year")):
        return None
    if get("month") and not names_day and _is_duration(text, found):
        return None
    recurring = text[max(0, start - 2) : start] in ("每月", "个月") and "每" in text[max(0, start - 3) : start]
    return Day(start, found.end(), None if recurring else _resolve(found, anchor), bound)


def end_of_month(year: int, month: int) -> date:
    return date(year, month, monthrange(year, month)[1])


def _is_duration(text: str, found: re.Match[str]) -> bool:
    """两月 is no month's name."""
    return found.group("month") == "两" or text[found.start() - 1 : found.start()] in ("几", "每")


def _resolve(found: re.Match[str], anchor: date | None) -> str | None:
    get = found.group
    if get("iso"):
        return _iso(*map(int, re.split(r"[-/.]", get("iso"))))
    year = _year(found, anchor)
    if get("yend") or (get("end") and not get("month") and not get("rmonth") and (get("year") or get("ryear"))):
        if get("end") in ("月底", "月末"):
            return None
        base = year or (anchor.year if anchor else None)
        return _iso(base, 12, 31) if base else None
    day = _number(get("day") or get("bareday"))
    at_end = bool(get("end"))
    if day is None and not at_end:
        return None
    if get("rmonth") and anchor is not None:
        shift = {"下": 1, "次": 1, "上": -1}.get(get("rmonth")[0], 0)
        year, month = divmod(anchor.year * 12 + anchor.month - 1 + shift, 12)
        month += 1
    elif get("month"):
        month = _number(get("month")) or 0
    elif anchor is None:
        return None
    elif at_end:
        year, month = anchor.year, anchor.month
    else:
        return _next_day(anchor, day or 0)
    if year is None:
        if anchor is None:
            return None
        year = anchor.year
        candidate = _day_of(year, month, day, at_end)
        if candidate is None or candidate < anchor or (candidate == anchor and not at_end):
            year += 1
    resolved = _day_of(year, month, day, at_end)
    return resolved.isoformat() if resolved else None


def _year(found: re.Match[str], anchor: date | None) -> int | None:
    if found.group("year"):
        digits, _ = digit_run(found.group("year"), 0)
        return int(digits) if len(digits) == 4 else 2000 + int(digits)
    if found.group("ryear") and anchor is not None:
        return anchor.year + {"明": 1, "后": 2, "去": -1, "前": -2}.get(found.group("ryear")[0], 0)
    return None


def _day_of(year: int, month: int, day: int | None, at_end: bool) -> date | None:
    try:
        return end_of_month(year, month) if at_end else date(year, month, day or 0)
    except ValueError:
        return None


def _next_day(anchor: date, day: int) -> str | None:
    year, month = anchor.year, anchor.month
    for _ in range(13):
        candidate = _day_of(year, month, day, False)
        if candidate is not None and candidate > anchor:
            return candidate.isoformat()
        year, month = (year + 1, 1) if month == 12 else (year, month + 1)
    return None


def _quarter_end(found: re.Match[str], anchor: date | None) -> str | None:
    quarter = found.group("quarter")
    if not quarter or not found.group("qend") or anchor is None:
        return None
    named = {"一": 1, "二": 2, "三": 3, "四": 4}.get(quarter[-3])
    if named is None:
        shift = {"下": 1, "上": -1}.get(quarter[0], 0)
        year, index = divmod(anchor.year * 4 + (anchor.month - 1) // 3 + shift, 4)
        return end_of_month(year, index * 3 + 3).isoformat()
    end = end_of_month(anchor.year, named * 3)
    return (end if end >= anchor else end_of_month(anchor.year + 1, named * 3)).isoformat()


def _iso(year: int, month: int, day: int) -> str | None:
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        return None


def _number(words: str | None) -> int | None:
    if not words:
        return None
    number = scan(words, 0)
    return int(number.lo) if number is not None else None
