"""The spoken forms of points: for each type a function from value and style to candidate texts, best first.

A candidate may be one that reads otherwise; `say` keeps the first that reads back. An empty list says the style
does not fit.

>>> from dtbuild.records.values import Term
>>> forms(Term(value=Decimal(15), unit="month"), "years", None)
['一年零三个月']
"""

from __future__ import annotations

import datetime
from decimal import Decimal

from dtbuild.errors import Unspeakable
from dtbuild.lexicon import dates
from dtbuild.lexicon.spelling import capital, digits, integer, spell
from dtbuild.lexicon.tables import CURRENCY_WORD
from dtbuild.records.values import (
    Atom,
    Change,
    Count,
    Date,
    Factor,
    Money,
    Ordinal,
    Rate,
    Ratio,
    Term,
)  # fmt: skip

_PERIOD_PREFIX = {"year": "年化", "month": "月息", "day": "日息"}
_LI_PREFIX = {"year": "年息", "month": "月息", "day": "日息"}
_LI_SCALE = {"year": Decimal(1), "month": Decimal(10), "day": Decimal(100)}
_HALF = Decimal("0.5")


def forms(value: Atom, style: str, anchor: datetime.date | None) -> list[str]:
    """Candidate texts for a point value; raises Unspeakable for numbers nobody says."""
    match value:
        case Money():
            return _money(value, style)
        case Rate():
            return _rate(value, style)
        case Change():
            return _change(value, style)
        case Term():
            return _term(value, style)
        case Date():
            return _date(value, style, anchor)
        case Count():
            return [spell(value.value, counting=True) + value.unit]
        case Ordinal():
            unit = {"月": "个月"}.get(value.unit, value.unit)
            return [f"第{integer(_whole(value.value))}{unit}"]
        case Ratio():
            return _ratio(value, style)
        case Factor():
            return _factor(value, style)
    return []


def counted(number: Decimal, unit: str) -> str:
    """The number before a measure word: 两个月, 十二个点, 三点五吨."""
    return spell(number, counting=True) + unit


def _money(value: Money, style: str) -> list[str]:
    amount, currency = value.amount, CURRENCY_WORD.get(value.currency)
    if currency is None:
        raise Unspeakable(f"currency {value.currency!r}", expected=", ".join(CURRENCY_WORD))
    foreign = "" if value.currency == "CNY" else currency
    if style == "formal":
        texts = [_formal(amount, currency)]
        return [f"每{value.per}{text}" for text in texts] if value.per else texts
    if style in ("plain", "each"):
        texts = _spoken_money(amount, foreign)
    elif style == "full":
        texts = [counted(amount, currency)]
    elif style == "short":
        texts = [text + foreign for text in _short(amount)] + _spoken_money(amount, foreign)
    else:
        texts = [text + (foreign or suffix) for text in _decimal(amount) for suffix in ("", "元")]
        texts += _spoken_money(amount, foreign)
    if style == "each":
        return [f"每{value.per}{text}" for text in texts] if value.per else []
    if value.per:
        return [text + f"{one}{value.per}" for text in texts for one in ("一", "每")] + [
            f"每{value.per}{text}" for text in texts
        ]
    return texts


def _spoken_money(amount: Decimal, foreign: str) -> list[str]:
    if foreign:
        return [counted(amount, foreign)]
    if amount != amount.to_integral_value():
        return [*_coins(amount), counted(amount, "元")]
    if amount >= 10**4:
        return [spell(amount), counted(amount, "元")]
    return [counted(amount, "块"), counted(amount, "块钱"), counted(amount, "元")]


def _coins(amount: Decimal) -> list[str]:
    """八毛五, 十二块五, 十二块零五分, 五分钱."""
    cents = amount * 100
    if cents != cents.to_integral_value() or amount >= 10**4:
        return []
    yuan, rest = divmod(int(cents), 100)
    jiao, fen = divmod(rest, 10)
    head = counted(Decimal(yuan), "块") if yuan else ""
    if not jiao:
        return [f"{head}零{integer(fen)}分"] if head else [f"{counted(Decimal(fen), '分钱')}"]
    if not fen:
        coins = counted(Decimal(jiao), "毛")
        return [f"{head}{integer(jiao)}"] if head else [coins, f"{coins}钱"]
    tail = f"{integer(jiao)}毛{integer(fen)}"
    return [head + tail, head + tail + "分"]


