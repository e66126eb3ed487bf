"""Which of its forms a number takes in talk: in full when it is first named, shorter when it is taken up.

Every form is one that `dtbuild.lexicon.read` reads back as the value, given the unit in play; periods and bases
that the field fixes (年化, 融资金额的) may be left out, as people do.
"""

from __future__ import annotations

import datetime
import random
from collections.abc import Mapping
from functools import lru_cache

from dtbuild.errors import Unspeakable
from dtbuild.lexicon import Mention, read, say
from dtbuild.records.values import Money, Rate, Status, Term, Value
from dtbuild.script.draft import Draft

_FIRST: Mapping[str, tuple[tuple[str, float], ...]] = {
    "money": (("plain", 8), ("full", 1.5)),
    "rate": (("plain", 4), ("bare", 7), ("percent", 1.5)),
    "change": (("bp", 3), ("basis", 3), ("points", 2)),
    "term": (("plain", 6), ("months", 1), ("years", 1)),
    "date": (("plain", 6), ("end", 2)),
    "ratio": (("plain", 3), ("to", 1)),
    "factor": (("discount", 1),),
    "composite": (("list", 3), ("plain", 1)),
}
_AGAIN: Mapping[str, tuple[tuple[str, float], ...]] = {
    **_FIRST,
    "money": (("plain", 6), ("full", 0.7)),
    "rate": (("bare", 4), ("number", 3), ("percent", 0.7)),
    "date": (("plain", 3), ("short", 2), ("end", 2)),
}

_EXACT = frozenset({"full", "percent", "months", "basis"})


class Numbers:
    """Draws forms for one dialogue."""

    def __init__(self, anchor: str, rng: random.Random) -> None:
        self.anchor = datetime.date.fromisoformat(anchor)
        self.rng = rng

    def surface(
        self,
        value: Value,
        role: str,
        near: Value | None,
        short: float,
        words: tuple[str, ...] = (),
        exact: float = 1.0,
    ) -> str:
        """The value in words. `near` is the number just talked of, `words` a status's own words, `exact` the weight of
        the forms that leave nothing out."""
        if isinstance(value, Status):
            return self.rng.choice(words) if words else value.text or value.code
        tag = str(value.__struct_config__.tag)
        if role == "echo" and isinstance(value, Money) and near is not None and self.rng.random() < short:
            cut = _cut(value, self.anchor)
            if cut is not None:
                return cut
        table = (_AGAIN if role == "echo" else _FIRST).get(tag, (("plain", 1.0),))
        if isinstance(value, Term) and value.unit == "month" and value.value >= 24:
            table = (("plain", 1.0),)
        styles = [
            (style, weight * exact if style in _EXACT else weight)
            for style, weight in table
            if _form(value, style, self.anchor) is not None
        ]
        if not styles:
            return say(value, anchor=self.anchor)
        [style] = self.rng.choices([s for s, _ in styles], [w for _, w in styles])
        found = _form(value, style, self.anchor)
        assert found is not None
        return found


def reads_as_declared(draft: Draft, since: int, anchor: datetime.date) -> bool:
    """Whether the lexicon finds, from a sentence's start on, the declared numbers, each at its place, and no others.

    The words around a number can change its reading (三十万本身: 本 counts books; 差不多八年 is about eight).
    """
    declared = [mention for mention in draft.mentions if mention.start >= since]
    if not declared:
        # phrases without numbers are checked by lint
        return True
    ends: dict[int, Mention] = {}
    for found in _readings(draft.text[since:], anchor):
        start, end = found.start + since, found.end + since
        if not any(mention.start < end and start < mention.end for mention in declared):
            return False
        ends[end] = found
    for mention in declared:
        if isinstance(mention.value, Status):
            continue
        there = ends.get(mention.end)
        if there is None or there.start + since > mention.start:
            return False
        if there.value is not None and type(there.value) is not type(mention.value):
            return False
    return True


def _readings(text: str, anchor: datetime.date) -> tuple[Mention, ...]:
    return tuple(
        found
        for found in read(text, anchor=anchor)
        if found.value is not None or found.number is not None or found.ambiguous
    )


@lru_cache(maxsize=16384)
def _form(value: Value, style: str, anchor: datetime.date) -> str | None:
    try:
        if isinstance(value, Rate):
            return _rate(value, style, anchor)
        return say(value, style, anchor=anchor)
    except Unspeakable:
        return None


def _rate(value: Rate, style: str, anchor: datetime.date) -> str | None:
    if style == "plain" and value.base:
        return None
    bare = Rate(value=value.value, unit=value.unit)
    if style == "number":
        words = say(bare, "points", anchor=anchor).removesuffix("个点")
        return words if "点" in words and _reads(words, "rate", bare, anchor) else None
    if style == "bare":
        return say(bare, "plain", anchor=anchor)
    return say(value if style == "plain" else bare, style, anchor=anchor)


@lru_cache(maxsize=4096)
def _cut(value: Money, anchor: datetime.date) -> str | None:
    """七百二 for 七百二十万, where 万 is in play; None where nothing can be cut."""
    whole = say(value, anchor=anchor)
    if value.per or not whole.endswith("万") or "亿" in whole:
        return None
    words = whole.removesuffix("万")
    if words.endswith("十") and len(words) > 2 and words[-3] == "百":
        words = words.removesuffix("十")
    elif words.endswith("百") and len(words) > 2 and words[-3] == "千":
        words = words.removesuffix("百")
    else:
        return None
    return words if _reads(words, "money:万", value, anchor) else None


def _reads(words: str, play: str, value: Value, anchor: datetime.date) -> bool:
    found = read(words, unit_in_play=play, anchor=anchor)
    return len(found) == 1 and (found[0].start, found[0].end) == (0, len(words)) and found[0].value == value
