"""Rules of one trajectory: transitions, predecessors, authority, values, what moves a chain (spec, 1 and 5)."""

from __future__ import annotations

from collections.abc import Iterator

from dtbuild.legality.table import Table
from dtbuild.legality.transitions import From, refusal
from dtbuild.legality.values import misfit, same
from dtbuild.records.blueprint import Field
from dtbuild.records.plan import CLOSING, Event, Trajectory, state_after
from dtbuild.records.values import Status, Value
from dtbuild.records.verdict import Finding, finding


def check_trajectory(trajectory: Trajectory, table: Table) -> list[Finding]:
    """Every breach in one chain; `where` is the event's id, or the trajectory's."""
    field = table.fields.get(trajectory.key)
    if field is None:
        return [finding("unknown_field", trajectory.id, "no such field in the blueprint", found=trajectory.key)]
    found: list[Finding] = []
    instances = table.instances.get(trajectory.entity, ())
    if trajectory.instance is not None and trajectory.instance not in instances:
        found.append(
            finding("unknown_instance", trajectory.id, "no such instance", "/".join(instances), trajectory.instance)
        )
    if not trajectory.cycles:
        found.append(finding("empty_cycle", trajectory.id, "a trajectory without cycles"))
    state: From = "nothing"
    named = False
    met: set[str] = set()
    stopped = {event.obstacle for event in trajectory.events}
    for cycle in trajectory.cycles:
        if not cycle.events:
            found.append(finding("empty_cycle", cycle.id, "a cycle without events"))
        before: Event | None = None
        for event in cycle.events:
            why = refusal(state, event.action, opens_cycle=before is None)
            if why is not None:
                found.append(finding("transition", event.id, why))
            found += _place(event, before)
            found += _authority(event, field, table)
            found += _value(event, before, field, named)
            if why is None:
                found += _movement(event, before, cycle.events, field, table, met)
                found += _reason(event, before, named, field, table)
            condition = table.conditions.get(event.condition or "")
            if condition is not None and (both := stopped & set(condition.excludes)):
                found.append(
                    finding("contradiction", event.id, f"{condition.id} beside an obstacle that denies it", found=both)
                )
            named = named or event.value is not None
            state = state_after(event.action)
            before = event
    return found


def _place(event: Event, before: Event | None) -> Iterator[Finding]:
    expected = before.id if before is not None else None
    if event.predecessor != expected:
        yield finding(
            "predecessor", event.id, "not the previous event of its cycle", expected or "none", event.predecessor
        )
    if (event.action == "settle") != (event.result is not None):
        yield finding("result", event.id, "a settle has a result, and nothing else has", found=event.result)


def _authority(event: Event, field: Field, table: Table) -> Iterator[Finding]:
    role = table.roles.get(event.person)
    if role is None:
        yield finding("unknown_person", event.id, "no such person in the cast", found=event.person)
        return
    if event.scope not in field.scopes:
        yield finding("scope", event.id, "not a scope of this field", " or ".join(field.scopes), event.scope)
    if not table.may(role, event.scope, event.action):
        yield finding("authority", event.id, f"{role} may not {event.action} in {event.scope}")
    elif event.result is not None and not table.gives(role, event.scope, event.result):
        yield finding("authority_result", event.id, f"{role} may not give {event.result} in {event.scope}")
    if event.result is not None and event.result not in field.results:
        yield finding("result", event.id, "not a result of this field", " or ".join(field.results), event.result)


def _value(event: Event, before: Event | None, field: Field, named: bool) -> Iterator[Finding]:
    if event.value is None:
        if named:
            yield finding("value_null", event.id, "no value although a candidate was named before")
        elif event.result in CLOSING:
            yield finding("value_null", event.id, f"{event.result} without a value")
    else:
        why = misfit(event.value, field.value)
        if why is not None:
            yield finding("value_type", event.id, why)
        if isinstance(event.value, Status) and field.codes:
            yield from _status(event, event.value, field)
    kept = before is not None and same(before.value, event.value)
    if event.result in ("rejected", "withdrawn") and before is not None and before.value is not None and not kept:
        yield finding("refused_value", event.id, f"{event.result} keeps the value it refuses", found=event.value)
    if event.value is not None and event.value_said != "explicit" and not kept:
        yield finding(
            "value_said", event.id, "a value that changed or is first must be said", "explicit", event.value_said
        )


def _status(event: Event, value: Status, field: Field) -> Iterator[Finding]:
    if value.code not in field.codes:
        yield finding("status_code", event.id, "no such code", " or ".join(field.codes), value.code)
    elif field.value.final and event.result in CLOSING and value.code not in field.value.final:
        yield finding("status_final", event.id, "not a code to settle at", " or ".join(field.value.final), value.code)


