"""Damage to names: exchanged, or one's own."""

from __future__ import annotations

import random
import re
from itertools import combinations

from dtbuild.records.plan import Person
from text_bench import claims
from text_bench.edits import (
    add,
    drawn,
    edit,
    plain_turns,
    put_before,
)
from text_bench.kind import Damaged, Subject

TITLES = ("总", "经理", "会计", "主任", "主管", "老师", "总监", "行长", "科长")


def called(person: Person) -> tuple[str, ...]:
    """The forms by which others call somebody: full name, and surname with a title."""
    return (person.name, *(person.name[0] + title for title in TITLES))


def swapped_names(subject: Subject, rng: random.Random) -> Damaged | None:
    """A turn that calls one person calls another one: who is not in the exchange, or is asked and does not answer."""
    plan, script, blueprint, _ = subject
    claim = claims.calls_fit(called)
    for at in drawn(range(len(script.turns)), rng):
        turn = script.turns[at]
        for person in plan.cast:
            form = next((f for f in called(person) if turn.text.startswith((f"{f}，", f"{f}早"))), "")
            others = [each for each in plan.cast if each.id not in {person.id, turn.person}]
            for other in drawn(others, rng) if form else ():
                damaged = edit(script, turn.id, 0, len(form), _counterpart(form, person, other, subject))
                if not claim(plan, damaged, blueprint):
                    return Damaged(plan, damaged, claim)
    return None


def exchanged_names(subject: Subject, rng: random.Random) -> Damaged | None:
    """Two members of the cast go by each other's names in the whole text."""
    plan, script, _, _ = subject
    for one, two in drawn(list(combinations(plan.cast, 2)), rng):
        others = {
            form: _counterpart(form, mine, yours, subject)
            for mine, yours in ((one, two), (two, one))
            for form in called(mine)
        }
        pattern = re.compile("|".join(others))
        damaged = script
        for turn in script.turns:
            for match in reversed(list(pattern.finditer(turn.text))):
                damaged = edit(damaged, turn.id, match.start(), match.end(), others[match.group()])
        claim = claims.calls_fit(called)
        if not claim(plan, damaged, subject.blueprint):
            return Damaged(plan, damaged, claim)
    return None


def self_greeting(subject: Subject, rng: random.Random) -> Damaged | None:
    """Somebody greets himself."""
    plan, script, _, _ = subject
    for at in drawn(range(len(script.turns)), rng):
        person = plan.person(script.turns[at].person)
        words = f"{person.name[0]}{title_of(person, subject)}，"
        return Damaged(plan, put_before(script, at, words), claims.none_of(at, called(person)))
    return None


def self_name(subject: Subject, rng: random.Random) -> Damaged | None:
    """Somebody speaks of himself by name."""
    plan, script, _, _ = subject
    for at in plain_turns(script, rng):
        person = plan.person(script.turns[at].person)
        words = rng.choice((f"这个得问{person.name}。", f"{person.name}那边我不熟。", f"等{person.name}来了再看。"))
        return Damaged(plan, add(script, at, words), claims.none_of(at, called(person)))
    return None


def _counterpart(form: str, person: Person, other: Person, subject: Subject) -> str:
    return other.name if form == person.name else other.name[0] + title_of(other, subject)


def title_of(person: Person, subject: Subject) -> str:
    """The last two characters of how the scenario addresses the role: 经理, 老师, or 总."""
    for form in subject.blueprint.role(person.role).address:
        if form.startswith("{surname}"):
            return form.removeprefix("{surname}")
    return "老师"
