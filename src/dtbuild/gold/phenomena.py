"""The phenomena of the spec (section 2): how each is recognised in a plan, and how often plans show it."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable

import msgspec

from dtbuild.records.blueprint import Blueprint
from dtbuild.records.plan import Event, Plan
from dtbuild.records.values import Composite

Detector = Callable[[Plan, Blueprint], bool]


class Rate(msgspec.Struct, frozen=True, kw_only=True):
    """Of `plans` plans, how many planned a phenomenon on purpose and how many show it."""

    plans: int
    planned: int
    realised: int

    @property
    def share(self) -> float:
        return self.realised / self.plans if self.plans else 0.0


def coverage(plans: Iterable[Plan], blueprint: Blueprint) -> dict[str, Rate]:
    """Planned and realised counts of every phenomenon, in a fixed order."""
    counted = [(frozenset(plan.phenomena), shown(plan, blueprint)) for plan in plans]
    return {
        name: Rate(
            plans=len(counted),
            planned=sum(name in planned for planned, _ in counted),
            realised=sum(name in realised for _, realised in counted),
        )
        for name in PHENOMENA
    }


def shown(plan: Plan, blueprint: Blueprint) -> frozenset[str]:
    """Names of the phenomena that the plan shows, planned or not."""
    return frozenset(name for name, found in _DETECTORS.items() if found(plan, blueprint))


def _steps(plan: Plan) -> Iterable[tuple[Event, Event]]:
    """Neighbours of one cycle."""
    for trajectory in plan.trajectories:
        for cycle in trajectory.cycles:
            yield from itertools.pairwise(cycle.events)


def _any(test: Callable[[Event], bool]) -> Detector:
    return lambda plan, _: any(test(event) for _, _, event in plan.events())


def _opens(action: str) -> Detector:
    return lambda plan, _: any(t.cycles[0].events[0].action == action for t in plan.trajectories)


def _revision(plan: Plan, _: Blueprint) -> bool:
    return any(before.value is not None and before.value != after.value for before, after in _steps(plan))


def _resumption(plan: Plan, _: Blueprint) -> bool:
    return any(before.action == "hold" and after.action == "advance" for before, after in _steps(plan))


def _scope_limited(plan: Plan, blueprint: Blueprint) -> bool:
    return any(
        event.action == "settle" and event.scope != blueprint.field(trajectory.key).scope
        for trajectory, _, event in plan.events()
    )


def _interleaving(plan: Plan, _: Blueprint) -> bool:
    home = {event.id: trajectory.id for trajectory, _, event in plan.events()}
    order = [home[beat.ref] for beat in plan.beats if beat.kind == "event"]
    runs = [each for at, each in enumerate(order) if at == 0 or order[at - 1] != each]
    return len(runs) > len(set(runs))


_DETECTORS: dict[str, Detector] = {
    "revision": _revision,
    "suspension": _any(lambda event: event.action == "hold"),
    "resumption": _resumption,
    "reopening": lambda plan, _: any(len(t.cycles) > 1 for t in plan.trajectories),
    "unauthorised_candidate": lambda plan, _: bool(plan.candidates),
    "scope_limited_settle": _scope_limited,
    "first_event_hold": _opens("hold"),
    "first_event_settle": _opens("settle"),
    "elliptical_reference": _any(lambda event: event.value_said == "elliptical"),
    "carried_over_value": _any(lambda event: event.value_said == "carried"),
    "interleaving": _interleaving,
    "composite_value": _any(lambda event: isinstance(event.value, Composite)),
    "distractor_number": lambda plan, _: bool(plan.distractors),
}
PHENOMENA = tuple(_DETECTORS)
