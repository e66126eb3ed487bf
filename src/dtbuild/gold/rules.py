"""The check of a plan before anything is written from it: legal chains, and every planned phenomenon there."""

from __future__ import annotations

from dtbuild.gold.phenomena import PHENOMENA, shown
from dtbuild.legality import plan as legality
from dtbuild.records.blueprint import Blueprint
from dtbuild.records.ids import family_id
from dtbuild.records.plan import Plan
from dtbuild.records.verdict import Finding


def check(plan: Plan, blueprint: Blueprint) -> list[Finding]:
    """Every breach of `dtbuild.legality`, and every phenomenon named as planned that the plan does not show."""
    found = legality.check(plan, blueprint)
    if plan.family != family_id(blueprint.code, plan.index):
        found.append(
            Finding(
                code="family",
                where="family",
                message="not the id of this scenario and index",
                expected=family_id(blueprint.code, plan.index),
                found=plan.family,
            )
        )
    if any(finding.code == "unknown_field" for finding in found):
        return found
    there = shown(plan, blueprint)
    for name in plan.phenomena:
        if name not in there:
            why = "planned but not shown" if name in PHENOMENA else "no such phenomenon"
            found.append(Finding(code="phenomenon", where=name, message=why))
    return found
