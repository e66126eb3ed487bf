"""What every family of a cohort is to be: which phenomena it shows, and how many people meet.

Families are dealt with in blocks of `BLOCK`. In every block each phenomenon falls to as many families as its rate
asks for (what does not come out even is carried on to the next block), to which of them is drawn, each phenomenon for
itself: so rates come out exactly at any length of a cohort, and all combinations occur. Cast sizes are dealt out in the same
way, two people only to families that are no pair. What the casts of the scenario cannot show together is
exchanged between families of the block, which leaves all shares as they are.

Pure: family k's slot depends on blueprint, settings, seed, share of pairs and k alone.
"""

from __future__ import annotations

import functools
import itertools
import random
from collections.abc import Set
from typing import NamedTuple

import msgspec

from dtbuild import seeds
from dtbuild.errors import BlueprintError
from dtbuild.gold import reach
from dtbuild.gold.index import Index
from dtbuild.gold.phenomena import PHENOMENA
from dtbuild.gold.settings import IMPLIES, GoldSettings, pairs_to
from dtbuild.records.variant import VariantKind

BLOCK = 20
_PAIR_SIZES = (3, 4)
_ROUNDS = 6


class Slot(NamedTuple):
    """One family: the names of what it shows, and the size of its cast."""

    phenomena: frozenset[str]
    size: int


def slot(index_of: Index, settings: GoldSettings, *, seed: int, pairs: float, index: int) -> Slot:
    """The slot of the index-th family (from 1); `pairs` is the share of pairs in the cohort.

    Raises BlueprintError when the scenario has no cast of a wanted size.
    """
    block, at = divmod(index - 1, BLOCK)
    return _block(index_of, msgspec.json.encode(settings), seed, pairs, block)[at]


@functools.lru_cache(maxsize=64)
def _block(index_of: Index, encoded: bytes, seed: int, pairs: float, block: int) -> tuple[Slot, ...]:
    settings = msgspec.json.decode(encoded, type=GoldSettings)
    rng = seeds.rng(seed, "schedule", index_of.blueprint.id, block)
    before = [pairs_to(block * BLOCK + at, pairs) for at in range(BLOCK + 1)]
    kinds = [settings.variant(after) if after > first else None for first, after in itertools.pairwise(before)]
    dealing = _Dealing(index_of, settings, rng, kinds)
    dealing.phenomena(seed, block)
    dealing.sizes(seed, block)
    dealing.settle()
    return tuple(Slot(frozenset(names), size) for names, size in zip(dealing.wanted, dealing.size, strict=True))


def _quota(share: float, offset: float, block: int) -> int:
    """How many families of a block: over any number of blocks within one of the share."""
    return int((block + 1) * BLOCK * share + offset + 1e-9) - int(block * BLOCK * share + offset + 1e-9)


