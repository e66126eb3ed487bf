"""The plan of variant B, edited from that of A as its change says (spec, section 5, Variants)."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from dtbuild.records.plan import Change, Confirmation, Event, Plan, Reassignment, Swap, Trajectory


def edited(plan: Plan) -> Plan:
    """The plan of B, or the plan itself where it names no change; B has no change of its own."""
    if plan.change is None:
        return plan
    return replace(_edit(plan, plan.change), change=None)


def _edit(plan: Plan, change: Change) -> Plan:
    match change:
        case Swap(events=events, taker=taker):
            return _with_events(plan, lambda event: replace(event, person=taker) if event.id in events else event)
        case Reassignment():
            return _reassigned(plan, change)
        case Confirmation(event=gone):
            plan = _with_events(plan, lambda event: None if event.id == gone else event)
            return replace(plan, beats=tuple(beat for beat in plan.beats if beat.ref != gone))


def _reassigned(plan: Plan, change: Reassignment) -> Plan:
    one, other = plan.person(change.one), plan.person(change.other)
    to = {one.id: other.id, other.id: one.id}
    roles = {one.id: other, other.id: one}
    plan = _with_events(plan, lambda event: replace(event, person=to.get(event.person, event.person)))
    return replace(
        plan,
        cast=tuple(
            replace(person, role=roles[person.id].role, title=roles[person.id].title) if person.id in roles else person
            for person in plan.cast
        ),
        candidates=tuple(replace(each, person=to.get(each.person, each.person)) for each in plan.candidates),
        distractors=tuple(replace(each, person=to.get(each.person, each.person)) for each in plan.distractors),
    )


def _with_events(plan: Plan, change: Callable[[Event], Event | None]) -> Plan:
    return replace(plan, trajectories=tuple(_along(trajectory, change) for trajectory in plan.trajectories))


def _along(trajectory: Trajectory, change: Callable[[Event], Event | None]) -> Trajectory:
    return replace(
        trajectory,
        cycles=tuple(
            replace(cycle, events=tuple(made for event in cycle.events if (made := change(event)) is not None))
            for cycle in trajectory.cycles
        ),
    )
