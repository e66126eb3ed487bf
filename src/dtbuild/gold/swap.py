"""The planned difference of a pair: events that another person with the same right takes over in variant B."""

from __future__ import annotations

import random
from collections.abc import Sequence

from dtbuild.gold.draw import pick
from dtbuild.gold.index import Index
from dtbuild.records.plan import Action, Event, Person, Swap, Trajectory

Order = Sequence[tuple[str, str]]
"""Every beat as (ref, person), in the order of talk."""
BESIDE = 0.25
"""How much less likely a change is for each neighbour it would be said to."""
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
    order: Order,
    actions: frozenset[Action] = ANY,
) -> Swap | None:
    """A swap that keeps every chain legal, or None.

    Both persons keep at least one other beat. Beats just before or after
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
                    or not _allowed(index, trajectory, event, taker, cast)
                ):
                    continue
                rest = {person for ref, person in order if ref != event.id}
                if not {event.person, taker.id} <= rest:
                    continue
                beside = neighbours(order, at[event.id])
                weight = _PREFERENCE[event.action] * BESIDE ** len(beside & {taker.id, event.person})
                if sides[taker.id] != sides[event.person]:
                    weight *= _ACROSS
                options.append((Swap(events=(event.id,), giver=event.person, taker=taker.id), weight))
    if not options:
        return None
    return pick(rng, [swap for swap, _ in options], [weight for _, weight in options])


def neighbours(order: Order, at: int) -> set[str]:
    """Who speaks the beats just before and after one.

    >>> sorted(neighbours([("e1", "p1"), ("e2", "p2"), ("e3", "p3")], 0))
    ['p2']
    """
    return {order[n][1] for n in (at - 1, at + 1) if 0 <= n < len(order)}


def _allowed(index: Index, trajectory: Trajectory, event: Event, taker: Person, cast: Sequence[Person]) -> bool:
    if not index.may(taker.role, event.scope, event.action):
        return False
    if event.result is not None and event.result not in index.gives.get((taker.role, event.scope), ()):
        return False
    if event.obstacle is not None and not _finds(index, event, taker, cast):
        return False
    if event.cause is not None and taker.role not in index.blueprint.cause(event.cause).by:
        return False
    if event.condition is not None and taker.role not in index.condition[event.condition].by:
        return False
    side = index.sides[taker.role]
    sides = {person.id: index.sides[person.role] for person in cast}
    events = trajectory.events
    at = events.index(event)
    before = events[at - 1] if event.predecessor else None
    if event.clears is not None and before is not None and side != sides[before.person]:
        return False
    following = events[at + 1] if at + 1 < len(events) else None
    if following is not None and following.clears is not None and side != sides[following.person]:
        return False
    if event.reason in ("counter", "concession", "recount"):
        # the reason is the giver's side's; and nobody counters himself
        return side == sides[event.person] and (before is None or before.person != taker.id)
    if event.result == "rejected":
        return before is None or before.person != taker.id
    if event.action == "start":
        field = index.fields[trajectory.key]
        return side == sides[event.person] and (not field.proposed_by or taker.role in field.proposed_by)
    return True


def _finds(index: Index, event: Event, taker: Person, cast: Sequence[Person]) -> bool:
    obstacle = index.obstacle[event.obstacle or ""]
    if taker.role not in obstacle.found_by:
        return False
    deciders = [person for person in cast if index.closes(person.role, event.scope)]
    return not obstacle.above or not deciders or taker in deciders
