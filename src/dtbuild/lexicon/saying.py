"""`say`: how a value is said, in 汉字. Nothing is said that does not read back to the same value.

Each type has its styles (`STYLES`); `plain` is the way that needs no context. A value that a style cannot say
exactly raises Unspeakable; `styles_of(value)` lists those that can. Every text is checked with `read` before it is
returned, so `read(say(value, style))` is one mention of that value over the whole text (dates: with the same
`anchor`).

>>> from decimal import Decimal
>>> from dtbuild.records.values import Money, Rate
>>> seven = Money(amount=Decimal(7_200_000), currency="CNY")
>>> say(seven), say(seven, "full"), say(seven, "formal")
('七百二十万', '七百二十万元', '柒佰贰拾万元整')
>>> say(Rate(value=Decimal("0.05"), unit="percent", per="day"), "wan")
'日息万分之五'
"""

from __future__ import annotations

import datetime
from functools import lru_cache

import msgspec

from dtbuild.errors import Unspeakable
from dtbuild.lexicon import forms, rangeforms
from dtbuild.lexicon.reading import read
from dtbuild.records.values import Composite, Range, Status, Value

STYLES: dict[str, tuple[str, ...]] = {
    "money": ("plain", "full", "short", "decimal", "formal", "each"),
    "rate": ("plain", "points", "half", "percent", "permille", "wan", "li", "cheng"),
    "change": ("plain", "points", "bp", "basis", "up", "float"),
    "term": ("plain", "months", "years", "quarters", "weeks", "period"),
    "date": ("plain", "full", "formal", "short", "end"),
    "count": ("plain",),
    "ordinal": ("plain",),
    "ratio": ("plain", "split", "to"),
    "factor": ("plain", "discount", "times"),
    "range": ("plain", "to", "more", "about", "teens", "pair", "several", "under", "most", "least", "near", "around",
              "order"),
    "status": ("plain",),
    "composite": ("plain", "list", "terms"),
}  # fmt: skip
"""Type tag to its styles."""


def say(value: Value, style: str = "plain", *, anchor: datetime.date | None = None) -> str:
    """The value in 汉字 (BP is the one Latin term). A date said without its year needs the `anchor`.

    Raises Unspeakable where the style does not exist for the type or cannot say this value exactly.
    """
    bare = untexted(value)
    return value.text or value.code if isinstance(value, Status) else _said(bare, style, anchor)


def styles_of(value: Value, *, anchor: datetime.date | None = None) -> tuple[str, ...]:
    """The styles that can say this value, in the order of `STYLES`."""
    out = []
    for style in STYLES[tag_of(value)]:
        try:
            say(value, style, anchor=anchor)
        except Unspeakable:
            continue
        out.append(style)
    return tuple(out)


def tag_of(value: Value) -> str:
    return str(value.__struct_config__.tag)


def untexted(value: Value) -> Value:
    """The value without its surface texts, which take no part in equality."""
    if isinstance(value, Composite):
        parts = tuple(msgspec.structs.replace(part, text=None) for part in value.parts)
        return Composite(parts=parts)
    return value if isinstance(value, Status) else msgspec.structs.replace(value, text=None)


@lru_cache(maxsize=8192)
def _said(value: Value, style: str, anchor: datetime.date | None) -> str:
    tag = tag_of(value)
    if style not in STYLES[tag]:
        raise Unspeakable(f"style {style!r} of {tag}", expected=f"one of: {', '.join(STYLES[tag])}")
    for words in _candidates(value, style, anchor):
        if _reads_back(words, value, anchor):
            return words
    raise Unspeakable(
        f"{tag} {msgspec.json.encode(value).decode()}",
        expected=f"a value that style {style!r} says exactly",
        fix="take another style (dtbuild.lexicon.styles_of), or add the unit to lexicon/units.tsv",
    )


def _candidates(value: Value, style: str, anchor: datetime.date | None) -> list[str]:
    if isinstance(value, Composite):
        return _composite(value, style, anchor)
    if isinstance(value, Range):
        return rangeforms.forms(value, style)
    return forms.forms(value, style, anchor)


def _composite(value: Composite, style: str, anchor: datetime.date | None) -> list[str]:
    parts = [_said(part, "plain", anchor) if not isinstance(part, Status) else part.code for part in value.parts]
    terms = [
        _said(part, "period", anchor) if tag_of(part) == "term" and style == "terms" else words
        for part, words in zip(value.parts, parts, strict=True)
    ]
    listed = "、".join(terms)
    return {
        "plain": ["".join(parts), listed],
        "list": [listed],
        "terms": [f"本金{listed}"] if tag_of(value.parts[0]) == "money" else [],
    }[style]


def _reads_back(words: str, value: Value, anchor: datetime.date | None) -> bool:
    found = read(words, anchor=anchor)
    if len(found) != 1 or (found[0].start, found[0].end) != (0, len(words)) or found[0].value is None:
        return False
    return _comparable(found[0].value) == _comparable(value)


def _comparable(value: Value) -> object:
    return frozenset(value.parts) if isinstance(value, Composite) else value
