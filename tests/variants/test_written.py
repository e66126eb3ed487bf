"""Pairs of the offline writer: B differs from A as declared, and its gold is legal and different."""

from __future__ import annotations

from dtbuild.blueprint.load import load
from dtbuild.errors import DtbuildError
from dtbuild.gold.planner import plan as make_plan
from dtbuild.gold.rules import check
from dtbuild.gold.settings import GoldSettings
from dtbuild.records.ids import recording_id
from dtbuild.records.variant import Variant
from dtbuild.review.rules import review
from dtbuild.script.writer import write
from dtbuild.variants.swap import make_variant, moved_turns

SEED = 20260131
CHARS = (448, 940)


def _variants(groups: int) -> list[Variant]:
    blueprint = load("supply_chain")
    made = []
    for index in range(1, groups + 1):
        plan = make_plan(blueprint, GoldSettings(), seed=SEED, index=index, attempt=0, change="speaker_swap")
        try:
            script = write(plan, blueprint, recording=recording_id(plan.family, "a"), seed=SEED, chars=CHARS)
        except DtbuildError:
            continue
        if plan.change is None or review(plan, script, blueprint, chars=CHARS).outcome != "pass":
            continue
        variant = make_variant(
            plan,
            script,
            blueprint,
            recording=recording_id(plan.family, "b"),
            check_chains=check,
            review=lambda p, s: review(p, s, blueprint, chars=CHARS),
        )
        changed = {change.number for change in variant.diff.turns}
        assert changed == moved_turns(plan, script) != set()
        assert [turn.text for turn in variant.script.turns] == [turn.text for turn in script.turns]
        assert variant.diff.gold and not variant.diff.plan and not variant.diff.script
        made.append(variant)
    return made


def test_pairs_of_the_writer_hold_together() -> None:
    made = _variants(20)
    good = [variant for variant in made if all(verdict.outcome == "pass" for verdict in variant.verdicts)]
    assert len(made) >= 15
    # a pair that does not hold together is made again from the next sub-seed; most do at the first try
    assert len(good) >= 0.7 * len(made)
