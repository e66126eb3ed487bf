"""The planned difference of a pair, by kind: one that B can be edited from, that is legal, and that gold shows."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import combinations

from dtbuild.gold import swap
from dtbuild.gold.draw import pick
from dtbuild.gold.index import Index
from dtbuild.records.plan import CLOSING, Change, Confirmation, Event, Person, Reassignment, Trajectory
from dtbuild.records.variant import VariantKind

_ACROSS = 0.05
"""Whoever answers in a decider's place is a colleague; the other side of the table answers seldom."""
_BARE = 0.3
"""How much less likely a conclusion falls away that follows at once on the start."""
_LIMITED = 0.3
"""How much less likely a conclusion of a narrower scope falls away, which was planned for itself."""
_FEW = 3
"""Events that two persons should have between them to exchange roles."""


def find(
    kind: VariantKind,
    rng: random.Random,
    index: Index,
    cast: Sequence[Person],
    trajectories: Sequence[Trajectory],
    order: swap.Order,
    *,
    choosy: bool,
) -> Change | None:
    """A change of this kind that keeps every chain legal, or None. `choosy` asks for one that weighs in the gold:
    a swap of a settle or a hold, an answer by a colleague, two persons with three events or more between them."""
    if kind == "speaker_swap":
        return swap.find(rng, index, cast, trajectories, order, swap.CONCLUDING if choosy else swap.ANY)
    if kind == "confirmation_change":
        return _picked(rng, _confirmations(index, cast, trajectories, order, choosy))
    return _picked(rng, _reassignments(cast, trajectories, choosy))


def _picked(rng: random.Random, options: Iterator[tuple[Change, float]]) -> Change | None:
    found = list(options)
    return pick(rng, [change for change, _ in found], [weight for _, weight in found]) if found else None


def _confirmations(
    index: Index, cast: Sequence[Person], trajectories: Sequence[Trajectory], order: swap.Order, choosy: bool
) -> Iterator[tuple[Change, float]]:
    """Conclusions with somebody who may not give them in the decider's place; both say something else besides."""
    sides = {person.id: index.sides[person.role] for person in cast}
    at = {ref: number for number, (ref, _) in enumerate(order)}
    for trajectory in trajectories:
        event = trajectory.events[-1]
        if not _falls_away(event, trajectory):
            continue
        beside = swap.neighbours(order, at[event.id])
        rest = {person for ref, person in order if ref != event.id}
        for person in cast:
            if person.id == event.person or index.may(person.role, event.scope, "settle"):
                continue
            across = sides[person.id] != sides[event.person]
            if not {event.person, person.id} <= rest or (choosy and across and index.answers):
                continue
            weight = swap.BESIDE ** len(beside & {event.person, person.id}) * (_ACROSS if across else 1.0)
            weight *= 1.0 if len(trajectory.cycles[-1].events) > 2 else _BARE
            weight *= 1.0 if event.scope == index.fields[trajectory.key].scope else _LIMITED
            yield Confirmation(event=event.id, person=person.id), weight


def _falls_away(event: Event, trajectory: Trajectory) -> bool:
    """Whether the chain without its last event is one that somebody was about to conclude, unchanged."""
    if event.action != "settle" or event.result not in CLOSING or event.clears is not None:
        return False
    cycle = trajectory.cycles[-1].events
    return len(cycle) > 1 and cycle[-2].action != "hold" and cycle[-2].value == event.value


def _reassignments(
    cast: Sequence[Person], trajectories: Sequence[Trajectory], choosy: bool
) -> Iterator[tuple[Change, float]]:
    """Two persons of different roles; the more they both do, the likelier. A third one stands beside them."""
    if len(cast) < 3:
        return
    done = {person.id: 0 for person in cast}
    for trajectory in trajectories:
        for event in trajectory.events:
            done[event.person] += 1
    for one, other in combinations(cast, 2):
        together, less = done[one.id] + done[other.id], min(done[one.id], done[other.id])
        if one.role == other.role or not together or (choosy and (together < _FEW or not less)):
            continue
        yield Reassignment(one=one.id, other=other.id), together * (1.0 + less)
