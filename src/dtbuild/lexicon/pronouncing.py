"""Pinyin of 汉字 text: a general dictionary (pypinyin), the finance polyphones on top, then 一 and 不 in context.

Syllables carry tone 1–5 (5 neutral), ü is v (`lv4`). Third tones stay lexical: engines apply that sandhi
themselves. 一 is yi1 alone, in ordinals, in number strings and at a word's end, yi2 before a fourth tone, yi4
before the others; 不 is bu2 before a fourth tone, bu5 inside V不V.

>>> " ".join(pinyin("行长说还没还款"))
'hang2 zhang3 shuo1 hai2 mei2 huan2 kuan3'
"""

from __future__ import annotations

from functools import cache, lru_cache

from dtbuild.errors import MissingExtra, Unspeakable
from dtbuild.lexicon.characters import PUNCTUATION, is_hanzi
from dtbuild.lexicon.tables import LongestMatch, Row, rows_of

_NUMERALS = frozenset("零一二三四五六七八九十百千万亿两点")
_ENDS_WORD = frozenset("第统唯之周期拜初专单同逐划")


@lru_cache(maxsize=16384)
def pinyin(text: str) -> tuple[str, ...]:
    """One syllable for each 汉字 of `text`, in order; punctuation has none.

    Raises Unspeakable for a character that is neither 汉字 nor Chinese punctuation or that has no pinyin, and
    MissingExtra where pypinyin is not installed.
    """
    for at, char in enumerate(text):
        if not is_hanzi(char) and char not in PUNCTUATION:
            raise Unspeakable(f"character {char!r} at {at} of {text!r}", expected="汉字 and Chinese punctuation")
    syllables = _dictionary(text)
    fixed = _polyphones(text, syllables)
    for at, char in enumerate(text):
        if char in syllables[at]:  # what the dictionary does not know comes back as it is
            raise Unspeakable(
                f"character {char!r} at {at} of {text!r}",
                expected="a 汉字 whose pinyin is known",
                fix="write another character, or add its reading to lexicon/polyphones.tsv",
            )
    _ones(text, syllables, fixed)
    _nots(text, syllables, fixed)
    return tuple(syllable for char, syllable in zip(text, syllables, strict=True) if is_hanzi(char))


def _dictionary(text: str) -> list[str]:
    try:
        from pypinyin import Style, lazy_pinyin
    except ImportError:
        raise MissingExtra("pypinyin is not installed", fix="pip install 'dtbuild[speech]'") from None

    out: list[str] = []
    run = ""
    for char in text + "\n":
        if is_hanzi(char):
            run += char
            continue
        if run:
            found = lazy_pinyin(run, style=Style.TONE3, neutral_tone_with_five=True, tone_sandhi=False)
            if len(found) != len(run):
                raise Unspeakable(f"text {run!r}", expected=f"{len(run)} syllables", found=str(len(found)))
            out += found
            run = ""
        out.append("")
    for at, char in enumerate(text):
        if char in "一不":
            out[at] = "yi1" if char == "一" else "bu4"
    return out[:-1]


@cache
def _words() -> tuple[LongestMatch, dict[str, tuple[str, ...]]]:
    table = {row[0]: tuple(row[1].split()) for row in rows_of("polyphones.tsv")}
    for word, syllables in table.items():
        if len(word) != len(syllables):
            raise ValueError(f"polyphones.tsv: {word} has {len(word)} 汉字 and {len(syllables)} syllables")
    from decimal import Decimal

    return LongestMatch(Row(word, "word", Decimal(1), "-", "-") for word in table), table


def _polyphones(text: str, syllables: list[str]) -> set[int]:
    """Lay the table over the dictionary's reading; returns the places it has settled."""
    words, table = _words()
    fixed: set[int] = set()
    at = 0
    while at < len(text):
        entry = words.at(text, at)
        if entry is None:
            at += 1
            continue
        for offset, syllable in enumerate(table[entry.surface]):
            if syllable != ".":
                syllables[at + offset] = syllable
                if syllable not in ("yi1", "bu4"):
                    fixed.add(at + offset)
        at += len(entry.surface)
    return fixed


def _ones(text: str, syllables: list[str], fixed: set[int]) -> None:
    for at, char in enumerate(text):
        if char != "一" or at in fixed:
            continue
        before, after = text[at - 1 : at] if at else "", text[at + 1 : at + 2]
        if before and before == after and before not in _NUMERALS:
            syllables[at] = "yi5"
        elif _stays(text, at, before, after):
            syllables[at] = "yi1"
        else:
            tone = _tone(syllables, at + 1)
            syllables[at] = "yi2" if tone == "4" or after == "个" else "yi4" if tone in ("1", "2", "3") else "yi1"


def _stays(text: str, at: int, before: str, after: str) -> bool:
    """Ordinals, dates, digit strings, the last place of a number, and words that end in 一."""
    if not after or after in "月号日零〇一二两三四五六七八九十":
        return True
    if before in _ENDS_WORD and before:
        return True
    if before == "万" and (at < 2 or text[at - 2] not in _NUMERALS):
        return True
    inside = bool(before) and before in _NUMERALS
    return inside and not (before in "百千万亿零" and after in "百千万亿")


def _nots(text: str, syllables: list[str], fixed: set[int]) -> None:
    for at, char in enumerate(text):
        if char != "不" or at in fixed:
            continue
        if at and text[at - 1] == text[at + 1 : at + 2]:
            syllables[at] = "bu5"
        else:
            syllables[at] = "bu2" if _tone(syllables, at + 1) == "4" else "bu4"


def _tone(syllables: list[str], at: int) -> str:
    return syllables[at][-1:] if at < len(syllables) else ""
