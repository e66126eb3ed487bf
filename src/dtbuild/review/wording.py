"""What may stand in a turn: speech by this person, speakable, fictional (situations 10, 15, 20, 24, 26)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dtbuild.address import named, own_forms, vocative
from dtbuild.errors import Unspeakable
from dtbuild.lexicon.characters import PUNCTUATION, hanzi_in
from dtbuild.lexicon.speech import TERMS, spoken
from dtbuild.records.plan import Person
from dtbuild.review.case import Case
from dtbuild.review.rule import Fault

_LATIN = re.compile(r"[0-9A-Za-z]+")
_DIGIT = re.compile(r"[0-9０-９$%％＄￥]")


def self_address(case: Case) -> Iterator[Fault]:
    """Nobody calls himself by name or title; 我是周航 introduces, and is speech."""
    forms = {person.id: _own(case, person) for person in case.plan.cast}
    for turn in case.script.turns:
        for at, form in named(turn.text, forms.get(turn.person, ())):
            if not case.words.introduction.search(turn.text[:at]):
                yield Fault(turn.id, "the speaker calls himself by name or title", found=form)


def address(case: Case) -> Iterator[Fault]:
    """Who is called by name or title is in the exchange: has just spoken, or speaks next or after the next; and who is
    asked by name in the last words of a turn answers. 宋老师、唐老师谁签都行 calls nobody.
    """
    forms = {person.id: _own(case, person) for person in case.plan.cast}
    turns = case.script.turns
    for at, turn in enumerate(turns):
        last = max(turn.text[:-1].rfind(mark) for mark in "。！？…")
        calls = [
            (place, person, form)
            for person, own in forms.items()
            if person != turn.person
            for place, form in named(turn.text, own)
            if vocative(turn.text, place, form) and not _listed(turn.text, place, form)
        ]
        near = {turns[each].person for each in (at - 1, at + 1, at + 2) if 0 <= each < len(turns)}
        if calls and not any(person in near for _, person, _ in calls):
            yield Fault(turn.id, "calls somebody who neither has just spoken nor speaks next", found=min(calls)[2])
        asked = [(person, form) for place, person, form in calls if place > last and turn.text.endswith("？")]
        if asked and at + 1 < len(turns) and all(turns[at + 1].person != person for person, _ in asked):
            yield Fault(turn.id, "asks somebody by name, and another answers", asked[0][1], turns[at + 1].person)


def labels(case: Case) -> Iterator[Fault]:
    """No speaker label in front of a line or sentence: 李总：可以。"""
    for turn in case.script.turns:
        for match in case.words.label.finditer(turn.text):
            if not case.words.colon_speech.search(match.group(2)):
                yield Fault(turn.id, "a speaker label in a spoken line", "speech only", match.group())


def speakable(case: Case) -> Iterator[Fault]:
    """Every character has a spoken form, and there is something to speak; numbers are 汉字, and nothing is marked."""
    for turn in case.script.turns:
        mark = case.words.directions.search(turn.text)
        if mark:
            yield Fault(turn.id, "stage direction or markup in a spoken line", "speech only", mark.group())
            continue
        digit = _DIGIT.search(turn.text)
        if digit:
            yield Fault(turn.id, "a digit or symbol in the text", "numbers in 汉字", digit.group())
        if not hanzi_in(turn.text):
            yield Fault(turn.id, "nothing to speak", "at least one 汉字", turn.text)
            continue
        unspeakable = _unspeakable(turn.text)
        if unspeakable:
            yield Fault(turn.id, "no spoken form", *unspeakable)


def fictional(case: Case) -> Iterator[Fault]:
    """No real institution is named."""
    for turn in case.script.turns:
        for match in case.words.institutions.finditer(turn.text):
            yield Fault(turn.id, "a real institution", "fictional names", match.group())
    for name in (*case.plan.facts.values(), *(person.name for person in case.plan.cast)):
        match_name = case.words.institutions.search(name)
        if match_name:
            yield Fault("plan", "a real institution", "fictional names", match_name.group())


def personal(case: Case) -> Iterator[Fault]:
    """No telephone, identity card, bank card or plate number, mail address: not even an invented one."""
    for turn in case.script.turns:
        match = case.words.personal.search(turn.text)
        if match:
            yield Fault(turn.id, "looks like personal data", "no such number", match.group())


def _listed(text: str, at: int, form: str) -> bool:
    return "、" in (text[at - 1 : at], text[at + len(form) : at + len(form) + 1])


def _unspeakable(text: str) -> tuple[str | None, str] | None:
    """What is expected and found where the text has no spoken form."""
    # every character of the first 汉字 block has a reading, and every term: asking for the pinyin of each turn takes
    # half of the time of a review, and loads its dictionary
    plain = _LATIN.sub(lambda run: "" if run.group() in TERMS else run.group(), text)
    if all("一" <= char <= "龥" or char in PUNCTUATION for char in plain):
        return None
    try:
        spoken(text)
    except Unspeakable as error:
        return error.expected, error.found or error.what
    return None


def _own(case: Case, person: Person) -> frozenset[str]:
    templates = next((role.address for role in case.blueprint.roles if role.id == person.role), ())
    return own_forms(person, case.plan.cast, templates)
