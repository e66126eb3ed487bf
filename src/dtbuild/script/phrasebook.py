"""All banks of one scenario: the general ones and those in its blueprint, by name.

Banks of the blueprint's parts have a prefix: `field:receivable_pool/financing_amount:ask`,
`obstacle:unconfirmed:why`, `condition:…:met`, `distractor:…:say`, `role:…:…`. `phrases` and `small_talk` add to the
general banks of the same name (`small_talk` under `talk.`).
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from dtbuild.records.blueprint import Blueprint, Lines
from dtbuild.script.bank import compile_lines, general
from dtbuild.script.template import Entry, compile_entry, sure_slots

_TAGS = re.compile(r"^(@\S+ )*[\[{]*")
_OPENERS = re.compile(
    "行|好|嗯|唉|哎|诶|那……|不行|真不行|不急|等|先别急|先慢|慢|有个|有一处|有件|问题|我得|我说|跟|对了|报|说得|说实|听|话|我直|要我说"
)
"""Words that only lead to what is said."""
_TURNS = ("对了", "诶", "哎", "顺")
"""Words that turn to something else by themselves."""


class Phrasebook:
    """Read access to banks by name; one is kept per blueprint object."""

    def __init__(self, blueprint: Blueprint) -> None:
        banks: dict[str, list[Entry]] = {name: list(entries) for name, entries in general().items()}

        def add(prefix: str, lines: Lines) -> None:
            for name, texts in lines.items():
                for text in texts:
                    banks.setdefault(prefix + name, []).extend(compile_lines(text))

        add("", blueprint.phrases)
        add("talk.", blueprint.small_talk)
        for field in blueprint.fields:
            add(f"field:{field.key}:", field.lines)
        for obstacle in blueprint.obstacles:
            add(f"obstacle:{obstacle.id}:", obstacle.lines)
        for condition in blueprint.conditions:
            add(f"condition:{condition.id}:", condition.lines)
        for cause in blueprint.causes:
            add(f"cause:{cause.id}:", cause.lines)
        for kind in blueprint.distractors:
            add(f"distractor:{kind.id}:", kind.lines)
        for role in blueprint.roles:
            add(f"role:{role.id}:", role.lines)
        self._banks = {name: tuple(entries) for name, entries in banks.items() if not _is_exchange(entries)}
        self._exchanges = {
            name: tuple(tuple(compile_entry(part.strip()) for part in e.source.split("//")) for e in entries)
            for name, entries in banks.items()
            if _is_exchange(entries)
        }
        self._exchanges |= {name: tuple((entry,) for entry in entries) for name, entries in self._banks.items()}
        self._sure = {e.source: sure_slots(e) for entries in banks.values() for e in entries}
        self._toned: dict[tuple[str, str], tuple[Entry, ...]] = {}
        self._home = {parts[0].source: name for name, all in self._exchanges.items() for parts in all}

    @staticmethod
    def of(blueprint: Blueprint) -> Phrasebook:
        return _book(blueprint)

    def lines(self, name: str) -> tuple[Entry, ...]:
        """Entries of a bank, none when nobody wrote it."""
        return self._banks.get(name, ())

    def exchanges(self, name: str) -> tuple[tuple[Entry, ...], ...]:
        """Exchanges of a bank: entries said turn about by two people. Plain lines are exchanges of one part."""
        return self._exchanges.get(name, ())

    def sure(self, entry: Entry) -> frozenset[str]:
        """`template.sure_slots`, kept."""
        found = self._sure.get(entry.source)
        if found is None:
            found = self._sure[entry.source] = sure_slots(entry)
        return found

    def toned(self, name: str, tone: str) -> tuple[Entry, ...]:
        """Entries of a bank that are for one way of talking."""
        found = self._toned.get((name, tone))
        if found is None:
            found = tuple(entry for entry in self.lines(name) if (tone, True) in entry.tags)
            self._toned[name, tone] = found
        return found

    def home(self, entry: Entry) -> str | None:
        """The bank in which the entry, or the exchange that it begins, stands."""
        return self._home.get(entry.source)

    def entries(self) -> frozenset[tuple[str, str]]:
        """Every entry: its bank and its line, of an exchange the first part."""
        return frozenset((name, parts[0].source) for name, all in self._exchanges.items() for parts in all)

    def names(self) -> tuple[str, ...]:
        return tuple(sorted({*self._banks, *self._exchanges}))


def shuffled(entries: Sequence[Entry], rng: random.Random) -> Iterator[Entry]:
    """The entries in random order, drawn one at a time: mostly the first one fits."""
    left = list(entries)
    while left:
        at = int(rng.random() * len(left))
        left[at], left[-1] = left[-1], left[at]
        yield left.pop()


def opens(entry: Entry) -> bool:
    """Whether an entry begins with words that only lead to what it says: one such opening is enough."""
    return _OPENERS.match(_TAGS.sub("", entry.source)) is not None


def turns(entry: Entry) -> bool:
    """Whether an entry begins with words that turn to something else."""
    return _TAGS.sub("", entry.source).startswith(_TURNS)


def _is_exchange(entries: list[Entry]) -> bool:
    return any("//" in entry.source for entry in entries)


@lru_cache(maxsize=8)
def _book(blueprint: Blueprint) -> Phrasebook:
    return Phrasebook(blueprint)
