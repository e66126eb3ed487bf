"""Gold as designed, before any text: cast, trajectories, and the order in which things happen.

A plan names people by person id (`p1`, …); the speaker labels S1, S2, … exist only once a script fixes who
speaks first (`dtbuild.records.script.speakers`). Event, candidate and distractor ids are unique in the plan.
Rules: spec, sections 1 and 5.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import msgspec

from dtbuild.records.values import Value

Action = Literal["start", "advance", "hold", "settle"]
Result = Literal["confirmed", "approved", "rejected", "withdrawn"]
CLOSING: tuple[Result, ...] = ("approved", "confirmed")
"""Results that conclude a matter in the positive; the others refuse it."""
Reason = Literal["counter", "concession", "recount", "obstacle", "reopening", "standing"]
State = Literal["active", "held", "settled"]
ValueSaid = Literal["explicit", "elliptical", "carried"]


class Person(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One member of the cast. Name, gender and voice stay with the person in every variant of a family."""

    id: str
    name: str
    gender: Literal["female", "male"]
    role: str
    title: str


class Event(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One step of a chain.

    `value` is the current candidate or result. `predecessor` is the previous event of the same cycle, None on
    its first. `result` belongs to a settle and to nothing else. `obstacle` names what a hold waits for,
    `clears` the obstacle an advance or settle removes, `condition` a named condition an advance meets.
    `reason` says why the value changed here, for the writer and not scored: `counter` (the speaker sets his side's
    number against another's), `concession` (his side gives way to somebody's objection), `recount` (a fact counted or
    checked again), `obstacle` (what cleared it changed the number), `reopening` (with its `cause` of the blueprint);
    or, where the chain opens held or settled, that its value stands from before and whoever is there knows it
    (`standing`).
    `value_said` asks the writer for a full amount, an anaphor (那个数), or no value words at all.
    """

    id: str
    action: Action
    value: Value | None
    person: str
    scope: str
    predecessor: str | None = None
    result: Result | None = None
    obstacle: str | None = None
    clears: str | None = None
    condition: str | None = None
    reason: Reason | None = None
    cause: str | None = None
    value_said: ValueSaid = "explicit"


UNSCORED = ("obstacle", "clears", "condition", "reason", "cause")
"""What an event tells beside what is scored: for the writer and for people who read a chain."""
CARRIED = ("action", "value", "scope", "result", *UNSCORED)
"""What an event is called alike wherever it is written: in a plan, in gold, in a worked example of a blueprint."""


def carried(event: object) -> dict[str, Any]:
    """Those parts of an event of any of these records, to make one of another of them."""
    return {name: getattr(event, name) for name in CARRIED}


class Cycle(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    events: tuple[Event, ...]


class Trajectory(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One entity–field pair (and instance, where two of a kind occur) through its cycles, in order."""

    id: str
    entity: str
    field: str
    cycles: tuple[Cycle, ...]
    instance: str | None = None

    @property
    def key(self) -> str:
        """The field as blueprints and figures write it: `entity/field`."""
        return f"{self.entity}/{self.field}"

    @property
    def events(self) -> tuple[Event, ...]:
        return tuple(event for cycle in self.cycles for event in cycle.events)


class Candidate(msgspec.Struct, frozen=True, kw_only=True):
    """A value for a trajectory named by somebody who may neither start nor advance there: no event."""

    id: str
    trajectory: str
    person: str
    value: Value


class Distractor(msgspec.Struct, frozen=True, kw_only=True):
    """A number that belongs to no chain; `kind` is its entry in the blueprint's distractors."""

    id: str
    kind: str
    person: str
    value: Value


class Beat(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that must happen in the dialogue; `ref` is the id of an event, candidate or distractor."""

    kind: Literal["event", "candidate", "distractor"]
    ref: str


class Swap(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="speaker_swap"):
    """The planned difference of variant B: these events move to another person with the same rights."""

    events: tuple[str, ...]
    giver: str
    taker: str


class Reassignment(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="role_reassignment"):
    """The planned difference of variant B: two persons exchange roles and titles, and with them what they say.

    Both keep their opening words, which show no role: so S1 stays S1, and what S1 decided in A S2 decides in B.
    """

    one: str
    other: str


class Confirmation(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="confirmation_change"):
    """The planned difference of variant B: the words that close `event`, a settle, lose their authority.

    In B `person`, who may not settle there, answers in its place; the chain stays in the state before it.
    """

    event: str
    person: str


Change = Swap | Reassignment | Confirmation
"""What variant B changes, and nothing else (spec, section 5, Variants)."""


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that is decided before a word is written, for one family (variant A).

    `facts` are the case's particulars that talk may mention (company names, documents), chosen from the
    blueprint; `quantities` its typed numbers (`buyer_term`) and the premises of the obstacles in use
    (`<obstacle>.<premise>`); `beats` the planned order of events, candidates and distractors; `phenomena` the names of
    what was planned on purpose (spec, section 2); `change` the difference of variant B where the family is a pair.
    """

    format: str = "dtbuild.plan/1"
    family: str
    scenario: str
    index: int
    attempt: int
    anchor_date: str
    cast: tuple[Person, ...]
    facts: dict[str, str]
    quantities: dict[str, Value] = {}
    trajectories: tuple[Trajectory, ...]
    candidates: tuple[Candidate, ...] = ()
    distractors: tuple[Distractor, ...] = ()
    beats: tuple[Beat, ...]
    phenomena: tuple[str, ...] = ()
    change: Change | None = None

    def person(self, id: str) -> Person:
        return next(person for person in self.cast if person.id == id)

    def events(self) -> Iterator[tuple[Trajectory, Cycle, Event]]:
        """Every event with its trajectory and cycle, trajectory by trajectory."""
        for trajectory in self.trajectories:
            for cycle in trajectory.cycles:
                for event in cycle.events:
                    yield trajectory, cycle, event

    def event(self, id: str) -> Event:
        return next(event for _, _, event in self.events() if event.id == id)


def state_after(action: Action) -> State:
    """The state an action leaves; the terminal state of a chain is derived from its last event (spec, 1)."""
    states: dict[Action, State] = {"start": "active", "advance": "active", "hold": "held", "settle": "settled"}
    return states[action]
