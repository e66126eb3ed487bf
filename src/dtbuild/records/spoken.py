"""Text as it is said: every 汉字 with its pinyin and its place in the shown text.

`Spoken.text` is what an engine gets: 汉字 and Chinese punctuation only, Latin terms already in their spoken
form. Each `SpokenChar` is one token of the forced alignment.
"""

from __future__ import annotations

import msgspec


class SpokenChar(msgspec.Struct, frozen=True):
    """One 汉字: where it stands in the spoken text, and which characters of the shown text it says."""

    hanzi: str
    pinyin: str
    """Syllable with tone number 1–5 (5 is neutral), ü written v: `lv4`, `de5`."""
    at: int
    """Index in `Spoken.text`."""
    start: int
    end: int
    """Half-open character range in the shown text; the letters of a Latin term share one range."""


class Spoken(msgspec.Struct, frozen=True):
    text: str
    chars: tuple[SpokenChar, ...]
