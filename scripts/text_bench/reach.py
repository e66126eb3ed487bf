"""Whether every phrase of a scenario's banks can be drawn, proved by scripts in which it stands.

    python scripts/text_bench/reach.py --families 600

First plain families with every kind of variant B, as many again with each phenomenon made certain; then, for what has
not come, a directed search: the plans are drawn from a blueprint narrowed to the field, obstacle, condition, cause or
distractor that the bank belongs to, to one cast at a time and to one phenomenon made certain. A plan counts only where
it is legal in the whole blueprint, and the script is written with the whole blueprint. Prints what no search has
brought; exits 1 when there is anything.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import NamedTuple, get_args

from msgspec.structs import replace

from dtbuild.blueprint.load import load
from dtbuild.errors import BlueprintError, Incomplete, Unspeakable
from dtbuild.gold.phenomena import PHENOMENA
from dtbuild.gold.planner import plan as make_plan
from dtbuild.gold.rules import check
from dtbuild.gold.settings import GoldSettings
from dtbuild.records.blueprint import Blueprint
from dtbuild.records.plan import Confirmation
from dtbuild.records.variant import VariantKind
from dtbuild.script.amend import amend
from dtbuild.script.phrasebook import Phrasebook
from dtbuild.script.writer import write

CHARS = (430, 1090)
"""The window of 汉字 that families are written in."""
CHANGES: tuple[VariantKind | None, ...] = (None, *get_args(VariantKind))
_FAILED = (BlueprintError, Incomplete, Unspeakable)
_AMENDED = 6
"""Scripts of B of each confirmation change: few turns are written for one."""
_PLANS = 3
"""Plans of each cast in one round of the directed search."""
_SEEDS = 3
"""Scripts of each plan of the directed search."""

Entry = tuple[str, str]
"""Bank and line."""


class Reached(NamedTuple):
    entries: frozenset[Entry]
    plain: Counter[Entry]
    """Entries drawn in plain families, with the number of times."""
    certain: Counter[Entry]
    """Entries drawn in families with one phenomenon made certain."""
    directed: Counter[Entry]

    @property
    def left(self) -> list[Entry]:
        return sorted(self.entries - set(self.plain) - set(self.certain) - set(self.directed))

    def __str__(self) -> str:
        drawn = self.entries & set(self.plain)
        forced = self.entries & set(self.certain) - drawn
        searched = self.entries & set(self.directed) - drawn - forced
        return (
            f"{len(drawn):,} in plain families, {len(forced)} more with a phenomenon made certain, "
            f"{len(searched)} more by search"
        )


def reach(blueprint: Blueprint, *, seed: int, families: int, rounds: int = 4, jobs: int = 2) -> Reached:
    """Entries drawn in `families` plain families, in as many of each phenomenon, and in `rounds` of directed search."""
    entries = Phrasebook.of(blueprint).entries()
    settings = [GoldSettings(), *(GoldSettings(rates={"suspension": 1.0, name: 1.0}) for name in PHENOMENA)]
    directed: Counter[Entry] = Counter()
    with ProcessPoolExecutor(jobs) as pool:
        plain, *forced = pool.map(partial(_sample, blueprint, seed, families), settings)
        certain = sum(forced, Counter[Entry]())
        for number in range(rounds):
            left = entries - set(plain) - set(certain) - set(directed)
            tasks = [(group, part) for group in _groups(left).items() for part in _narrowed(blueprint, group[0])]
            directed = sum(pool.map(partial(_search, blueprint, seed + number), tasks), directed)
    return Reached(entries, plain, certain, directed)


def _sample(blueprint: Blueprint, seed: int, families: int, settings: GoldSettings) -> Counter[Entry]:
    found: Counter[Entry] = Counter()
    for index in range(1, families + 1):
        _observe(blueprint, blueprint, settings, seed, index, CHANGES[index % len(CHANGES)], found, 1)
    return found


def _search(blueprint: Blueprint, seed: int, task: tuple[tuple[str, set[Entry]], Blueprint]) -> Counter[Entry]:
    """Plans of one narrowed blueprint, until all that is wanted of its group of banks has come."""
    (group, wanted), part = task
    found: Counter[Entry] = Counter()
    index = 0
    for cast in blueprint.casts:
        if wanted <= set(found):
            break
        settings = list(_settings(len(cast.roles), group))
        one = replace(part, casts=(cast,))
        for _ in range(_PLANS):
            index += 1
            kind = CHANGES[index % len(CHANGES)] if len(cast.roles) > 2 else None
            _observe(blueprint, one, settings[(index + seed) % len(settings)], seed, index, kind, found, _SEEDS)
    return found


def _observe(
    whole: Blueprint,
    part: Blueprint,
    settings: GoldSettings,
    seed: int,
    index: int,
    kind: VariantKind | None,
    found: Counter[Entry],
    scripts: int,
) -> None:
    def observe(bank: str, line: str) -> None:
        found[bank, line] += 1

    try:
        plan = make_plan(part, settings, seed=seed, index=index, change=kind)
    except _FAILED:
        return
    if part is not whole and any(each.level == "error" for each in check(plan, whole)):
        return
    for number in range(scripts):
        try:
            script = write(plan, whole, recording="x-a", seed=seed + number, chars=CHARS, observe=observe)
            if isinstance(plan.change, Confirmation):
                for other in range(_AMENDED):
                    amend(plan, script, whole, recording="x-b", seed=seed + number + other, observe=observe)
        except _FAILED:
            continue


def _groups(entries: Iterable[Entry]) -> dict[str, set[Entry]]:
    """Entries by what their bank belongs to: `field:financing/term`, `obstacle:…`, or "" for the general ones."""
    groups: dict[str, set[Entry]] = {}
    for entry in entries:
        head, _, rest = entry[0].partition(":")
        groups.setdefault(f"{head}:{rest.partition(':')[0]}" if rest else "", set()).add(entry)
    return groups


def _narrowed(blueprint: Blueprint, group: str) -> Iterator[Blueprint]:
    """Blueprints in which a group's field, obstacle, condition, cause or distractor comes often."""
    kind, _, id = group.partition(":")
    if kind == "field":
        yield _fields(blueprint, (id,))
    elif kind == "distractor":
        yield replace(blueprint, distractors=tuple(each for each in blueprint.distractors if each.id == id))
    elif kind in ("obstacle", "condition", "cause"):
        parts = getattr(blueprint, kind + "s")
        part = next(each for each in parts if each.id == id)
        for field in part.fields:
            kept = tuple(each for each in parts if each.id == id or field not in each.fields)
            yield replace(_fields(blueprint, (field,)), **{kind + "s": kept})
    else:
        yield blueprint
        for field in blueprint.fields:
            yield _fields(blueprint, (field.key,))


def _fields(blueprint: Blueprint, keys: Sequence[str]) -> Blueprint:
    fields = (replace(each, weight=200 if each.key in keys else each.weight) for each in blueprint.fields)
    return replace(blueprint, fields=tuple(fields))


def _settings(size: int, group: str) -> Iterator[GoldSettings]:
    """Each phenomenon made certain in turn, with casts of one size."""
    speakers = {str(size): 1.0}
    rates = {"suspension": 1.0}
    if group.startswith("distractor"):
        rates["distractor_number"] = 1.0
    yield GoldSettings(speakers=speakers, rates=rates)
    for name in PHENOMENA:
        yield GoldSettings(speakers=speakers, rates={**rates, name: 1.0}, trajectories=(1, 2))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=20260131)
    parser.add_argument("--families", type=int, default=600)
    parser.add_argument("--rounds", type=int, default=4)
    options = parser.parse_args()
    found = reach(load("supply_chain"), seed=options.seed, families=options.families, rounds=options.rounds)
    print(f"{len(found.entries):,} phrases: {found}, {len(found.left)} never")
    for bank, line in found.left:
        print(f"  {bank} | {line}")
    return int(bool(found.left))


if __name__ == "__main__":
    sys.exit(main())
