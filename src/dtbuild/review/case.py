"""What the rules of review look at: one plan and its script, with the look-ups that several rules share.

Positions are (turn number from 0, character), so that "before" is a comparison of tuples.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from dtbuild.records.blueprint import Blueprint, Field
from dtbuild.records.plan import Cycle, Event, Person, Plan, Trajectory
from dtbuild.records.script import TRIGGER_KINDS, Mention, Script, Span, SpanKind, Turn
from dtbuild.review.neighbours import Neighbours
from dtbuild.review.words import Words, words

Place = tuple[int, int]

_SENTENCE = re.compile(r"[^。！？；…]*[。！？；…]*")


class Planned(NamedTuple):
    """An event with what it belongs to; `opens` says it is the first of a cycle after the first."""

    trajectory: Trajectory
    cycle: Cycle
    event: Event
    opens: bool


class Sentence(NamedTuple):
    turn: Turn
    start: int
    text: str


def parts(script: Script) -> Iterator[Span | Mention]:
    """Every span, then every mention."""
    yield from script.spans
    yield from script.mentions


class Case:
    """One subject of review. Nothing here judges; faulty references simply find nothing."""

    def __init__(
        self,
        plan: Plan,
        script: Script,
        blueprint: Blueprint,
        *,
        chars: tuple[int, int],
        wanted_turns: tuple[int, int],
        neighbours: Neighbours | None = None,
    ) -> None:
        self.plan, self.script, self.blueprint = plan, script, blueprint
        self.chars, self.wanted_turns, self.neighbours = chars, wanted_turns, neighbours
        self.words: Words = words()
        self.number = {turn.id: at for at, turn in reversed(list(enumerate(script.turns)))}
        self.turns = {turn.id: turn for turn in reversed(script.turns)}
        self.people = {person.id: person for person in plan.cast}
        self.mentions = {mention.id: mention for mention in reversed(script.mentions)}
        self.events: dict[str, Planned] = {
            event.id: Planned(trajectory, cycle, event, at > 0 and event is cycle.events[0])
            for trajectory in plan.trajectories
            for at, cycle in enumerate(trajectory.cycles)
            for event in cycle.events
        }
        self.candidates = {candidate.id: candidate for candidate in plan.candidates}
        self.distractors = {distractor.id: distractor for distractor in plan.distractors}
        self.trajectories = {trajectory.id: trajectory for trajectory in plan.trajectories}

    def spans(self, target: str, *kinds: SpanKind) -> list[Span]:
        """Spans of a target, of these kinds (of any where none is named), in text order."""
        found = [span for span in self._by_target.get(target, ()) if not kinds or span.kind in kinds]
        return sorted(found, key=lambda span: (self.number.get(span.turn, -1), span.start))

    def trigger(self, event: str) -> Turn | None:
        """The turn of the event's trigger spans; None where there is none, or more than one."""
        turns = {span.turn for span in self.spans(event, *TRIGGER_KINDS)}
        return self.turns.get(turns.pop()) if len(turns) == 1 else None

    def place(self, part: Span | Mention) -> Place:
        return self.number.get(part.turn, -1), part.start

    def event_place(self, event: str) -> Place | None:
        """Where the event happens: the first character of its trigger spans."""
        places = [self.place(span) for span in self.spans(event, *TRIGGER_KINDS) if span.turn in self.number]
        return min(places) if places else None

    def said(self, part: Span | Mention) -> str:
        """The words of a span or mention; empty where its turn does not exist."""
        turn = self.turns.get(part.turn)
        return turn.text[part.start : part.end] if turn else ""

    def field(self, trajectory: Trajectory) -> Field | None:
        return next((field for field in self.blueprint.fields if field.key == trajectory.key), None)

    def may(self, person: str, scope: str, action: str) -> bool:
        holder = self.people.get(person)
        return holder is not None and any(
            action in right.may
            for right in self.blueprint.authority
            if (right.role, right.scope) == (holder.role, scope)
        )

    def mentions_in(self, turn: str) -> Sequence[Mention]:
        return self._by_turn.get(turn, ())

    def person(self, turn: Turn) -> Person | None:
        return self.people.get(turn.person)

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        """Every sentence with its end mark, in order."""
        return tuple(self._sentences())

    def settled(self, trajectory: str, place: Place) -> bool:
        """Whether the last event of the trajectory at or before a place is a settle."""
        last = None
        for at, event in self._timeline.get(trajectory, ()):
            if at <= place:
                last = event
        return last is not None and last.action == "settle"

    @cached_property
    def touches(self) -> tuple[tuple[Place, str], ...]:
        """Where the talk touches a trajectory, by a span or mention of one of its events or candidates, in order."""
        found: list[tuple[Place, str]] = []
        for part in parts(self.script):
            target = part.target
            if target in self.events and part.turn in self.number:
                if isinstance(part, Span) and part.kind in {"authority", "premise"}:
                    continue
                found.append((self.place(part), self.events[target].trajectory.id))
            elif target in self.candidates and part.turn in self.number:
                found.append((self.place(part), self.candidates[target].trajectory))
        return tuple(sorted(found))

    def _sentences(self) -> Iterator[Sentence]:
        for turn in self.script.turns:
            for match in _SENTENCE.finditer(turn.text):
                if match.group():
                    yield Sentence(turn, match.start(), match.group())

    @cached_property
    def _by_target(self) -> dict[str, list[Span]]:
        found: dict[str, list[Span]] = {}
        for span in self.script.spans:
            found.setdefault(span.target, []).append(span)
        return found

    @cached_property
    def _by_turn(self) -> dict[str, list[Mention]]:
        found: dict[str, list[Mention]] = {}
        for mention in self.script.mentions:
            found.setdefault(mention.turn, []).append(mention)
        return found

    @cached_property
    def _timeline(self) -> dict[str, list[tuple[Place, Event]]]:
        found: dict[str, list[tuple[Place, Event]]] = {}
        for planned in self.events.values():
            place = self.event_place(planned.event.id)
            if place is not None:
                found.setdefault(planned.trajectory.id, []).append((place, planned.event))
        return {id: sorted(events, key=lambda each: each[0]) for id, events in found.items()}
