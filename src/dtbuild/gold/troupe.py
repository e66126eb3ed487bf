"""What the people of one cast can do together; made once for each cast of a blueprint.

Persons are `p1`, `p2`, … in the order of the cast's roles.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, get_args

from dtbuild.records.blueprint import CastSpec, Field
from dtbuild.records.plan import CLOSING, Action, Result

if TYPE_CHECKING:
    from dtbuild.gold.index import Index


class Troupe:
    """One cast's rights by field."""

    def __init__(self, index: Index, spec: CastSpec) -> None:
        self.index = index
        self.spec = spec
        self.roles = {f"p{number}": role for number, role in enumerate(spec.roles, 1)}
        self.present = frozenset(spec.roles)
        self.sides = frozenset(index.sides[role] for role in spec.roles)
        self.usable = tuple(field for field in index.fields.values() if self._treats(field))
        self._objectors: dict[str, list[str]] = {}
        self._able: dict[tuple[str, Action], list[tuple[str, str]]] = {}

    @functools.cached_property
    def colleagues(self) -> bool:
        """Whether two people of one side meet, with nobody across the table."""
        return len(self.roles) == 2 and len(self.sides) == 1

    def side(self, person: str) -> str:
        """The side a person sits on; empty for nobody."""
        return self.index.sides[self.roles[person]] if person else ""

    def able(self, field: Field, action: Action, scopes: Sequence[str]) -> list[tuple[str, str]]:
        """Persons with the right in one of the scopes, each with the scope."""
        if (field.key, action) not in self._able:
            self._able[field.key, action] = [
                (person, scope)
                for scope in field.scopes
                for person, role in self.roles.items()
                if self.index.may(role, scope, action)
            ]
        return [each for each in self._able[field.key, action] if each[1] in scopes]

    def closers(self, field: Field, scope: str) -> list[tuple[str, Result]]:
        """Persons who may settle the field in a scope, each with a result."""
        return [
            (person, result)
            for person, role in self.roles.items()
            for result in self.index.gives.get((role, scope), ())
            if result in field.results
        ]

    @functools.cached_property
    def closable(self) -> frozenset[tuple[str, str]]:
        """Fields with the scopes in which somebody may approve or confirm; withdrawing alone closes nothing."""
        return frozenset(
            (field.key, scope)
            for field in self.usable
            for scope in field.scopes
            if any(result in CLOSING for _, result in self.closers(field, scope))
        )

    @functools.cached_property
    def limited(self) -> dict[str, list[str]]:
        """Fields with the limited scopes in which somebody may conclude them."""
        found = {field.key: [s for s in field.limited if (field.key, s) in self.closable] for field in self.usable}
        return {key: scopes for key, scopes in found.items() if scopes}

    @functools.cached_property
    def outsiders(self) -> dict[str, list[str]]:
        """Fields with the persons from whom a number would be an unauthorised candidate."""
        found = {
            field.key: [person for person, role in self.roles.items() if self.index.outsider(role, field)]
            for field in self.usable
        }
        return {key: persons for key, persons in found.items() if persons}

    @functools.cached_property
    def wishers(self) -> dict[str, list[str]]:
        """Fields with the persons from whom a number would be an unauthorised candidate with a motive."""
        found = {
            field.key: [each for each in self.outsiders.get(field.key, ()) if self.side(each) in field.wants]
            for field in self.usable
            if field.nature == "term" and field.value.type not in ("status", "ratio", "composite")
        }
        return {key: persons for key, persons in found.items() if persons}

    def objectors(self, field: Field) -> list[str]:
        """Persons to whom the field matters: those with a say in it, and those of another side than the deciders'."""
        if field.key not in self._objectors:
            voices = self._voices(field)
            self._objectors[field.key] = [each for each in self.roles if each in voices or self.across(field, each)]
        return self._objectors[field.key]

    def across(self, field: Field, person: str) -> bool:
        """Whether somebody sits on another side than everybody who decides the field."""
        return self.side(person) not in self.index.deciding[field.scope]

    @functools.cached_property
    def wished_across(self) -> frozenset[str]:
        """Fields that somebody from across the table has a number to wish for."""
        fields = self.index.fields
        return frozenset(
            key for key, people in self.wishers.items() if any(self.across(fields[key], p) for p in people)
        )

    @functools.cached_property
    def shared(self) -> frozenset[str]:
        """Fields of which two persons of one side may give the same conclusion, or may both hold."""
        return frozenset(field.key for field in self.usable if self._shares(field, lambda person: self.side(person)))

    @functools.cached_property
    def shared_across(self) -> frozenset[str]:
        """The same of any two persons."""
        return frozenset(field.key for field in self.usable if self._shares(field, lambda person: ""))

    @functools.cached_property
    def answerable(self) -> frozenset[str]:
        """Fields that somebody present concludes, where a colleague who may not could answer in his place; of any
        side, where nobody of the scenario has such a colleague."""
        colleagues = self._answered(lambda person: self.side(person))
        return colleagues if self.index.answers else self._answered(lambda person: "")

    @functools.cached_property
    def answered(self) -> bool:
        """Whether some field has a person who concludes it and a colleague who may not."""
        return bool(self._answered(lambda person: self.side(person)))

    def _answered(self, group: Callable[[str], str]) -> frozenset[str]:
        found = set()
        for field in self.usable:
            deciders = {person for person, result in self.closers(field, field.scope) if result in CLOSING}
            others = {p for p, role in self.roles.items() if not self.index.may(role, field.scope, "settle")}
            if field.value.type != "status" and {group(p) for p in deciders} & {group(p) for p in others}:
                found.add(field.key)
        return frozenset(found)

    @functools.cached_property
    def voices(self) -> dict[str, int]:
        """How many persons may do something with each field."""
        return {field.key: len(self._voices(field)) for field in self.usable}

    def _voices(self, field: Field) -> set[str]:
        actions: tuple[Action, ...] = get_args(Action)
        return {person for each in actions for person, _ in self.able(field, each, field.scopes)}

    def _treats(self, field: Field) -> bool:
        return all(
            any(self.index.may(role, scope, action) for role in self.spec.roles for scope in field.scopes)
            for action in ("start", "advance")
        )

    def _shares(self, field: Field, group: Callable[[str], str]) -> bool:
        results = [(group(person), result) for scope in field.scopes for person, result in self.closers(field, scope)]
        holders = [(group(person), scope) for person, scope in self.able(field, "hold", field.scopes)]
        return len(set(results)) < len(results) or len(set(holders)) < len(holders)
