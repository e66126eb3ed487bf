"""What one cast can show: in which fields each phenomenon has a place, and how many chains a set of them needs.

A phenomenon has a place in a field where the people present have the rights, the obstacles or the interests for
it. One chain can show several, but not any several: nothing is held up in a chain that opens with its conclusion.
"""

from __future__ import annotations

import functools
from collections.abc import Set

from dtbuild.gold import motives
from dtbuild.gold.settings import GoldSettings
from dtbuild.gold.troupe import Troupe
from dtbuild.records.blueprint import Field
from dtbuild.records.variant import VariantKind

LONGEST = {"resumption": 6, "revision": 5, "suspension": 4}
"""Events that one chain can come to with a phenomenon."""
_PLAIN, _BARE = 3, 2
"""Events of a chain with none of these: it is opened and concluded, mostly with a condition in between."""
_HELD = frozenset({"suspension", "resumption", "first_event_hold"})
_TALKED = frozenset({*_HELD, "revision", "unauthorised_candidate"})
"""What needs a chain that people go through, and not only its conclusion."""
_ASKED = frozenset({*_TALKED, "elliptical_reference"})
PLACED = frozenset({*_ASKED, "reopening", "scope_limited_settle", "composite_value", "first_event_settle"})
"""What has a place in some fields only; the rest can be shown in any."""
_CONCLUDED: VariantKind = "confirmation_change"


def places(people: Troupe, name: str) -> frozenset[str]:
    """Fields in which this cast can show a phenomenon, or which a pair of this kind needs; all for any other name."""
    return _places(people)[name] if name in _PLACES else frozenset(field.key for field in people.usable)


def asks(wanted: Set[str], change: VariantKind | None) -> list[str]:
    """Names that each need a field of their kind, in a fixed order."""
    return sorted({*wanted, *((change,) if change else ())} & _PLACES)


def fits(people: Troupe, field: Field, wanted: Set[str]) -> bool:
    """Whether the field shows nothing by itself that is not wanted, and its chain can go on after its start."""
    if field.value.type == "composite" and "composite_value" not in wanted:
        return False
    if field.value.type == "status" and "revision" not in wanted:
        # a status moves on before it is settled
        return False
    return (
        (field.key, field.scope) in people.closable
        or ("revision" in wanted and changes(people, field))
        or ("suspension" in wanted and obstacles(people, field, revisable=False) > 0)
        or bool(conditions(people, field))
    )


def longest(wanted: Set[str], *, sure: bool) -> int:
    """Events that one chain can come to; `sure` counts no condition, which may not be left."""
    return max([steps for name, steps in LONGEST.items() if name in wanted], default=_BARE if sure else _PLAIN)


def long_enough(wanted: Set[str], settings: GoldSettings) -> bool:
    """Whether as many chains as there may be can come to the fewest events."""
    most, steps = settings.trajectories[1], longest(wanted, sure=False)
    if "first_event_settle" in wanted:
        # that chain is its conclusion, and what follows if it is taken up again
        return (most - 1) * steps + (3 if "reopening" in wanted else 1) >= settings.events[0]
    return most * steps >= settings.events[0]


def able(
    troupes: tuple[Troupe, ...], wanted: frozenset[str], change: VariantKind | None, most: int
) -> tuple[Troupe, ...]:
    """The casts that can show everything in at most so many chains."""
    return _able(troupes, wanted & (PLACED | {"interleaving"}), change, most)


def needed(people: Troupe, wanted: frozenset[str], change: VariantKind | None) -> tuple[str, ...] | None:
    """Few fields that together have a place for everything, None where this cast cannot show it at all."""
    return _needed(people, wanted & PLACED, change)


@functools.lru_cache(maxsize=4096)
def _able(
    troupes: tuple[Troupe, ...], wanted: frozenset[str], change: VariantKind | None, most: int
) -> tuple[Troupe, ...]:
    if "interleaving" in wanted and most < 2:
        return ()
    found = []
    for each in troupes:
        few = needed(each, wanted, change)
        if few is not None and len(few) <= most:
            found.append(each)
    return tuple(found)


@functools.lru_cache(maxsize=8192)
def _needed(people: Troupe, wanted: frozenset[str], change: VariantKind | None) -> tuple[str, ...] | None:
    open_ones = set(asks(wanted, change))
    chains = [chain & open_ones for chain in _chains(wanted, change)]
    choices = [
        (key, chain & shown)
        for key, field, shown in _by_field(people)
        if fits(people, field, wanted)
        for chain in chains
    ]
    found: list[str] = []
    while open_ones:
        best = max(
            (each for each in choices if each[0] not in found),
            key=lambda each: len(each[1] & open_ones),
            default=("", frozenset()),
        )
        if not best[1] & open_ones:
            return None
        found.append(best[0])
        open_ones -= best[1]
    return tuple(found)


