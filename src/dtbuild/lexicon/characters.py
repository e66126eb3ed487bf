"""What a character of a turn is: a 汉字, or punctuation that may stand beside it.

>>> [is_hanzi(char) for char in "〇款A，"], hanzi_in("按LPR加点。")
([True, True, False, False], 3)
"""

from __future__ import annotations

import re

PUNCTUATION = frozenset("，。？！、；：…—“”‘’《》·")
"""What may stand in a turn beside 汉字 and terms. Brackets and markup may not: they are stage directions."""


def is_hanzi(char: str) -> bool:
    """Whether a character is a 汉字 of the basic block or its first extension, or 〇: what is counted, spoken, aligned."""
    return "一" <= char <= "鿿" or char == "〇" or "㐀" <= char <= "䶿"


def hanzi_in(text: str) -> int:
    """How many 汉字 a text has: the measure of a script's length."""
    return sum(map(len, _HANZI.findall(text)))


_HANZI = re.compile("[一-鿿㐀-䶿〇]+")
"""Runs of what `is_hanzi` takes, for counting: a script's writer counts at every phrase."""
