"""Designs one family: who meets, which chains they go through, and in what order.

Pure: group k depends on blueprint, settings, seed, k and attempt alone, so any process plans the same bytes. A
draw that leads nowhere (nobody present may clear the obstacle, a bound leaves no other value) is a dead end and
the next try draws afresh; only after many does a planned phenomenon give way, and it is then not listed as
planned.
"""

from __future__ import annotations

import random

import msgspec

from dtbuild import seeds
from dtbuild.errors import BlueprintError
from dtbuild.gold import extras, order, said, swap
from dtbuild.gold.case import Case
from dtbuild.gold.draw import Raw, pick, value_of
from dtbuild.gold.fill import ACTION, Step, Table, Used, fill
from dtbuild.gold.index import Index, index
from dtbuild.gold.people import particulars, people
from dtbuild.gold.phenomena import PHENOMENA, shown
from dtbuild.gold.settings import GoldSettings
from dtbuild.gold.shape import DeadEnd, Host, chains
from dtbuild.records import ids
from dtbuild.records.blueprint import Blueprint, Field
from dtbuild.records.plan import Beat, Candidate, Cycle, Distractor, Event, Person, Plan, Trajectory
from dtbuild.records.values import Value

_TRIES = 400
_GIVE_WAY = 40
"""Tries after which one planned phenomenon gives way."""
_COUNTS = {1: 2.0, 2: 5.0, 3: 4.0, 4: 1.5}


def plan(blueprint: Blueprint, settings: GoldSettings, *, seed: int, index: int, attempt: int = 0, pair: bool) -> Plan:
    """The plan of the index-th family (from 1); `attempt` counts rejected scripts of it, a pair plan has a swap.

    Raises BlueprintError when no try gives a legal plan: cast, fields and sizes do not go together.
    """
    base = seeds.rng(seed, "gold", blueprint.id, index, attempt)
    wanted = {name for name in PHENOMENA if base.random() < settings.rate(name)}
    sizes = sorted(
        size for size in map(int, settings.speakers) if any(len(cast.roles) == size for cast in blueprint.casts)
    )
    if not sizes:
        raise BlueprintError(f"blueprint {blueprint.id!r}", expected=f"casts of {sorted(settings.speakers)} persons")
    size = pick(base, sizes, [settings.speakers[str(each)] for each in sizes])
    for number in range(_TRIES):
        if number and number % _GIVE_WAY == 0 and wanted:
            wanted.discard(pick(base, sorted(wanted)))
        draft = _Draft(
            blueprint, settings, seeds.rng(seed, "gold", blueprint.id, index, attempt, number), size, _whole(wanted)
        )
        try:
            return draft.plan(index, attempt, pair)
        except DeadEnd:
            continue
    raise BlueprintError(
        f"blueprint {blueprint.id!r}, family {index}",
        expected=f"a legal plan within {_TRIES} tries",
        found="none: cast, fields, obstacles and sizes do not go together",
        fix="dtbuild lint, or widen the settings",
    )


def _whole(wanted: set[str]) -> frozenset[str]:
    """With what a phenomenon brings along."""
    implied = {"resumption": "suspension", "first_event_hold": "suspension"}
    return frozenset(wanted | {implied[name] for name in wanted if name in implied})


