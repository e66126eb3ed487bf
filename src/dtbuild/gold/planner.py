"""Designs one family: who meets, which chains they go through, and in what order.

Pure: family k depends on blueprint, settings, seed, k, attempt, `change` and `pairs` alone, so any process plans the
same bytes. A draw that leads nowhere (nobody present may clear the obstacle, a bound leaves no other value) is a dead
end and the next try draws afresh; only after many does a wanted phenomenon give way, and it is then not listed
as planned. A plan shows what it lists and nothing else of the list in `dtbuild.gold.phenomena`.

>>> from dtbuild.blueprint.load import load
>>> plan(load("supply_chain"), GoldSettings(), seed=7, index=1).family
'sc00015'
"""

from __future__ import annotations

import copy
import random

from dtbuild import seeds
from dtbuild.errors import BlueprintError
from dtbuild.gold import assemble, changes, choice, order, reach, schedule
from dtbuild.gold.case import Case
from dtbuild.gold.draw import pick
from dtbuild.gold.fill import Asked, fill
from dtbuild.gold.index import Index
from dtbuild.gold.index import index as index_of
from dtbuild.gold.people import particulars, people
from dtbuild.gold.phenomena import PHENOMENA, shown
from dtbuild.gold.settings import IMPLIES, GoldSettings
from dtbuild.gold.shape import CONCLUDED, DeadEnd, chains
from dtbuild.gold.step import Used
from dtbuild.records import ids
from dtbuild.records.blueprint import Blueprint
from dtbuild.records.plan import Candidate, Plan, Trajectory
from dtbuild.records.values import Value
from dtbuild.records.variant import VariantKind

_TRIES = 600
_GIVE_WAY = 60
"""Tries after which one wanted phenomenon gives way."""
_VALUES = 4
"""Draws of the numbers of one case before other chains are tried."""
_CHOOSY = 24
"""Tries in which the change of a pair must weigh in the gold."""


def plan(
    blueprint: Blueprint,
    settings: GoldSettings,
    *,
    seed: int,
    index: int,
    attempt: int = 0,
    change: VariantKind | None = None,
    pairs: float = 0.5,
) -> Plan:
    """The plan of the index-th family (from 1); `attempt` counts rejected scripts of it.

    `change` is what variant B of a pair changes, None for a family without B. A pair has three persons or more.
    `pairs` is the share of pairs in the cohort, whose cast sizes the other families make up for.

    Raises BlueprintError when no try gives a legal plan: cast, fields and sizes do not go together.
    """
    known = index_of(blueprint)
    given = schedule.slot(known, settings, seed=seed, pairs=pairs, index=index)
    wanted, size = set(given.phenomena), given.size
    if change is not None and size < 3:
        size = schedule.cast_sizes(known, settings, pair=True)[0]
    base = seeds.rng(seed, "gold", blueprint.id, index, attempt)
    for number in range(_TRIES):
        if number and number % _GIVE_WAY == 0 and wanted:
            gone = pick(base, sorted(wanted))
            wanted -= {gone} | {name for name, needed in IMPLIES.items() if needed == gone}
        rng = seeds.rng(seed, "gold", blueprint.id, index, attempt, number)
        try:
            return _draft(rng, known, settings, frozenset(wanted), size, (index, attempt, number), change)
        except DeadEnd:
            continue
    raise BlueprintError(
        f"blueprint {blueprint.id!r}, family {index}",
        expected=f"a legal plan within {_TRIES} tries",
        found="none: casts, fields, obstacles and sizes do not go together",
        fix="widen the settings, or give the scenario more fields, obstacles and casts",
    )