def _chains(wanted: Set[str], change: VariantKind | None) -> list[frozenset[str]]:
    """Kinds of chains, each by what one chain of it can show together."""
    bare = frozenset({"first_event_settle", "reopening", "scope_limited_settle", "composite_value", "speaker_swap"})
    usual = _PLACES - {"first_event_settle", _CONCLUDED}
    concluded = _PLACES - {"first_event_settle", "scope_limited_settle"}
    if "resumption" in wanted:
        return [usual, bare, concluded] if change == _CONCLUDED else [usual, bare]
    # what is held stays held: it cannot be concluded, and where it opens the chain nothing comes before it
    stuck = frozenset({"first_event_hold", "suspension", "composite_value", "unauthorised_candidate", "speaker_swap"})
    chains = [usual - {"first_event_hold"}, bare, stuck]
    return [*chains, concluded - _HELD] if change == _CONCLUDED else chains


@functools.lru_cache(maxsize=512)
def _by_field(people: Troupe) -> list[tuple[str, Field, frozenset[str]]]:
    """Every field with what it has a place for."""
    everything = _places(people)
    return [
        (field.key, field, frozenset(name for name, keys in everything.items() if field.key in keys))
        for field in people.usable
    ]


@functools.lru_cache(maxsize=512)
def _places(people: Troupe) -> dict[str, frozenset[str]]:
    usable = people.usable
    held = frozenset(field.key for field in usable if obstacles(people, field, revisable=True))
    closable = frozenset(field.key for field in usable if (field.key, field.scope) in people.closable)
    return {
        "scope_limited_settle": frozenset(people.limited),
        "composite_value": frozenset(field.key for field in usable if field.value.type == "composite"),
        # somebody from across the table is likelier to wish, where one is there
        "unauthorised_candidate": people.wished_across or frozenset(people.wishers),
        "first_event_settle": frozenset(field.key for field in usable if field.past and field.key in closable),
        "reopening": closable,
        "suspension": held,
        "resumption": held,
        "first_event_hold": held,
        "elliptical_reference": frozenset(
            field.key for field in usable if field.value.type not in ("status", "composite", "ratio")
        ),
        "revision": frozenset(field.key for field in usable if changes(people, field)),
        # a turn goes to somebody who could have said it in the same words, where the scenario has such people
        "speaker_swap": people.shared if people.index.shares else people.shared_across,
        _CONCLUDED: people.answerable,
    }


_PLACES = frozenset({*PLACED, "speaker_swap", _CONCLUDED})


@functools.lru_cache(maxsize=16384)
def _obstacles(people: Troupe, key: str, revisable: bool) -> int:
    field = people.index.fields[key]
    holders = {people.roles[person] for person, _ in motives.homes(people, field, "hold", None)}
    return sum(
        bool(holders & set(each.found_by))
        and bool(people.present & set(each.cleared_by))
        and (revisable or "keep" in each.effect)
        for each in people.index.obstacles[key]
    )


def obstacles(people: Troupe, field: Field, *, revisable: bool) -> int:
    """How many obstacles somebody present may find, with somebody there who brings what clears them."""
    return _obstacles(people, field.key, revisable)


@functools.lru_cache(maxsize=8192)
def _changes(people: Troupe, key: str) -> bool:
    field = people.index.fields[key]
    if field.value.type == "status":
        return bool(field.value.next)
    fact = field.nature == "fact"
    options = motives.homes(people, field, "advance", None) if fact else people.able(field, "advance", (field.scope,))
    openers = motives.proposers(people, field, motives.homes(people, field, "start", None))
    return any(motives.moves(people, field, options, person) for person, _ in openers)


def changes(people: Troupe, field: Field) -> bool:
    """Whether somebody present has a reason to change a value that somebody else named."""
    return _changes(people, field.key)


def conditions(people: Troupe, field: Field) -> tuple[str, ...]:
    """Named conditions that somebody present may say are met."""
    return _conditions(people, field.key)


@functools.lru_cache(maxsize=8192)
def _conditions(people: Troupe, key: str) -> tuple[str, ...]:
    field = people.index.fields[key]
    advancing = {people.roles[person] for person, _ in people.able(field, "advance", field.scopes)}
    return tuple(each.id for each in people.index.conditions[key] if advancing & set(each.by))
