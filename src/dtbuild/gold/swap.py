"""The planned difference of a pair: events that another person with the same right takes over in variant B."""

from __future__ import annotations

import random
from collections.abc import Sequence

from dtbuild.gold.draw import pick
from dtbuild.gold.index import Index
from dtbuild.records.plan import Action, Event, Person, Swap, Trajectory

_PREFERENCE: dict[Action, float] = {"settle": 60.0, "hold": 30.0, "advance": 4.0, "start": 1.0}

_ACROSS = 0.02
"""The other side of the table may have the same right, but seldom the same words."""

ANY: frozenset[Action] = frozenset(_PREFERENCE)
CONCLUDING: frozenset[Action] = frozenset({"settle", "hold"})


def find(
    rng: random.Random,
    index: Index,
    cast: Sequence[Person],
    trajectories: Sequence[Trajectory],
    order: Sequence[tuple[str, str]],
    actions: frozenset[Action] = ANY,
) -> Swap | None:
    """A swap that keeps every chain legal, or None.

    `order` is every beat as (ref, person). Both persons keep at least one other beat. Beats just before or after
    by either of them, whom the event would then answer in A or B, and takers of the other side are avoided where
    they can be. `actions` are those of the events that may change hands.
    """
    options: list[tuple[Swap, float]] = []
    at = {ref: number for number, (ref, _) in enumerate(order)}
    sides = {person.id: index.blueprint.role(person.role).side for person in cast}
    for trajectory in trajectories:
        for event in trajectory.events:
            for taker in cast:
                if (
                    event.action not in actions
                    or taker.id == event.person
                    or not _allowed(index, trajectory, event, taker)
                ):
                    continue
                rest = {person for ref, person in order if ref != event.id}
                if not {event.person, taker.id} <= rest:
                    continue
                place = at[event.id]
                beside = {order[n][1] for n in (place - 1, place + 1) if 0 <= n < len(order)}
                weight = _PREFERENCE[event.action] * 0.25 ** len(beside & {taker.id, event.person})
                if sides[taker.id] != sides[event.person]:
                    weight *= _ACROSS
                options.append((Swap(events=(event.id,), giver=event.person, taker=taker.id), weight))
    if not options:
        return None
    return pick(rng, [swap for swap, _ in options], [weight for _, weight in options])


def _allowed(index: Index, trajectory: Trajectory, event: Event, taker: Person) -> bool:
    if not index.may(taker.role, event.scope, event.action):
        return False
    if event.result is not None and event.result not in index.gives.get((taker.role, event.scope), ()):
        return False
    if event.obstacle is not None and taker.role not in index.obstacle[event.obstacle].found_by:
        return False
    if event.condition is not None:
        return taker.role in index.blueprint.condition(event.condition).by
    return True
