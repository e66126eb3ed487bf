"""Variant B by speaker swap: named events move to another person with the same rights.

The plan is edited first and B's script follows from it: the trigger turns of the moved events, and turns whose
move is `swap:<event id>`, go from giver to taker; ids of recording and turns become B's; all else is byte-equal.
`make_variant` then judges B: the difference is the declared one and no other, gold differs, the chains are legal,
the talk is coherent, and the whole script passes review again. Rules: spec, section 5, Variants.

A further kind of variant is one more function from (plan, script) to (plan, script) with its declaration, judged
by the same parts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from msgspec.structs import replace

from dtbuild.errors import Incomplete
from dtbuild.fingerprint import digest
from dtbuild.legality.variant import edited
from dtbuild.records.blueprint import Blueprint
from dtbuild.records.ids import turn_id
from dtbuild.records.plan import Plan, Swap
from dtbuild.records.script import Script
from dtbuild.records.variant import Variant
from dtbuild.records.verdict import Finding, Verdict, outcome_of
from dtbuild.variants.coherence import coherence
from dtbuild.variants.difference import difference, undeclared

GATE = "variant"
REVIEWER = "rules/1"
PREFIX = "swap:"


def make_variant(
    plan: Plan,
    script: Script,
    blueprint: Blueprint,
    *,
    recording: str,
    check_chains: Callable[[Plan, Blueprint], Iterable[Finding]],
    review: Callable[[Plan, Script], Verdict],
) -> Variant:
    """B of a family whose plan declares a swap, with the verdicts of the variant gate and of review, in this order.

    `check_chains` and `review` are handed in: steps do not import each other. Raises Incomplete when the
    plan declares no swap, or one that names an event or person it does not have.
    """
    declared = _declared(plan)
    plan_b, script_b = swap(plan, script, recording=recording)
    diff = difference(plan, script, plan_b, script_b)
    moved = moved_turns(plan, script)
    findings: list[Finding] = [
        *undeclared(diff, declared, moved),
        *_rights(plan, declared, blueprint),
        *check_chains(plan_b, blueprint),
        *coherence(plan, script, script_b, blueprint, declared, moved),
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
        kind="speaker_swap",
        family=plan.family,
        declared=declared,
        plan=plan_b,
        script=script_b,
        diff=diff,
        verdicts=(verdict, review(plan_b, script_b)),
    )


def swap(plan: Plan, script: Script, *, recording: str) -> tuple[Plan, Script]:
    """The plan and script of B: nothing is judged here, but a swap that the plan cannot carry raises Incomplete."""
    return swap_plan(plan), _follow(plan, script, recording)


def swap_plan(plan: Plan) -> Plan:
    """The plan with the declared events moved from giver to taker; B declares no swap of its own."""
    _declared(plan)
    return edited(plan)


def moved_turns(plan: Plan, script: Script) -> frozenset[int]:
    """Numbers, from 1, of the turns that the declared swap moves."""
    declared = _declared(plan)
    triggers = {script.trigger(event) for event in declared.events}
    return frozenset(
        number
        for number, turn in enumerate(script.turns, 1)
        if turn.id in triggers or _moves_with(turn.move) in declared.events
    )


def judged(plan_a: Plan, script_a: Script, plan_b: Plan, script_b: Script) -> str:
    """Fingerprint of what the variant gate judges."""
    return digest([plan_a, script_a, plan_b, script_b])


def _declared(plan: Plan) -> Swap:
    if not isinstance(plan.change, Swap):
        raise Incomplete(f"variant B of {plan.family}", expected="a swap in the plan", found="none")
    events = {event.id for _, _, event in plan.events()}
    people = {person.id for person in plan.cast}
    unknown = sorted({*plan.change.events} - events) + sorted({plan.change.giver, plan.change.taker} - people)
    if unknown:
        raise Incomplete(
            f"variant B of {plan.family}", expected="events and people of the plan", found=", ".join(unknown)
        )
    return plan.change


def _follow(plan: Plan, script: Script, recording: str) -> Script:
    declared, moved = _declared(plan), moved_turns(plan, script)
    ids = {turn.id: turn_id(recording, number) for number, turn in enumerate(script.turns, 1)}
    return replace(
        script,
        recording=recording,
        turns=tuple(
            replace(turn, id=ids[turn.id], person=declared.taker if number in moved else turn.person)
            for number, turn in enumerate(script.turns, 1)
        ),
        spans=tuple(replace(span, turn=ids.get(span.turn, span.turn)) for span in script.spans),
        mentions=tuple(replace(mention, turn=ids.get(mention.turn, mention.turn)) for mention in script.mentions),
    )


def _moves_with(move: str) -> str | None:
    """The event that a turn's move ties it to: `swap:e3` and `swap:e3:why` are tied to e3."""
    return move[len(PREFIX) :].split(":")[0] if move.startswith(PREFIX) else None


def _rights(plan: Plan, declared: Swap, blueprint: Blueprint) -> Iterator[Finding]:
    """Giver holds the events before, and the taker has the same rights in each event's scope."""
    giver, taker = plan.person(declared.giver), plan.person(declared.taker)
    for id in declared.events:
        event = plan.event(id)
        if event.person != giver.id:
            yield Finding(
                code="swap-giver",
                where=id,
                message="not the giver's event",
                expected=giver.id,
                found=event.person,
            )
        if not blueprint.may(taker.role, event.scope, event.action):
            yield Finding(
                code="swap-rights",
                where=id,
                message=f"{taker.name} ({taker.role}) may not {event.action} in scope {event.scope}",
                expected=f"the rights of {giver.name} ({giver.role})",
            )
