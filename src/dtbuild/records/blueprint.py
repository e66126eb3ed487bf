"""A scenario as data: who may decide what, about which fields, with which plausible values and obstacles.

Everything particular to a scenario (supply-chain finance, insurance claims, …) stands in one YAML file of this
shape; no scenario is known to any Python module. `lines`, `phrases` and `small_talk` are banks of the script
writer, keyed by its own names of moves; the planner never reads them. Rules: spec, section 5, Authority.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Literal

import msgspec

from dtbuild.records.plan import Action, Reason, Result
from dtbuild.records.values import Value

Lines = dict[str, tuple[str, ...]]
ValueType = Literal[
    "money", "rate", "change", "term", "date", "count", "ordinal", "ratio", "factor", "status", "composite"
]
Effect = Literal["keep", "lower", "raise", "other", "cap"]
Toward = Literal["lower", "raise"]
Nature = Literal["term", "fact"]


class _Part(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    pass


class Draw(_Part, frozen=True, kw_only=True):
    """Numbers to draw from: a grid (both ends included), or a list."""

    lo: Decimal | None = None
    hi: Decimal | None = None
    step: Decimal | None = None
    choice: tuple[Decimal, ...] = ()


class Prior(_Part, frozen=True, kw_only=True):
    """Where a first value comes from: a grid or list of its own, or another quantity or field (`of`).

    `share` is in percent of `of`, `plus` is added to it (negative for below). Numbers are in base units of the
    value type: 元, percent, months or days of the spec; a date counts days after the anchor date. `codes` are
    for statuses, `ratios` for ratios.
    """

    lo: Decimal | None = None
    hi: Decimal | None = None
    step: Decimal | None = None
    choice: tuple[Decimal, ...] = ()
    codes: tuple[str, ...] = ()
    ratios: tuple[tuple[Decimal, ...], ...] = ()
    of: str | None = None
    share: Draw | None = None
    plus: Draw | None = None


class Revision(_Part, frozen=True, kw_only=True):
    """One way in which people change a value: to a share (percent) of it, or by adding something.

    `toward` is what it does to the number; obstacles ask for a revision by that word. `by` are the
    sides whose people would change it this way, everybody's when empty.
    """

    toward: Toward
    share: Draw | None = None
    plus: Draw | None = None
    weight: Decimal = Decimal(1)
    by: tuple[str, ...] = ()


class ValueSpec(_Part, frozen=True, kw_only=True):
    """A typed value with its prior and its ways of changing.

    `round` is the multiple that amounts are rounded to, so that they are said easily; `snap` moves a date to a
    day people name. `at_most` and `at_least` name quantities or fields (`entity/field`) that bound every value
    of a chain; `floor` and `ceiling` are numbers. `next` says where a status may go, `final` the
    codes that a confirming or approving settle may carry. `parts` belong to a composite and are decided together.
    """

    type: ValueType
    currency: str | None = None
    unit: str | None = None
    per: str | None = None
    base: str | None = None
    bound: Literal["on", "by"] | None = None
    prior: Prior = Prior()
    round: Decimal | None = None
    snap: Literal["workday", "month_end"] | None = None
    at_most: tuple[str, ...] = ()
    at_least: tuple[str, ...] = ()
    floor: Decimal | None = None
    ceiling: Decimal | None = None
    revise: tuple[Revision, ...] = ()
    next: dict[str, tuple[str, ...]] = {}
    final: tuple[str, ...] = ()
    parts: dict[str, ValueSpec] = {}


class Role(_Part, frozen=True, kw_only=True):
    """A job. `address` are ways to call its holder, with `{surname}` and `{given}`: `{surname}经理`."""

    id: str
    title: str
    side: str
    address: tuple[str, ...]
    lines: Lines = {}


class Scope(_Part, frozen=True, kw_only=True):
    """A matter that somebody may conclude; `said` are its names in talk (`额度审批`)."""

    id: str
    said: tuple[str, ...]


class Right(_Part, frozen=True, kw_only=True):
    """What a role may do in a scope; `gives` are the results its settle may have."""

    role: str
    scope: str
    may: tuple[Action, ...]
    gives: tuple[Result, ...] = ()


class Entity(_Part, frozen=True, kw_only=True):
    """What fields belong to. `instances` name two of a kind that can occur in one dialogue (甲批, 乙批)."""

    id: str
    said: tuple[str, ...]
    instances: tuple[str, ...] = ()


class Field(_Part, frozen=True, kw_only=True):
    """One entity–field pair.

    `scope` is the matter in which the field is finally decided; `limited` are narrower ones whose settle (a
    technical check) leaves the decision itself open. `codes` are a status field's codes with their words.

    `nature`: a `term` is agreed upon, so people wish, counter and give way; a `fact` is found out, so it changes
    only where somebody counts or checks again, and nobody wishes it. `wants` says for each side where its interest
    pulls the number. `proposed_by` are the roles that would name the first value, most natural first: of those
    present, the first one's side does. `past` marks a field that may have been concluded before the recording.
    """

    entity: str
    field: str
    scope: str
    said: tuple[str, ...]
    value: ValueSpec
    results: tuple[Result, ...]
    limited: tuple[str, ...] = ()
    nature: Nature = "term"
    wants: dict[str, Toward] = {}
    proposed_by: tuple[str, ...] = ()
    past: bool = False
    codes: dict[str, tuple[str, ...]] = {}
    weight: Decimal = Decimal(1)
    lines: Lines = {}

    @property
    def key(self) -> str:
        return f"{self.entity}/{self.field}"

    @property
    def scopes(self) -> tuple[str, ...]:
        """Every scope in which the field may be treated, the deciding one first."""
        return (self.scope, *self.limited)


class Obstacle(_Part, frozen=True, kw_only=True):
    """What a hold waits for.

    `found_by` are roles that may name it (the hold's speaker), `cleared_by` roles that bring what clears it, most
    natural first, `how` in plain words how. Bringing is not lifting: the event that clears it is spoken by the side
    that holds. `above` marks what waits for somebody above the finder: where a person who may settle is present,
    only such a one finds it. `slow` marks what takes a journey or days: while all sit there it is seldom cleared, and
    then after much else. `effect` is what clearing does to the value; `cap` lowers it to the quantity
    `cap`, and the value before stood above it by `over`. `premises` are typed particulars the talk may name.
    """

    id: str
    fields: tuple[str, ...]
    found_by: tuple[str, ...]
    cleared_by: tuple[str, ...]
    how: str
    effect: tuple[Effect, ...] = ("keep",)
    cap: str | None = None
    over: Draw | None = None
    above: bool = False
    slow: bool = False
    premises: dict[str, ValueSpec] = {}
    lines: Lines = {}


class Condition(_Part, frozen=True, kw_only=True):
    """Substantive progress that leaves the value as it is; `by` are roles that may state it.

    `excludes` are obstacles that say the opposite, or the same thing again: not both in one dialogue.
    """

    id: str
    fields: tuple[str, ...]
    by: tuple[str, ...]
    excludes: tuple[str, ...] = ()
    lines: Lines = {}


class Cause(_Part, frozen=True, kw_only=True):
    """Why a settled matter is taken up again with another value: `how` in plain words what came up.

    `by` are roles that bring it up, `effect` is what it does to the value.
    """

    id: str
    fields: tuple[str, ...]
    by: tuple[str, ...]
    how: str
    effect: Literal["lower", "raise", "other"]
    lines: Lines = {}


class DistractorKind(_Part, frozen=True, kw_only=True):
    """A number of the case that no decision is about.

    `by` are roles that know it, `instead` those that say it where nobody of `by` is present; `asked_by` roles that
    would ask for it, one of whom has to be present beside the speaker (nobody asks when empty).
    """

    id: str
    by: tuple[str, ...]
    instead: tuple[str, ...] = ()
    asked_by: tuple[str, ...] = ()
    value: ValueSpec
    lines: Lines = {}


class CastSpec(_Part, frozen=True, kw_only=True):
    """Who meets: one role a person, two to four; a role may stand twice."""

    roles: tuple[str, ...]
    weight: Decimal = Decimal(1)


class Names(_Part, frozen=True, kw_only=True):
    """Person names: surnames are never shared in one cast."""

    surnames: tuple[str, ...]
    given_female: tuple[str, ...]
    given_male: tuple[str, ...]


class ExampleEvent(_Part, frozen=True, kw_only=True):
    """One event of a worked example; `by` is a person of the example's cast."""

    action: Action
    by: str
    scope: str
    value: Value | None = None
    result: Result | None = None
    obstacle: str | None = None
    clears: str | None = None
    condition: str | None = None
    reason: Reason | None = None
    cause: str | None = None


class ExampleChain(_Part, frozen=True, kw_only=True):
    field: str
    cycles: tuple[tuple[ExampleEvent, ...], ...]
    instance: str | None = None


class ExampleCandidate(_Part, frozen=True, kw_only=True):
    """A number from someone without the right; `chain` counts from 1."""

    chain: int
    by: str
    value: Value


class Example(_Part, frozen=True, kw_only=True):
    """A small hand-written plan; `expect` are the codes of the findings it must give, none for a legal one."""

    name: str
    cast: dict[str, str]
    chains: tuple[ExampleChain, ...]
    candidates: tuple[ExampleCandidate, ...] = ()
    expect: tuple[str, ...] = ()


class Blueprint(_Part, frozen=True, kw_only=True, eq=False):
    """A scenario. Identity is the object's, so that an index of it can be kept.

    `closed` are spans of days without business (`2026-02-15/2026-02-23`), beside weekends. `facts` are pools of
    strings, or of mappings whose parts belong together (full name and short name of one company); `quantities` are
    typed numbers of the case that values hang on.
    """

    format: Literal["dtbuild.blueprint/1"]
    kind: Literal["decision_trace"]
    id: str
    code: str
    title: str
    anchor_date: str
    roles: tuple[Role, ...]
    scopes: tuple[Scope, ...]
    authority: tuple[Right, ...]
    entities: tuple[Entity, ...]
    fields: tuple[Field, ...]
    obstacles: tuple[Obstacle, ...]
    conditions: tuple[Condition, ...]
    distractors: tuple[DistractorKind, ...]
    causes: tuple[Cause, ...] = ()
    casts: tuple[CastSpec, ...]
    names: Names
    examples: tuple[Example, ...]
    closed: tuple[str, ...] = ()
    facts: dict[str, tuple[str | dict[str, str], ...]] = {}
    quantities: dict[str, ValueSpec] = {}
    phrases: Lines = {}
    small_talk: Lines = {}

    def role(self, id: str) -> Role:
        return next(role for role in self.roles if role.id == id)

    def scope(self, id: str) -> Scope:
        return next(scope for scope in self.scopes if scope.id == id)

    def entity(self, id: str) -> Entity:
        return next(entity for entity in self.entities if entity.id == id)

    def field(self, key: str) -> Field:
        """A field by `entity/field`."""
        return next(field for field in self.fields if field.key == key)

    def obstacle(self, id: str) -> Obstacle:
        return next(obstacle for obstacle in self.obstacles if obstacle.id == id)

    def condition(self, id: str) -> Condition:
        return next(condition for condition in self.conditions if condition.id == id)

    def cause(self, id: str) -> Cause:
        return next(cause for cause in self.causes if cause.id == id)

    def distractor(self, id: str) -> DistractorKind:
        return next(kind for kind in self.distractors if kind.id == id)

    def may(self, role: str, scope: str, action: Action) -> bool:
        """Whether the authority table gives the role this action in this scope."""
        return any(action in right.may for right in self.authority if right.role == role and right.scope == scope)

    def gives(self, role: str, scope: str) -> tuple[Result, ...]:
        """The results the role's settle may have in this scope; empty without the right to settle."""
        return tuple(
            result
            for right in self.authority
            if right.role == role and right.scope == scope and "settle" in right.may
            for result in right.gives
        )