def _movement(
    event: Event, before: Event | None, events: tuple[Event, ...], field: Field, table: Table, met: set[str]
) -> Iterator[Finding]:
    held = before is not None and before.action == "hold"
    old: Value | None = before.value if before is not None else None
    changed = before is None or not same(old, event.value)
    yield from _obstacle(event, field, table)
    if event.clears is not None and event.clears not in _standing(event, events):
        yield finding(
            "clears",
            event.id,
            "not an obstacle that holds this chain",
            ", ".join(_standing(event, events)),
            event.clears,
        )
    elif event.clears is not None and before is not None and table.side(event.person) != table.side(before.person):
        yield finding("clears_side", event.id, "a hold is lifted by the side that holds", before.person, event.person)
    same_ground = before is not None and (event.obstacle, event.scope) == (before.obstacle, before.scope)
    if event.action == "hold" and held and not changed and same_ground:
        yield finding("hold_unchanged", event.id, "a second hold with the same value, obstacle and scope")
    if event.action == "advance" and held and event.clears is None and not changed:
        yield finding("clears", event.id, "resumes without naming what was cleared", found="none")
    if event.action == "settle" and held and event.result in CLOSING and event.clears is None:
        yield finding("clears", event.id, f"{event.result} while the obstacle stands", found="none")
    if event.action == "advance" and not held and not changed and event.condition is None:
        yield finding("advance_unchanged", event.id, "neither changes the value nor meets a named condition")
    if event.condition is not None:
        yield from _condition(event, field, table, met)


def _reason(event: Event, before: Event | None, named: bool, field: Field, table: Table) -> Iterator[Finding]:
    """Why a value changed must fit what happened: no reason without a change, a cause only where a cycle reopens; and
    only what a chain opens with, held or settled, stands from before."""
    if event.reason == "standing":
        if named or before is not None or event.value is None or event.action == "start":
            yield finding("reason", event.id, "`standing` is the value of a hold or settle that opens a chain")
        return
    if event.reason is not None and (not named or (before is not None and same(before.value, event.value))):
        yield finding("reason", event.id, "a reason for a change, and the value does not change", found=event.reason)
    if (event.reason == "obstacle") and event.clears is None:
        yield finding("reason", event.id, "an obstacle as the reason, and none is cleared")
    if (event.cause is not None) != (event.reason == "reopening"):
        yield finding("cause", event.id, "a cause and the reason `reopening` belong together", found=event.cause)
    if event.cause is None:
        return
    cause = table.causes.get(event.cause)
    if cause is None:
        yield finding("cause", event.id, "no such cause in the blueprint", found=event.cause)
    elif field.key not in cause.fields:
        yield finding("cause", event.id, f"{event.cause} does not apply to {field.key}")
    elif table.roles.get(event.person) not in cause.by:
        yield finding("cause", event.id, f"{event.cause} is not for this person to bring up", found=event.person)
    if event.action != "start" or before is not None:
        yield finding("cause", event.id, f"a cause on a {event.action}", "only on a start that reopens")


def _standing(event: Event, events: tuple[Event, ...]) -> list[str]:
    """Obstacles of the unbroken run of holds just before the event."""
    standing: list[str] = []
    for other in events[: events.index(event)][::-1]:
        if other.action != "hold":
            break
        standing += [other.obstacle] if other.obstacle is not None else []
    return standing


def _obstacle(event: Event, field: Field, table: Table) -> Iterator[Finding]:
    if event.action != "hold":
        if event.obstacle is not None:
            yield finding("obstacle", event.id, f"an obstacle on a {event.action}", "only on a hold", event.obstacle)
        return
    if event.clears is not None:
        yield finding("clears", event.id, "a hold clears nothing", "only on an advance or settle", event.clears)
    if event.obstacle is None:
        yield finding("obstacle", event.id, "a hold without an obstacle")
        return
    obstacle = table.obstacles.get(event.obstacle)
    if obstacle is None:
        yield finding("obstacle", event.id, "no such obstacle in the blueprint", found=event.obstacle)
    elif field.key not in obstacle.fields:
        yield finding("obstacle", event.id, f"{event.obstacle} does not apply to {field.key}")
    elif table.roles.get(event.person) not in obstacle.found_by:
        yield finding(
            "obstacle_person", event.id, f"{event.obstacle} is not for this person to find", found=event.person
        )


def _condition(event: Event, field: Field, table: Table, met: set[str]) -> Iterator[Finding]:
    assert event.condition is not None
    if event.action != "advance":
        yield finding("condition", event.id, f"a condition on a {event.action}", "only on an advance", event.condition)
        return
    condition = table.conditions.get(event.condition)
    if condition is None:
        yield finding("condition", event.id, "no such condition in the blueprint", found=event.condition)
    elif field.key not in condition.fields:
        yield finding("condition", event.id, f"{event.condition} does not apply to {field.key}")
    elif table.roles.get(event.person) not in condition.by:
        yield finding("condition_person", event.id, f"{event.condition} is not for this person to state")
    if event.condition in met:
        yield finding("condition", event.id, "a condition met before is no progress", found=event.condition)
    met.add(event.condition)
