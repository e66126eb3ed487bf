"""Retakes that the alignment asks for: a turn whose sound does not fit its text is spoken another way.

Which retake a turn stands at is kept by family and by the take that was spoken first, so that A and B go on sharing
it and a resumed run goes on where it was. The ways are those of `dtbuild.speech.ways`; a retry goes on with those that
no run has tried.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from dtbuild.pipeline.alignments import Aligned
from dtbuild.pipeline.desk import Recording
from dtbuild.pipeline.folder import Folder
from dtbuild.records.sound import SpeechRequest
from dtbuild.speech.takes import take_id
from dtbuild.speech.ways import FIRST, FURTHER, WAYS, ways


class RetakeItem(msgspec.Struct, frozen=True, kw_only=True):
    """Number of the retake (from 1) by the id of the take that was spoken first."""

    numbers: dict[str, int]


class Retakes:
    """The retakes of one folder; `engine` and `aligner` are fingerprints: others begin with none.

    `retry`: a turn that stands at its last retake gets some more.
    """

    def __init__(self, folder: Folder, engine: str, aligner: str, *, retry: bool = False) -> None:
        self._folder, self._engine, self._inputs = folder, engine, f"{engine}/{aligner}"
        self._retry = retry
        self._numbers: dict[str, dict[str, int]] = {}
        self._ends: dict[str, int] = {}

    def applied(self, recording: Recording) -> Recording:
        """The recording with the takes it stands at; give it the recording as it was cut at first."""
        numbers = self._of(recording.plan.family)
        return recording._replace(
            takes={
                turn: self._numbered(id, request, numbers.get(id, 0)) for turn, (id, request) in recording.takes.items()
            }
        )

    def ask(self, recordings: Iterable[Recording], items: Mapping[str, Aligned]) -> bool:
        """Note a further retake for every turn that failed; False when nothing is left to try anywhere.

        A recording that fails for other reasons than a turn, or has a turn with no retake left, asks for none.
        """
        asked: dict[str, dict[str, int]] = {}
        for each in recordings:
            item = items.get(each.id)
            if item is None or item.alignment is not None:
                continue
            numbers = self._of(each.plan.family)
            wanted = {each.takes[turn][0] for turn in _turns(each, item)}
            after = {id: numbers.get(id, 0) + 1 for id in wanted}
            if wanted and all(after[id] < self._end(id, numbers.get(id, 0)) for id in wanted):
                asked.setdefault(each.plan.family, {}).update(after)
        for family, numbers in asked.items():
            self._numbers[family] = self._of(family) | numbers
            self._folder.write("retakes", family, RetakeItem(numbers=self._numbers[family]), self._inputs)
        return bool(asked)

    def _end(self, id: str, number: int) -> int:
        """The number that retakes of this take stay under in this run; `number`: where it stands when first asked."""
        if id not in self._ends:
            further = number + 1 + FURTHER if self._retry and number + 1 >= FIRST else FIRST
            self._ends[id] = min(len(WAYS), further)
        return self._ends[id]

    def _of(self, family: str) -> dict[str, int]:
        if family not in self._numbers:
            item = self._folder.derived("retakes", family, RetakeItem, self._inputs)
            self._numbers[family] = dict(item.numbers) if item else {}
        return self._numbers[family]

    def _numbered(self, id: str, request: SpeechRequest, number: int) -> tuple[str, SpeechRequest]:
        if number == 0:
            return id, request
        again = ways(request)[number]
        return take_id(again, self._engine), again


def _turns(recording: Recording, item: Aligned) -> set[str]:
    """Turns whose sound an alignment's errors blame; empty when one of them blames none: no retake helps."""
    blamed = [finding.turn for finding in item.findings if finding.level == "error"]
    return {turn for turn in blamed if turn} if all(turn in recording.takes for turn in blamed) else set()
