"""A number with its unit: what it measures and how exactly, before the words around it are weighed.

`core(text, start)` reads 三百万, 八点五个点, 百分之三到五, 一年零三个月, 三个半月, 八五折, 三七开, 十几万 …; the reader adds
what stands before (年化, 降, 不到, 每套). Two readings of one place are settled here: a unit price goes before
a dropped unit (三万一天 is 30,000 a day, not 31 days), a term or rate before a dropped unit (五百万六个月).

>>> core("三个半月", 0).lo, core("三个半月", 0).arg
(Decimal('3.5'), 'month')
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import NamedTuple

from dtbuild.lexicon.numerals import DIGITS, NUMERAL_CHARS, Numeral, digit_run, scan
from dtbuild.lexicon.tables import IDIOMS, PER_UNITS, PERIOD_OF, UNITS, Lexeme, Row

ONE, HALF = Decimal(1), Decimal("0.5")
_FRACTIONS = {"百分之": ONE, "千分之": Decimal("0.1"), "万分之": Decimal("0.01")}
_LINKS = re.compile(r"到|至|~|-|－|—{1,2}|–")
_NOT_CHENG = frozenset("本立功交员品为长就果都像")
_NOT_LEADING_PER = frozenset({"笔", "张", "单", "份", "批", "条", "项", "个", "件", "期", "次", "趟", "部", "组"})
_SPLIT = re.compile(r"开(?!户|工|始|会|票)|分账|分成|分(?=$|[，。？！；、…吧了])")
_UNIT_CHARS = frozenset("十百千万亿点年")
_FIRSTS = NUMERAL_CHARS | frozenset("半第对百千万")
_AMOUNTS = NUMERAL_CHARS - {"一"}


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
    name = {"个月": "月", "个季度": "季", "个小时": "小时", "个人": "人"}.get(entry.surface) or PER_UNITS.get(entry.surface)
    end = at + 1 + len(entry.surface)
    if name is None or (entry.surface == "月" and text[at] == "一"):
        return None
    if idiom and len(idiom.surface) >= end - at:
        return None
    if text[end : end + 1] in ("期", "半", "零") and entry.rows[0].kind == "term":
        return None
    return name, end


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
    found = _between(text, start, number)
    if found is None and entry is not None:
        found = _with_unit(text, start, number, entry)
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
        if text[number.end : number.end + 1] in ("月", "号") or _between(text, short.end, number) is not None:
            return short
        return number
    if entry.rows[0].kind in ("term", "rate", "pp", "bp", "cheng", "zhe", "permonth", "fen", "li"):
        return short
    return number


def _with_unit(text: str, start: int, number: Numeral, entry: Lexeme) -> Measure | None:
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
        elif at == end and surface not in ("元", "圆") and not per_after(text, at) and (
            per_after(text, at + 1) or not _starts_unit(text, at)
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
    if base.exact and text.startswith("多", base.end) and text[base.end + 1 : base.end + 2] not in ("少", "余", "了", "个"):
        if base.kind in ("term", "money") or (base.kind == "count" and base.arg in ("吨", "斤", "公斤", "小时", "平", "亩", "米")):
            unit = base.unit if base.kind != "money" else ONE
            return base._replace(hi=base.lo + unit, lo_open=True, hi_open=True, end=base.end + 1)
    return base


def _between(text: str, start: int, number: Numeral) -> Measure | None:
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
                found = Measure(kind, start, end, low + half, high + half, number.lo_open, number.hi_open, arg, numeral=number)
            elif inside == "个来":
                tenth = Decimal(factor) / 10
                found = Measure(kind, start, end, low - tenth, high + 3 * tenth, arg=arg, numeral=number)
            else:
                found = Measure(kind, start, end, low, high + factor, True, True, arg, numeral=number)
            if kind == "term" and text.startswith("期", end):
                found = found._replace(end=end + 1)
            return found
    return None


def _halves(text: str, start: int) -> Measure | None:
    """半年, 半个月, 半个点, 半成, 半个亿."""
    if text[start : start + 1] != "半" or text[start - 1 : start] in ("多", "大", "前", "后", "上", "下") and start:
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
        point = re.compile(r"[点.]").match(text, end)
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
    arabic = re.compile(r"(\d+(?:\.\d+)?)((?::\d+(?:\.\d+)?)+)(?![\d:])").match(text, start)
    if arabic and not re.fullmatch(r"\d{1,2}:\d\d", arabic.group()):
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


def period_of(name: str) -> str | None:
    return PERIOD_OF.get(name)
