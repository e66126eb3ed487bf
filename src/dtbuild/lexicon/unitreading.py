"""A number and the unit behind it: money with its small coins, terms, shares in tenths, counts.

>>> from dtbuild.lexicon.numerals import scan
>>> number = scan("十二块五", 0)
>>> with_unit("十二块五", 0, number, UNITS.at("十二块五", 2)).lo
Decimal('12.5')
"""

from __future__ import annotations

from decimal import Decimal

from dtbuild.lexicon.measures import HALF, ONE, Measure, per_after
from dtbuild.lexicon.numerals import DIGITS, NUMERAL_CHARS, Numeral, scan
from dtbuild.lexicon.tables import UNITS, Lexeme, Row

_NOT_CHENG = frozenset("本立功交员品为长就果都像")
_AMOUNTS = NUMERAL_CHARS - {"一"}
_DIVISIBLE = frozenset({"吨", "斤", "公斤", "小时", "平", "亩", "米"})


def with_unit(text: str, start: int, number: Numeral, entry: Lexeme) -> Measure | None:
    row = entry.rows[0]
    end = number.end + len(entry.surface)
    base = Measure(
        row.kind, start, end, number.lo * row.factor, number.hi * row.factor, number.lo_open, number.hi_open,
        row.argument, unit=number.unit * row.factor, numeral=number,
    )  # fmt: skip
    if row.kind == "money":
        return _with_small_money(text, base, entry.surface)
    if row.kind == "jiao":
        return _with_small_money(text, base._replace(kind="money"), entry.surface)
    if row.kind == "rate":
        return _more(text, base._replace(kind="percent" if entry.surface in ("%", "‰") else "point", arg=""))
    if row.kind in ("pp", "bp"):
        return base._replace(arg="")
    if row.kind == "cheng":
        return _cheng(text, base)
    if row.kind in ("fen", "li"):
        return _fen_li(text, base)
    if row.kind == "times":
        return base._replace(kind="factor", arg="")
    if row.kind == "term":
        return _term(text, base, row, entry.surface)
    if row.kind == "count":
        return _count(text, base, row, entry)
    return None


def _count(text: str, base: Measure, row: Row, entry: Lexeme) -> Measure | None:
    number = base.numeral
    assert number is not None
    if number.lone and text[number.start] not in DIGITS and not text[number.start].isdigit():
        return None if entry.surface in ("级", "类", "档", "种", "个人") else _more(text, base)
    one = text[number.start : number.end] == "一"
    # 一张八十万的发票: an article before a sum, too
    article = "a" in row.flags or _demonstrative(text, number.start) or text[base.end : base.end + 1] in _AMOUNTS
    return _more(text, base._replace(article=one and article))


def _demonstrative(text: str, start: int) -> bool:
    return text[start - 1 : start] in tuple("这那哪每某另同任有唯头") and start > 0


def _with_small_money(text: str, base: Measure, surface: str) -> Measure | None:
    """块, 毛, 分 after one another, the last unit dropped: 十二块五, 八毛五, 十二块零五分."""
    number = base.numeral
    assert number is not None
    if surface == "块" and text[number.start : number.end] == "一":
        follows = text[base.end : base.end + 1]
        if follows and follows not in DIGITS and follows not in "，。？！；、每/":
            return None
    if surface in ("毛钱", "分钱", "元钱", "块钱") or base.arg != "CNY" or not base.exact:
        return _more(text, base)
    value, end, unit = base.lo, base.end, {"毛": Decimal("0.1"), "角": Decimal("0.1")}.get(surface, ONE)
    if surface not in ("元", "块", "圆", "毛", "角"):
        return base
    while unit > Decimal("0.01"):
        at = end + text.startswith("零", end)
        digit = DIGITS.get(text[at]) if at < len(text) and text[at] not in "零〇" else None
        if digit is None:
            break
        named = text[at + 1 : at + 2]
        if named in ("毛", "角") and unit == 1:
            value, unit, end = value + digit * Decimal("0.1"), Decimal("0.1"), at + 2
        elif named == "分" and text[at + 2 : at + 3] not in ("之", "钟"):
            value, unit, end = value + digit * Decimal("0.01"), Decimal("0.01"), at + 2
        elif (
            at == end
            and surface not in ("元", "圆")
            and not per_after(text, at)
            and (per_after(text, at + 1) or not _starts_unit(text, at))
        ):
            value, unit, end = value + digit * unit / 10, Decimal("0.01"), at + 1
        else:
            break
    end += text.startswith("钱", end)
    return _more(text, base._replace(lo=value, hi=value, end=end, unit=unit))


def _starts_unit(text: str, at: int) -> bool:
    return UNITS.at(text, at + 1) is not None or text[at + 1 : at + 2] in tuple(NUMERAL_CHARS)


