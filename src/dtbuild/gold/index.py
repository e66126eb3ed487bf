"""A blueprint turned round for planning: rights as sets, obstacles and conditions by field."""

from __future__ import annotations

import functools
from datetime import date, timedelta

from dtbuild.gold.troupe import Troupe
from dtbuild.records.blueprint import Blueprint, Cause, Condition, Field, Obstacle
from dtbuild.records.plan import CLOSING, Action, Result


class Index:
    """Look-ups that planning makes thousands of times; made once a blueprint by `index`."""

    def __init__(self, blueprint: Blueprint) -> None:
        self.blueprint = blueprint
        self.fields: dict[str, Field] = {field.key: field for field in blueprint.fields}
        self.rights: frozenset[tuple[str, str, Action]] = frozenset(
            (right.role, right.scope, action) for right in blueprint.authority for action in right.may
        )
        self.gives: dict[tuple[str, str], tuple[Result, ...]] = {
            (right.role, right.scope): blueprint.gives(right.role, right.scope) for right in blueprint.authority
        }
        self.obstacles: dict[str, list[Obstacle]] = {key: [] for key in self.fields}
        for obstacle in blueprint.obstacles:
            for key in obstacle.fields:
                self.obstacles[key].append(obstacle)
        self.conditions: dict[str, list[Condition]] = {key: [] for key in self.fields}
        for condition in blueprint.conditions:
            for key in condition.fields:
                self.conditions[key].append(condition)
        self.causes: dict[str, list[Cause]] = {key: [] for key in self.fields}
        for cause in blueprint.causes:
            for key in cause.fields:
                self.causes[key].append(cause)
        self.condition = {condition.id: condition for condition in blueprint.conditions}
        self.obstacle = {obstacle.id: obstacle for obstacle in blueprint.obstacles}
        self.instances = {entity.id: entity.instances for entity in blueprint.entities}
        self.sides = {role.id: role.side for role in blueprint.roles}
        self.deciding = {
            scope.id: frozenset(self.sides[role.id] for role in blueprint.roles if self.closes(role.id, scope.id))
            for scope in blueprint.scopes
        }
        """The sides that conclude a scope in the positive."""
        self.troupes: dict[int, tuple[Troupe, ...]] = {}
        for cast in blueprint.casts:
            size = len(cast.roles)
            self.troupes[size] = (*self.troupes.get(size, ()), Troupe(self, cast))
        larger = [each for troupes in self.troupes.values() for each in troupes if len(each.roles) > 2]
        self.shares = any(each.shared for each in larger)
        """Whether in some cast that can make a pair two of one side share a right."""
        self.answers = any(each.answered for each in larger)
        """Whether in one somebody concludes a field beside a colleague who may not."""
        self.anchor = date.fromisoformat(blueprint.anchor_date)
        self.closed = frozenset(day for span in blueprint.closed for day in _days(span))

    def may(self, role: str, scope: str, action: Action) -> bool:
        return (role, scope, action) in self.rights

    def closes(self, role: str, scope: str) -> bool:
        """Whether the role may conclude the scope in the positive."""
        return any(result in CLOSING for result in self.gives.get((role, scope), ()))

    def outsider(self, role: str, field: Field) -> bool:
        """Whether a number from this role would be an unauthorised candidate for the field, and nothing more."""
        return not any(
            self.may(role, scope, action) for scope in field.scopes for action in ("start", "advance", "settle")
        )


@functools.lru_cache(maxsize=32)
def index(blueprint: Blueprint) -> Index:
    return Index(blueprint)


def _days(span: str) -> list[date]:
    first, _, last = span.partition("/")
    start, end = date.fromisoformat(first), date.fromisoformat(last or first)
    return [start + timedelta(days=n) for n in range((end - start).days + 1)]
