"""Whether the recordings of a family belong together: B is A but for the declared change, in gold, text and sound."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping

import msgspec

from dtbuild.records.cohort import Gold, Manifest
from dtbuild.records.plan import Plan
from dtbuild.records.script import Script
from dtbuild.records.variant import kind_of
from dtbuild.records.verdict import Finding, finding
from dtbuild.release.chains import answer, plan_of
from dtbuild.release.folder import MANIFEST
from dtbuild.release.pairs import pair_of

Undeclared = Callable[[Plan, Script, Plan, Script], Iterable[Finding]]
"""Where B (plan and script) differs from A (plan and script) in other than A's plan declares."""
_ROUNDING = 1
"""Microseconds that the length of one take may differ by, from where it stands."""


def families(
    manifest: Manifest,
    golds: Mapping[str, Gold],
    scripts: Mapping[str, Script],
    plans: Mapping[str, Plan],
    undeclared: Undeclared,
) -> Iterator[Finding]:
    """Faults of families and pairs; `golds` and `scripts` go by recording, `plans` by family: what could be read."""
    members: dict[str, dict[str, str]] = {}
    for entry in manifest.recordings:
        members.setdefault(entry.family, {})[entry.variant] = entry.recording
    stated = {pair.family: pair for pair in manifest.pairs}
    for family, variants in members.items():
        where, plan = f"{MANIFEST} {family}", plans.get(family)
        if "a" not in variants:
            yield finding("family", where, "has no variant A", f"{family}-a", ", ".join(variants.values()))
        if plan is not None and plan.change is not None and "b" not in variants:
            yield finding("pair", where, "its plan declares a variant B", f"{family}-b", "none")
        if ("b" in variants) != (family in stated):
            yield finding("pair", where, "pairs and recordings disagree", "a pair with both", sorted(variants))
        if not {"a", "b"} <= variants.keys():
            continue
        gold = [golds.get(variants[variant]) for variant in "ab"]
        script = [scripts.get(variants[variant]) for variant in "ab"]
        if gold[0] is None or gold[1] is None or script[0] is None or script[1] is None:
            continue
        yield from _pair(manifest, where, (gold[0], script[0]), (gold[1], script[1]), plan)
        if plan is not None and plan.change is not None:
            one, other = plan_of(gold[0], plan), plan_of(gold[1], plan)
            for each in undeclared(one, script[0], other, script[1]):
                place = f"scripts/{script[1].recording}.json {each.where}"
                yield msgspec.structs.replace(each, code=f"pair.{each.code}", where=place)
    for family in sorted(stated.keys() - members.keys()):
        yield finding("pair", f"{MANIFEST} {family}", "a pair without recordings", "both variants", "neither")
    for withheld in manifest.withheld:
        if withheld.family in members:
            released = ", ".join(members[withheld.family].values())
            place = f"{MANIFEST} {withheld.family}"
            yield finding("family", place, "is withheld and released", "neither variant", released)


def _pair(
    manifest: Manifest, where: str, one: tuple[Gold, Script], other: tuple[Gold, Script], plan: Plan | None
) -> Iterator[Finding]:
    (a, script_a), (b, script_b) = one, other
    if answer(a) == answer(b):
        yield finding("pair", where, "both variants have the same answer", "gold that differs", "equal gold")
    persons = [{(s.person, s.name, s.gender, s.voice) for s in gold.speakers} for gold in (a, b)]
    if persons[0] != persons[1]:
        apart = sorted(map(str, persons[0] ^ persons[1]))
        yield finding("pair", where, "persons, names, genders and voices", "the same in A and B", "; ".join(apart))
    yield from _takes(where, one, other)
    stated = next((pair for pair in manifest.pairs if pair.family == a.family), None)
    if stated is None:
        return
    real = pair_of(a, b, script_a, script_b, stated.factor)
    planned = None if plan is None or plan.change is None else kind_of(plan.change)
    if planned is not None and stated.factor != planned:
        yield finding("pair", where, "the stated factor is not the planned one", planned, stated.factor)
    if stated != real:
        yield finding("pair", where, "the stated difference is not the real one", real.changes, stated.changes)


def _takes(where: str, one: tuple[Gold, Script], other: tuple[Gold, Script]) -> Iterator[Finding]:
    """Turns of the same person and words share one take, so they last equally long."""
    first, second = (_lengths(*each) for each in (one, other))
    for key in first.keys() & second.keys():
        (turn_a, long_a), (turn_b, long_b) = first[key], second[key]
        if abs(long_a - long_b) > _ROUNDING:
            message = f"{turn_b} does not last as long as {turn_a}, the same words by the same person"
            yield finding("pair", where, message, f"{long_a} µs", f"{long_b} µs")


def _lengths(gold: Gold, script: Script) -> dict[tuple[str, str, int], tuple[str, int]]:
    """Turn and length by person, words and occurrence."""
    windows = {turn.turn: turn.window for turn in gold.turns}
    seen: Counter[tuple[str, str]] = Counter()
    found = {}
    for turn in script.turns:
        key = (turn.person, turn.text)
        seen[key] += 1
        if turn.id in windows:
            found[(*key, seen[key])] = (turn.id, windows[turn.id].length_us)
    return found
