"""Near-duplicate dialogues: character 5-grams of the masked text, and an index of the admitted groups.

Two groups that tell the same story with other names and amounts are one item of a benchmark counted twice.
Names, declared mentions and the case's particulars are therefore replaced by a mask before the 5-grams are
taken, punctuation is dropped, and two groups are compared by Jaccard = |A ∩ B| / |A ∪ B|.
A and B of a pair are one group: only A is entered. The limit stands in `settings.Limits`.

>>> index = Neighbours()
>>> index.add("sc0001x", frozenset({1, 2, 3, 4}))
>>> index.closest(frozenset({2, 3, 4, 5}))
Match(family='sc0001x', jaccard=0.6)
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable
from hashlib import blake2b
from typing import NamedTuple

from dtbuild.records.script import Script
from dtbuild.review.address import name_forms

Shingles = frozenset[int]

SIZE = 5
_MASK = "□"
_HANZI = re.compile(r"[㐀-鿿A-Za-z□]")


class Match(NamedTuple):
    family: str
    jaccard: float


def shingles(script: Script, hide: Iterable[str] = ()) -> Shingles:
    """Hashed 5-grams of every turn, masked; `hide` names further words to mask (company names, entities).

    A gram never spans two turns, so that the order of turns does not matter but their words do.
    """
    words = {form for person in script.cast for form in name_forms(person)} | {word for word in hide if word}
    named = re.compile("|".join(re.escape(word) for word in sorted(words, key=lambda w: (-len(w), w))) or r"(?!)")
    ranges: dict[str, list[tuple[int, int]]] = {}
    for mention in script.mentions:
        ranges.setdefault(mention.turn, []).append((mention.start, mention.end))
    found: set[int] = set()
    for turn in script.turns:
        text = turn.text
        for start, end in sorted(ranges.get(turn.id, ()), reverse=True):
            text = text[:start] + _MASK + text[end:]
        text = "".join(_HANZI.findall(named.sub(_MASK, text)))
        for at in range(len(text) - SIZE + 1):
            # the built-in hash differs from process to process
            found.add(int.from_bytes(blake2b(text[at : at + SIZE].encode(), digest_size=8).digest(), "big"))
    return frozenset(found)


def jaccard(one: Shingles, other: Shingles) -> float:
    """0 for two empty sets: a script without text is no duplicate of anything."""
    shared = len(one & other)
    union = len(one) + len(other) - shared
    return shared / union if union else 0.0


class Neighbours:
    """An inverted index of admitted groups: one look-up costs what the shared 5-grams cost, not all groups.

    The answer is exact. Groups are entered in the order of their numbers; the caller sees to it that a group
    is compared with lower-numbered ones only (spec, section 5, Reproducible).
    """

    def __init__(self, groups: Iterable[tuple[str, Shingles]] = ()) -> None:
        self._families: list[str] = []
        self._sizes: list[int] = []
        self._postings: dict[int, array[int]] = {}
        for family, grams in groups:
            self.add(family, grams)

    def __len__(self) -> int:
        return len(self._families)

    def add(self, family: str, grams: Shingles) -> None:
        number = len(self._families)
        self._families.append(family)
        self._sizes.append(len(grams))
        for gram in grams:
            posting = self._postings.get(gram)
            if posting is None:
                self._postings[gram] = array("l", (number,))
            else:
                posting.append(number)

    def closest(self, grams: Shingles) -> Match | None:
        """The most similar group, the earliest of equals; None where no 5-gram is shared."""
        shared: dict[int, int] = {}
        for gram in grams:
            for number in self._postings.get(gram, ()):
                shared[number] = shared.get(number, 0) + 1
        best: Match | None = None
        for number, count in sorted(shared.items()):
            score = count / (len(grams) + self._sizes[number] - count)
            if best is None or score > best.jaccard:
                best = Match(self._families[number], score)
        return best