class _Dealing:
    """One block in the making."""

    def __init__(
        self, index_of: Index, settings: GoldSettings, rng: random.Random, kinds: list[VariantKind | None]
    ) -> None:
        self.index, self.settings, self.rng, self.kinds = index_of, settings, rng, kinds
        self.wanted: list[set[str]] = [set() for _ in kinds]
        self.size: list[int] = [0] * len(kinds)

    def phenomena(self, seed: int, block: int) -> None:
        """Deals every phenomenon out for itself; one that needs another among the families that have it."""
        troupes = tuple(each for size in self._sizes(pair=False) for each in self.index.troupes[size])
        for name in sorted(PHENOMENA, key=lambda name: name in IMPLIES):
            needed = IMPLIES.get(name)
            if not reach.able(troupes, frozenset({name, needed or name}), None, self.settings.trajectories[1]):
                continue
            pool = [at for at, names in enumerate(self.wanted) if needed is None or needed in names]
            # a phenomenon and what it needs are rounded alike, so that equal rates are equal
            offset = seeds.rng(seed, "schedule", needed or name).random()
            number = _quota(self.settings.rate(name), offset, block)
            for at in self.rng.sample(pool, min(number, len(pool))):
                self.wanted[at].add(name)

    def sizes(self, seed: int, block: int) -> None:
        """Deals cast sizes out, the rarer ones first, where they can show what is wanted if possible."""
        weights = {size: self.settings.speakers[str(size)] for size in self._sizes(pair=False)}
        total, offset = sum(weights.values()), seeds.rng(seed, "schedule", "size").random()
        counts: dict[int, int] = {}
        so_far, dealt = 0.0, 0
        for size, weight in weights.items():
            so_far += weight
            counts[size] = _quota(so_far / total, offset, block) - dealt
            dealt += counts[size]
        largest = max(counts, key=lambda size: (size != 2, counts[size]))
        free = list(range(len(self.kinds)))
        self.rng.shuffle(free)
        for size in sorted(counts, key=lambda size: (size != 2, size == largest)):
            fitting = [at for at in free if size > 2 or self.kinds[at] is None]
            fitting.sort(key=lambda at: not self._shows(at, self.wanted[at], size))
            for at in fitting[: counts[size]] if size != largest else fitting:
                self.size[at] = size
                free.remove(at)
        # where the settings have no more than two people, pairs are for the planner to refuse
        for at in free:
            self.size[at] = largest

    def settle(self) -> None:
        """Exchanges phenomena between families until each can show what it has, as far as that goes."""
        for at in range(len(self.kinds)):
            for _ in range(_ROUNDS):
                if self._shows(at, self.wanted[at], self.size[at]) or not (self._take(at) or self._give(at)):
                    break
            self._drop(at)

    def _give(self, at: int) -> bool:
        """Hands one phenomenon of a family to another that can show it too, best one that leaves a family that can."""
        names = [name for name in sorted(self.wanted[at]) if not self._carries(at, name)]
        self.rng.shuffle(names)
        names.sort(key=lambda name: not self._shows(at, self.wanted[at] - {name}, self.size[at]))
        others = [other for other in range(len(self.kinds)) if other != at]
        self.rng.shuffle(others)
        for name in names:
            needed = IMPLIES.get(name)
            for other in others:
                has = self.wanted[other]
                if name in has or (needed is not None and needed not in has):
                    continue
                if self._shows(other, has | {name}, self.size[other]):
                    self.wanted[at].discard(name)
                    has.add(name)
                    return True
        return False

    def _drop(self, at: int) -> None:
        """Gives up what no family of the block can take over: one phenomenon where that is enough, else several."""
        while not self._shows(at, self.wanted[at], self.size[at]):
            names = [name for name in sorted(self.wanted[at]) if name in reach.PLACED and not self._carries(at, name)]
            if not names:
                return
            self.rng.shuffle(names)
            names.sort(key=lambda name: not self._shows(at, self.wanted[at] - {name}, self.size[at]))
            self.wanted[at].discard(names[0])

    def _take(self, at: int) -> bool:
        """Takes over a phenomenon that makes for longer chains, where the family is short of events."""
        if reach.long_enough(self.wanted[at], self.settings):
            return False
        others = [other for other in range(len(self.kinds)) if other != at]
        self.rng.shuffle(others)
        for name in reach.LONGEST:
            needed = IMPLIES.get(name)
            if name in self.wanted[at] or (needed is not None and needed not in self.wanted[at]):
                continue
            for other in others:
                if name not in self.wanted[other] or self._carries(other, name):
                    continue
                left, more = self.wanted[other] - {name}, self.wanted[at] | {name}
                if self._shows(other, left, self.size[other]) and self._shows(at, more, self.size[at]):
                    self.wanted[other], self.wanted[at] = left, more
                    return True
        return False

    def _carries(self, at: int, name: str) -> bool:
        """Whether something else that the family shows needs this."""
        return any(IMPLIES.get(other) == name for other in self.wanted[at])

    def _shows(self, at: int, names: Set[str], size: int) -> bool:
        most = self.settings.trajectories[1]
        asked = frozenset(names)
        able = reach.able(self.index.troupes[size], asked, self.kinds[at], most)
        return bool(able) and reach.long_enough(asked, self.settings)

    def _sizes(self, *, pair: bool) -> list[int]:
        return cast_sizes(self.index, self.settings, pair=pair)


def cast_sizes(index_of: Index, settings: GoldSettings, *, pair: bool) -> list[int]:
    """Sizes with a weight that the scenario has casts of; a pair needs three, of two one would answer himself in B.

    Raises BlueprintError when there is none.
    """
    asked = sorted(int(size) for size, weight in settings.speakers.items() if weight > 0)
    sizes = [size for size in asked if size in index_of.troupes and (size in _PAIR_SIZES or not pair)]
    if not sizes:
        raise BlueprintError(
            f"blueprint {index_of.blueprint.id!r}",
            expected=f"a cast of {' or '.join(map(str, asked))} persons" + (" (a pair needs three)" if pair else ""),
            found=f"casts of {', '.join(map(str, sorted(index_of.troupes)))}; speakers {settings.speakers}",
            fix="add such a cast, or change the weights of speakers",
        )
    return sizes
