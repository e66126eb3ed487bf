"""Rules of a whole plan: its chains, its numbers that are no events, the order of beats and the planned change of B."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator

from dtbuild.legality.chain import check_trajectory
from dtbuild.legality.change import check_change
from dtbuild.legality.table import Table
from dtbuild.legality.values import misfit, same
from dtbuild.records.blueprint import Blueprint
from dtbuild.records.plan import Plan
from dtbuild.records.verdict import Finding, finding


def check(plan: Plan, blueprint: Blueprint) -> list[Finding]:
    """Every breach of the benchmark's rules in a plan; an empty list means it is legal.

    Pure. `where` is an id of the plan: an event's, a trajectory's, a candidate's, `beats`, `change`, `cast`.
    """
    table = Table(blueprint, plan.cast)
    found = list(_ids(plan, table))
    for trajectory in plan.trajectories:
        found += check_trajectory(trajectory, table)
    found += _identities(plan)
    found += _candidates(plan, table)
    found += _distractors(plan, table)
    found += _beats(plan)
    if plan.change is not None:
        found += check_change(plan, plan.change, table, blueprint)
    return found


def _ids(plan: Plan, table: Table) -> Iterator[Finding]:
    ids = [person.id for person in plan.cast]
    ids += [trajectory.id for trajectory in plan.trajectories]
    ids += [event.id for _, _, event in plan.events()]
    ids += [candidate.id for candidate in plan.candidates] + [each.id for each in plan.distractors]
    for id, times in Counter(ids).items():
        if times > 1:
            yield finding("duplicate_id", id, f"stands {times} times")
    for trajectory in plan.trajectories:
        for id, times in Counter(cycle.id for cycle in trajectory.cycles).items():
            if times > 1:
                yield finding("duplicate_id", id, f"stands {times} times in {trajectory.id}")
    for person in plan.cast:
        if person.role not in table.known_roles:
            yield finding("unknown_role", person.id, "no such role in the blueprint", found=person.role)


def _identities(plan: Plan) -> Iterator[Finding]:
    keys = Counter(trajectory.key for trajectory in plan.trajectories)
    seen: set[tuple[str, str | None]] = set()
    for trajectory in plan.trajectories:
        if (trajectory.key, trajectory.instance) in seen:
            yield finding(
                "duplicate_trajectory", trajectory.id, "one trajectory for each entity, field and instance",
                found=f"{trajectory.key} {trajectory.instance or ''}".strip(),
            )  # fmt: skip
        elif keys[trajectory.key] > 1 and trajectory.instance is None:
            yield finding("instance", trajectory.id, "two of a kind in one dialogue need an instance each")
        seen.add((trajectory.key, trajectory.instance))


def _candidates(plan: Plan, table: Table) -> Iterator[Finding]:
    trajectories = {trajectory.id: trajectory for trajectory in plan.trajectories}
    for candidate in plan.candidates:
        trajectory = trajectories.get(candidate.trajectory)
        role = table.roles.get(candidate.person)
        if trajectory is None or role is None:
            yield finding(
                "candidate",
                candidate.id,
                "no such trajectory or person",
                found=f"{candidate.trajectory}, {candidate.person}",
            )
            continue
        field = table.fields.get(trajectory.key)
        if field is None:
            continue
        if table.names(role, field):
            yield finding(
                "candidate_authority", candidate.id, f"{role} may start or advance {field.key}: this is an event"
            )
        why = misfit(candidate.value, field.value)
        if why is not None:
            yield finding("value_type", candidate.id, why)
        if any(same(candidate.value, event.value) for _, _, event in plan.events()):
            yield finding("candidate_value", candidate.id, "equals a value of a chain: it cannot be told from an echo")


def _distractors(plan: Plan, table: Table) -> Iterator[Finding]:
    values = [event.value for _, _, event in plan.events()] + [each.value for each in plan.candidates]
    for distractor in plan.distractors:
        kind = table.distractors.get(distractor.kind)
        if kind is None:
            yield finding("distractor", distractor.id, "no such distractor in the blueprint", found=distractor.kind)
        elif table.roles.get(distractor.person) not in (*kind.by, *kind.instead):
            yield finding("distractor", distractor.id, f"{distractor.kind} is not for this person to say")
        elif (why := misfit(distractor.value, kind.value)) is not None:
            yield finding("value_type", distractor.id, why)
        if any(same(distractor.value, value) for value in values):
            yield finding("distractor_value", distractor.id, "equals a value of a chain or candidate")


def _beats(plan: Plan) -> Iterator[Finding]:
    wanted: Counter[tuple[str, str]] = Counter(("event", event.id) for _, _, event in plan.events())
    wanted += Counter(("candidate", each.id) for each in plan.candidates)
    wanted += Counter(("distractor", each.id) for each in plan.distractors)
    given: Counter[tuple[str, str]] = Counter((beat.kind, beat.ref) for beat in plan.beats)
    for kind, ref in sorted((wanted - given) | (given - wanted)):
        yield finding(
            "beats", ref, f"{kind} must stand in the order of beats once", wanted[kind, ref], given[kind, ref]
        )
    place = {beat.ref: at for at, beat in enumerate(plan.beats)}
    for trajectory in plan.trajectories:
        order = [event.id for event in trajectory.events if event.id in place]
        for one, other in itertools.pairwise(order):
            if place[one] > place[other]:
                yield finding("beat_order", other, f"comes before {one}, which precedes it in the chain")
