"""The order in which chains are talked through: one waits while another is dealt with, then comes back.

What holds a chain up takes its time: where there is something else to talk of, some of that comes before it is cleared.
"""

from __future__ import annotations

import itertools
import random

from dtbuild.gold.draw import pick
from dtbuild.gold.shape import DeadEnd
from dtbuild.gold.step import Step

Place = tuple[int, int, int]
"""Chain, cycle and step of one event."""

_WEAVES = 6
_WAIT = 2
"""Events of other chains between a hold and what clears it, where the dialogue has them."""
_WAIT_LONG = 4
"""The same for what takes a journey or days."""
_LEAVE = {"hold": 0.95, "hold_again": 0.9, "start": 0.12, "condition": 0.08, "revise": 0.06, "resume": 0.04}


def weave(rng: random.Random, chains: list[list[list[Step]]], interleaved: bool) -> list[Place]:
    """Every event once, each chain in its own order. Raises DeadEnd when nothing can cross though it should."""
    queues = [
        [(at, number, step) for number, steps in enumerate(cycles) for step in range(len(steps))]
        for at, cycles in enumerate(chains)
    ]
    if not interleaved:
        return [place for queue in queues for place in queue]
    orders: list[list[Place]] = []
    for _ in range(_WEAVES):
        order = _woven(rng, [list(queue) for queue in queues], chains)
        if crosses([place[0] for place in order]):
            orders.append(order)
            if not _hasty(order, chains):
                return order
    return min(orders, key=lambda each: _hasty(each, chains)) if orders else _cut(rng, order)


def crosses(chains: list[int]) -> bool:
    """Whether some chain is left for another and taken up again."""
    runs = [each for at, each in enumerate(chains) if at == 0 or chains[at - 1] != each]
    return len(runs) > len(set(runs))


def _woven(rng: random.Random, queues: list[list[Place]], chains: list[list[list[Step]]]) -> list[Place]:
    order: list[Place] = []
    current = 0
    while any(queues):
        if not queues[current] or _waits(order, queues[current], chains):
            left = [at for at, queue in enumerate(queues) if queue]
            current = _next(rng, order, [at for at in left if not _waits(order, queues[at], chains)] or left)
        place = queues[current].pop(0)
        order.append(place)
        chain, cycle, step = place
        kind = chains[chain][cycle][step].kind
        last = step == len(chains[chain][cycle]) - 1
        leave = 0.85 if last else _LEAVE.get(kind, 0.0)
        others = [at for at, queue in enumerate(queues) if queue and at != current]
        if others and rng.random() < leave:
            current = _next(rng, order, others)
    return order


def _cut(rng: random.Random, order: list[Place]) -> list[Place]:
    """Chains that follow one another, with one of them left for the next and taken up again."""
    runs = [list(run) for _, run in itertools.groupby(order, key=lambda place: place[0])]
    able = [at for at, run in enumerate(runs[:-1]) if len(run) > 1]
    if not able:
        # the last one begins before the one ahead of it
        if len(runs) < 2 or len(runs[-1]) < 2:
            raise DeadEnd
        runs[-1:] = [runs[-1][:1], runs[-1][1:]]
        runs[-3:-1] = [runs[-2], runs[-3]]
        return [place for run in runs for place in run]
    at = pick(rng, able)
    cut = rng.randrange(1, len(runs[at]))
    later = runs[at][cut:]
    del runs[at][cut:]
    runs.insert(at + 2, later)
    return [place for run in runs for place in run]


def _hasty(order: list[Place], chains: list[list[list[Step]]]) -> int:
    """How many events clear something, or undo something, too soon after it came up."""
    at = {place: number for number, place in enumerate(order)}
    rests = [(at[place], _rest(place, chains)) for place in order]
    return sum(rest is not None and number - at[rest[0]] <= rest[1] for number, rest in rests)


def _waits(order: list[Place], queue: list[Place], chains: list[list[list[Step]]]) -> bool:
    """Whether the next event of a chain would clear what has only just come up, or undo what has only just been agreed."""
    rest = _rest(queue[0], chains)
    return rest is not None and order[::-1].index(rest[0]) < rest[1]


def _rest(place: Place, chains: list[list[list[Step]]]) -> tuple[Place, int] | None:
    """What has to rest before this event, and for how many others; None where it may come at once."""
    chain, cycle, step = place
    if step:
        held = chains[chain][cycle][step - 1].obstacle
        if not chains[chain][cycle][step].clears:
            return None
        return (chain, cycle, step - 1), _WAIT_LONG if held is not None and held.slow else _WAIT
    return ((chain, cycle - 1, len(chains[chain][cycle - 1]) - 1), _WAIT) if cycle else None


def _next(rng: random.Random, order: list[Place], others: list[int]) -> int:
    """A chain that waits, or the next one that has not come up yet."""
    begun = {place[0] for place in order}
    waiting = [at for at in others if at in begun]
    fresh = [at for at in others if at not in begun][:1]
    return pick(rng, waiting + fresh, [1.0] * len(waiting) + [1.5] * len(fresh))
