"""Mentions that were decided as one: 五百万六个月; 本金三百万、年化六个点、一年期.

Money, rate, term, change, factor and ratio that touch, or stand in a list with 、, each type once, are one
composite mention. Labels (本金, 期限) may stand between and before; they belong to the span.

>>> from dtbuild.lexicon.reading import read
>>> [type(part).__name__ for part in read("五百万六个月")[0].value.parts]
['Money', 'Term']
"""

from __future__ import annotations

from dtbuild.lexicon.mentions import Mention
from dtbuild.lexicon.tables import LABELS
from dtbuild.records.values import Change, Composite, Factor, Money, Rate, Ratio, Term

_JOINABLE = (Money, Rate, Term, Change, Factor, Ratio)
_TOUCHING = (Money, Rate, Term)


def joined(text: str, plain: str, mentions: list[Mention]) -> tuple[Mention, ...]:
    """The mentions with neighbours of one decision made one."""
    out: list[Mention] = []
    group: list[Mention] = []
    for mention in mentions:
        if group and _belongs(plain, group, mention):
            group.append(mention)
            continue
        out += _close(text, plain, group)
        group = [mention]
    out += _close(text, plain, group)
    return tuple(out)


def _belongs(plain: str, group: list[Mention], mention: Mention) -> bool:
    last = group[-1]
    if not isinstance(mention.value, _JOINABLE) or not isinstance(last.value, _JOINABLE):
        return False
    if any(type(mention.value) is type(member.value) for member in group):
        return False
    gap = plain[last.end : mention.start]
    if gap.startswith("、"):
        return gap == "、" or _label(gap[1:])
    touching = isinstance(mention.value, _TOUCHING) and isinstance(last.value, _TOUCHING)
    return touching and (not gap or _label(gap))


def _label(words: str) -> bool:
    entry = LABELS.at(words, 0)
    return entry is not None and entry.surface == words


def _close(text: str, plain: str, group: list[Mention]) -> list[Mention]:
    if len(group) < 2:
        return group
    start, end = group[0].start, group[-1].end
    for length in (2, 1):
        words = plain[max(0, start - length) : start]
        if len(words) == length and _label(words):
            start -= length
            break
    parts = tuple(m.value for m in group if isinstance(m.value, _JOINABLE))
    return [Mention(start, end, text[start:end], Composite(parts=parts), kind="composite")]
