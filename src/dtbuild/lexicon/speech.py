"""`spoken`: shown text as an engine and an aligner get it: 汉字 with pinyin, each with its place in the shown text.

Latin terms of the closed table (`TERMS`, terms.tsv) become their spoken 汉字, whose characters share the term's
range. Chinese punctuation stays; every 汉字 of the turn is in the result. Any other character stops the turn.

>>> said = spoken("按LPR走。")
>>> said.text, [(char.hanzi, char.start, char.end) for char in said.chars][1:3]
('按艾欧批阿走。', [('艾', 1, 4), ('欧', 1, 4)])
"""

from __future__ import annotations

from dtbuild.errors import Unspeakable
from dtbuild.lexicon.characters import PUNCTUATION, is_hanzi
from dtbuild.lexicon.pronouncing import pinyin
from dtbuild.lexicon.tables import TERMS, LongestMatch, Row, Term
from dtbuild.records.spoken import Spoken, SpokenChar

__all__ = ["TERMS", "spoken"]


def spoken(text: str) -> Spoken:
    """The spoken form of a turn.

    Raises Unspeakable naming the character, its place and the text where a letter, digit or symbol is not part of
    a term of the table, and where nothing is left to say.
    """
    hanzi: list[str] = []
    places: list[tuple[int, int]] = []
    terms: list[tuple[int, Term]] = []
    at = 0
    while at < len(text):
        term = _term(text, at)
        if term is not None:
            terms.append((len(hanzi), term))
            hanzi += term.hanzi
            places += [(at, at + len(term.surface))] * len(term.hanzi)
            at += len(term.surface)
            continue
        char = text[at]
        if not is_hanzi(char) and char not in PUNCTUATION:
            raise Unspeakable(
                f"character {char!r} at {at} of {text!r}",
                expected="汉字, Chinese punctuation or a term of lexicon/terms.tsv",
                fix="write it in 汉字, or add the term with its spoken form",
            )
        hanzi.append(char)
        places.append((at, at + 1))
        at += 1
    said = "".join(hanzi)
    syllables = iter(pinyin(said))
    read = [next(syllables) if is_hanzi(char) else "" for char in said]
    for place, term in terms:
        read[place : place + len(term.pinyin)] = term.pinyin
    chars = tuple(
        SpokenChar(hanzi=char, pinyin=read[i], at=i, start=places[i][0], end=places[i][1])
        for i, char in enumerate(said)
        if is_hanzi(char)
    )
    if not chars:
        raise Unspeakable(f"text {text!r}", expected="at least one 汉字", found="punctuation only")
    return Spoken(text=said, chars=chars)


def _term(text: str, at: int) -> Term | None:
    """The longest term at this place that is no part of a longer Latin word (PO inside POS)."""
    for entry in _BY_START.all_at(text, at):
        end = at + len(entry.surface)
        before, after = text[at - 1 : at] if at else "", text[end : end + 1]
        if not (_latin(before) and _latin(text[at])) and not (_latin(after) and _latin(text[end - 1])):
            return TERMS[entry.surface]
    return None


def _latin(char: str) -> bool:
    return bool(char) and char.isascii() and char.isalnum()


def _starts() -> LongestMatch:
    from decimal import Decimal

    return LongestMatch(Row(surface, "term", Decimal(1), "-", "-") for surface in TERMS)


_BY_START = _starts()
