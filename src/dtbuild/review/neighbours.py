"""Near-duplicate dialogues: character 5-grams of the masked text, and an index of the admitted families.

Two families that tell the same story with other names and amounts are one item of a benchmark counted twice.
Names, declared mentions and the case's particulars are therefore masked before the 5-grams are taken,
punctuation is dropped, and two families are compared by Jaccard = |A ∩ B| / |A ∪ B|; more than `LIMIT` is
too near. Of a pair only A is entered.

>>> index = Neighbours()
>>> index.enter("sc0001x", frozenset({1, 2, 3, 4}))
>>> index.closest(frozenset({2, 3, 4, 5}))
Match(family='sc0001x', jaccard=0.6)
"""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Collection, Iterable, Set
from functools import lru_cache
from hashlib import blake2b
from itertools import chain
from typing import NamedTuple, TypeVar

from dtbuild.address import name_forms
from dtbuild.records.blueprint import Blueprint
from dtbuild.records.script import Script

T = TypeVar("T")
Shingles = frozenset[int]

SIZE = 5
LIMIT = 0.35
_MASK = "□"
_NOT_COMPARED = re.compile(r"[^㐀-鿿A-Za-z□\n]+")


class Match(NamedTuple):
    family: str
    jaccard: float


def shingles(script: Script, hide: frozenset[str] = frozenset()) -> Shingles:
    """Hashed 5-grams of every turn, masked; `hide` names further words to mask (company names, entities).

    A gram never spans two turns, so that the order of turns does not matter but their words do.
    """
    found: set[int] = set()
    for text in _masked(script, hide):
        for at in range(len(text) - SIZE + 1):
            # the built-in hash differs from process to process
            found.add(int.from_bytes(blake2b(text[at : at + SIZE].encode(), digest_size=8).digest(), "big"))
    return frozenset(found)


def particulars(blueprint: Blueprint) -> frozenset[str]:
    """Names that differ from case to case without making another story: facts of the pools, entities."""
    found: set[str] = set()
    for pool in blueprint.facts.values():
        for entry in pool:
            found |= {entry} if isinstance(entry, str) else set(entry.values())
    for entity in blueprint.entities:
        found |= {*entity.said, *entity.instances}
    return frozenset(found)


def jaccard(one: Set[T], other: Set[T]) -> float:
    """0 for two empty sets: a script without text is no duplicate of anything."""
    shared = len(one & other)
    union = len(one) + len(other) - shared
    return shared / union if union else 0.0


class Neighbours:
    """An inverted index of admitted families: one look-up costs what the shared 5-grams cost, not all families.

    The answer is exact. Families are entered in the order of their numbers; the caller sees to it that a family
    is compared with lower-numbered ones only (spec, section 5, Reproducible). With a blueprint, company names
    and other particulars of its facts and its entities' names are masked too.
    """

    def __init__(self, blueprint: Blueprint | None = None) -> None:
        self._hide = particulars(blueprint) if blueprint else frozenset()
        self._families: list[str] = []
        self._sizes: list[int] = []
        # most 5-grams belong to one family: its number stands there bare, without a list that would cost far more
        self._postings: dict[int, int | array[int]] = {}

    def shingles(self, script: Script) -> Shingles:
        """The script's shingles, masked as this index masks."""
        return shingles(script, self._hide)

    def add(self, script: Script) -> None:
        """Enter an admitted family by its A script."""
        self.enter(script.family, self.shingles(script))

    def __len__(self) -> int:
        return len(self._families)

    def enter(self, family: str, grams: Collection[int]) -> None:
        """Enter a family by its shingles, each once."""
        number = len(self._families)
        self._families.append(family)
        self._sizes.append(len(grams))
        for gram in grams:
            posting = self._postings.get(gram)
            if posting is None:
                self._postings[gram] = number
            elif isinstance(posting, int):
                self._postings[gram] = array("H", (posting, number))
            else:
                posting.append(number)

    def closest(self, grams: Collection[int]) -> Match | None:
        """The most similar family, the earliest of equals; None where no 5-gram is shared."""
        postings = [self._postings[gram] for gram in grams if gram in self._postings]
        shared = Counter(each for each in postings if isinstance(each, int))
        shared.update(chain.from_iterable(each for each in postings if not isinstance(each, int)))
        best: Match | None = None
        for number, count in sorted(shared.items()):
            score = count / (len(grams) + self._sizes[number] - count)
            if best is None or score > best.jaccard:
                best = Match(self._families[number], score)
        return best


def _masked(script: Script, hide: frozenset[str]) -> list[str]:
    """The turns with mentions, names and the words of `hide` masked, and nothing left but what is compared."""
    ranges: dict[str, list[tuple[int, int]]] = {}
    for mention in script.mentions:
        ranges.setdefault(mention.turn, []).append((mention.start, mention.end))
    turns = []
    for turn in script.turns:
        text = turn.text
        for start, end in sorted(ranges.get(turn.id, ()), reverse=True):
            text = text[:start] + _MASK + text[end:]
        turns.append(text)
    joined = "\n".join(turns)
    # a pattern of each cast's names would take longer to compile than all else here
    for name in _longest_first(form for person in script.cast for form in name_forms(person)):
        joined = joined.replace(name, _MASK)
    return _NOT_COMPARED.sub("", _words(hide).sub(_MASK, joined)).split("\n")


@lru_cache(maxsize=16)
def _words(words: frozenset[str]) -> re.Pattern[str]:
    """A pattern for any of the words, longest first; for nothing where there is none."""
    return re.compile("|".join(map(re.escape, _longest_first(words))) or r"(?!)")


def _longest_first(words: Iterable[str]) -> list[str]:
    return sorted({word for word in words if word}, key=lambda word: (-len(word), word))
