"""The choices at the head of a plan: cast, fields, and which chain shows what.

What a family shows is given (`dtbuild.gold.schedule`), so that rates are those of the settings; cast and fields are
drawn among those that can show it.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

from dtbuild.gold import reach
from dtbuild.gold.draw import pick
from dtbuild.gold.index import Index
from dtbuild.gold.settings import IMPLIES, GoldSettings
from dtbuild.gold.shape import CONCLUDED, Ability, DeadEnd, Host
from dtbuild.gold.troupe import Troupe
from dtbuild.records.blueprint import Field
from dtbuild.records.variant import VariantKind

Chosen = tuple[Field, str | None]
"""A field, and the instance where two of a kind occur."""

_FEW = 6
"""Fields that can show something, where it may not matter who has a say in them."""
_FIELD_TRIES = 6
_HOST_TRIES = 6
_COUNTED, _HAGGLED = 1, 2
"""Changes of a value in one cycle: a fact is counted again once, a term moves more often."""
_CONDITIONS = 2
"""Conditions that are met in one chain at most."""
_TURNS = frozenset({"revision", "resumption"})
"""What makes a chain long."""
_COUNTS = {1: 5.0, 2: 7.0, 3: 1.5, 4: 0.3}
"""How likely so many chains are: few, and those gone through in full."""
_TWO_OF_A_KIND = 0.3
_UNDECIDED = 0.3
"""How much less often a matter comes up that nobody present may conclude."""
_ONE_VOICE = 0.03
"""How much less often a matter comes up in which only one person present has a say."""
_NO_CLIENT = 0.03
"""How much less often a number is wished where only colleagues could wish it."""
_LONG = 5
"""Events of a chain that two colleagues go through in full."""
_CARRIES = 7
"""Events that two colleagues need at least to have something to talk about."""
_NOTHING_MUCH = 0.05
"""How much less often two colleagues meet over chains too short to carry a talk."""
_FILE_ORDER = 0.75
"""How often matters come up in the order of the blueprint, which is that of the work."""


def troupe(rng: random.Random, troupes: Sequence[Troupe], phenomena: frozenset[str]) -> Troupe:
    """One of the casts that can show what is wanted, by weight."""
    return pick(rng, troupes, [float(each.spec.weight) * _likely(each, phenomena) for each in troupes])


def count(
    rng: random.Random, settings: GoldSettings, people: Troupe, phenomena: frozenset[str], change: VariantKind | None
) -> int:
    """How many trajectories: enough to show what is wanted, and to go through the fewest events."""
    low, high = settings.trajectories
    low = max(low, len(reach.needed(people, phenomena, change) or ()))
    if "interleaving" in phenomena:
        low = max(low, 2)
    low = max(low, math.ceil(settings.events[0] / reach.longest(phenomena, sure=True)))
    if people.colleagues:
        # few matters, and those gone through in full
        high = min(high, max(low, settings.events[1] // _LONG))
    options = list(range(min(low, high), high + 1))
    return pick(rng, options, [_COUNTS.get(each, 1.0) for each in options])


def events(settings: GoldSettings, people: Troupe, phenomena: frozenset[str]) -> tuple[int, int]:
    """How many events at least and at most: two colleagues meet over more than the fewest."""
    low, high = settings.events
    return (max(low, min(high, _CARRIES)), high) if people.colleagues and phenomena & _TURNS else (low, high)


def fields(
    rng: random.Random,
    index: Index,
    people: Troupe,
    phenomena: frozenset[str],
    change: VariantKind | None,
    number: int,
) -> list[Chosen]:
    """Different fields, among them one for every phenomenon that asks for a kind of field. Raises DeadEnd."""
    asked = [reach.places(people, name) for name in reach.asks(phenomena, change)]
    for _ in range(_FIELD_TRIES):
        found = _fields(rng, index, people, phenomena, asked, number)
        if found is not None:
            break
    else:
        few = reach.needed(people, phenomena, change) or ()
        found = _fields(rng, index, people, phenomena, [frozenset({key}) for key in few], number)
    if found is None:
        raise DeadEnd
    if rng.random() < _FILE_ORDER:
        ranks = {key: at for at, key in enumerate(index.fields)}
        found.sort(key=lambda each: ranks[each[0].key])
    return found


def hosts(
    rng: random.Random,
    people: Troupe,
    chosen: Sequence[Chosen],
    phenomena: frozenset[str],
    change: VariantKind | None,
) -> tuple[list[Host], list[str | None]]:
    """For every chain what it has to show, and the limited scope it is treated in, if any. Raises DeadEnd."""
    for _ in range(_HOST_TRIES):
        found = _shared_out(rng, people, chosen, phenomena, change)
        if found is not None:
            return found
    raise DeadEnd


def abilities(
    people: Troupe, chosen: Sequence[Chosen], limits: Sequence[str | None], phenomena: frozenset[str]
) -> list[Ability]:
    """What the cast can make of each chain; a condition is met once in a dialogue, and counts for one chain."""
    closable = [
        (field.key, limit or field.scope) in people.closable for (field, _), limit in zip(chosen, limits, strict=True)
    ]
    conditions = [0] * len(chosen)
    met: set[str] = set()
    # a chain that nobody concludes needs a condition to go on, so it is served first
    for at in sorted(range(len(chosen)), key=lambda at: closable[at]) * _CONDITIONS:
        left = [each for each in reach.conditions(people, chosen[at][0]) if each not in met]
        met |= set(left[:1])
        conditions[at] += bool(left)
    return [
        Ability(
            closable=closable[at],
            obstacles=reach.obstacles(people, field, revisable="revision" in phenomena),
            changes=reach.changes(people, field) and (_COUNTED if field.nature == "fact" else _HAGGLED),
            conditions=conditions[at],
        )
        for at, (field, _) in enumerate(chosen)
    ]


def _fields(
    rng: random.Random,
    index: Index,
    people: Troupe,
    phenomena: frozenset[str],
    asked: Sequence[frozenset[str]],
    number: int,
) -> list[Chosen] | None:
    """One draw; None where it leaves something asked for without its field."""
    options = [field for field in people.usable if reach.fits(people, field, phenomena)]
    result: list[Chosen] = []
    keys: set[str] = set()
    while len(result) < number:
        lacking = [each for each in asked if not each & keys]
        pool = [field for field in options if field.key in lacking[0]] if lacking else options
        if not pool:
            return None
        weighed = _bare_weight if lacking and len(pool) <= _FEW else _weight
        field = pick(rng, pool, [weighed(people, each) for each in pool])
        options.remove(field)
        keys.add(field.key)
        instances = index.instances.get(field.entity, ())
        if len(instances) > 1 and number - len(result) > max(1, len(lacking)) and rng.random() < _TWO_OF_A_KIND:
            two = rng.sample(range(len(instances)), 2)
            result += [(field, instances[at]) for at in sorted(two)]
        else:
            result.append((field, None))
    return result if all(each & keys for each in asked) else None


def _shared_out(
    rng: random.Random,
    people: Troupe,
    chosen: Sequence[Chosen],
    phenomena: frozenset[str],
    change: VariantKind | None,
) -> tuple[list[Host], list[str | None]] | None:
    """One draw of who shows what; None where something finds no chain."""
    shows: list[set[str]] = [set() for _ in chosen]
    limits: list[str | None] = [None] * len(chosen)
    if "scope_limited_settle" in phenomena:
        fitting = [(at, scope) for at, (field, _) in enumerate(chosen) for scope in people.limited.get(field.key, ())]
        if not fitting:
            return None
        at, limits[at] = pick(rng, fitting)
        shows[at].add("scope_limited_settle")
    if change == "confirmation_change":
        places = [at for at, (field, _) in enumerate(chosen) if field.key in people.answerable and not limits[at]]
        if not places:
            return None
        shows[pick(rng, places)].add(CONCLUDED)
    for name in ("first_event_settle", "first_event_hold", "reopening", "resumption", "suspension", "revision"):
        if name not in phenomena or any(IMPLIES.get(other) == name for show in shows for other in show):
            continue
        places = [
            at
            for at, (field, _) in enumerate(chosen)
            if field.key in reach.places(people, name)
            and _hosts(name, people, field, limits[at], shows[at], "resumption" in phenomena)
        ]
        if not places:
            return None
        shows[pick(rng, places)].add(name)
    if "unauthorised_candidate" in phenomena and not any(
        field.key in people.wishers and "first_event_settle" not in show
        for (field, _), show in zip(chosen, shows, strict=True)
    ):
        return None
    return [frozenset(show) for show in shows], limits


def _likely(people: Troupe, phenomena: frozenset[str]) -> float:
    """Where a number is to be wished, a cast with somebody from across the table is likelier; two colleagues meet over
    what has its ups and downs."""
    wishing = _NO_CLIENT if "unauthorised_candidate" in phenomena and not people.wished_across else 1.0
    return wishing * (_NOTHING_MUCH if people.colleagues and not phenomena & _TURNS else 1.0)


def _bare_weight(people: Troupe, field: Field) -> float:
    """What few fields can show may be shown of a matter that nobody present concludes."""
    return float(field.weight)


def _weight(people: Troupe, field: Field) -> float:
    weight = float(field.weight) * (1.0 if (field.key, field.scope) in people.closable else _UNDECIDED)
    heard = people.voices[field.key] > 1 or field.key in people.wishers
    return weight * (1.0 if heard else _ONE_VOICE)


def _hosts(name: str, people: Troupe, field: Field, limit: str | None, shows: set[str], resumable: bool) -> bool:
    """Whether a chain that shows this can show one thing more."""
    if name in ("first_event_settle", "reopening") and (field.key, limit or field.scope) not in people.closable:
        return False
    if name == "first_event_settle":
        return CONCLUDED not in shows
    if name == "reopening":
        return "first_event_hold" not in shows or resumable
    if "first_event_settle" in shows:
        return False
    if name == "revision":
        # what opens held and stays held has no place for a change
        return "first_event_hold" not in shows or resumable
    # suspended for good, and concluded with nothing in the way
    return resumable or CONCLUDED not in shows
