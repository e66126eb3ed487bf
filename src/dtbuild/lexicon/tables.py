"""The tables of the lexicon, read once from the TSV files beside this module.

`Lexeme` tables answer one question: which is the longest entry that starts at this place? Each data file says
at its head what its columns mean.

>>> entry = UNITS.at("三个工作日", 1)
>>> entry.surface, entry.rows[0].kind, entry.rows[0].argument
('个工作日', 'term', 'workday')
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from importlib.resources import files
from typing import NamedTuple


class Row(NamedTuple):
    """One meaning of a surface: a unit (with factor and flags) or a word (kind and argument)."""

    surface: str
    kind: str
    factor: Decimal
    argument: str
    flags: str


class Lexeme(NamedTuple):
    surface: str
    rows: tuple[Row, ...]

    def row(self, kind: str) -> Row | None:
        return next((row for row in self.rows if row.kind == kind), None)


class LongestMatch:
    """Surfaces found by first character and length, longest first."""

    def __init__(self, rows: Iterable[Row]) -> None:
        merged: dict[str, list[Row]] = {}
        for row in rows:
            merged.setdefault(row.surface, []).append(row)
        self._entries = {surface: Lexeme(surface, tuple(found)) for surface, found in merged.items()}
        lengths: dict[str, set[int]] = {}
        for surface in merged:
            lengths.setdefault(surface[0], set()).add(len(surface))
        self._lengths = {first: tuple(sorted(sizes, reverse=True)) for first, sizes in lengths.items()}
        self.firsts = frozenset(lengths)

    def at(self, text: str, start: int) -> Lexeme | None:
        """The longest entry that starts at `start`, or None."""
        for size in self._lengths.get(text[start : start + 1], ()):
            entry = self._entries.get(text[start : start + size])
            if entry is not None:
                return entry
        return None

    def all_at(self, text: str, start: int) -> tuple[Lexeme, ...]:
        """Every entry that starts at `start`, longest first."""
        sizes = self._lengths.get(text[start : start + 1], ())
        found = (self._entries.get(text[start : start + size]) for size in sizes if start + size <= len(text))
        return tuple(entry for entry in found if entry is not None)


def rows_of(name: str) -> list[list[str]]:
    """The rows of a data file of this package: tab-separated, `#` starts a comment line."""
    text = files("dtbuild.lexicon").joinpath(name).read_text(encoding="utf-8")
    lines = [line for line in text.split("\n") if line and not line.startswith("#")]
    return [line.split("\t") for line in lines]


def _units() -> list[Row]:
    return [
        Row(surface, kind, Decimal(factor), argument, flags)
        for surface, kind, factor, argument, flags in rows_of("units.tsv")
    ]


def _words(*kinds: str) -> list[Row]:
    return [Row(s, k, Decimal(1), a, "-") for s, k, a in rows_of("words.tsv") if k in kinds]


class Term(NamedTuple):
    """A Latin term that may stand in a turn: its spoken 汉字 and one pinyin syllable for each."""

    surface: str
    hanzi: str
    pinyin: tuple[str, ...]


TERMS: dict[str, Term] = {
    surface: Term(surface, hanzi, tuple(pinyin.split())) for surface, hanzi, pinyin in rows_of("terms.tsv")
}
UNITS = LongestMatch(_units())
BEFORE = LongestMatch(_words("approx", "period", "verb", "base", "currency"))
AFTER = LongestMatch(_words("after"))
LABELS = LongestMatch(_words("label"))
LINKS = LongestMatch(_words("link", "void"))
VOIDS = LongestMatch(_words("void"))
IDIOMS = LongestMatch(
    [Row(row[0], "idiom", Decimal(1), "-", "-") for row in rows_of("idioms.txt")]
    + [Row(surface, "term", Decimal(1), "-", "-") for surface in TERMS]
)
BASES = frozenset(row.surface for row in _words("base"))
PERIOD_WORDS = LongestMatch(_words("period"))
PER_UNITS: dict[str, str] = {
    row.surface: row.argument if row.kind == "count" else row.surface for row in _units() if "p" in row.flags
}
"""Surface of the thing a unit price is for, to the name that `Money.per` carries (平米 → 平)."""

PERIOD_OF = {"年": "year", "月": "month", "天": "day", "日": "day", "个月": "month"}
CURRENCY_WORD = {
    "CNY": "元", "USD": "美元", "HKD": "港币", "EUR": "欧元", "JPY": "日元", "GBP": "英镑", "SGD": "新币",
    "AUD": "澳元", "CAD": "加元", "CHF": "瑞郎",
}  # fmt: skip
COUNT_UNITS = frozenset(row.argument for row in _units() if row.kind == "count")
