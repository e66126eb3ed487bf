"""From our pinyin to the phoneme symbols that Kokoro was trained on.

The pinyin of each `SpokenChar` decides the sound; text is looked at only for word borders and punctuation. The
rules are those of misaki's Mandarin front end for Kokoro v1.0: tones become → ↗ ↓ ↘ (none for the neutral tone),
words are parted by one blank, Chinese marks become Latin ones. `syllables.tsv` holds misaki's transcription of
every syllable (the tests compare all of them): importing misaki costs each worker 60 MB. Tones go in as the pinyin
gives them: 一 and 不 as they are said (`dtbuild.lexicon.pinyin`), third tones as in the dictionary, whose sandhi the
model has learned from its data.

Erhua needs no rule: 儿 arrives as `er5`, which the table writes ɚ, and a word keeps it on the syllable before.

>>> syllable("lv4"), syllable("zhong1"), syllable("er5")
('ly↘', 'ꭧʊ→ŋ', 'ɚ')
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import msgspec

from dtbuild.errors import SynthesisError, Unspeakable
from dtbuild.records.spoken import Spoken

MARKS = {
    "，": ",", "、": ",", "。": ".", "！": "!", "？": "?", "；": ";", "：": ":", "…": "…", "—": "—",
    "“": "“", "”": "”", "‘": "“", "’": "”", "「": "“", "」": "”", "《": "“", "》": "”", "（": "(", "）": ")",
    "·": "",
}  # fmt: skip
"""Chinese marks and their Kokoro symbols: misaki's map, and the marks it leaves alone because Kokoro knows them."""

PAUSES = frozenset("，、。！？；：…—")
"""Marks that part clauses; the rest (quotes, brackets) only colour the words beside them."""

_SILENT = frozenset("".join(MARKS.values())) | {" "}
"""Symbols that say no 汉字; no syllable holds one (`tests/speech/test_phonemes.py`)."""

_TONES = {"1": "→", "2": "↗", "3": "↓", "4": "↘", "5": ""}


class Piece(msgspec.Struct, frozen=True):
    """One 汉字 or one mark with its symbols, in the order of the text."""

    symbols: str
    mark: str = ""
    """The Chinese mark, empty for a 汉字."""
    word_start: bool = False
    """True where a word begins: a blank goes before it, unless a mark or nothing stands there."""


def syllable(pinyin: str) -> str:
    """Kokoro symbols of one syllable with its tone number.

    >>> syllable("xing5")
    'ɕiŋ'

    Raises `Unspeakable` for what is no Mandarin syllable.
    """
    template = _table().get(pinyin[:-1])
    if template is None or pinyin[-1] not in _TONES:
        raise Unspeakable(
            f"pinyin {pinyin!r}",
            expected="a Mandarin syllable with a tone number 1-5, ü written v",
            fix="correct it in the lexicon",
        )
    return template.replace("0", _TONES[pinyin[-1]])


def pieces(spoken: Spoken, words: Callable[[str], Sequence[str]]) -> tuple[Piece, ...]:
    """Symbols of every 汉字 and mark of a turn; `words` parts a run of 汉字 into words.

    Raises `Unspeakable` when a 汉字 has no pinyin, or a character is neither 汉字 nor a known mark: nothing is
    ever dropped in silence.
    """
    by_place = {char.at: char for char in spoken.chars}
    starts = _word_starts(spoken, words)
    result: list[Piece] = []
    for place, character in enumerate(spoken.text):
        if (char := by_place.get(place)) is not None:
            if char.hanzi != character:
                raise Unspeakable(f"{character!r} in {spoken.text!r}", expected=f"{char.hanzi!r} at {place}")
            result.append(Piece(syllable(char.pinyin), "", place in starts))
        elif character in MARKS:
            result.append(Piece(MARKS[character], character))
        else:
            raise Unspeakable(
                f"{character!r} in {spoken.text!r}",
                expected="汉字 with pinyin, or one of " + "".join(MARKS),
                fix="give it a spoken form in the lexicon",
            )
    if not by_place:
        raise Unspeakable(f"the turn {spoken.text!r}", expected="at least one 汉字", found="none")
    return tuple(result)


def symbols(run: Sequence[Piece]) -> str:
    """The string the engine gets: a blank before each word and after each mark, as misaki writes it.

    >>> symbols([Piece("xau↓", "", True), Piece(",", "，"), Piece("ɕi↗ŋ", "", True), Piece(".", "。")])
    'xau↓, ɕi↗ŋ.'
    """
    out: list[str] = []
    for piece in run:
        opens = piece.symbols in ("“", "(")
        blank = piece.word_start or opens or (not piece.mark and out and out[-1][-1:] in ",.!?;:…—")
        if blank and out and not out[-1].endswith((" ", "“", "(")):
            out.append(" ")
        if piece.symbols:
            out.append(piece.symbols)
    return "".join(out)


def require_whole(spoken: Spoken, strings: Sequence[str]) -> None:
    """Raises `SynthesisError` unless these strings, one a run, say every 汉字 of the turn, in order, and no more.

    It reads the strings that the engine gets and nothing on the way to them: marks and blanks are taken out, and what
    is left must be the syllables of the pinyin, one after the other.

    >>> from dtbuild.lexicon import spoken
    >>> require_whole(spoken("好。"), ["xau↓."])
    >>> require_whole(spoken("好的。"), ["xau↓."])
    Traceback (most recent call last):
    dtbuild.errors.SynthesisError: symbols of '好的。'; expected 的 (de5) after 1 汉字; found the end
    """
    left = "".join(symbol for text in strings for symbol in text if symbol not in _SILENT)
    for number, char in enumerate(spoken.chars):
        wanted = syllable(char.pinyin)
        if not left.startswith(wanted):
            raise SynthesisError(
                f"symbols of {spoken.text[:40]!r}",
                expected=f"{char.hanzi} ({char.pinyin}) after {number} 汉字",
                found=repr(left[:12]) if left else "the end",
            )
        left = left[len(wanted) :]
    if left:
        raise SynthesisError(
            f"symbols of {spoken.text[:40]!r}",
            expected=f"the end after {len(spoken.chars)} 汉字",
            found=repr(left[:12]),
        )


def _word_starts(spoken: Spoken, words: Callable[[str], Sequence[str]]) -> frozenset[int]:
    hanzi = {char.at for char in spoken.chars}
    starts: set[int] = set()
    place = 0
    while place < len(spoken.text):
        if place not in hanzi:
            place += 1
            continue
        end = place
        while end < len(spoken.text) and end in hanzi:
            end += 1
        for word in words(spoken.text[place:end]):
            starts.add(place)
            place += len(word)
        place = end
    return frozenset(starts)


@cache
def _table() -> dict[str, str]:
    lines = (Path(__file__).parent / "syllables.tsv").read_text("utf-8").splitlines()
    return dict(line.split("\t") for line in lines if not line.startswith("#"))