def _draft(
    rng: random.Random,
    known: Index,
    settings: GoldSettings,
    wanted: frozenset[str],
    size: int,
    family: tuple[int, int, int],
    change: VariantKind | None,
) -> Plan:
    """One try. Raises DeadEnd."""
    index, attempt, number = family
    blueprint, revisable = known.blueprint, "revision" in wanted
    able = reach.able(known.troupes[size], wanted, change, settings.trajectories[1])
    if not able:
        raise DeadEnd
    troupe = choice.troupe(rng, able, wanted)
    number_of = choice.count(rng, settings, troupe, wanted, change)
    chosen = choice.fields(rng, known, troupe, wanted, change, number_of)
    hosts, limits = choice.hosts(rng, troupe, chosen, wanted, change)
    abilities = choice.abilities(troupe, chosen, limits, wanted)
    steps = choice.events(settings, troupe, wanted)
    bare = chains(rng, hosts, abilities, wanted, steps)
    used = Used()
    filled = [
        fill(rng, chain, Asked(field, limit, revisable, CONCLUDED in host), troupe, used)
        for chain, (field, _), limit, host in zip(bare, chosen, limits, hosts, strict=True)
    ]
    if sum(len(cycle) for cycles in filled for cycle in cycles) < steps[0]:
        raise DeadEnd
    places = order.weave(rng, filled, "interleaving" in wanted)
    case, raws, trajectories = _valued(rng, known, filled, chosen, places, troupe.roles, revisable)
    # from here on everything counts in the order of talk
    by_talk = assemble.opened(places)
    chosen, raws = [chosen[at] for at in by_talk], [raws[at] for at in by_talk]
    placed = []
    if "unauthorised_candidate" in wanted:
        placed.append(assemble.candidate(rng, case, troupe, trajectories, chosen, raws))
    candidates = tuple(each for each, _ in placed)
    cast = people(rng, blueprint, troupe.spec)
    distractors = (
        assemble.distractors(rng, case, cast, trajectories, candidates) if "distractor_number" in wanted else []
    )
    beats = assemble.beats(rng, trajectories, placed, distractors)
    numbers: dict[str, Value] = {each.id: each.value for each in candidates}
    numbers |= {each.id: each.value for each in distractors}
    trajectories = assemble.shortened(rng, trajectories, numbers, beats, wanted)
    speakers = _speakers(trajectories, candidates) | {each.id: each.person for each in distractors}
    changed = None
    if change is not None:
        talk = [(beat.ref, speakers[beat.ref]) for beat in beats]
        changed = changes.find(change, rng, known, cast, trajectories, talk, choosy=number < _CHOOSY)
        if changed is None:
            raise DeadEnd
    quantities = case.quantities()
    for id in sorted(used.obstacles):
        quantities |= case.premises(known.obstacle[id])
    result = Plan(
        family=ids.family_id(blueprint.code, index),
        scenario=blueprint.id,
        index=index,
        attempt=attempt,
        anchor_date=blueprint.anchor_date,
        cast=cast,
        facts=particulars(rng, blueprint),
        quantities=quantities,
        trajectories=trajectories,
        candidates=candidates,
        distractors=tuple(distractors),
        beats=beats,
        phenomena=tuple(name for name in PHENOMENA if name in wanted),
        change=changed,
    )
    if shown(result, blueprint) != wanted:
        raise DeadEnd
    return result


def _valued(
    rng: random.Random,
    known: Index,
    filled: list[assemble.Steps],
    chosen: list[choice.Chosen],
    places: list[order.Place],
    roles: dict[str, str],
    revisable: bool,
) -> tuple[Case, list[assemble.Raws], tuple[Trajectory, ...]]:
    """The chains with values that a listener can tell apart. Raises DeadEnd after some draws."""
    for _ in range(_VALUES):
        case = Case(known, rng)
        # values settle which steps change something, so each draw has steps of its own
        steps = [[[copy.copy(step) for step in cycle] for cycle in cycles] for cycles in filled]
        try:
            raws = _values(case, steps, chosen, roles, revisable)
        except DeadEnd:
            continue
        trajectories = assemble.trajectories(steps, raws, chosen, places, case)
        if assemble.distinct(trajectories):
            return case, raws, trajectories
    raise DeadEnd


def _values(
    case: Case,
    filled: list[assemble.Steps],
    chosen: list[choice.Chosen],
    roles: dict[str, str],
    revisable: bool,
) -> list[assemble.Raws]:
    """Values chain by chain, fields that others hang on first: they stand first in the blueprint."""
    ranks = {key: at for at, key in enumerate(case.index.fields)}
    raws: list[assemble.Raws] = [[] for _ in chosen]
    seen: set[str] = set()
    for at in sorted(range(len(chosen)), key=lambda at: ranks[chosen[at][0].key]):
        field = chosen[at][0]
        raws[at] = case.along(field, filled[at], roles, revisable, field.key in seen)
        seen.add(field.key)
    return raws


def _speakers(trajectories: tuple[Trajectory, ...], candidates: tuple[Candidate, ...]) -> dict[str, str]:
    speakers = {event.id: event.person for trajectory in trajectories for event in trajectory.events}
    return speakers | {each.id: each.person for each in candidates}
