"""Values in a few cells, for people who read a chain in the terminal. Never read back; the files hold the value.

>>> from decimal import Decimal
>>> from dtbuild.records.values import Money, Term
>>> brief(Money(amount=Decimal("7200000"), currency="CNY")), brief(Term(value=Decimal(5), unit="month"))
('720万元', '5个月')
"""

from __future__ import annotations

from decimal import Decimal

from dtbuild.records.values import (
    Change,
    Composite,
    Count,
    Date,
    Factor,
    Money,
    Ordinal,
    Range,
    Rate,
    Ratio,
    Status,
    Term,
    Value,
)

_TERMS = {"month": "个月", "day": "天", "workday": "个工作日"}
_PERIODS = {"year": "年", "month": "月", "day": "日"}


def brief(value: Value | None) -> str:
    """The value in figures and Chinese units; — for one that nobody has named yet."""
    match value:
        case None:
            return "—"
        case Money(amount=amount, currency=currency, per=per):
            return _money(amount, currency, per)
        case Rate(value=number, per=per, base=base):
            return _rate(number, per, base)
        case Change(value=number):
            return f"{number.normalize():+f}pp"
        case Term(value=number, unit=unit):
            return f"{_figure(number)}{_TERMS[unit]}"
        case Date(iso=iso, bound=bound):
            return f"{iso}前" if bound == "by" else iso
        case Count(value=number, unit=unit):
            return f"{_figure(number)}{unit}"
        case Ordinal(value=number, unit=unit):
            return f"第{_figure(number)}{unit}"
        case Ratio(parts=parts):
            return ":".join(map(_figure, parts))
        case Factor(value=number):
            return f"×{_figure(number)}"
        case Status(code=code, text=text):
            return text or code
        case Range():
            return f"约{_end(value, value.lo)}至{_end(value, value.hi)}"
        case Composite(parts=items):
            return " + ".join(brief(part) for part in items)


def _money(amount: Decimal, currency: str, per: str | None) -> str:
    unit = "元" if currency == "CNY" else f" {currency}"
    scaled = next(
        (
            f"{_figure(amount / size)}{name}"
            for size, name in ((Decimal(10**8), "亿"), (Decimal(10**4), "万"))
            if abs(amount) >= size and amount % (size / 10**4) == 0
        ),
        _figure(amount),
    )
    return scaled + unit + (f"/{per}" if per else "")


def _rate(number: Decimal, per: str | None, base: str | None) -> str:
    return (_PERIODS.get(per, per) if per else "") + f"{_figure(number)}%" + (f" of {base}" if base else "")


def _end(value: Range, number: Decimal) -> str:
    of = value.of
    match of.type:
        case "money":
            return _money(number, of.currency or "CNY", of.per)
        case "rate":
            return _rate(number, of.per, of.base)
        case "term" if of.unit in _TERMS:
            return f"{_figure(number)}{_TERMS[of.unit]}"
        case _:
            return f"{_figure(number)}{of.unit or ''}"


def _figure(number: Decimal) -> str:
    return f"{number.normalize():f}"
