"""Words that close a matter which gold leaves open.

A listener who hears 那就这么定了 over an unsettled field hears a settle that is in no chain. The field in play is
the one that the phrase's clause names, or a clause before it, else the one last touched; the rule speaks only when
that field is not settled by the end of the turn, and the phrase is neither negated nor asked nor put off. Its
wordings: `words.yaml`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from dtbuild.review.case import Case, Place, Sentence
from dtbuild.review.rule import Fault

_PAUSE = re.compile(r"[，、：]")


def early(case: Case) -> Iterator[Fault]:
    """No settling phrase stands over a field that is not settled there."""
    for sentence in case.sentences:
        match = _settling(case, sentence.text)
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
    """Trajectories whose field the text names; 授信额度和期限 is one field, and neither 授信额度 nor 期限.

    Two instances of one field share its names: the one touched last is meant.
    """
    names: dict[str, list[str]] = {}
    for trajectory in case.plan.trajectories:
        field = case.field(trajectory)
        for said in field.said if field else ():
            names.setdefault(said, []).append(trajectory.id)
    found: list[str] = []
    for said in sorted(names, key=lambda name: (-len(name), name)):
        if said in text:
            text = text.replace(said, "□")
            ids = names[said]
            found.append(next((id for id in reversed(touched) if id in ids), ids[0]))
    return found
