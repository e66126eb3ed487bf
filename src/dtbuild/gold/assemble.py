"""Turns steps, values and their order into trajectories, and puts the numbers that are no events among them."""

from __future__ import annotations

import random
from collections.abc import Sequence

import msgspec

from dtbuild.gold import extras, motives, said
from dtbuild.gold.case import Case
from dtbuild.gold.choice import Chosen
from dtbuild.gold.draw import Raw, pick, value_of
from dtbuild.gold.order import Place
from dtbuild.gold.shape import DeadEnd
from dtbuild.gold.step import ACTION, Step
from dtbuild.gold.troupe import Troupe
from dtbuild.records.plan import Beat, Candidate, Cycle, Distractor, Event, Person, Trajectory
from dtbuild.records.values import Value

Steps = list[list[Step]]
Raws = list[list[Raw | None]]

_MET = 6.0
"""How much rather a wish is said where somebody gives way at once."""
_WAITED = 3
"""Other beats between a hold and what clears it, where the dialogue has them."""
_FILLS = 12.0
"""How much rather a number is said while something is waited for."""


def trajectories(
    filled: Sequence[Steps], raws: Sequence[Raws], chosen: Sequence[Chosen], places: Sequence[Place], case: Case
) -> tuple[Trajectory, ...]:
    """The chains, with ids that count in the order of talk: e1, e2, … and so cycles and trajectories."""
    event_ids = {place: f"e{number}" for number, place in enumerate(places, 1)}
    cycle_ids = {place[:2]: f"c{n}" for n, place in enumerate((p for p in places if p[2] == 0), 1)}
    result = []
    for number, at in enumerate(opened(places), 1):
        field, instance = chosen[at]
        cycles = []
        for cycle, steps in enumerate(filled[at]):
            events = []
            for step_at, step in enumerate(steps):
                raw = raws[at][cycle][step_at]
                stands = raw is not None and (cycle, step_at) == (0, 0) and step.kind != "start"
                events.append(
                    Event(
                        id=event_ids[at, cycle, step_at],
                        action=ACTION[step.kind],
                        value=None if raw is None else value_of(field.value, raw, case.calendar),
                        person=step.person,
                        scope=step.scope,
                        predecessor=event_ids[at, cycle, step_at - 1] if step_at else None,
                        result=step.result,
                        obstacle=step.obstacle.id if step.obstacle else None,
                        clears=step.clears,
                        condition=step.condition,
                        reason="standing" if stands else step.reason,
                        cause=step.cause.id if step.cause else None,
                    )
                )
            cycles.append(Cycle(id=cycle_ids[at, cycle], events=tuple(events)))
        result.append(
            Trajectory(id=f"t{number}", entity=field.entity, field=field.field, cycles=tuple(cycles), instance=instance)
        )
    return tuple(result)


def distinct(chains: Sequence[Trajectory]) -> bool:
    """Whether no two chains share a value: a listener could not tell whose it is."""
    sets = [{event.value for event in each.events if event.value is not None} for each in chains]
    return sum(map(len, sets)) == len(set().union(*sets))


def opened(places: Sequence[Place]) -> list[int]:
    """Chains in the order in which they are opened."""
    return [place[0] for place in places if place[1:] == (0, 0)]


def candidate(
    rng: random.Random,
    case: Case,
    people: Troupe,
    chains: Sequence[Trajectory],
    chosen: Sequence[Chosen],
    raws: Sequence[Raws],
) -> tuple[Candidate, str]:
    """A number wished by somebody without the right, and the event it comes after.

    It is wished by whoever sits across the table from the deciders, where there is such a person, and before the number
    has been let go on. Raises DeadEnd when nobody has one to wish.
    """
    # a wish answers a number that stands; a conclusion is no moment to wish
    places = [_wishable(chain, along[0]) for chain, along in zip(chains, raws, strict=True)]
    options = [
        (trajectory, at, person)
        for at, trajectory in enumerate(chains)
        for person in people.wishers.get(trajectory.key, ())
        if places[at]
    ]
    options = [each for each in options if people.across(chosen[each[1]][0], each[2])] or options
    spoken = {event.value for each in chains for event in each.events}
    while options:
        option = pick(rng, options)
        options.remove(option)
        trajectory, at, person = option
        field = chosen[at][0]
        toward = motives.wish(people, field, person)
        events = trajectory.cycles[0].events
        # a wish is at its best where somebody then gives way to it
        met = [_MET if n + 1 < len(events) and events[n + 1].reason == "concession" else 1.0 for n in places[at]]
        named = [raw for values in raws[at] for raw in values if raw is not None]
        for after in dict.fromkeys((pick(rng, places[at], met), places[at][-1])):
            standing = raws[at][0][after]
            if standing is None or toward is None:
                continue
            later = [raw for raw in raws[at][0][after + 1 :] if raw is not None]
            value = extras.candidate(rng, case, field, standing, toward, named, later)
            if value is not None and value not in spoken:
                return Candidate(id="u1", trajectory=trajectory.id, person=person, value=value), events[after].id
    raise DeadEnd


