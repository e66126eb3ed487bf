"""What may stand in a turn: speech by this person, speakable, fictional (situations 10, 15, 20, 24, 26)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dtbuild.address import named, own_forms
from dtbuild.errors import Unspeakable
from dtbuild.lexicon.characters import PUNCTUATION, hanzi_in
from dtbuild.lexicon.speech import spoken
from dtbuild.records.plan import Person
from dtbuild.review.case import Case
from dtbuild.review.rule import Fault

_DIGIT = re.compile(r"[0-9０-９$%％＄￥]")


def self_address(case: Case) -> Iterator[Fault]:
    """Nobody calls himself by name or title; 我是周航 introduces, and is speech."""
    forms = {person.id: _own(case, person) for person in case.plan.cast}
    for turn in case.script.turns:
        for at, form in named(turn.text, forms.get(turn.person, ())):
            if not case.words.introduction.search(turn.text[:at]):
                yield Fault(turn.id, "the speaker calls himself by name or title", found=form)


def directions(case: Case) -> Iterator[Fault]:
    """No stage direction and no markup."""
    for turn in case.script.turns:
        match = case.words.directions.search(turn.text)
        if match:
            yield Fault(turn.id, "stage direction or markup in a spoken line", "speech only", match.group())


def labels(case: Case) -> Iterator[Fault]:
    """No speaker label in front of a line or sentence: 李总：可以。"""
    for turn in case.script.turns:
        for match in case.words.label.finditer(turn.text):
            if not case.words.colon_speech.search(match.group(2)):
                yield Fault(turn.id, "a speaker label in a spoken line", "speech only", match.group())


def speakable(case: Case) -> Iterator[Fault]:
    """Every character has a spoken form, and there is something to speak; numbers are 汉字."""
    for turn in case.script.turns:
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


def _unspeakable(text: str) -> tuple[str | None, str] | None:
    """What is expected and found where the text has no spoken form."""
    # every character of the first 汉字 block has a reading; asking for the pinyin of each turn takes half of
    # the time of a review
    if all("一" <= char <= "龥" or char in PUNCTUATION for char in text):
        return None
    try:
        spoken(text)
    except Unspeakable as error:
        return error.expected, error.found or error.what
    return None


def _own(case: Case, person: Person) -> frozenset[str]:
    templates = next((role.address for role in case.blueprint.roles if role.id == person.role), ())
    return own_forms(person, case.plan.cast, templates)
