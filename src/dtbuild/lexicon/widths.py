"""Full-width and compatibility characters brought to one form without moving any character.

The reader reports spans of the shown text, so the map is one character to one character: what NFKC would make
longer or shorter stays as it is. Chinese punctuation stays too, since it parts clauses.

>>> normalise("１，２００万，３．８５％")
'1,200万，3.85%'
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_KEPT = frozenset("，。？！；：、（）…—")
_TRADITIONAL = str.maketrans("萬億兩點個幾圓塊錢", "万亿两点个几圆块钱")
_INSIDE_NUMBER = re.compile(r"(?<=\d)，(?=\d{3}(?!\d))")
_PLAIN = re.compile(r"[一-鿿，。？！；：、…—“”《》0-9A-Za-z .,%+\-]*")


def normalise(text: str) -> str:
    """The text with full-width letters, digits and signs in their plain form; the length never changes.

    A full-width comma is a thousands separator only between a digit and exactly three digits.
    """
    if not _PLAIN.fullmatch(text):
        text = "".join(map(_narrow, text))
    text = text.translate(_TRADITIONAL)
    return _INSIDE_NUMBER.sub(",", text) if "，" in text else text


@lru_cache(maxsize=4096)
def _narrow(char: str) -> str:
    if char in _KEPT:
        return char
    folded = unicodedata.normalize("NFKC", char)
    return folded if len(folded) == 1 else char