def _short(amount: Decimal) -> list[str]:
    """一亿二, 两千五, 二十五万八: the last unit dropped, where the digit is the next one down."""
    if amount != amount.to_integral_value():
        return []
    number = int(amount)
    for size, name in ((10**8, "亿"), (10**4, "万"), (1000, "千")):
        whole, rest = divmod(number, size)
        if whole and rest and rest % (size // 10) == 0 and (size != 1000 or whole < 10):
            head = "两" if whole == 2 else integer(whole)
            return [f"{head}{name}{integer(rest * 10 // size)}"]
        if whole and rest and size == 10**8 and rest % 10**6 == 0:
            return []
    if number > 10**4 and number % 10**4 and number % 100 == 0 and (number // 100) % 10:
        thousands = number % 10**4 // 1000
        if thousands:
            head = integer(number - number % 1000)
            return [head + integer(number % 1000 // 100)]
    return []


def _decimal(amount: Decimal) -> list[str]:
    """三点五亿, 二十八点五万: at most two decimals."""
    for size, name in ((10**8, "亿"), (10**4, "万")):
        scaled = amount / size
        if scaled >= 1:
            whole = scaled == scaled.to_integral_value()
            return [] if whole or (scaled * 100) % 1 else [spell(scaled) + name]
    return []


def _formal(amount: Decimal, currency: str) -> str:
    cents = amount * 100
    if cents != cents.to_integral_value() or amount <= 0:
        raise Unspeakable(f"amount {amount} in 大写", expected="a positive amount in whole cents")
    yuan, rest = divmod(int(cents), 100)
    if not rest:
        return f"{capital(yuan)}{currency}整"
    jiao, fen = divmod(rest, 10)
    head = f"{capital(yuan)}{currency}" if yuan else ""
    return head + (f"{capital(jiao)}角" if jiao else "零" if head else "") + (f"{capital(fen)}分" if fen else "")


def _rate(value: Rate, style: str) -> list[str]:
    number = value.value
    if style == "li":
        return _fen_li(value)
    if style in ("plain", "points"):
        texts = [counted(number, "个点")]
    elif style == "half":
        texts = [_and_a_half(number, "点")] if number % 1 == _HALF else []
    elif style == "percent":
        texts = [f"百分之{spell(number)}"]
    elif style == "permille":
        texts = [f"千分之{spell(number * 10)}"] if number < 5 else []
    elif style == "wan":
        texts = [f"万分之{spell(number * 100)}"] if number < 1 else []
    else:
        tens, rest = divmod(number, 10)
        fits = rest % 1 == 0 and 1 <= tens < 10
        texts = [f"{counted(tens, '成')}{integer(int(rest)) if rest else ''}"] if fits else []
        texts += [text.replace("两", "二", 1) for text in texts if text.startswith("两")]
    if value.per is not None:
        if value.per not in _PERIOD_PREFIX:
            raise Unspeakable(f"rate per {value.per!r}", expected=f"per {', '.join(_PERIOD_PREFIX)}")
        texts = [_PERIOD_PREFIX[value.per] + (f"{value.base}的" if value.base else "") + text for text in texts]
    elif value.base is not None:
        texts = [f"{value.base}的{text}" for text in texts]
    return texts


def _fen_li(value: Rate) -> list[str]:
    """月息一分二, 年息八厘: tenths and hundredths of the period's own unit."""
    if value.per not in _LI_SCALE or value.base:
        return []
    li = value.value * _LI_SCALE[value.per]
    if li % _HALF or li <= 0 or li >= 100:
        return []
    fen, rest = divmod(li, 10)
    if not fen:
        head = counted(Decimal(int(rest)), "厘") if rest >= 1 else ""
        return [f"{_LI_PREFIX[value.per]}{head}{'五' if rest % 1 else ''}"] if head else []
    if rest % 1:
        return []
    head = counted(fen, "分")
    return [f"{_LI_PREFIX[value.per]}{head}{integer(int(rest)) if rest else ''}"]


def _and_a_half(number: Decimal, unit: str) -> str:
    whole = number - _HALF
    return f"{counted(whole, '个半')}{unit}" if whole else f"半个{unit}"


def _change(value: Change, style: str) -> list[str]:
    number = abs(value.value)
    up = value.value > 0
    if not number:
        return []
    basis = number * 100
    verb, floated = ("加", "上浮") if up else ("降", "下浮")
    if style == "up":
        verb = "涨" if up else "减"
    if style in ("bp", "basis") or (style == "plain" and number < 1 and basis % 1 == 0):
        return [verb + counted(basis, "个BP" if style == "bp" else "个基点")]
    if style == "float":
        return [floated + counted(basis, "个基点"), floated + counted(number, "个点")]
    return [verb + counted(number, "个点")]


def _term(value: Term, style: str) -> list[str]:
    number, unit = value.value, value.unit
    if number < 0:
        raise Unspeakable(f"term {number} {unit}", expected="zero or more")
    if unit == "workday":
        return [counted(number, "个工作日")] if style == "plain" else []
    if unit == "day":
        if style == "weeks":
            return [counted(number / 7, "周")] if number and number % 7 == 0 else []
        halves = [f"{counted(number - _HALF, '天')}半"] if number % 1 == _HALF and number > 1 else []
        days = counted(number, "天")
        return {"plain": [*halves, days], "period": [f"{days}期"]}.get(style, [])
    months = [_and_a_half(number, "月")] if number % 1 == _HALF else [counted(number, "个月")]
    years = _years(number)
    if style == "months":
        return months
    if style == "years":
        return years
    if style == "quarters":
        return [counted(number / 3, "个季度")] if number in (3, 6, 9, 12) else []
    if style == "weeks":
        return []
    best = years if number >= 12 and years else months
    if style == "period":
        return [f"{text}期" for text in (years if number % 12 == 0 else [counted(number, "个月")])]
    return [*best, counted(number, "个月")]


def _years(months: Decimal) -> list[str]:
    years, rest = divmod(months, 12)
    if rest % 1:
        return []
    if months == 6:
        return ["半年"]
    if not years:
        return []
    head = counted(years, "年")
    if not rest:
        return [head]
    return [f"{head}半"] if rest == 6 else [f"{head}零{counted(rest, '个月')}"]


def _date(value: Date, style: str, anchor: datetime.date | None) -> list[str]:
    try:
        day = datetime.date.fromisoformat(value.iso)
    except ValueError:
        raise Unspeakable(f"date {value.iso!r}", expected="YYYY-MM-DD") from None
    before = "前" if value.bound == "by" else ""
    year, month = f"{digits(f'{day.year:04d}')}年", f"{integer(day.month)}月"
    full = f"{year}{month}{integer(day.day)}号"
    texts = {"full": [full], "formal": [f"{year}{month}{integer(day.day)}日"]}.get(style, [])
    if not texts and anchor is not None:
        short = f"{integer(day.day)}号"
        if style == "end":
            texts = _month_end(day, anchor, month)
        else:
            months = (day.year - anchor.year) * 12 + day.month - anchor.month
            named = {1: "下个月", -1: "上个月", 0: "这个月"}.get(months)
            relative = [f"{named}{short}"] if named else []
            texts = [short, *relative] if style == "short" else [f"{month}{short}", *relative]
    if style == "plain":
        texts.append(full)
    return [text + before for text in texts]


def _month_end(day: datetime.date, anchor: datetime.date, month: str) -> list[str]:
    if day != dates.end_of_month(day.year, day.month):
        return []
    months = (day.year - anchor.year) * 12 + day.month - anchor.month
    named = {0: ["月底"], 1: ["下月底"], -1: ["上月底"]}.get(months, [])
    if day.month == 12:
        named += {0: ["年底"], 1: ["明年年底"], -1: ["去年年底"]}.get(day.year - anchor.year, [])
    return [*named, f"{month}底"]


def _ratio(value: Ratio, style: str) -> list[str]:
    parts = value.parts
    split = []
    if len(parts) == 2 and sum(parts) == 10 and all(part == int(part) and part > 0 for part in parts):
        split = [f"{integer(int(parts[0]))}{integer(int(parts[1]))}开"]
    to = ["比".join(spell(part) for part in parts)] if len(parts) > 1 else []
    return {"plain": split + to, "split": split, "to": to}[style]


def _factor(value: Factor, style: str) -> list[str]:
    hundredths = value.value * 100
    discount = []
    if 0 < hundredths < 100 and hundredths == int(hundredths):
        tens, ones = divmod(int(hundredths), 10)
        discount = [f"{integer(tens)}{integer(ones) if ones else ''}折"]
    times = [counted(value.value, "倍")]
    return {"plain": discount + times, "discount": discount, "times": times}[style]


def _whole(number: Decimal) -> int:
    if number != number.to_integral_value() or number < 0:
        raise Unspeakable(f"ordinal {number}", expected="a whole number")
    return int(number)
