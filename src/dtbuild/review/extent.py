"""Length and sameness: of the whole dialogue, of its turns, and against the families before it."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import pairwise

from dtbuild.lexicon.characters import hanzi_in
from dtbuild.review.case import Case
from dtbuild.review.neighbours import LIMIT, Neighbours
from dtbuild.review.rule import Fault

_REPEATED = 8
"""汉字 from which a turn said twice word for word is a fault; 对，没错。 may well come back."""


def length(case: Case) -> Iterator[Fault]:
    """The dialogue's 汉字 and turns lie in the windows of the settings."""
    low, high = case.chars
    count = sum(hanzi_in(turn.text) for turn in case.script.turns)
    if not low <= count <= high:
        yield Fault(case.script.recording, "length in 汉字", f"{low} to {high}", str(count))
    fewest, most = case.wanted_turns
    if not fewest <= len(case.script.turns) <= most:
        yield Fault(case.script.recording, "number of turns", f"{fewest} to {most}", str(len(case.script.turns)))


def repeats(case: Case) -> Iterator[Fault]:
    """No turn of some length is said twice word for word."""
    seen: dict[str, str] = {}
    for turn in case.script.turns:
        if hanzi_in(turn.text) < _REPEATED:
            continue
        if turn.text in seen:
            yield Fault(turn.id, f"says word for word what {seen[turn.text]} said", found=turn.text)
        seen.setdefault(turn.text, turn.id)


def alternation(case: Case) -> Iterator[Fault]:
    """Two turns in a row by one person are one turn written as two."""
    for before, turn in pairwise(case.script.turns):
        if before.person == turn.person:
            yield Fault(turn.id, f"the same person speaks again after {before.id}", found=turn.person)


def near_duplicate(case: Case) -> Iterator[Fault]:
    """No admitted family of a lower number is nearly the same once names and amounts are masked."""
    if case.neighbours is not None:
        yield from too_near(case.script.recording, case.neighbours.shingles(case.script), case.neighbours)


def too_near(recording: str, grams: Collection[int], neighbours: Neighbours) -> Iterator[Fault]:
    """The fault of a recording with these shingles among these neighbours."""
    match = neighbours.closest(grams)
    if match is not None and match.jaccard > LIMIT:
        yield Fault(
            recording,
            f"nearly the same dialogue as {match.family}",
            f"character 5-gram Jaccard of at most {LIMIT}",
            f"{match.jaccard:.3f}",
        )
