"""One spoken or written number, read from a place in the text: integers, decimals, dropped units, approximations.

The grammar is the one people speak: sections of 千百十 under 万 and 亿; a single digit at the end without its
unit is a tenth of the unit before (一万二), unless 零 stands between (一万零二); after 亿, a part that starts
with 千 and no 零 leaves its 万 unsaid (一亿两千). 来, 多, 几, 数 and two neighbouring digits (三四十) make a
range. Arabic digits may take the place of a coefficient (13万5, 3千万).

A number that could end earlier (the digit of a dropped unit may belong to the next word, as in 三万一天) carries
its shorter reading in `shorter`.

>>> number = scan("一亿零二百万", 0)
>>> number.lo, number.end
(Decimal('102000000'), 6)
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import NamedTuple

ZEROS = frozenset("零〇")
DIGITS: dict[str, int] = {
    **{char: value for value, char in enumerate("零一二三四五六七八九")},
    **{char: value for value, char in enumerate("零壹贰叁肆伍陆柒捌玖")},
    "〇": 0, "两": 2, "貳": 2, "參": 3, "陸": 6, "叄": 3,
}  # fmt: skip
SMALL: dict[str, int] = {"十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1000, "仟": 1000}
BIG: dict[str, int] = {"万": 10**4, "亿": 10**8}
NUMERAL_CHARS = frozenset(DIGITS) | frozenset(SMALL) | frozenset(BIG) | frozenset("0123456789几数")
_ARABIC = re.compile(r"\d{1,3}(?:,\d{3})+(?!\d)(?:\.\d+)?|\d+(?:\.\d+)?")
_LONGEST = 18
"""Longer runs of Arabic digits are account numbers, not amounts."""
_HEADS = {
    "百八十": (80, 100), "千八百": (800, 1000), "百十": (100, 110), "万八千": (8000, 10000),
    "百儿八十": (80, 100),
}  # fmt: skip


class Numeral(NamedTuple):
    """A number and how it was said."""

    start: int
    end: int
    lo: Decimal
    hi: Decimal
    lo_open: bool = False
    hi_open: bool = False
    unit: int = 1
    """The last unit named, which 多 and 来 are about."""
    elided: int = 0
    """The unit whose tenth the last digit is; 0 where no unit was dropped."""
    big: bool = False
    """Whether 万 or 亿 was said: such a number is money where nothing else follows."""
    lone: bool = False
    """A single 汉字 digit, which is mostly part of a word."""
    clock: bool = False
    """A time of day or an adverb (三点半, 一点): `end` says how far it goes, there is no number."""
    shorter: Numeral | None = None

    @property
    def exact(self) -> bool:
        return self.lo == self.hi and not self.lo_open and not self.hi_open

    def scaled(self, factor: Decimal | int) -> Numeral:
        return self._replace(lo=self.lo * factor, hi=self.hi * factor, unit=self.unit * int(factor or 1))


class _Part(NamedTuple):
    end: int
    lo: Decimal
    hi: Decimal
    lo_open: bool
    hi_open: bool
    unit: int
    first: int
    elided: int
    before_elided: int
    zero_led: bool
    lone: bool
    arabic: bool
    fuzzy: bool


def digit_run(text: str, start: int) -> tuple[str, int]:
    """Bare digits read one by one (二零二六, 85): the Arabic digits and where they end."""
    end, out = start, []
    while end < len(text):
        char = text[end]
        if char.isascii() and char.isdigit():
            out.append(char)
        elif char in DIGITS and char != "两":
            out.append(str(DIGITS[char]))
        else:
            break
        end += 1
    return "".join(out), end


def scan(text: str, start: int) -> Numeral | None:
    """The longest number that starts at `start`, or None."""
    head = _head(text, start)
    if head is not None:
        return head
    first = _part(text, start)
    if first is None:
        return _order(text, start)
    if text.startswith("点", first.end) and not first.fuzzy and not first.elided and first.lo == first.hi:
        return _decimal(text, start, first)
    number = Numeral(
        start, first.end, first.lo, first.hi, first.lo_open, first.hi_open, first.unit, first.elided,
        lone=first.lone,
    )  # fmt: skip
    big, end, half = _big(text, first.end, True)
    if not big:
        if first.elided:
            cut = _part(text, start, stop=first.before_elided)
            if cut is not None:
                shorter = Numeral(start, cut.end, cut.lo, cut.hi, unit=cut.unit)
                return number._replace(shorter=shorter)
        return number
    number = number.scaled(big)._replace(end=end, big=True, lone=False, elided=0)
    if half:
        return number._replace(lo=number.lo + big // 2, hi=number.hi + big // 2)
    return _tail(text, _more(text, number, big), big)


def _tail(text: str, number: Numeral, big: int) -> Numeral:
    """What may follow 万 or 亿: smaller sections, and the digit of a dropped unit."""
    while not number.lo_open and not number.hi_open and number.lo == number.hi:
        part = _part(text, number.end)
        if part is None:
            return number
        size, end, _ = _big(text, part.end, False)
        if size:
            if big == 10**4 and size == 10**8 and (part.zero_led or part.first == 1000) and not part.fuzzy:
                # 一万两千亿: ten thousands of 亿, and the thousands of them
                number = Numeral(number.start, end, (number.lo + part.lo) * size, (number.hi + part.hi) * size, unit=size,
                                 big=True, shorter=number)  # fmt: skip
                number, big = _more(text, number, size), size
                continue
            if size >= big or (part.lone and not part.zero_led and size * 10 < big and size != 10**4):
                return number
            number = Numeral(
                number.start, end, number.lo + part.lo * size, number.hi + part.hi * size, part.lo_open,
                part.hi_open, part.unit * size, big=True, shorter=number,
            )  # fmt: skip
            number, big = _more(text, number, size), size
            continue
        scale, elided, unit = _joined(part, big, number.unit)
        if not scale:
            return number
        shorter = number
        if part.elided:
            cut = _part(text, number.end, stop=part.before_elided)
            if cut is not None:
                shorter = number._replace(end=cut.end, lo=number.lo + cut.lo * scale, hi=number.hi + cut.lo * scale)
        return Numeral(
            number.start, part.end, number.lo + part.lo * scale, number.hi + part.hi * scale, part.lo_open,
            part.hi_open, unit, elided, big=True, shorter=shorter,
        )  # fmt: skip
    return number


def _joined(part: _Part, big: int, before: int) -> tuple[int, int, int]:
    """Whether a section without 万 belongs to the number before it: factor (0: no), dropped unit, last unit.

    一万五百 lets its 零 go, 五百万一百二十天 does not: `before` is the last unit named.
    """
    if part.zero_led:
        return 1, part.elided, part.unit
    if part.lone or (part.arabic and part.hi < 10 and part.unit == 1):
        return big // 10, big, big // 10
    if big == 10**4 and (part.first >= 1000 or (part.first == 100 and before <= big)):
        return 1, part.elided, part.unit
    if big >= 10**8 and part.first == 1000:
        return 10**4, part.elided * 10**4 or 10**7, part.unit * 10**4
    return 0, 0, 1


def _head(text: str, start: int) -> Numeral | None:
    """百八十万, 千八百: a hundred or a little less."""
    if text[start : start + 1] not in ("百", "千", "万"):
        return None
    if start and text[start - 1] in NUMERAL_CHARS:
        return None
    for words, (lo, hi) in _HEADS.items():
        if text.startswith(words, start):
            end = start + len(words)
            if end < len(text) and text[end] == "来":
                end += 1
            big, after, _ = _big(text, end, False)
            number = Numeral(start, end, Decimal(lo), Decimal(hi), unit=10)
            return number.scaled(big)._replace(end=after, big=True) if big else number
    return None


def _order(text: str, start: int) -> Numeral | None:
    """百万, 千万, 亿 with no coefficient: only words before it (上千万, 近百万) make it a number."""
    end, value = start, 1
    while end < len(text) and (size := SMALL.get(text[end]) or BIG.get(text[end])):
        if end > start and size < 10**4:
            break
        value, end = value * size, end + 1
    if value < 100 or text.startswith("分之", end):
        return None
    number = Decimal(value)
    return Numeral(start, end, number, number, unit=value, big=value >= 10**4, lone=True)


def _decimal(text: str, start: int, whole: _Part) -> Numeral:
    """三点八五, 零点八, 三点五亿; or a time of day (三点半) or an adverb (一点)."""
    digits, end = digit_run(text, whole.end + 1)
    if not digits or (end < len(text) and text[end] in SMALL and text[end] in "十拾"):
        while end < len(text) and text[end] in "半钟多整十一二三四五六七八九分":
            end += 1
        return Numeral(start, max(end, whole.end + 1), whole.lo, whole.hi, clock=True)
    value = whole.lo + Decimal(f"0.{digits}")
    number = Numeral(start, end, value, value, unit=1)
    if end < len(text) and text[end] in ("百", "千") and text[end + 1 : end + 2] == "万":
        size = SMALL[text[end]] * 10**4
        return number.scaled(size)._replace(end=end + 2, big=True)
    big, after, half = _big(text, end, True)
    return number.scaled(big)._replace(end=after, big=True) if big and not half else number


def _big(text: str, end: int, first: bool) -> tuple[int, int, bool]:
    """万, 亿, 万亿; at the first section also 个亿, 个半亿: size, where it ends, whether 半 was said."""
    half = False
    if first and text.startswith("个", end):
        after = end + 1
        half = text.startswith("半", after)
        after += half
        if text.startswith("亿", after):
            end = after
        else:
            return 0, end, False
    size = 1
    while end < len(text) and text[end] in BIG:
        if size > 1 and not (size == 10**4 and text[end] == "亿"):
            break
        if text.startswith(("万一", "千万别"), end) and size > 1:
            break
        size *= BIG[text[end]]
        end += 1
    return (size if size > 1 else 0), end, half


def _more(text: str, number: Numeral, big: int) -> Numeral:
    """三万多, 三个多亿 is handled at its unit; here 多 and 余 stand after 万 or 亿."""
    if (
        text[number.end : number.end + 1] in ("多", "余")
        and number.exact
        and text[number.end + 1 : number.end + 2] != "少"
    ):
        return number._replace(
            end=number.end + 1, hi=number.lo + big, lo_open=True, hi_open=True, unit=big, shorter=number
        )
    return number


def _part(text: str, start: int, stop: int | None = None) -> _Part | None:
    """A section below 万: 三千五百二十, 三百来, 十几, 二十五六, 1,200, 13."""
    size = len(text) if stop is None else stop
    at = end = start
    lo = hi = Decimal(0)
    unit, first, elided, before_elided = 10**4, 0, 0, 0
    zero = zero_led = got = lone = arabic = fuzzy = lo_open = hi_open = False
    last = 1
    while at < size:
        char = text[at]
        if char in ZEROS:
            if not got and not (at + 1 < size and text[at + 1] in DIGITS and text[at + 1] not in ZEROS) and at == start:
                # a bare 零: 零点八, 零台
                return _Part(at + 1, lo, hi, False, False, 1, 1, 0, 0, False, True, False, False)
            if zero:
                break
            zero, at = True, at + 1
            zero_led = zero_led or not got
            continue
        coefficient = _coefficient(text, at, size, got, zero)
        if coefficient is None:
            break
        low, high, open_end, after, is_arabic = coefficient
        named = SMALL.get(text[after]) if after < size else None
        if named and is_arabic and after + 1 < size and text[after] in "十拾":
            named = None
        if named and named < unit:
            got, zero, unit, last, end, at = True, False, named, named, after + 1, after + 1
            first = first or named
            lo, hi = lo + low * named, hi + high * named
            arabic = arabic or is_arabic
            if low != high or open_end:
                fuzzy, hi_open = True, open_end
                break
            mark = _approximate(text, at, size, named)
            if mark is not None:
                lo, hi, lo_open, hi_open, end = lo + mark[0], lo + mark[1], mark[2], mark[3], mark[4]
                fuzzy = True
                if text[end - 1] == "几" and text[end + 1 : end + 2] == "十" and DIGITS.get(text[end], 0) * 10 == hi:
                    # 十几二十: up to the next ten
                    hi_open, end = False, end + 2
                break
            continue
        if named or open_end:
            break
        if is_arabic:
            if got:
                break
            lo, hi, end, got, arabic, first = low, high, after, True, True, 1 if high < 1000 else 1000
            last = _trailing(low)
            mark = _approximate(text, after, size, last) if last >= 10 else None
            if mark is not None:
                lo, hi, lo_open, hi_open, end = lo + mark[0], lo + mark[1], mark[2], mark[3], mark[4]
                fuzzy = True
            break
        if not _digit_may_end(text, after, size):
            break
        if not got and not zero:
            lo, hi, end, got, lone, first = low, high, after, True, True, 1
            fuzzy = low != high
        else:
            dropped = unit if got and not zero and unit > 10 else 0
            weight = dropped // 10 if dropped else 1
            elided, before_elided = dropped, end
            lo, hi, end, last = lo + low * weight, hi + high * weight, after, weight
            got, fuzzy = True, low != high
            first = first or 1
        break
    if not got:
        return None
    return _Part(end, lo, hi, lo_open, hi_open, last, first, elided, before_elided, zero_led, lone, arabic, fuzzy)


def _coefficient(
    text: str, at: int, size: int, got: bool, zero: bool
) -> tuple[Decimal, Decimal, bool, int, bool] | None:
    """A digit, two neighbouring digits, 几 or 数, Arabic digits: lowest, highest, open end, where it ends, Arabic."""
    char = text[at]
    if char in "十拾":
        return (Decimal(1), Decimal(1), False, at, False) if not got or zero else None
    if char in "几数" and not got:
        following = text[at + 1 : at + 2]
        if following in SMALL or following in BIG:
            return Decimal(2), Decimal(10), True, at + 1, False
        return None
    if char in DIGITS:
        value = DIGITS[char]
        other = DIGITS.get(text[at + 1]) if at + 1 < size else None
        if other and value and _neighbours(value, other):
            return Decimal(value), Decimal(other), False, at + 2, False
        return Decimal(value), Decimal(value), False, at + 1, False
    if char.isascii() and char.isdigit():
        found = _ARABIC.match(text, at, size)
        if found and len(found.group()) <= _LONGEST:
            number = Decimal(found.group().replace(",", ""))
            return number, number, False, found.end(), True
    return None


def _neighbours(low: int, high: int) -> bool:
    return high == low + 1 or (low, high) == (3, 5)


def _approximate(text: str, at: int, size: int, unit: int) -> tuple[Decimal, Decimal, bool, bool, int] | None:
    """来, 多, 余, 几 after 十, 百 or 千: what they add at least and at most, open ends, where they end."""
    if at >= size or unit < 10:
        return None
    char = text[at]
    following = text[at + 1 : at + 2]
    if (char == "多" and following != "少") or (char == "余" and following not in ("额", "款", "下")):
        return Decimal(0), Decimal(unit), True, True, at + 1
    if char == "几" and unit == 10:
        return Decimal(1), Decimal(10), False, True, at + 1
    if char == "来" and following and following in "万亿个台张期天年套笔份家件辆吨批人户条项块元本单箱次页美平亩间斤公":
        return -Decimal(unit) / 10, Decimal(unit) * 3 / 10, False, False, at + 1
    return None


def _digit_may_end(text: str, after: int, size: int) -> bool:
    """A digit before another digit is a run (二零二六), except before the 一 of a unit price (三万二一套)."""
    if after >= size or (text[after] not in DIGITS and not (text[after].isascii() and text[after].isdigit())):
        return True
    return text[after] == "一" and after + 1 < size and text[after + 1] not in NUMERAL_CHARS


def _trailing(value: Decimal) -> int:
    unit = 1
    while value and value % (unit * 10) == 0 and unit < 1000:
        unit *= 10
    return unit
