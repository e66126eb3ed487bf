"""Words that close a matter which gold leaves open.

A listener who hears 那就这么定了 over an unsettled field hears a settle that is in no chain. The field in play is
the one that the phrase's clause names, or a clause before it, else the one last touched; the rule speaks only when
that field is not settled by the end of the turn, and the phrase is neither negated nor asked nor put off. Its
wordings: `words.yaml`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from dtbuild.address import name_forms, named
from dtbuild.review.case import Case, Place, Sentence
from dtbuild.review.naming import BLANK, field_names, named_fields, nameless
from dtbuild.review.rule import Fault

PERSON = "〓"
"""Stands for every character of a name or form of address where wordings are looked for."""
_PAUSE = re.compile(r"[，、：]")


def early(case: Case) -> Iterator[Fault]:
    """No settling phrase stands over a field that is not settled there."""
    forms = [form for person in case.plan.cast for form in name_forms(person)]
    for sentence in case.sentences:
        # 能认的应收 says no 能, 还没确权 as a value no 没; 林岚签了 closes like 我签了
        text = nameless(_valueless(case, sentence), field_names(case.blueprint))
        for at, form in named(text, forms):
            text = text[:at] + PERSON * len(form) + text[at + len(form) :]
        match = _settling(case, text)
        if match is None:
            continue
        turn = case.number[sentence.turn.id]
        for trajectory in _in_play(case, sentence, turn, match.end()):
            if not case.settled(trajectory, (turn, len(sentence.turn.text))):
                yield Fault(
                    sentence.turn.id,
                    f"{match.group()!r} closes trajectory {trajectory}, which gold leaves open here",
                    "a phrase that leaves it open, or a settle in the plan",
                    sentence.text,
                )


def _settling(case: Case, text: str) -> re.Match[str] | None:
    words = case.words
    for match in words.settling.finditer(text):
        before, after = text[: match.start()], text[match.end() :]
        clause = _PAUSE.split(before)[-1]
        if not (
            words.negated_before.search(clause) or words.open_before.search(before) or words.open_after.search(after)
        ):
            return match
    return None


def _valueless(case: Case, sentence: Sentence) -> str:
    """The sentence with blanks for its declared values, at its length."""
    text = sentence.text
    for mention in case.mentions_in(sentence.turn.id):
        start, end = max(mention.start - sentence.start, 0), mention.end - sentence.start
        if start < end <= len(text):
            text = text[:start] + BLANK * (end - start) + text[end:]
    return text


def _in_play(case: Case, sentence: Sentence, turn: int, end: int) -> list[str]:
    """What a phrase that ends at `end` of the sentence closes: trajectories named in its clause or the nearest
    clause before it, else the one touched last. What comes after (这条定了，接着说期限) is not closed by it.
    """
    place: Place = (turn, sentence.start + end)
    touched = [trajectory for at, trajectory in case.touches if at < place]
    for clause in reversed(sentence.text[:end].split("，")):
        named = _named(case, clause, touched)
        if named:
            return named
    return touched[-1:]


def _named(case: Case, text: str, touched: list[str]) -> list[str]:
    """Trajectories whose field the text names. 额度带期限 is one field of the scenario, whether or not it is in the
    plan, and names neither 额度 nor 期限. Two instances of one field share its names: the one touched last is meant.
    """
    found: list[str] = []
    for key in named_fields(text, field_names(case.blueprint)):
        ids = [trajectory.id for trajectory in case.plan.trajectories if trajectory.key == key]
        if ids:
            found.append(next((id for id in reversed(touched) if id in ids), ids[0]))
    return found
