"""Runs the worked examples of a blueprint: a legal one has no finding, the others exactly those expected."""

from __future__ import annotations

import itertools

from dtbuild.blueprint.faults import Faults
from dtbuild.errors import closest
from dtbuild.legality.plan import check
from dtbuild.records.blueprint import Blueprint, Example
from dtbuild.records.plan import Beat, Candidate, Cycle, Event, Person, Plan, Trajectory, carried


def check_examples(blueprint: Blueprint, faults: Faults) -> None:
    """Every example, and that there is a legal one and an illegal one among them."""
    for at, example in enumerate(blueprint.examples):
        place = ("examples", at)
        bad = _bad_names(blueprint, example)
        for name, expected in bad:
            faults.add(
                "unknown", place, f"example {example.name!r} names what is not there", expected=expected, found=name
            )
        if bad:
            continue
        found = check(as_plan(blueprint, example), blueprint)
        codes, expected_codes = sorted({each.code for each in found}), sorted(set(example.expect))
        if codes != expected_codes:
            told = "; ".join(f"{each.code} at {each.where}: {each.message}" for each in found) or "no finding"
            faults.add(
                "example",
                place,
                f"example {example.name!r} comes out otherwise",
                expected=", ".join(expected_codes) or "no finding",
                found=told,
            )
    if blueprint.examples and len({bool(example.expect) for example in blueprint.examples}) < 2:
        faults.add("example", ("examples",), "a legal example and an illegal one are needed")


def as_plan(blueprint: Blueprint, example: Example) -> Plan:
    """The example as a plan: events e1, e2, … chain by chain, candidates after them."""
    events = (f"e{number}" for number in itertools.count(1))
    cycles = (f"c{number}" for number in itertools.count(1))
    trajectories = []
    for number, chain in enumerate(example.chains, 1):
        entity, _, field = chain.field.partition("/")
        built = []
        for steps in chain.cycles:
            ids = [next(events) for _ in steps]
            built.append(
                Cycle(
                    id=next(cycles),
                    events=tuple(
                        Event(
                            id=id,
                            person=step.by,
                            predecessor=ids[at - 1] if at else None,
                            **carried(step),
                        )
                        for at, (id, step) in enumerate(zip(ids, steps, strict=True))
                    ),
                )
            )
        trajectories.append(
            Trajectory(id=f"t{number}", entity=entity, field=field, cycles=tuple(built), instance=chain.instance)
        )
    candidates = tuple(
        Candidate(id=f"u{number}", trajectory=f"t{each.chain}", person=each.by, value=each.value)
        for number, each in enumerate(example.candidates, 1)
    )
    beats = [Beat(kind="event", ref=event.id) for trajectory in trajectories for event in trajectory.events]
    beats += [Beat(kind="candidate", ref=each.id) for each in candidates]
    cast = tuple(
        Person(id=id, name=blueprint.names.surnames[0], gender="female", role=role, title=role)
        for id, role in example.cast.items()
    )
    return Plan(
        family=example.name,
        scenario=blueprint.id,
        index=1,
        attempt=0,
        anchor_date=blueprint.anchor_date,
        cast=cast,
        facts={},
        trajectories=tuple(trajectories),
        candidates=candidates,
        beats=tuple(beats),
    )


def _bad_names(blueprint: Blueprint, example: Example) -> list[tuple[str, str]]:
    roles = [role.id for role in blueprint.roles]
    fields = [field.key for field in blueprint.fields]
    bad = [(role, closest(role, roles)) for role in example.cast.values() if role not in roles]
    bad += [(chain.field, closest(chain.field, fields)) for chain in example.chains if chain.field not in fields]
    return bad
