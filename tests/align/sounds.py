"""Noise in place of speech, and text whose 汉字 all have one syllable: what the tests of this room align."""

from __future__ import annotations

import numpy as np
import pypinyin
from numpy.typing import NDArray

from dtbuild.records.spoken import Spoken, SpokenChar
from dtbuild.timebase import RATE

MS = RATE // 1000
"""Samples of a millisecond."""


def spoken(text: str) -> Spoken:
    return Spoken(text, tuple(SpokenChar(c, "hao3", i, i, i + 1) for i, c in enumerate(text) if c.isalpha()))


def noise(*parts: tuple[int, float]) -> NDArray[np.float32]:
    """(milliseconds, level) after each other."""
    rng = np.random.default_rng(7)
    return np.concatenate([rng.normal(0, level, ms * MS) for ms, level in parts]).astype(np.float32)


def readings() -> set[str]:
    """Every reading, common or rare, of every 汉字 of the first level of GB 2312; ü is v."""
    level1 = [bytes([high, low]).decode("gb2312", "ignore") for high in range(0xB0, 0xD8) for low in range(0xA1, 0xFF)]
    style = pypinyin.Style.TONE3
    return {
        reading.replace("ü", "v")
        for char in filter(None, level1)
        for reading in pypinyin.pinyin(char, style=style, heteronym=True, neutral_tone_with_five=True)[0]
    }
