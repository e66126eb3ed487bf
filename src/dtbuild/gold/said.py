"""How much of a value is said: in full, by an anaphor (那个数), or not at all.

A value may be left unsaid only where the event keeps the value of its predecessor. An anaphor needs the last
value of its type that was named to be the one it stands for, or a listener could not resolve it.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

import msgspec

from dtbuild.gold.shape import DeadEnd
from dtbuild.records.plan import Event
from dtbuild.records.values import Composite, Ratio, Status, Value

_UNSAID_SHARE = 0.6


class Said(msgspec.Struct, frozen=True):
    """One beat as far as saying goes: the event (None for a number that is none), its chain and its value."""

    event: Event | None
    chain: str
    value: Value | None


def shorten(rng: random.Random, beats: Sequence[Said], wanted: frozenset[str]) -> dict[str, str]:
    """Event id → "elliptical" or "carried" for those not said in full. Raises DeadEnd when a wanted one has no place."""
    kinds = [
        kind
        for kind, name in (("elliptical", "elliptical_reference"), ("carried", "carried_over_value"))
        if name in wanted
    ]
    places: dict[str, list[str]] = {}
    last_of_type: dict[type, str] = {}
    current: dict[str, Value | None] = {}
    for beat in beats:
        if beat.value is None:
            continue
        kind = type(beat.value)
        event = beat.event
        if event is not None and event.predecessor is not None and current.get(beat.chain) == beat.value:
            allowed = list(kinds)
            if isinstance(beat.value, Status | Composite | Ratio) or last_of_type.get(kind) != beat.chain:
                allowed = [each for each in allowed if each != "elliptical"]
            if allowed:
                places[event.id] = allowed
        if event is not None:
            current[beat.chain] = beat.value
        last_of_type[kind] = beat.chain
    chosen: dict[str, str] = {}
    for kind_name in kinds:
        # one place is sure, so that what was planned is there
        open_places = [id for id, allowed in places.items() if kind_name in allowed and id not in chosen]
        if not open_places:
            raise DeadEnd
        chosen[open_places[rng.randrange(len(open_places))]] = kind_name
    for id, allowed in places.items():
        if id not in chosen and rng.random() < _UNSAID_SHARE:
            chosen[id] = allowed[rng.randrange(len(allowed))]
    return chosen
