"""Variant B of a family: the plan is edited first, then A's script follows; then B is judged.

B's script is A's with the edits of its kind (`swap`, `reassign`, `confirm`), never a second writing, so a script that
was edited by hand stays edited. `make_variant` judges it: the difference is the declared one and no other, gold
differs, the chains are legal, the talk is coherent, and the whole script passes review again. Rules: spec, section 5,
Variants.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from dtbuild.errors import Incomplete
from dtbuild.fingerprint import digest
from dtbuild.legality.variant import edited
from dtbuild.records.blueprint import Blueprint
from dtbuild.records.plan import Change, Confirmation, Plan, Reassignment, Swap
from dtbuild.records.script import Script
from dtbuild.records.variant import Variant, kind_of
from dtbuild.records.verdict import Finding, Verdict, outcome_of
from dtbuild.variants import confirm, reassign, swap
from dtbuild.variants.coherence_confirm import unconfirmed_talk
from dtbuild.variants.coherence_roles import reassigned_talk
from dtbuild.variants.coherence_swap import swapped_talk
from dtbuild.variants.difference import Expected, difference, undeclared
from dtbuild.variants.turns import renumbered

GATE = "variant"
REVIEWER = "rules/1"


class Steps(NamedTuple):
    """What making a variant needs of other steps, which do not import each other.

    `check_chains` judges a plan, `shown` names the phenomena a plan shows, `review` judges a script, and `amend` gives
    A's script with the words of B in the turns of a confirmation change (move `confirm:<event>…`).
    """

    check_chains: Callable[[Plan, Blueprint], Iterable[Finding]]
    shown: Callable[[Plan, Blueprint], frozenset[str]]
    review: Callable[[Plan, Script], Verdict]
    amend: Callable[[Plan, Script], Script]


def make_variant(plan: Plan, script: Script, blueprint: Blueprint, *, recording: str, steps: Steps) -> Variant:
    """B of a family whose plan declares a change, with the verdicts of the variant gate and of review, in this order.

    Raises Incomplete when the plan declares none, or one that names an event or person it does not have; and whatever
    `steps.amend` raises where no words fit.
    """
    change = declared(plan)
    plan_b = plan_of_b(plan, blueprint, steps.shown)
    script_b = renumbered(_edited(plan, script, change, blueprint, steps.amend), recording)
    diff = difference(plan, script, plan_b, script_b)
    findings: list[Finding] = [
        *undeclared(diff, _expected(plan, script, change, blueprint)),
        *steps.check_chains(plan_b, blueprint),
        *_talk(plan, script, script_b, blueprint, change),
    ]
    verdict = Verdict(
        gate=GATE,
        subject=script_b.recording,
        reviewer=REVIEWER,
        outcome=outcome_of(findings),
        inputs=judged(plan, script, plan_b, script_b),
        findings=tuple(findings),
    )
    return Variant(
        kind=kind_of(change),
        family=plan.family,
        declared=change,
        plan=plan_b,
        script=script_b,
        diff=diff,
        verdicts=(verdict, steps.review(plan_b, script_b)),
    )


def plan_of_b(plan: Plan, blueprint: Blueprint, shown: Callable[[Plan, Blueprint], frozenset[str]]) -> Plan:
    """The edited plan, without the names of phenomena that went with what B leaves out."""
    plan_b = edited(plan)
    left = shown(plan_b, blueprint)
    return replace(plan_b, phenomena=tuple(name for name in plan_b.phenomena if name in left))


def declared(plan: Plan) -> Change:
    """The plan's change. Raises Incomplete where there is none, or where it names what the plan does not have."""
    change = plan.change
    if change is None:
        raise Incomplete(f"variant B of {plan.family}", expected="a change in the plan", found="none")
    known = {event.id for _, _, event in plan.events()} | {person.id for person in plan.cast}
    named = [
        name for value in msgspec.structs.astuple(change) for name in ((value,) if isinstance(value, str) else value)
    ]
    unknown = sorted(set(named) - known)
    if unknown:
        raise Incomplete(
            f"variant B of {plan.family}", expected="events and people of the plan", found=", ".join(unknown)
        )
    return change


def undeclared_in(plan: Plan, script: Script, plan_b: Plan, script_b: Script, blueprint: Blueprint) -> list[Finding]:
    """Where a B that stands already differs from A in other than A's plan declares. Raises as `declared` does."""
    expected = _expected(plan, script, declared(plan), blueprint)
    return [*undeclared(difference(plan, script, plan_b, script_b), expected)]


def judged(plan_a: Plan, script_a: Script, plan_b: Plan, script_b: Script) -> str:
    """Fingerprint of what the variant gate judges."""
    return digest([plan_a, script_a, plan_b, script_b])


def _edited(
    plan: Plan, script: Script, change: Change, blueprint: Blueprint, amend: Callable[[Plan, Script], Script]
) -> Script:
    match change:
        case Swap():
            return swap.swapped(script, change)
        case Reassignment():
            return reassign.reassigned(plan, script, change, blueprint)
        case Confirmation():
            return confirm.unconfirmed(plan, amend(plan, script), change)


def _expected(plan: Plan, script: Script, change: Change, blueprint: Blueprint) -> Expected:
    match change:
        case Swap():
            return swap.expected(script, change)
        case Reassignment():
            return reassign.expected(plan, script, change, blueprint)
        case Confirmation():
            return confirm.expected(plan, script, change)


def _talk(plan: Plan, a: Script, b: Script, blueprint: Blueprint, change: Change) -> Iterator[Finding]:
    match change:
        case Swap():
            yield from swap.rights(plan, change, blueprint)
            yield from swapped_talk(plan, a, b, blueprint, change, swap.moved_turns(a, change))
        case Reassignment():
            yield from reassigned_talk(plan, a, b, blueprint, change)
        case Confirmation():
            yield from unconfirmed_talk(plan, a, b, blueprint, change)
