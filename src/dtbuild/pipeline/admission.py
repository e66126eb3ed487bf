"""Brings every family to a text stage: tried in worker processes, admitted here in the order of their numbers.

A family is compared with admitted families of lower index alone, and one that is too near goes on with its next
sub-seed, so what is stored is the same for any number of jobs. Plans and scripts are stored by the worker that made
them, verdicts and B recordings on admission. At most a few families a worker are under way at once, and of those
before nothing is kept but their shingles: memory does not grow with the cohort's texts.
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Callable, Generator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import msgspec

from dtbuild.pipeline.config import Config
from dtbuild.pipeline.folder import Folder
from dtbuild.pipeline.text import TextStages, Tried, Try, reason_of
from dtbuild.pipeline.workers import asking
from dtbuild.records.blueprint import Blueprint
from dtbuild.records.ids import family_id
from dtbuild.review.neighbours import Neighbours
from dtbuild.review.rules import among

_FEW = 64
"""Families up to which starting workers takes longer than they save."""
_AHEAD = 4
"""Families under way, a worker."""


_Result = Callable[[], bytes]
"""Waits for the tries of a family, encoded."""


class Outcome(NamedTuple):
    """What became of a family. `made` counts the stages that something was stored for.

    `attempt` is the sub-seed it stands at; None where none brought it through, for the `reason` given.
    `recordings` is 0 before the review.
    """

    group: int
    family: str
    made: int
    attempt: int | None
    recordings: int = 0
    reason: str = ""


def write_texts(
    config: Config, folder: Folder, blueprint: Blueprint, *, until: str, jobs: int
) -> Generator[Outcome, None, None]:
    """Every family of the config in index order, brought to the text stage `until`.

    Raises StorageError when the disk is full, FormatError for a file that cannot be read, Incomplete when a worker
    dies; what is stored stays.
    """
    desk = _Desk(config, folder, blueprint)
    jobs = 1 if config.groups < _FEW else jobs
    upcoming = iter(range(1, config.groups + 1))
    ahead: deque[_Result] = deque()
    # records travel encoded: a pickled one no longer knows which values are its defaults, and its digest would differ
    records = msgspec.msgpack.encode(config), msgspec.msgpack.encode(blueprint)
    with asking(_try, jobs=jobs, setup=_prepare, arguments=(*records, str(folder.root), until)) as ask:
        for index in range(1, config.groups + 1):
            ahead.extend(ask((each, 0)) for each in islice(upcoming, _AHEAD * jobs - len(ahead)))
            yield desk.admit(index, ahead.popleft(), ask)


class _Desk:
    """Admits families in the order of their numbers, and stores what hangs on that."""

    def __init__(self, config: Config, folder: Folder, blueprint: Blueprint) -> None:
        self._folder, self._code, self._attempts = folder, blueprint.code, config.review.attempts
        self._neighbours = Neighbours()

    def admit(self, index: int, result: _Result, ask: Callable[[tuple[int, int]], _Result]) -> Outcome:
        """Judge the tries of a family in their order; further ones are asked for where all of these fail."""
        family = family_id(self._code, index)
        made: set[str] = set()
        while True:
            tried = msgspec.msgpack.decode(result(), type=Tried)
            made |= tried.made
            for each in tried.tries:
                reason = self._judged(f"{family}.{each.attempt}", each, made)
                if reason is None:
                    self._neighbours.enter(family, array("Q", each.grams))
                    return Outcome(index, family, len(made), each.attempt, each.recordings)
                if each.edited:
                    what = f"the hand-edited script does not pass: {reason}" if each.verdict else reason
                    return Outcome(index, family, len(made), None, reason=what)
            following = tried.tries[-1].attempt + 1
            if following == self._attempts:
                return Outcome(index, family, len(made), None, reason=f"{following} tries, the last: {reason}")
            result = ask((index, following))

    def _judged(self, key: str, each: Try, made: set[str]) -> str | None:
        """Store verdict and B of a try; why it does not pass, None where it does."""
        if each.verdict is None:
            return each.fault
        verdict = among(each.verdict, array("Q", each.grams), self._neighbours)
        if verdict != each.kept:
            self._folder.write("review", key, verdict, each.inputs)
            made.add("review")
        if verdict.outcome != "pass":
            return reason_of(verdict.findings)
        if each.variant is not None:
            self._folder.place("variants", key, each.variant)
            made.add("variants")
        return each.fault


_stages: TextStages
"""What a process that tries families works with."""


def _prepare(config: bytes, blueprint: bytes, root: str, until: str) -> None:
    global _stages
    records = msgspec.msgpack.decode(config, type=Config), msgspec.msgpack.decode(blueprint, type=Blueprint)
    _stages = TextStages(records[0], Folder(Path(root)), records[1], until)


def _try(asked: tuple[int, int]) -> bytes:
    return msgspec.msgpack.encode(_stages.tried(*asked))