def _wishable(chain: Trajectory, raws: Sequence[Raw | None]) -> list[int]:
    """Events of the first cycle after which somebody may wish for another number."""
    events = chain.cycles[0].events
    named = [n for n, raw in enumerate(raws) if raw is not None and events[n].action != "settle"]
    agreed = next((n for n, event in enumerate(events) if event.condition or event.clears), len(events))
    return [n for n in named if n < agreed] or named


def distractors(
    rng: random.Random,
    case: Case,
    cast: Sequence[Person],
    chains: Sequence[Trajectory],
    candidates: Sequence[Candidate],
) -> list[Distractor]:
    """One to three numbers that belong to nothing; whoever has said nothing else says the first."""
    values: set[Value] = {event.value for t in chains for event in t.events if event.value is not None}
    values |= {each.value for each in candidates}
    busy = {event.person for t in chains for event in t.events} | {each.person for each in candidates}
    silent: list[Person | None] = [person for person in cast if person.id not in busy]
    speakers = silent + [None] * max(0, pick(rng, (1, 2, 3), (3, 4, 2)) - len(silent))
    result: list[Distractor] = []
    taken: set[str] = set()
    for number, person in enumerate(speakers, 1):
        kind, speaker, value = extras.distractor(rng, case, person, cast, taken, values)
        taken.add(kind)
        values.add(value)
        result.append(Distractor(id=f"d{number}", kind=kind, person=speaker, value=value))
    return result


def beats(
    rng: random.Random,
    chains: Sequence[Trajectory],
    candidates: Sequence[tuple[Candidate, str]],
    numbers: Sequence[Distractor],
) -> tuple[Beat, ...]:
    """Events in their order, in which their ids count, candidates where they belong, distractors while people wait."""
    total = sum(len(trajectory.events) for trajectory in chains)
    result = [Beat(kind="event", ref=f"e{number}") for number in range(1, total + 1)]
    for each, after in candidates:
        place = next(at for at, beat in enumerate(result) if beat.ref == after)
        result.insert(place + 1, Beat(kind="candidate", ref=each.id))
    held = {
        event.predecessor: event.id for chain in chains for event in chain.events if event.clears and event.predecessor
    }
    for number in numbers:
        # never last: a number that leads nowhere does not close a talk
        weights = [1.0] * len(result)
        at = {beat.ref: place for place, beat in enumerate(result)}
        for hold, clearing in held.items():
            if at[clearing] - at[hold] <= _WAITED:
                for place in range(at[hold] + 1, at[clearing] + 1):
                    weights[place] = _FILLS
        result.insert(pick(rng, range(len(result)), weights), Beat(kind="distractor", ref=number.id))
    return tuple(result)


def shortened(
    rng: random.Random,
    chains: Sequence[Trajectory],
    numbers: dict[str, Value],
    order: Sequence[Beat],
    wanted: frozenset[str],
) -> tuple[Trajectory, ...]:
    """The chains with `value_said` set; `numbers` are the values of candidates and distractors by id."""
    events = {event.id: (event, trajectory.id) for trajectory in chains for event in trajectory.events}
    spoken = [
        said.Said(*events[beat.ref], events[beat.ref][0].value)
        if beat.kind == "event"
        else said.Said(None, "", numbers[beat.ref])
        for beat in order
    ]
    short = said.shorten(rng, spoken, wanted)
    return tuple(
        msgspec.structs.replace(
            trajectory,
            cycles=tuple(
                Cycle(
                    id=cycle.id,
                    events=tuple(
                        msgspec.structs.replace(event, value_said=short[event.id]) if event.id in short else event
                        for event in cycle.events
                    ),
                )
                for cycle in trajectory.cycles
            ),
        )
        for trajectory in chains
    )
