"""A blueprint as look-ups for checking."""

from __future__ import annotations

from dtbuild.records.blueprint import Blueprint, Field
from dtbuild.records.plan import Action, Person, Result


class Table:
    """Who may do what, and what the names of the blueprint stand for."""

    def __init__(self, blueprint: Blueprint, cast: tuple[Person, ...]) -> None:
        self.fields = {field.key: field for field in blueprint.fields}
        self.instances = {entity.id: entity.instances for entity in blueprint.entities}
        self.obstacles = {obstacle.id: obstacle for obstacle in blueprint.obstacles}
        self.causes = {cause.id: cause for cause in blueprint.causes}
        self.sides = {role.id: role.side for role in blueprint.roles}
        self.conditions = {condition.id: condition for condition in blueprint.conditions}
        self.distractors = {kind.id: kind for kind in blueprint.distractors}
        self.known_roles = {role.id for role in blueprint.roles}
        self.roles = {person.id: person.role for person in cast}
        self._rights: set[tuple[str, str, Action]] = set()
        self._gives: set[tuple[str, str, Result]] = set()
        for right in blueprint.authority:
            self._rights.update((right.role, right.scope, action) for action in right.may)
            self._gives.update((right.role, right.scope, result) for result in right.gives)

    def may(self, role: str, scope: str, action: Action) -> bool:
        return (role, scope, action) in self._rights

    def gives(self, role: str, scope: str, result: Result) -> bool:
        return (role, scope, result) in self._gives

    def side(self, person: str) -> str | None:
        """The side of the table a person sits on."""
        return self.sides.get(self.roles.get(person, ""))

    def names(self, role: str, field: Field) -> bool:
        """Whether the role may start or advance the field anywhere, so that its number is a candidate."""
        return any(self.may(role, scope, action) for scope in field.scopes for action in ("start", "advance"))
