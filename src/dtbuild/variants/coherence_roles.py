"""Whether the talk still holds together when two persons have exchanged roles, and with them what they say.

The words are A's with the names exchanged, so what is left to go wrong lies at the seams: the opening turns that stay
with their persons, names that were missed, and words of gender, which go with the person.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from dtbuild.address import named, surname, vocative
from dtbuild.records.blueprint import Blueprint
from dtbuild.records.plan import Person, Plan, Reassignment
from dtbuild.records.script import KEEP, Script, Turn
from dtbuild.records.verdict import Finding
from dtbuild.variants.coherence import ASCRIBED, THIRD, called, own_answers, own_name
from dtbuild.variants.names import forms
from dtbuild.variants.turns import fault, numbered

_RANK = re.compile(r"我们|你|您|贵")
_YOU = re.compile(r"[您你]")


def reassigned_talk(
    plan: Plan, a: Script, b: Script, blueprint: Blueprint, declared: Reassignment
) -> Iterator[Finding]:
    """Findings about B: kept turns, names, titles, pronouns, answers."""
    before = [plan.person(declared.one), plan.person(declared.other)]
    after = [person for person in b.cast if person.id in (declared.one, declared.other)]
    names_a = {person.id: forms(person, blueprint) for person in before}
    names_b = {person.id: forms(person, blueprint) for person in after}
    pair = frozenset(names_a[declared.one] | names_a[declared.other] | names_b[declared.one] | names_b[declared.other])
    yield from _kept(b, plan, blueprint, declared, pair)
    yield from _titles(b, before, blueprint, declared)
    for turn in b.turns:
        if turn.person in names_b and turn.move != KEEP:
            others = frozenset().union(*(known for id, known in names_b.items() if id != turn.person))
            yield from own_name(turn, names_b[turn.person] - others, "role-self")
    yield from _answers(a, b, names_a, names_b)
    if before[0].gender != before[1].gender:
        yield from _pronouns(b, pair)
    yield from own_answers(a, b, "role-adjacent")


def _kept(
    b: Script, plan: Plan, blueprint: Blueprint, declared: Reassignment, pair: frozenset[str]
) -> Iterator[Finding]:
    """Turns that stay stand at the head, show no role, and are answered by a third person who speaks to neither."""
    head = 0
    while head < len(b.turns) and b.turns[head].move == KEEP:
        head += 1
    titles = [person.title for person in plan.cast if person.id in (declared.one, declared.other)]
    for number, turn in numbered(b):
        if turn.move != KEEP:
            continue
        if number > head:
            yield fault("role-keep", turn, "a turn stays with its person in the midst of the talk")
        shown = [form for _, form in named(turn.text, pair)] or _RANK.findall(turn.text)
        shown += [title for title in titles if title in turn.text]
        if shown:
            yield fault("role-keep", turn, "an opening turn that stays with its person shows a role", shown[0])
    if head in (0, len(b.turns)):
        return
    first = b.turns[head]
    if first.person in (declared.one, declared.other):
        yield fault("role-keep", first, "goes on right after the kept turns, and is one of the two")
    everybody = frozenset().union(*(forms(person, blueprint) for person in plan.cast)) | pair
    match = _YOU.search(first.text)
    if match and not named(first.text, everybody):
        yield fault("role-keep", first, "speaks to one of the two by pronoun, who has another role in B", match.group())


def _titles(b: Script, before: list[Person], blueprint: Blueprint, declared: Reassignment) -> Iterator[Finding]:
    """Nobody is called by the title that he has in A only."""
    one, other = before
    stale: dict[str, str] = {}
    for person, heir in ((one, other), (other, one)):
        for job in _jobs(person, blueprint) - _jobs(heir, blueprint):
            stale[surname(person.name) + job] = person.id
    for turn in b.turns:
        for _, form in named(turn.text, stale):
            yield fault("role-title", turn, f"calls {stale[form]} by the title he has in A", form)


def _jobs(person: Person, blueprint: Blueprint) -> frozenset[str]:
    """What follows a surname for this role: 会计, 主管."""
    head = "{surname}"
    said = {form[len(head) :] for form in blueprint.role(person.role).address if form.startswith(head)}
    return frozenset(said | {person.title[-2:]}) - {""}


def _answers(
    a: Script, b: Script, names_a: dict[str, frozenset[str]], names_b: dict[str, frozenset[str]]
) -> Iterator[Finding]:
    """Whoever is called and answers in A is called by his name in B, and answers."""
    for at in range(len(b.turns) - 1):
        person_a, person_b = _called(a.turns[at], names_a), _called(b.turns[at], names_b)
        if person_a is not None and person_a == a.turns[at + 1].person and person_b != b.turns[at + 1].person:
            yield fault("role-address", b.turns[at], f"calls {person_b}, and {b.turns[at + 1].person} answers")


def _called(turn: Turn, names: dict[str, frozenset[str]]) -> str | None:
    found = [(turn.text.rindex(form), id) for id, known in names.items() for form in called(turn.text, known)]
    return max(found)[1] if found else None


def _pronouns(b: Script, pair: frozenset[str]) -> Iterator[Finding]:
    """他 and 她 are not exchanged: after one of the two was spoken of they may mean one of the other gender."""
    for at, turn in enumerate(b.turns):
        for match in THIRD.finditer(turn.text):
            before = [turn.text[: match.start()], *([b.turns[at - 1].text] if at else [])]
            spoken_of = any(not vocative(text, place, form) for text in before for place, form in named(text, pair))
            if spoken_of and ASCRIBED.match(turn.text, match.end()):
                message = "他 or 她 may mean one of the two, of the other gender"
                yield fault("role-pronoun", turn, message, match.group())