class _Draft:
    """One try at a plan."""

    def __init__(
        self, blueprint: Blueprint, settings: GoldSettings, rng: random.Random, size: int, wanted: frozenset[str]
    ) -> None:
        self.blueprint, self.settings, self.rng, self.wanted = blueprint, settings, rng, wanted
        self.index: Index = index(blueprint)
        casts = self.index.casts[size]
        self.cast = people(rng, blueprint, pick(rng, casts, [float(cast.weight) for cast in casts]))
        self.table = Table(self.index, self.cast)
        self.case = Case(self.index, rng)
        self.revisable = "revision" in wanted

    def plan(self, number: int, attempt: int, pair: bool) -> Plan:
        rng, wanted = self.rng, self.wanted
        chosen = self._choose_fields(self._count())
        hosts, limits = self._hosts([field for field, _ in chosen])
        closable = [
            self.table.closable(field, limit or field.scope) for (field, _), limit in zip(chosen, limits, strict=True)
        ]
        used = Used()
        filled = [
            fill(rng, chain, field, limit, self.table, used, self.revisable)
            for chain, (field, _), limit in zip(
                chains(rng, hosts, closable, wanted, self.settings.events), chosen, limits, strict=True
            )
        ]
        raws = self._values(filled, chosen)
        places = order.weave(rng, filled, "interleaving" in wanted)
        trajectories = self._trajectories(filled, raws, chosen, places)
        candidates, distractors, beats = self._extras(trajectories, chosen, raws, places)
        trajectories = self._shortened(trajectories, candidates, distractors, beats)
        by = {event.id: event.person for t in trajectories for event in t.events}
        by |= {each.id: each.person for each in candidates} | {each.id: each.person for each in distractors}
        chosen_swap = None
        if pair:
            chosen_swap = swap.find(
                rng, self.index, self.cast, trajectories, [(beat.ref, by[beat.ref]) for beat in beats]
            )
            if chosen_swap is None:
                raise DeadEnd
        quantities = self.case.quantities()
        for id in sorted(used.obstacles):
            for name, spec in self.index.obstacle[id].premises.items():
                quantities[f"{id}.{name}"] = self.case.premise(spec)
        result = Plan(
            family=ids.family_id(self.blueprint.code, number),
            scenario=self.blueprint.id,
            index=number,
            attempt=attempt,
            anchor_date=self.blueprint.anchor_date,
            cast=self.cast,
            facts=particulars(rng, self.blueprint),
            quantities=quantities,
            trajectories=trajectories,
            candidates=candidates,
            distractors=distractors,
            beats=beats,
            phenomena=tuple(name for name in PHENOMENA if name in wanted),
            swap=chosen_swap,
        )
        if shown(result, self.blueprint) != wanted:
            raise DeadEnd
        return result

    def _count(self) -> int:
        low, high = self.settings.trajectories
        low = max(low, 2) if "interleaving" in self.wanted and high >= 2 else low
        options = list(range(low, high + 1))
        return pick(self.rng, options, [_COUNTS.get(each, 1.0) for each in options])

    def _choose_fields(self, count: int) -> list[tuple[Field, str | None]]:
        options = [field for field in self.blueprint.fields if self._usable(field)]
        result: list[tuple[Field, str | None]] = []
        composite = "composite_value" in self.wanted
        while len(result) < count:
            pool = [field for field in options if not composite or field.value.type == "composite"]
            if not pool:
                raise DeadEnd
            field = pick(self.rng, pool, [self._weight(each) for each in pool])
            options.remove(field)
            composite = False
            instances = self.index.instances.get(field.entity, ())
            if len(instances) > 1 and count - len(result) > 1 and self.rng.random() < 0.3:
                result += [(field, instance) for instance in self.rng.sample(instances, 2)]
            else:
                result.append((field, None))
        return result

    def _usable(self, field: Field) -> bool:
        kind = field.value.type
        if (kind == "composite" and "composite_value" not in self.wanted) or (kind == "status" and not self.revisable):
            return False
        return bool(self.table.able(field, "start", field.scopes) and self.table.able(field, "advance", field.scopes))

    def _weight(self, field: Field) -> float:
        # a matter that nobody present may conclude comes up now and then
        return float(field.weight) * (1.0 if self.table.closable(field, field.scope) else 0.3)

    def _hosts(self, fields: list[Field]) -> tuple[list[Host], list[str | None]]:
        """Which chain shows what, and in which limited scope a chain is treated."""
        rng = self.rng
        hosts: list[set[str]] = [set() for _ in fields]
        limits: list[str | None] = [None] * len(fields)
        places = list(range(len(fields)))
        if "scope_limited_settle" in self.wanted:
            fitting = [
                (at, scope) for at in places for scope in fields[at].limited if self.table.closable(fields[at], scope)
            ]
            if not fitting:
                raise DeadEnd
            at, limits[at] = pick(rng, fitting)
            hosts[at].add("scope_limited_settle")
        for name in ("first_event_settle", "first_event_hold", "reopening", "resumption", "suspension", "revision"):
            if name not in self.wanted:
                continue
            fitting_places = [at for at in places if self._fits(name, fields[at], limits[at], hosts[at])]
            if not fitting_places:
                raise DeadEnd
            hosts[pick(rng, fitting_places)].add(name)
        return [frozenset(host) for host in hosts], limits

    def _fits(self, name: str, field: Field, limit: str | None, host: set[str]) -> bool:
        if name in ("first_event_settle", "reopening"):
            return self.table.closable(field, limit or field.scope) and "first_event_hold" not in host
        return "first_event_settle" not in host

    def _values(
        self, filled: list[list[list[Step]]], chosen: list[tuple[Field, str | None]]
    ) -> list[list[list[Raw | None]]]:
        """Values chain by chain, fields that others hang on first."""
        ranks = {field.key: at for at, field in enumerate(self.blueprint.fields)}
        raws: list[list[list[Raw | None]]] = [[] for _ in chosen]
        seen: set[str] = set()
        for at in sorted(range(len(chosen)), key=lambda at: ranks[chosen[at][0].key]):
            field = chosen[at][0]
            raws[at] = self.case.along(field, filled[at], self.revisable, field.key in seen)
            seen.add(field.key)
        return raws

    def _trajectories(
        self,
        filled: list[list[list[Step]]],
        raws: list[list[list[Raw | None]]],
        chosen: list[tuple[Field, str | None]],
        places: list[order.Place],
    ) -> tuple[Trajectory, ...]:
        """The chains with ids in the order of talk."""
        event_ids = {place: f"e{number}" for number, place in enumerate(places, 1)}
        openings = [place for place in places if place[2] == 0]
        cycle_ids = {place[:2]: f"c{number}" for number, place in enumerate(openings, 1)}
        result = []
        for number, (at, _, _) in enumerate((place for place in places if place[1:] == (0, 0)), 1):
            field, instance = chosen[at]
            cycles = []
            for cycle, steps in enumerate(filled[at]):
                events = []
                for step_at, step in enumerate(steps):
                    raw = raws[at][cycle][step_at]
                    events.append(
                        Event(
                            id=event_ids[at, cycle, step_at],
                            action=ACTION[step.kind],
                            value=None if raw is None else value_of(field.value, raw, self.case.calendar),
                            person=step.person,
                            scope=step.scope,
                            predecessor=event_ids[at, cycle, step_at - 1] if step_at else None,
                            result=step.result,
                            obstacle=step.obstacle.id if step.obstacle else None,
                            clears=step.clears,
                            condition=step.condition,
                        )
                    )
                cycles.append(Cycle(id=cycle_ids[at, cycle], events=tuple(events)))
            result.append(
                Trajectory(
                    id=f"t{number}", entity=field.entity, field=field.field, cycles=tuple(cycles), instance=instance
                )
            )
        return tuple(result)

    def _extras(
        self,
        trajectories: tuple[Trajectory, ...],
        chosen: list[tuple[Field, str | None]],
        raws: list[list[list[Raw | None]]],
        places: list[order.Place],
    ) -> tuple[tuple[Candidate, ...], tuple[Distractor, ...], tuple[Beat, ...]]:
        rng = self.rng
        beats = [Beat(kind="event", ref=f"e{number}") for number in range(1, len(places) + 1)]
        candidates: list[Candidate] = []
        if "unauthorised_candidate" in self.wanted:
            starts = [place[0] for place in places if place[1:] == (0, 0)]
            options = [
                (trajectory, at, person)
                for trajectory, at in zip(trajectories, starts, strict=True)
                for person in extras.outsiders(self.index, chosen[at][0], self.cast)
            ]
            if not options:
                raise DeadEnd
            trajectory, at, person = pick(rng, options)
            named = [raw for values in raws[at] for raw in values if raw is not None]
            value = extras.candidate(rng, self.case, chosen[at][0], named)
            candidates.append(Candidate(id="u1", trajectory=trajectory.id, person=person, value=value))
            # while the first cycle runs: after one of its events, before its last
            events = [event.id for event in trajectory.cycles[0].events]
            after = pick(rng, events[:-1] or events)
            place = next(n for n, beat in enumerate(beats) if beat.ref == after) + (len(events) > 1)
            beats.insert(place, Beat(kind="candidate", ref="u1"))
        distractors: list[Distractor] = []
        if "distractor_number" in self.wanted:
            distractors = self._distractors(trajectories, candidates)
            for each in distractors:
                beats.insert(rng.randrange(len(beats)), Beat(kind="distractor", ref=each.id))
            order_of = [beat.ref for beat in beats if beat.kind == "distractor"]
            named_again = {old: f"d{number}" for number, old in enumerate(order_of, 1)}
            beats = [Beat(kind=beat.kind, ref=named_again.get(beat.ref, beat.ref)) for beat in beats]
            distractors = sorted(
                (
                    Distractor(id=named_again[each.id], kind=each.kind, person=each.person, value=each.value)
                    for each in distractors
                ),
                key=lambda each: int(each.id[1:]),
            )
        return tuple(candidates), tuple(distractors), tuple(beats)

    def _distractors(self, trajectories: tuple[Trajectory, ...], candidates: list[Candidate]) -> list[Distractor]:
        """One to three, those who have said nothing else first."""
        rng = self.rng
        values: set[Value] = {event.value for t in trajectories for event in t.events if event.value is not None}
        values |= {each.value for each in candidates}
        busy = {event.person for t in trajectories for event in t.events} | {each.person for each in candidates}
        silent: list[Person | None] = [person for person in self.cast if person.id not in busy]
        speakers = silent + [None] * max(0, pick(rng, (1, 2, 3), (3, 4, 2)) - len(silent))
        result: list[Distractor] = []
        taken: set[str] = set()
        for number, person in enumerate(speakers):
            kind, speaker, value = extras.distractor(rng, self.case, person, self.cast, taken, values)
            taken.add(kind)
            values.add(value)
            result.append(Distractor(id=f"x{number}", kind=kind, person=speaker, value=value))
        return result

    def _shortened(
        self,
        trajectories: tuple[Trajectory, ...],
        candidates: tuple[Candidate, ...],
        distractors: tuple[Distractor, ...],
        beats: tuple[Beat, ...],
    ) -> tuple[Trajectory, ...]:
        events = {event.id: (event, t.id) for t in trajectories for event in t.events}
        others = {each.id: each.value for each in candidates} | {each.id: each.value for each in distractors}
        spoken = [
            said.Said(events[beat.ref][0], events[beat.ref][1], events[beat.ref][0].value)
            if beat.kind == "event"
            else said.Said(None, "", others[beat.ref])
            for beat in beats
        ]
        short = said.shorten(self.rng, spoken, self.wanted)
        return tuple(
            msgspec.structs.replace(
                trajectory,
                cycles=tuple(
                    Cycle(
                        id=cycle.id,
                        events=tuple(
                            msgspec.structs.replace(event, value_said=short.get(event.id, "explicit"))
                            for event in cycle.events
                        ),
                    )
                    for cycle in trajectory.cycles
                ),
            )
            for trajectory in trajectories
        )
