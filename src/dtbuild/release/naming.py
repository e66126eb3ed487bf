"""What events, fields and grounds are called where people read them.

Chains are lettered in the order of the gold (A, B, …), events numbered inside their chain: A1, A2, B1.

>>> [letter(index) for index in (0, 25, 26)]
['A', 'Z', 'AA']
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from dtbuild.records.cohort import GoldEvent
from dtbuild.records.plan import Event, Trajectory

Place = tuple[str, str, "str | None"]
"""Entity, field and instance: what a chain of A and one of B are matched by."""


def letter(index: int) -> str:
    """A … Z, AA, AB, …"""
    return (letter(index // 26 - 1) if index >= 26 else "") + chr(ord("A") + index % 26)


def place_of(trajectory: Trajectory) -> Place:
    return trajectory.entity, trajectory.field, trajectory.instance


def tags(editions: Iterable[Iterable[Trajectory]]) -> dict[str, str]:
    """Event id → tag. Ids mean the same in every edition of a family, so an event has one tag in A and in B."""
    chains: dict[Place, dict[str, None]] = {}
    for trajectories in editions:
        for trajectory in trajectories:
            chains.setdefault(place_of(trajectory), {}).update(dict.fromkeys(each.id for each in trajectory.events))
    return {
        event: f"{letter(index)}{number}"
        for index, events in enumerate(chains.values())
        for number, event in enumerate(events, 1)
    }


def field_name(labels: Mapping[tuple[str, str], str], entity: str, field: str, instance: str | None) -> str:
    """The field's label, or its key where it has none, with the instance."""
    label = labels.get((entity, field), f"{entity}/{field}")
    return f"{label}（{instance}）" if instance else label


def grounds(event: Event | GoldEvent) -> dict[str, str]:
    """What the event waits for, clears, meets, or comes from, each in words; what it has not is left out."""
    named = {
        "obstacle": ("waits for", event.obstacle),
        "clearing": ("clears", event.clears),
        "condition": ("meets", event.condition),
        "cause": ("because of", event.cause),
    }
    return {name: f"{verb} {what}" for name, (verb, what) in named.items() if what}
