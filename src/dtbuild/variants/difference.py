"""The difference between two recordings of a family, and whether it is the declared one and no other.

Gold is compared as it is scored: by speaker labels, which follow first speech and may move although persons stay
(and stay although persons move); ids of turns and recordings are left out.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from dtbuild.fingerprint import canonical
from dtbuild.records.plan import Event, Plan, Swap, Trajectory
from dtbuild.records.script import Script, speakers
from dtbuild.records.variant import Diff, EventChange, TurnChange
from dtbuild.records.verdict import Finding

_SCORED = ("action", "value", "scope", "predecessor", "result")


def difference(plan_a: Plan, script_a: Script, plan_b: Plan, script_b: Script) -> Diff:
    """Everything in which B differs from A."""
    labels_a, labels_b = speakers(script_a), speakers(script_b)
    return Diff(
        turns=tuple(_turns(script_a, script_b)),
        persons=tuple(_persons(plan_a, plan_b)),
        gold=tuple(_gold(plan_a, labels_a, plan_b, labels_b)),
        plan=_plan_parts(plan_a, plan_b),
        script=_script_parts(script_a, script_b),
        speakers=labels_a != labels_b,
    )


def undeclared(diff: Diff, declared: Swap, moved: frozenset[int]) -> Iterator[Finding]:
    """Faults where the difference is not exactly the declared swap; `moved` are the numbers of its turns, from 1."""
    wanted = (declared.giver, declared.taker)
    for change in diff.turns:
        where = f"turn {change.number}"
        if change.text is not None:
            yield Finding(
                code="diff-text",
                where=where,
                message="texts of A and B differ",
                found=" | ".join(change.text),
            )
        if change.spans:
            yield Finding(code="diff-text", where=where, message="spans or mentions of A and B differ")
        if change.person is not None and (change.number not in moved or change.person != wanted):
            yield Finding(
                code="diff-turns",
                where=where,
                message="the speaker changes against the declaration",
                expected=" → ".join(wanted) if change.number in moved else "the same speaker",
                found=" → ".join(change.person),
            )
    stayed = moved - {change.number for change in diff.turns if change.person is not None}
    for number in sorted(stayed):
        yield Finding(code="diff-turns", where=f"turn {number}", message="a declared turn did not move")
    for moved_event in diff.persons:
        if moved_event.event not in declared.events or (moved_event.a, moved_event.b) != wanted:
            yield Finding(
                code="diff-gold",
                where=moved_event.event,
                message="the event's person changes against the declaration",
                found=f"{moved_event.a} → {moved_event.b}",
            )
    for event in sorted(set(declared.events) - {each.event for each in diff.persons}):
        yield Finding(code="diff-gold", where=event, message="a declared event keeps its person")
    for part in (*diff.plan, *diff.script):
        yield Finding(code="diff-other", where=part, message="differs between A and B and is not declared")
    if not diff.gold:
        yield Finding(
            code="gold-equal",
            where="gold",
            message="the gold of B equals that of A",
            expected="a change that can be scored",
        )


def _turns(a: Script, b: Script) -> Iterator[TurnChange]:
    marks_a, marks_b = _marks(a), _marks(b)
    for at in range(max(len(a.turns), len(b.turns))):
        one = a.turns[at] if at < len(a.turns) else None
        two = b.turns[at] if at < len(b.turns) else None
        person = (one.person if one else "", two.person if two else "")
        text = (one.text if one else "", two.text if two else "")
        change = TurnChange(
            number=at + 1,
            person=person if person[0] != person[1] else None,
            text=text if text[0] != text[1] else None,
            spans=marks_a.get(at, []) != marks_b.get(at, []),
        )
        if change != TurnChange(number=at + 1):
            yield change


def _marks(script: Script) -> dict[int, list[bytes]]:
    number = {turn.id: at for at, turn in enumerate(script.turns)}
    found: dict[int, list[bytes]] = {}
    for span in script.spans:
        found.setdefault(number.get(span.turn, -1), []).append(canonical(replace(span, turn="")))
    for mention in script.mentions:
        found.setdefault(number.get(mention.turn, -1), []).append(canonical(replace(mention, turn="")))
    return found


def _persons(a: Plan, b: Plan) -> Iterator[EventChange]:
    people_b = {event.id: event.person for _, _, event in b.events()}
    for _, _, event in a.events():
        if event.id in people_b and people_b[event.id] != event.person:
            yield EventChange(event=event.id, what="person", a=event.person, b=people_b[event.id])


def _gold(a: Plan, labels_a: dict[str, str], b: Plan, labels_b: dict[str, str]) -> Iterator[EventChange]:
    events_b = {event.id: (trajectory, event) for trajectory, _, event in b.events()}
    seen: set[str] = set()
    for trajectory, _, event in a.events():
        seen.add(event.id)
        if event.id not in events_b:
            yield EventChange(event=event.id, what="missing")
            continue
        other_trajectory, other = events_b[event.id]
        one, two = _scored(trajectory, event, labels_a), _scored(other_trajectory, other, labels_b)
        for what in one:
            if one[what] != two[what]:
                yield EventChange(event=event.id, what=what, a=one[what], b=two[what])
    for id in events_b:
        if id not in seen:
            yield EventChange(event=id, what="extra")


def _scored(trajectory: Trajectory, event: Event, labels: dict[str, str]) -> dict[str, str]:
    parts = {"field": f"{trajectory.key}/{trajectory.instance}", "speaker": labels.get(event.person, "")}
    return parts | {name: canonical(getattr(event, name)).decode() for name in _SCORED}


def _plan_parts(a: Plan, b: Plan) -> tuple[str, ...]:
    """Names of the fields of the plan that differ; persons of events and the declaration itself are left out."""
    one, two = _blank(a), _blank(b)
    return tuple(f"plan.{name}" for name in Plan.__struct_fields__ if getattr(one, name) != getattr(two, name))


def _blank(plan: Plan) -> Plan:
    trajectories = tuple(
        replace(
            trajectory,
            cycles=tuple(
                replace(cycle, events=tuple(replace(event, person="") for event in cycle.events))
                for cycle in trajectory.cycles
            ),
        )
        for trajectory in plan.trajectories
    )
    return replace(plan, trajectories=trajectories, change=None)


def _script_parts(a: Script, b: Script) -> tuple[str, ...]:
    names = [
        name for name in Script.__struct_fields__ if name not in {"recording", "turns", "spans", "mentions", "edited"}
    ]
    return tuple(f"script.{name}" for name in names if getattr(a, name) != getattr(b, name))
