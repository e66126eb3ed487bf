"""The mutation test: every kind of damage, many instances, judged as the pipeline judges; and the table of it."""

from __future__ import annotations

import itertools
import multiprocessing
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from dtbuild.blueprint.load import load
from dtbuild.fingerprint import canonical
from dtbuild.gold.phenomena import shown
from dtbuild.gold.rules import check as check_chains
from dtbuild.records.blueprint import Blueprint
from dtbuild.records.ids import recording_id
from dtbuild.records.plan import Plan
from dtbuild.records.script import Script
from dtbuild.records.verdict import Verdict
from dtbuild.review.neighbours import Neighbours
from dtbuild.review.rules import RULES, review
from dtbuild.script.amend import amend
from dtbuild.variants.change import Steps, make_variant
from text_bench.families import SCENARIO, good
from text_bench.kind import Damaged, Kind, Subject, strike
from text_bench.kinds import KINDS

ROUNDS = 4
"""How often a kind may strike one family, each time where another draw falls."""
WIDE = (1, 100_000)
"""The window of 汉字 for kinds that are not about length."""


class Row(NamedTuple):
    """What became of a kind: instances, how many were caught, found by rule, and found by one rule alone."""

    kind: Kind
    instances: int
    caught: int
    found: Counter[str]
    alone: Counter[str]
    missed: tuple[str, ...]


def codes(kind: Kind, subject: Subject, damaged: Damaged) -> frozenset[str]:
    """The rules that find a fault in what was damaged; warnings find nothing."""
    chars = subject.chars if kind.windowed else WIDE
    neighbours = None
    if kind.copy:
        neighbours = Neighbours(subject.blueprint)
        neighbours.add(subject.script)
    verdicts = [review(damaged.plan, damaged.script, subject.blueprint, chars=chars, neighbours=neighbours)]
    if kind.leak:
        verdicts += judged_b(subject, damaged)
    return frozenset(each.code for verdict in verdicts for each in verdict.findings if each.level == "error")


def rows(subjects: Sequence[Subject], kinds: Sequence[Kind], wanted: int, seed: int) -> list[Row]:
    """Every kind on drawn subjects, one instance a family, until `wanted` instances are found."""
    return [_row(kind, subjects, wanted, seed) for kind in kinds]


def matrix(folder: Path, chars: tuple[int, int], wanted: int, seed: int, jobs: int = 2) -> list[Row]:
    """`rows` of all kinds over the families in a folder, in `jobs` processes."""
    with multiprocessing.get_context("spawn").Pool(jobs, _set_up, (folder, chars)) as pool:
        return pool.map(partial(_work, wanted=wanted, seed=seed), range(len(KINDS)), chunksize=1)


def subjects_of(families: Sequence[tuple[Plan, Script]], blueprint: Blueprint, chars: tuple[int, int]) -> list[Subject]:
    return [Subject(plan, script, blueprint, chars) for plan, script in families]


def table(found: Sequence[Row]) -> str:
    """Kinds × rules: how many instances of a kind each rule found. Rules stand by the numbers of `rules_table`."""
    numbers = {code: number for number, code in enumerate(_order(found), 1)}
    width = max(len(row.kind.name) for row in found)
    head = "".join(f"{number:4}" for number in numbers.values())
    lines = [f"{'kind':{width}}   all caught{head}"]
    for row in found:
        cells = "".join(f"{row.found[code] or '':4}" for code in numbers)
        lines.append(f"{row.kind.name:{width}} {row.instances:5} {row.caught:6}{cells}")
    return "\n".join(lines)


def rules_table(found: Sequence[Row]) -> str:
    """For each rule the kinds of which some instance would slip through without it, with their number."""
    lines = ["| | rule | instances found | slips through without it |", "|---|---|---|---|"]
    for number, code in enumerate(_order(found), 1):
        alone = [f"{row.kind.name} {row.alone[code]}" for row in found if row.alone[code]]
        total = sum(row.found[code] for row in found)
        lines.append(f"| {number} | {code} | {total} | {', '.join(alone) or '—'} |")
    return "\n".join(lines)


def idle(found: Sequence[Row]) -> list[str]:
    """Rules of review that are never the only one to find an instance."""
    return [rule.code for rule in RULES if not any(row.alone[rule.code] for row in found)]


def _row(kind: Kind, subjects: Sequence[Subject], wanted: int, seed: int) -> Row:
    found, alone = Counter[str](), Counter[str]()
    caught, missed = 0, []
    instances = 0
    for subject, damaged in itertools.islice(_instances(kind, subjects, seed), wanted):
        by = codes(kind, subject, damaged)
        instances += 1
        caught += bool(by)
        found.update(by)
        alone.update(by if len(by) == 1 else ())
        if not by:
            missed.append(subject.plan.family)
    return Row(kind, instances, caught, found, alone, tuple(missed))


def _instances(kind: Kind, subjects: Sequence[Subject], seed: int) -> Iterator[tuple[Subject, Damaged]]:
    """Instances in a drawn order of families: one of each, then others of those that had one, none of them twice."""
    rest = random.Random(f"{seed}/{kind.name}").sample(range(len(subjects)), len(subjects))
    seen: set[bytes] = set()
    for turn in range(ROUNDS):
        struck = []
        for at in rest:
            damaged = strike(kind, subjects[at], seed + turn)
            if damaged is None:
                continue
            struck.append(at)
            known = canonical([damaged.plan, damaged.script])
            if known not in seen:
                seen.add(known)
                yield subjects[at], damaged
        rest = struck


def _order(found: Sequence[Row]) -> list[str]:
    own = [rule.code for rule in RULES]
    others = sorted({code for row in found for code in row.found} - set(own))
    return [*own, *others]


_subjects: list[Subject] = []


def _set_up(folder: Path, chars: tuple[int, int]) -> None:
    _subjects.extend(subjects_of(list(good(folder)), load(SCENARIO), chars))


def _work(number: int, wanted: int, seed: int) -> Row:
    return _row(KINDS[number], _subjects, wanted, seed)


def judged_b(subject: Subject, damaged: Damaged) -> tuple[Verdict, ...]:
    """The verdicts of the variant gate and of review on the B that follows from A's script."""
    blueprint, plan = subject.blueprint, damaged.plan
    recording = recording_id(plan.family, "b")
    return make_variant(
        plan,
        damaged.script,
        blueprint,
        recording=recording,
        steps=Steps(
            check_chains=check_chains,
            shown=shown,
            review=lambda p, s: review(p, s, blueprint, chars=WIDE),
            amend=lambda p, s: amend(p, s, blueprint, recording=recording, seed=plan.index),
        ),
    ).verdicts
