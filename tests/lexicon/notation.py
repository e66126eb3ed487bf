"""The notation of tests/data/amounts.tsv, written from what the reader found."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from pathlib import Path

from dtbuild.lexicon.mentions import Mention
from dtbuild.records import values as v

AMOUNTS = Path(__file__).parents[1] / "data" / "amounts.tsv"


def rows() -> list[tuple[str, str]]:
    lines = AMOUNTS.read_text(encoding="utf-8").splitlines()
    cells = [line.split("\t") for line in lines if line.strip() and not line.startswith("#")]
    return [(row[0], row[1].strip()) for row in cells]


def expected(cell: str) -> str:
    return cell


def rendered(mentions: Iterable[Mention]) -> str:
    """`none`, `ambiguous`, `number N`, or the values joined by " ; "."""
    return " ; ".join(_mention(mention) for mention in mentions) or "none"


def _mention(mention: Mention) -> str:
    if mention.ambiguous:
        return "ambiguous"
    if mention.value is None:
        return "unresolved" if mention.number is None else f"number {_number(mention.number)}"
    return value(mention.value)


def value(of: v.Value) -> str:
    match of:
        case v.Money():
            return f"money {_number(of.amount)} {of.currency}" + (f" per {of.per}" if of.per else "")
        case v.Rate():
            base = f" of {of.base}" if of.base else ""
            return f"rate {_number(of.value)} %" + (f" per {of.per}" if of.per else "") + base
        case v.Change():
            return f"change {_number(of.value)} pp"
        case v.Term():
            return f"term {_number(of.value)} {of.unit}"
        case v.Date():
            return f"date{'<=' if of.bound == 'by' else ''} {of.iso}"
        case v.Count():
            return f"count {_number(of.value)} {of.unit}"
        case v.Ordinal():
            return f"ordinal {_number(of.value)} {of.unit}"
        case v.Ratio():
            return "ratio " + ":".join(map(_number, of.parts))
        case v.Factor():
            return f"factor {_number(of.value)}"
        case v.Range():
            unit = {"money": of.of.currency, "rate": "%"}.get(of.of.type, of.of.unit) or ""
            per = f" per {of.of.per}" if of.of.per else ""
            return f"{of.of.type}~ {_number(of.lo)}..{_number(of.hi)} {unit}{per}".rstrip()
        case v.Composite():
            return "composite " + " + ".join(value(part) for part in of.parts)
        case _:
            return f"status {of.code}"


def _number(number: Decimal) -> str:
    return f"{number:f}"
