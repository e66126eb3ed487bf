"""Exchanges the names of two people in a text, and moves spans and mentions along.

A form goes over to the other person with what belongs to the job: 何会计 becomes 周会计, since whoever has the job in
B is called so; a full name becomes a full name, a given name a given name, 小何 becomes 小周. Lengths may differ
(欧阳经理), so every place behind a name is shifted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypeVar

from msgspec.structs import replace

from dtbuild.address import name_forms, named, surname
from dtbuild.records.blueprint import Blueprint
from dtbuild.records.plan import Person
from dtbuild.records.script import Mention, Span

_Placed = TypeVar("_Placed", Span, Mention)
_GENDERED = {"female": {"哥": "姐", "先生": "女士"}, "male": {"姐": "哥", "女士": "先生"}}


class Edit(NamedTuple):
    """Characters `start` to `end` become `text`."""

    start: int
    end: int
    text: str


def exchange(one: Person, other: Person, cast: Sequence[Person], blueprint: Blueprint) -> Mapping[str, str]:
    """Every form that means one of the two → what it becomes where they exchange roles and what they say.

    Forms that may mean a third member of the cast are left out.
    """
    thirds = [person for person in cast if person.id not in (one.id, other.id)]
    taken = frozenset(form for person in thirds for form in forms(person, blueprint))
    found: dict[str, str] = {}
    for person, heir in ((one, other), (other, one)):
        for form in forms(person, blueprint) - taken:
            found.setdefault(form, counterpart(form, person, heir))
    return found


def forms(person: Person, blueprint: Blueprint) -> frozenset[str]:
    """Every form by which others may name this person in his role."""
    return name_forms(person, blueprint.role(person.role).address)


def counterpart(form: str, person: Person, heir: Person) -> str:
    """What `form`, which names `person`, becomes for `heir`.

    >>> he = Person(id="p2", name="何洁", gender="female", role="accountant", title="会计")
    >>> ou = Person(id="p1", name="欧阳建国", gender="male", role="manager", title="客户经理")
    >>> [counterpart(form, he, ou) for form in ("何会计", "何姐", "小何", "何洁")]
    ['欧阳会计', '欧阳哥', '小欧阳', '欧阳建国']
    """
    if form == person.name:
        return heir.name
    old, family = surname(person.name), surname(heir.name)
    if form.startswith(old):
        job = form[len(old) :]
        return family + _GENDERED[heir.gender].get(job, job)
    if form.endswith(old):
        return form[: -len(old)] + family
    given = heir.name[len(family) :]
    # one character is no form of address
    return given if len(given) > 1 else heir.name


def edits(text: str, names: Mapping[str, str]) -> tuple[Edit, ...]:
    """The edits that exchange every name in a text, from left to right."""
    return tuple(Edit(at, at + len(form), names[form]) for at, form in named(text, names))


def applied(text: str, made: Iterable[Edit]) -> str:
    """
    >>> applied("何会计您看", [Edit(0, 1, "欧阳")])
    '欧阳会计您看'
    """
    for edit in sorted(made, reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


def moved(part: _Placed, made: Sequence[Edit]) -> _Placed:
    """A span or mention of the text after the edits; a boundary inside a name goes to that end of the name.

    >>> words = Span(turn="t1", kind="authority", start=0, end=5, target="e1")
    >>> moved(words, [Edit(1, 2, "欧阳")]).end
    6
    """
    return replace(part, start=_shifted(part.start, made, end=False), end=_shifted(part.end, made, end=True))


def _shifted(place: int, made: Sequence[Edit], *, end: bool) -> int:
    by = 0
    for edit in made:
        if edit.end <= place:
            by += len(edit.text) - (edit.end - edit.start)
        elif edit.start < place:
            return edit.start + by + (len(edit.text) if end else 0)
    return place + by