def _cheng(text: str, base: Measure) -> Measure | None:
    """七成, 七成五, 七八成: tenths."""
    if text[base.end : base.end + 1] in _NOT_CHENG:
        return None
    base = base._replace(kind="percent", arg="")
    following = text[base.end : base.end + 1]
    if base.exact and following in DIGITS and following not in "零〇两" and not _starts_unit(text, base.end):
        value = base.lo + DIGITS[following]
        return base._replace(lo=value, hi=value, end=base.end + 1)
    return base


def _fen_li(text: str, base: Measure) -> Measure | None:
    """一分二, 八厘: a share of the period's own size; what the period is stands before or after."""
    tenth = DIGITS.get(text[base.end : base.end + 1]) if text[base.end : base.end + 1] not in ("零", "〇") else None
    unit = ONE if base.kind == "fen" else Decimal("0.1")
    value, end = base.lo * unit, base.end
    if tenth and base.exact and not _starts_unit(text, base.end):
        value, end = value + tenth * unit / 10, base.end + 1
        if text.startswith("厘", end):
            end += 1
    elif tenth and base.kind == "fen" and text.startswith("厘", base.end + 1):
        value, end = value + tenth * unit / 10, base.end + 2
    if base.kind == "fen" and text[base.end : base.end + 1] in ("之", "钟", "期", "行", "公", "部", "店", "类", "散"):
        return None
    end += text.startswith(("利", "息"), end)
    high = base.hi * unit if not base.exact else value
    return base._replace(kind="fen" if base.kind == "fen" else "li", lo=value, hi=high, end=end, arg="")


def _term(text: str, base: Measure, row: Row, surface: str) -> Measure | None:
    """Years become months; 一年半, 三年零两个月, 一年期. Weeks become days."""
    number = base.numeral
    assert number is not None
    if surface == "日" and number.exact and number.hi <= 31 and not text.startswith(("内", "以内", "之内"), base.end):
        return None
    if surface in ("星期", "礼拜") and text[base.end : base.end + 1] in tuple("一二三四五六日天"):
        return None
    one = text[number.start : number.end] == "一"
    base = base._replace(article=one and _demonstrative(text, number.start))
    if base.exact and text.startswith("半", base.end) and surface in ("年", "天"):
        half = row.factor / 2
        base = base._replace(lo=base.lo + half, hi=base.hi + half, end=base.end + 1)
    elif base.exact and surface in ("年", "个月"):
        base = _smaller(text, base, surface)
    base = _more(text, base)
    if text.startswith("期", base.end) and base.exact and not text.startswith(("期间", "期末", "期初"), base.end):
        base = base._replace(end=base.end + 1)
    return base


def _smaller(text: str, base: Measure, surface: str) -> Measure:
    at = base.end + text.startswith(("零", "又"), base.end)
    number = scan(text, at)
    if number is None or not number.exact or number.clock:
        return base
    if surface == "年" and text.startswith("个月", number.end):
        value = base.lo + number.lo
        return base._replace(lo=value, hi=value, end=number.end + 2, unit=ONE)
    if surface == "年" and text.startswith("个半月", number.end):
        value = base.lo + number.lo + HALF
        return base._replace(lo=value, hi=value, end=number.end + 3, unit=ONE)
    if text.startswith("天", number.end):
        return base._replace(end=number.end + 1, extra=("day", number.lo))
    return base


def _more(text: str, base: Measure) -> Measure:
    """一年多, 三块多: up to one unit more."""
    divisible = base.kind in ("term", "money") or (base.kind == "count" and base.arg in _DIVISIBLE)
    following = text[base.end + 1 : base.end + 2]
    if not (divisible and base.exact and text.startswith("多", base.end)) or following in ("少", "余", "了", "个"):
        return base
    unit = base.unit if base.kind != "money" else ONE
    return base._replace(hi=base.lo + unit, lo_open=True, hi_open=True, end=base.end + 1)


def between(text: str, start: int, number: Numeral) -> Measure | None:
    """三个半月, 三个多月, 两个半点: 半 or 多 inside the unit."""
    inside = text[number.end : number.end + 2]
    if inside not in ("个半", "个多", "个来"):
        return None
    for surface, kind, arg, factor in (
        ("月", "term", "month", 1), ("点", "point", "", 1), ("季度", "term", "month", 3),
        ("小时", "count", "小时", 1), ("百分点", "pp", "", 1), ("星期", "term", "day", 7), ("亿", "money", "CNY", 10**8),
    ):  # fmt: skip
        if text.startswith(surface, number.end + 2):
            end = number.end + 2 + len(surface)
            low, high = number.lo * factor, number.hi * factor
            if inside == "个半":
                half = HALF * factor
                found = Measure(
                    kind, start, end, low + half, high + half, number.lo_open, number.hi_open, arg, numeral=number
                )
            elif inside == "个来":
                tenth = Decimal(factor) / 10
                found = Measure(kind, start, end, low - tenth, high + 3 * tenth, arg=arg, numeral=number)
            else:
                found = Measure(kind, start, end, low, high + factor, True, True, arg, numeral=number)
            if kind == "term" and text.startswith("期", end):
                found = found._replace(end=end + 1)
            return found
    return None
