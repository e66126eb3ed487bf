"""Every difference between the gold of A and B in words: what it is about, what A has, what B has.

Speakers are told by label and name, since gold is scored by label: an event whose person stays differs all the same
where the label of the person moves. Roles and titles are told with the cast.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from dtbuild.records.plan import Event, Trajectory, state_after
from dtbuild.records.script import speakers
from dtbuild.release.brief import brief
from dtbuild.release.naming import field_name, grounds, letter, place_of, tags
from dtbuild.release.reading import Named, Reading, Text


class Difference(NamedTuple):
    """`a` and `b` are None where that recording has nothing of the kind."""

    subject: str
    a: str | None
    b: str | None


def differences(reading: Reading) -> list[Difference]:
    """In the order of A's chains and events, then what only B has. None of a family with one recording."""
    if reading.b is None:
        return []
    return list(_Both(reading, reading.b).all())


class _Both:
    def __init__(self, reading: Reading, b: Text) -> None:
        self.a, self.b, self.labels = reading.a, b, reading.labels
        self.tags = tags([self.a.trajectories, b.trajectories])
        self.who = [_names(text) for text in (self.a, b)]

    def all(self) -> Iterator[Difference]:
        chains = [{place_of(each): each for each in text.trajectories} for text in (self.a, self.b)]
        for index, place in enumerate(dict.fromkeys([*chains[0], *chains[1]])):
            one, other = chains[0].get(place), chains[1].get(place)
            yield from self._events(one, other, field_name(self.labels, *place))
            ends = [_end(each) for each in (one, other)]
            if ends[0] != ends[1]:
                yield Difference(f"{letter(index)} {field_name(self.labels, *place)}", ends[0], ends[1])
        yield from self._named()
        if self.a.phenomena != self.b.phenomena:
            mine, its = ([each for each in one.phenomena if each not in other.phenomena]
                         for one, other in ((self.a, self.b), (self.b, self.a)))  # fmt: skip
            yield Difference("phenomena planned in the one alone", ", ".join(mine) or None, ", ".join(its) or None)

    def _events(self, one: Trajectory | None, other: Trajectory | None, name: str) -> Iterator[Difference]:
        first, second = dict(self._by_id(one)), dict(self._by_id(other))
        for id in dict.fromkeys([*first, *second]):
            mine, its = first.get(id), second.get(id)
            event, text = (mine[1], self.a) if mine else (second[id][1], self.b)
            subject = f"{self.tags[id]} {event.action} {name} {brief(event.value)}{_turn(text, id)}"
            a = None if mine is None else self._told(*mine, self.who[0])
            b = None if its is None else self._told(*its, self.who[1])
            if a is None or b is None:
                yield Difference(subject, _whole(a), _whole(b))
            elif a != b:
                parts = [what for what in a if a[what] != b[what]]
                yield Difference(subject, *(", ".join(each[what] or f"no {what}" for what in parts) for each in (a, b)))

    def _by_id(self, trajectory: Trajectory | None) -> Iterator[tuple[str, tuple[int, Event]]]:
        for number, cycle in enumerate(trajectory.cycles if trajectory else (), 1):
            for event in cycle.events:
                yield event.id, (number, event)

    def _told(self, cycle: int, event: Event, who: Mapping[str, str]) -> dict[str, str]:
        """Each part of an event in words; "" for one it has not."""
        return {
            "action": event.action,
            "value": brief(event.value),
            "result": event.result or "",
            "speaker": f"by {who.get(event.person, event.person)}",
            "scope": f"scope {event.scope}",
            "cycle": f"cycle {cycle}",
            "predecessor": f"after {self.tags.get(event.predecessor, event.predecessor)}" if event.predecessor else "",
            "reason": f"reason {event.reason}" if event.reason else "",
            **{what: grounds(event).get(what, "") for what in ("obstacle", "clearing", "condition", "cause")},
        }

    def _named(self) -> Iterator[Difference]:
        first, second = ({each.id: each for each in text.named} for text in (self.a, self.b))
        for id in dict.fromkeys([*first, *second]):
            sides = [first.get(id), second.get(id)]
            told = [
                each and f"{brief(each.value)}, by {who.get(each.person, each.person)}"
                for each, who in zip(sides, self.who, strict=True)
            ]
            if told[0] != told[1]:
                named: Named = next(each for each in sides if each)
                name = field_name(self.labels, named.entity, named.field, named.instance)
                yield Difference(f"{name} {brief(named.value)}, named without the right", told[0], told[1])


def _names(text: Text) -> dict[str, str]:
    labels = speakers(text.script)
    return {each.id: f"{labels.get(each.id, '–')} {each.name}" for each in text.script.cast}


def _turn(text: Text, event: str) -> str:
    trigger = text.script.trigger(event)
    numbers = [number for number, turn in enumerate(text.script.turns, 1) if turn.id == trigger]
    return f", turn {numbers[0]}" if numbers else ""


def _end(trajectory: Trajectory | None) -> str | None:
    if trajectory is None:
        return None
    last = trajectory.events[-1]
    return f"ends {state_after(last.action)} at {brief(last.value)}"


def _whole(parts: Mapping[str, str] | None) -> str | None:
    """A whole event: what it is and by whom; the rest goes without saying where the other recording has none."""
    if parts is None:
        return None
    return ", ".join(parts[what] for what in ("action", "result", "speaker", "obstacle", "clearing") if parts[what])
