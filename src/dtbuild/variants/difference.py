"""The difference between two recordings of a family, and whether it is the declared one and no other.

Gold is compared as it is scored: by speaker labels, which follow first speech and may move although persons stay
(and stay although persons move); ids of turns and recordings are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import NamedTuple

from msgspec.structs import replace

from dtbuild.fingerprint import canonical
from dtbuild.records.plan import Event, Plan, Trajectory
from dtbuild.records.script import Script, speakers
from dtbuild.records.variant import Diff, EventChange, PersonChange, TurnChange
from dtbuild.records.verdict import Finding, finding

_SCORED = ("action", "value", "scope", "predecessor", "result")
_turns_fault = partial(finding, "diff-turns")
_text_fault = partial(finding, "diff-text")
_gold_fault = partial(finding, "diff-gold")


class Expected(NamedTuple):
    """What a declared change is to differ in, and nothing else may.

    Turns go by number from 1. `persons` and `events` give (A, B); `reworded` turns must have other words, `words` may;
    `marks` are further turns whose spans or mentions may differ while the words stay. `parts` are names of other
    parts of plan and script that may differ (`plan.beats`).
    """

    persons: Mapping[int, tuple[str, str]]
    events: Mapping[str, tuple[str, str]]
    missing: frozenset[str] = frozenset()
    reworded: frozenset[int] = frozenset()
    words: frozenset[int] = frozenset()
    marks: frozenset[int] = frozenset()
    cast: tuple[PersonChange, ...] = ()
    parts: frozenset[str] = frozenset()


def difference(plan_a: Plan, script_a: Script, plan_b: Plan, script_b: Script) -> Diff:
    """Everything in which B differs from A."""
    labels_a, labels_b = speakers(script_a), speakers(script_b)
    return Diff(
        turns=tuple(_turns(script_a, script_b)),
        persons=tuple(_persons(plan_a, plan_b)),
        gold=tuple(_gold(plan_a, labels_a, plan_b, labels_b)),
        cast=tuple(_cast(plan_a, plan_b)),
        plan=_plan_parts(plan_a, plan_b),
        script=_script_parts(script_a, script_b),
        speakers=labels_a != labels_b,
    )


def undeclared(diff: Diff, expected: Expected) -> Iterator[Finding]:
    """Faults where the difference is not exactly the declared one."""
    yield from _wrong_turns(diff, expected)
    yield from _wrong_events(diff, expected)
    for change in diff.cast:
        if change not in expected.cast:
            yield finding("diff-cast", change.person, "role or title changes against the declaration", found=change)
    for change in expected.cast:
        if change not in diff.cast:
            yield finding("diff-cast", change.person, "does not change as declared", expected=change)
    for part in (*diff.plan, *diff.script):
        if part not in expected.parts:
            yield finding("diff-other", part, "differs between A and B and is not declared")
    if not diff.gold:
        yield finding("gold-equal", "gold", "the gold of B equals that of A", "a change that can be scored")


def _wrong_turns(diff: Diff, expected: Expected) -> Iterator[Finding]:
    changed = {change.number: change for change in diff.turns}
    texts = expected.reworded | expected.words
    for change in diff.turns:
        where = f"turn {change.number}"
        if change.text is not None and change.number not in texts:
            yield _text_fault(where, "texts of A and B differ", found=" | ".join(change.text))
        if change.spans and change.number not in texts | expected.marks:
            yield _text_fault(where, "spans or mentions of A and B differ")
        wanted = expected.persons.get(change.number)
        if change.person is not None and change.person != wanted:
            yield _turns_fault(
                where,
                "the speaker changes against the declaration",
                " → ".join(wanted) if wanted else "the same speaker",
                " → ".join(change.person),
            )
    for number in sorted(expected.persons):
        if number not in changed or changed[number].person is None:
            yield _turns_fault(f"turn {number}", "a declared turn did not move")
    for number in sorted(expected.reworded):
        if number not in changed or changed[number].text is None:
            yield _text_fault(f"turn {number}", "B says what A says where the change is", "other words")


def _wrong_events(diff: Diff, expected: Expected) -> Iterator[Finding]:
    for moved in diff.persons:
        if expected.events.get(moved.event) != (moved.a, moved.b):
            message = "the event's person changes against the declaration"
            yield _gold_fault(moved.event, message, found=f"{moved.a} → {moved.b}")
    for event in sorted(set(expected.events) - {each.event for each in diff.persons}):
        yield _gold_fault(event, "a declared event keeps its person")
    gone = {each.event for each in diff.gold if each.what == "missing"}
    for event in sorted(gone - expected.missing):
        yield _gold_fault(event, "is missing in B and not declared to be")
    for event in sorted(expected.missing - gone):
        yield _gold_fault(event, "is declared to be missing in B and is there")
    for each in diff.gold:
        if each.what not in ("missing", "speaker"):
            yield _gold_fault(each.event, f"its {each.what} changes, which no declaration allows", each.a, each.b)


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


def _cast(a: Plan, b: Plan) -> Iterator[PersonChange]:
    after = {person.id: person for person in b.cast}
    for person in a.cast:
        other = after.get(person.id)
        if other is None:
            continue
        change = PersonChange(
            person=person.id,
            role=(person.role, other.role) if person.role != other.role else None,
            title=(person.title, other.title) if person.title != other.title else None,
        )
        if change != PersonChange(person=person.id):
            yield change


def _plan_parts(a: Plan, b: Plan) -> tuple[str, ...]:
    """Names of the fields of the plan that differ beyond what the other lists of a diff tell."""
    both = {event.id for _, _, event in a.events()} & {event.id for _, _, event in b.events()}
    one, two = _blank(a, both), _blank(b, both)
    return tuple(f"plan.{name}" for name in Plan.__struct_fields__ if getattr(one, name) != getattr(two, name))


def _blank(plan: Plan, both: set[str]) -> Plan:
    """The plan without roles, persons of events, events that only one has, and the declaration."""
    trajectories = tuple(
        replace(
            trajectory,
            cycles=tuple(
                replace(cycle, events=tuple(replace(event, person="") for event in cycle.events if event.id in both))
                for cycle in trajectory.cycles
            ),
        )
        for trajectory in plan.trajectories
    )
    cast = tuple(replace(person, role="", title="") for person in plan.cast)
    return replace(plan, trajectories=trajectories, cast=cast, change=None)


def _script_parts(a: Script, b: Script) -> tuple[str, ...]:
    """Names of the fields of the script that differ; its cast is the plan's, which review holds."""
    told = {"recording", "turns", "spans", "mentions", "edited", "cast"}
    names = [name for name in Script.__struct_fields__ if name not in told]
    return tuple(f"script.{name}" for name in names if getattr(a, name) != getattr(b, name))
