"""Scripts of the offline writer: undamaged ones pass, and each kind of damage is found in them by its own rule."""

from __future__ import annotations

from functools import cache

import pytest

from dtbuild.blueprint.load import load
from dtbuild.errors import DtbuildError
from dtbuild.gold.planner import plan as make_plan
from dtbuild.gold.settings import GoldSettings
from dtbuild.lexicon.characters import hanzi_in
from dtbuild.records.blueprint import Blueprint
from dtbuild.records.ids import recording_id
from dtbuild.records.plan import Plan
from dtbuild.records.script import Script
from dtbuild.review.neighbours import LIMIT, Neighbours
from dtbuild.review.rules import counts, review
from dtbuild.script.writer import write
from review.damage import KINDS
from review.damage_talk import too_short
from review.damage_tools import Kind

SEED = 20260131
CHARS = (448, 940)


def _hanzi(script: Script) -> int:
    return sum(hanzi_in(turn.text) for turn in script.turns)


@cache
def _blueprint() -> Blueprint:
    return load("supply_chain")


@cache
def written(groups: int) -> tuple[tuple[Plan, Script], ...]:
    found = []
    blueprint = _blueprint()
    for index in range(1, groups + 1):
        plan = make_plan(blueprint, GoldSettings(), seed=SEED, index=index, attempt=0, change="speaker_swap" if index % 2 == 0 else None)
        try:
            script = write(plan, blueprint, recording=recording_id(plan.family, "a"), seed=SEED, chars=CHARS)
        except DtbuildError:
            # the writer may refuse a plan; the pipeline then takes the next sub-seed
            continue
        found.append((plan, script))
    return tuple(found)


@cache
def _passing(groups: int) -> tuple[tuple[Plan, Script], ...]:
    return tuple(pair for pair in written(groups) if review(*pair, _blueprint(), chars=CHARS).outcome == "pass")


def _found(kind: Kind, code: str, groups: int) -> tuple[int, list[str]]:
    """How many scripts took the damage, and the families in which its rule missed it."""
    blueprint = _blueprint()
    hurt, missed = 0, []
    for plan, script in _passing(groups):
        damaged = kind(plan, script)
        if damaged is None:
            continue
        hurt += 1
        low = _hanzi(script) if kind is too_short else CHARS[0] // 2
        if not counts(review(*damaged, blueprint, chars=(low, 2 * CHARS[1])))[code]:
            missed.append(plan.family)
    return hurt, missed


def test_most_scripts_pass_at_the_first_try() -> None:
    assert len(_passing(20)) >= 19


@pytest.mark.parametrize(("kind", "code"), KINDS, ids=[f"{kind.__name__}-{code}" for kind, code in KINDS])
def test_damage_is_found(kind: Kind, code: str) -> None:
    hurt, missed = _found(kind, code, 6)
    assert hurt and not missed


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "code"), KINDS, ids=[f"{kind.__name__}-{code}" for kind, code in KINDS])
def test_damage_is_found_in_many(kind: Kind, code: str) -> None:
    hurt, missed = _found(kind, code, 160)
    assert hurt >= 50 and not missed


@pytest.mark.slow
def test_groups_differ() -> None:
    index = Neighbours(_blueprint())
    nearest = 0.0
    for _, script in written(120):
        match = index.closest(index.shingles(script))
        nearest = max(nearest, match.jaccard if match else 0.0)
        index.add(script)
    assert 0.0 < nearest <= LIMIT
