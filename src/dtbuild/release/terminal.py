"""Text for a terminal: widths of Chinese characters, line breaks they allow, and colours.

Widths are in cells: 汉字 and full-width punctuation take two, marks that combine take none. Characters whose
width a terminal may choose (…, “, →) count as one, as terminals outside East Asian legacy modes draw them.

>>> cells("按800万做")
9
>>> ["".join(char for char, _ in line) for line in wrap(plain("先停一停，再说。"), 8)]
['先停一', '停，再', '说。']
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import TextIO

Glyph = tuple[str, str]
"""A character and the name of its style ("" for none)."""

STYLES = {
    "start": "1;32",
    "advance": "1;36",
    "hold": "1;33",
    "settle": "1;35",
    "candidate": "1;31",
    "bold": "1",
    "dim": "2",
    "changed": "1;33",
    "sign": "1;31",
}

_NO_START = frozenset("，。！？；：、）」』】》〉”’…—,.!?;:)]}%％")
_NO_END = frozenset("（「『【《〈“‘([{")


def wants_color(stream: TextIO | None, environ: Mapping[str, str]) -> bool:
    """Whether to colour what goes to `stream`: a terminal, and nobody asked for none (no-color.org).

    None is what Python has for an output that was closed before it started (`>&-`).
    """
    terminal = stream is not None and stream.isatty()
    return terminal and not environ.get("NO_COLOR") and environ.get("TERM") != "dumb"


def cells(text: str) -> int:
    """How many cells a text takes."""
    return sum(_cell(char) for char in text)


def pad(text: str, width: int) -> str:
    """The text with blanks up to `width` cells.

    >>> pad("金额", 6) + "|"
    '金额  |'
    """
    return text + " " * max(0, width - cells(text))


def cut(text: str, width: int) -> str:
    """The text in at most `width` cells, ended with … where it does not fit."""
    if cells(text) <= width:
        return text
    kept, room = "", width - 1
    for char in text:
        room -= _cell(char)
        if room < 0:
            break
        kept += char
    return kept + "…"


def plain(text: str, style: str = "") -> list[Glyph]:
    return [(char, style) for char in text]


def wrap(glyphs: Sequence[Glyph], width: int) -> list[list[Glyph]]:
    """Lines of at most `width` cells.

    Breaks between 汉字 and at blanks; never before closing or after opening punctuation, nor inside a Latin word or
    number, unless one of these alone is wider than a line.
    """
    lines: list[list[Glyph]] = [[]]
    used = 0
    for unit in _units(glyphs):
        size = cells("".join(char for char, _ in unit))
        if used + size > width and lines[-1]:
            lines.append([])
            used = 0
        if size > width:
            for glyph in unit:
                if used + _cell(glyph[0]) > width and lines[-1]:
                    lines.append([])
                    used = 0
                lines[-1].append(glyph)
                used += _cell(glyph[0])
            continue
        if not lines[-1] and unit[0][0] == " ":
            continue
        lines[-1] += unit
        used += size
    return lines


def render(glyphs: Iterable[Glyph], *, color: bool) -> str:
    """The characters, with escape codes around each run of one style; without blanks at the end."""
    runs = [(style, "".join(char for char, _ in run)) for style, run in groupby(glyphs, key=lambda glyph: glyph[1])]
    if runs:
        runs[-1] = (runs[-1][0], runs[-1][1].rstrip())
    return "".join(f"\x1b[{STYLES[style]}m{text}\x1b[0m" if color and style and text else text for style, text in runs)


def _units(glyphs: Sequence[Glyph]) -> Iterator[list[Glyph]]:
    unit: list[Glyph] = []
    for glyph in glyphs:
        if unit and not _together(unit[-1][0], glyph[0]):
            yield unit
            unit = []
        unit.append(glyph)
    if unit:
        yield unit


def _together(before: str, after: str) -> bool:
    if after == " " or before == " ":
        return False
    if before in _NO_END or after in _NO_START:
        return True
    return _cell(before) < 2 and _cell(after) < 2


def _cell(char: str) -> int:
    if unicodedata.category(char) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if unicodedata.east_asian_width(char) in {"W", "F"} else 1
