"""Variants made in tests: with stand-ins for the other steps, or with the real ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec.structs import replace

from dtbuild.gold.phenomena import shown
from dtbuild.gold.rules import check
from dtbuild.records.blueprint import Blueprint
from dtbuild.records.ids import recording_id
from dtbuild.records.plan import Plan
from dtbuild.records.script import Script, Turn
from dtbuild.records.variant import Variant
from dtbuild.records.verdict import Finding, Verdict
from dtbuild.review.rules import review
from dtbuild.script.amend import amend
from dtbuild.variants.change import Steps, make_variant

SEED = 20260131
CHARS = (448, 940)


def made(
    plan: Plan,
    script: Script,
    blueprint: Blueprint,
    *,
    check_chains: Callable[[Plan, Blueprint], Iterable[Finding]] = lambda plan, blueprint: (),
    words: Callable[[Plan, Script], Script] = lambda plan, script: script,
) -> Variant:
    """B with reviewers that pass everything, so that only what the gate itself finds counts; `words` amends."""
    steps = Steps(check_chains=check_chains, shown=lambda plan, _: frozenset(plan.phenomena), review=_pass, amend=words)
    return make_variant(plan, script, blueprint, recording=recording_id(plan.family, "b"), steps=steps)


def really_made(plan: Plan, script: Script, blueprint: Blueprint, *, chars: tuple[int, int] = CHARS) -> Variant:
    """B as the pipeline makes it."""
    recording = recording_id(plan.family, "b")
    steps = Steps(
        check_chains=check,
        shown=shown,
        review=lambda p, s: review(p, s, blueprint, chars=chars),
        amend=lambda p, s: amend(p, s, blueprint, recording=recording, seed=SEED),
    )
    return make_variant(plan, script, blueprint, recording=recording, steps=steps)


def codes(variant: Variant) -> set[str]:
    """What the variant gate found."""
    return {finding.code for finding in variant.verdicts[0].findings}


def turned(script: Script, number: int, **change: str) -> Script:
    """The script with one turn changed, by its number from 1."""
    turns: list[Turn] = list(script.turns)
    turns[number - 1] = replace(turns[number - 1], **change)
    return replace(script, turns=tuple(turns))


def _pass(_: Plan, judged: Script) -> Verdict:
    return Verdict(gate="script", subject=judged.recording, reviewer="stub", outcome="pass", inputs="")
