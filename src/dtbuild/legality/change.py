"""Rules of the planned change of a pair: that B can be edited from A, is legal, and differs in gold."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from dtbuild.legality.chain import check_trajectory
from dtbuild.legality.table import Table
from dtbuild.legality.values import same
from dtbuild.legality.variant import edited
from dtbuild.records.blueprint import Blueprint
from dtbuild.records.plan import CLOSING, Change, Confirmation, Plan, Reassignment, Swap
from dtbuild.records.verdict import Finding, finding

_fault = partial(finding, "change")


def check_change(plan: Plan, change: Change, table: Table, blueprint: Blueprint) -> Iterator[Finding]:
    """Every reason why this change makes no pair. `where` is `change` or the id of an event."""
    match change:
        case Swap():
            found = list(_swap(plan, change, table))
        case Reassignment():
            found = list(_reassignment(plan, change, table))
        case Confirmation():
            found = list(_confirmation(plan, change, table))
    yield from found
    if not found:
        yield from _chains(plan, table, blueprint)


def _chains(plan: Plan, table: Table, blueprint: Blueprint) -> Iterator[Finding]:
    """What the rules of chains find in B and not in A."""
    other = edited(plan)
    edited_table = Table(blueprint, other.cast)
    before = {
        (each.code, each.where) for trajectory in plan.trajectories for each in check_trajectory(trajectory, table)
    }
    for trajectory in other.trajectories:
        for each in check_trajectory(trajectory, edited_table):
            if (each.code, each.where) not in before:
                yield _fault(each.where, f"the chain of B breaks {each.code}: {each.message}")


def _swap(plan: Plan, swap: Swap, table: Table) -> Iterator[Finding]:
    events = {event.id: event for _, _, event in plan.events()}
    if swap.giver == swap.taker or not {swap.giver, swap.taker} <= set(table.roles):
        yield _fault("change", "needs two persons of the cast", found=f"{swap.giver}, {swap.taker}")
        return
    if not swap.events:
        yield _fault("change", "names no event")
    for id in swap.events:
        if id not in events or events[id].person != swap.giver:
            yield _fault(id, f"is not an event of {swap.giver}")
    others = [event.person for event in events.values() if event.id not in swap.events]
    others += [each.person for each in plan.candidates] + [each.person for each in plan.distractors]
    for person in (swap.giver, swap.taker):
        if person not in others:
            yield _fault("change", f"{person} occurs nowhere but in the swapped events")


def _reassignment(plan: Plan, change: Reassignment, table: Table) -> Iterator[Finding]:
    pair = {change.one, change.other}
    if len(pair) < 2 or not pair <= set(table.roles):
        yield _fault("change", "needs two persons of the cast", found=f"{change.one}, {change.other}")
        return
    if table.roles[change.one] == table.roles[change.other]:
        yield _fault("change", "the two have the same role", found=table.roles[change.one])
    if not any(event.person in pair for _, _, event in plan.events()):
        yield _fault("change", "neither has an event: the gold of B would equal that of A")


def _confirmation(plan: Plan, change: Confirmation, table: Table) -> Iterator[Finding]:
    trajectory = next((t for t in plan.trajectories if any(e.id == change.event for e in t.events)), None)
    if trajectory is None or change.person not in table.roles:
        yield _fault("change", "needs an event and a person of the plan", found=f"{change.event}, {change.person}")
        return
    event = trajectory.events[-1]
    if event.id != change.event or event.action != "settle" or event.result not in CLOSING:
        yield _fault(change.event, "is not the approval or confirmation that ends its chain")
        return
    before = next((each for each in trajectory.events if each.id == event.predecessor), None)
    if before is None or before.action == "hold" or event.clears is not None:
        yield _fault(change.event, "needs an active chain before it, which is what B leaves")
    elif (before.value is None) != (event.value is None) or (
        before.value is not None and event.value is not None and not same(before.value, event.value)
    ):
        yield _fault(change.event, "settles another value than the one before it, which B would not have")
    elif change.person == event.person or table.may(table.roles[change.person], event.scope, "settle"):
        yield _fault(change.event, f"{change.person} may settle there: his words would have authority")
