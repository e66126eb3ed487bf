"""Undamaged scripts that review refuses at the first try, and how often the phenomena come that were asked for."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from dtbuild.blueprint.load import load
from dtbuild.gold.phenomena import coverage
from dtbuild.pipeline import resolve
from dtbuild.review.rules import review
from text_bench.families import SCENARIO, Tried
from text_bench.report import Figure

PASS = 0.95
POINTS = 0.02
TESTS = Path(__file__).parents[2] / "tests"


def alarms(tried: Sequence[Tried], families: int) -> list[Figure]:
    """The share of scripts, A and B counted singly, that pass at the first try of their family."""
    first = [each for each in tried if each.attempt == 0 and each.plan is not None]
    good_a = sum(each.verdict is not None and each.verdict.outcome == "pass" for each in first)
    # B is made where A passed; a family whose A is refused loses its B with it
    pairs = [each for each in first if each.plan is not None and each.plan.change is not None]
    good_b = sum(each.passed for each in pairs)
    refused = Counter[str]()
    for each in first:
        refused.update(_codes(each))
    refused["planner or writer"] = sum(each.verdict is None for each in first) + families - len(first)
    share = (good_a + good_b) / (families + len(pairs))
    found = ", ".join(f"{code} {count}" for code, count in refused.most_common() if count) or "none"
    admitted = len({each.family for each in tried if each.passed})
    return [
        Figure(
            "scripts that pass at the first try",
            f"{share:.1%} (A {good_a} of {families}, B {good_b} of {len(pairs)}; refused: {found})",
            f">= {PASS:.0%}",
            share >= PASS,
            small=True,
        ),
        Figure("families that pass at last", f"{admitted} of {families}", "all", admitted == families),
        sample(),
    ]


def sample() -> Figure:
    """The sample dialogue as data: its plan and script are files of the tests, its scenario is built there."""
    sys.path.append(str(TESTS))
    from review.sample import blueprint  # type: ignore[import-not-found]
    from review.sample import sample as dialogue

    plan, script = dialogue()
    verdict = review(plan, script, blueprint())
    codes = ", ".join(finding.code for finding in verdict.findings) or "no finding"
    return Figure(
        "the sample dialogue as data", f"{verdict.outcome}, {codes}", "pass", verdict.outcome == "pass", small=True
    )


def phenomena(tried: Sequence[Tried]) -> list[Figure]:
    """Share of admitted plans that show each phenomenon, beside the share that the settings ask for."""
    plans = {each.family: each.plan for each in tried if each.passed and each.plan is not None}
    settings = resolve(scenario=SCENARIO).gold
    figures = []
    for name, rate in coverage(plans.values(), load(SCENARIO)).items():
        wanted = settings.rate(name)
        figures.append(
            Figure(
                f"{name}",
                f"{rate.share:.1%}",
                f"{wanted:.0%} ± {POINTS:.0%}",
                abs(rate.share - wanted) <= POINTS,
            )
        )
    return figures


def _codes(tried: Tried) -> frozenset[str]:
    verdicts = [tried.verdict] if tried.verdict else []
    verdicts += tried.variant.verdicts if tried.variant else ()
    return frozenset(each.code for verdict in verdicts for each in verdict.findings if each.level == "error")
