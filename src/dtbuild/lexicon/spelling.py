"""Numbers written in 汉字 as people say them, and the 大写 of contracts.

Said: 两 before 百 (at the head), 千, 万, 亿 and before a measure word, 二 elsewhere; 零 once for a gap; 十 alone at
the head, 一十 inside. Decimals digit by digit after 点.

>>> spell(Decimal("102000000")), spell(Decimal("2500")), spell(Decimal("0.85")), capital(309825)
('一亿零二百万', '两千五百', '零点八五', '叁拾万玖仟捌佰贰拾伍')
"""

from __future__ import annotations

from decimal import Decimal

from dtbuild.errors import Unspeakable

DIGITS = "零一二三四五六七八九"
_CAPITALS = "零壹贰叁肆伍陆柒捌玖"
_LIMIT = 10**13


def spell(number: Decimal, *, counting: bool = False) -> str:
    """`number` in 汉字; `counting` says it stands before a measure word (两台, but 第二台).

    Raises Unspeakable for negative numbers, and from ten trillion up.
    """
    number = Decimal(number)
    if number < 0 or number >= _LIMIT or not number.is_finite():
        raise Unspeakable(f"number {number}", expected=f"from 0 to below {_LIMIT}")
    whole = int(number)
    fraction = f"{number - whole:f}".partition(".")[2].rstrip("0")
    if fraction:
        return f"{integer(whole)}点{''.join(DIGITS[int(digit)] for digit in fraction)}"
    if counting and whole == 2:
        return "两"
    return integer(whole)


def integer(number: int) -> str:
    """A whole number in 汉字 as said."""
    if number < 10:
        return DIGITS[number]
    out = ""
    for size, name in ((10**8, "亿"), (10**4, "万"), (1, "")):
        part, number = divmod(number, size)
        if size == 10**8 and part >= 10**4:
            out, part = integer(part) + name, 0
        elif part:
            if out and part < 1000:
                out += "零"
            out += ("两" if part == 2 and name else _section(part, head=not out)) + name
    return out


def digits(words: str) -> str:
    """Arabic digits one by one, for years."""
    return "".join(DIGITS[int(digit)] for digit in words)


def capital(number: int) -> str:
    """大写, with 零 only for a gap inside a section or before one that lacks 千."""
    if number == 0:
        return "零"
    out = ""
    for size, name in ((10**8, "亿"), (10**4, "万"), (1, "")):
        part, number = divmod(number, size)
        if part >= 10**4:
            out += capital(part) + name
        elif part:
            out += ("零" if out and part < 1000 else "") + _capital_section(part) + name
    return out


def _section(part: int, *, head: bool) -> str:
    out, gap = "", False
    for size, name in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit, part = divmod(part, size)
        if not digit:
            gap = gap or bool(out)
            continue
        if gap and out:
            out += "零"
        gap = False
        if size == 10 and digit == 1 and not out and head:
            out += "十"
        elif digit == 2 and (size == 1000 or (size == 100 and not out and head)):
            out += "两" + name
        else:
            out += DIGITS[digit] + name
    return out


def _capital_section(part: int) -> str:
    out, gap = "", False
    for size, name in ((1000, "仟"), (100, "佰"), (10, "拾"), (1, "")):
        digit, part = divmod(part, size)
        if not digit:
            gap = gap or bool(out)
            continue
        out += ("零" if gap else "") + _CAPITALS[digit] + name
        gap = False
    return out
