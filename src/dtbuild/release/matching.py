"""Which turn of A answers to which of B, and in which words two turns differ.

>>> left, right = differing("金额我签八百万。", "金额我再看看。")
>>> ["金额我签八百万。"[part] for part in left], ["金额我再看看。"[part] for part in right]
(['签八百万'], ['再看看'])
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import Literal, NamedTuple

from dtbuild.address import name_forms, named
from dtbuild.records.script import Script, Turn

Sign = Literal["", "↔", "≠", "<", ">"]
SIGNS: dict[Sign, str] = {"≠": "other words", "↔": "another person", "<": "only in A", ">": "only in B"}
"""What stands between A and B where a turn differs, and what it means. `≠` stands also where both differ."""

_SHORTEST = 3
_WORTHWHILE = 0.3


class Match(NamedTuple):
    """A turn of A and the turn of B that answers to it, each with its number from 1; None where there is none."""

    a: tuple[int, Turn] | None
    b: tuple[int, Turn] | None

    @property
    def sign(self) -> Sign:
        if self.b is None:
            return "<"
        if self.a is None:
            return ">"
        one, other = self.a[1], self.b[1]
        return "≠" if one.text != other.text else "↔" if one.person != other.person else ""

    @property
    def number(self) -> str:
        """`12`, or `12/11` where the numbers differ; – for none."""
        numbers = [str(each[0]) if each else "–" for each in (self.a, self.b)]
        return numbers[0] if numbers[0] == numbers[1] else "/".join(numbers)


def matches(a: Script, b: Script) -> list[Match]:
    """Every turn of both, in order.

    By number where both have as many, as the record of a variant counts them; otherwise around the turns of
    equal text, and between these by their order.
    """
    one, other = list(enumerate(a.turns, 1)), list(enumerate(b.turns, 1))
    if len(one) == len(other):
        return [Match(*both) for both in zip(one, other, strict=True)]
    found: list[Match] = []
    texts = [[turn.text for _, turn in turns] for turns in (one, other)]
    for _, i1, i2, j1, j2 in SequenceMatcher(None, texts[0], texts[1], autojunk=False).get_opcodes():
        both = min(i2 - i1, j2 - j1)
        found += [Match(one[i1 + at], other[j1 + at]) for at in range(both)]
        found += [Match(each, None) for each in one[i1 + both : i2]]
        found += [Match(None, each) for each in other[j1 + both : j2]]
    return found


def wholes(turn: Turn, script: Script) -> list[slice]:
    """Stretches that differ as a whole or not at all: declared numbers, and names of the cast."""
    forms = {form for person in script.cast for form in name_forms(person)}
    parts = [(each.start, each.end) for each in script.mentions if each.turn == turn.id]
    parts += [(at, at + len(form)) for at, form in named(turn.text, forms)]
    return [slice(*each) for each in parts]


def differing(
    one: str, other: str, wholes_one: Iterable[slice] = (), wholes_other: Iterable[slice] = ()
) -> tuple[list[slice], list[slice]]:
    """The stretches of each text that the other does not have, in order and apart.

    What is common counts only where it is long enough to be seen (at either end any length, inside three characters
    that are no punctuation), so that a reader finds whole phrases and no scattered characters; of two texts with
    next to nothing in common everything differs.
    """
    tokens, others = _tokens(one, wholes_one), _tokens(other, wholes_other)
    kept = list(_common(tokens, others))
    if sum(len("".join(tokens[i : i + size])) for i, _, size in kept) < _WORTHWHILE * max(len(one), len(other)):
        kept = []
    return _between(tokens, [(i, size) for i, _, size in kept]), _between(others, [(j, size) for _, j, size in kept])


def _common(tokens: Sequence[str], others: Sequence[str]) -> Iterator[tuple[int, int, int]]:
    for i, j, size in SequenceMatcher(None, tokens, others, autojunk=False).get_matching_blocks():
        starts = i == j == 0
        ends = i + size == len(tokens) and j + size == len(others)
        words = [char for char in "".join(tokens[i : i + size]) if char.isalnum()]
        if size and (starts or ends or len(words) >= _SHORTEST):
            yield i, j, size


def _tokens(text: str, wholes: Iterable[slice]) -> list[str]:
    tokens: list[str] = []
    at = 0
    for start, stop in sorted((each.start, each.stop) for each in wholes):
        if start < at:
            continue
        tokens += [*text[at:start], text[start:stop]]
        at = stop
    return [*tokens, *text[at:]]


def _between(tokens: Sequence[str], kept: Sequence[tuple[int, int]]) -> list[slice]:
    ends = [0]
    for token in tokens:
        ends.append(ends[-1] + len(token))
    edges = [0, *(edge for start, size in kept for edge in (start, start + size)), len(tokens)]
    found = [slice(ends[start], ends[stop]) for start, stop in zip(edges[::2], edges[1::2], strict=True)]
    return [each for each in found if each.start < each.stop]
