"""Retakes that the alignment asks for: a turn whose sound does not fit its text is spoken another way.

Which retake a turn stands at is kept by family and by the take that was spoken first, so that A and B go on sharing
it and a resumed run goes on where it was. What the ways are is the speech gate's to say (`speech.gate.retakes`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

import msgspec

from dtbuild.pipeline.alignments import AlignItem
from dtbuild.pipeline.desk import Recording
from dtbuild.pipeline.folder import Folder
from dtbuild.records.sound import SpeechRequest
from dtbuild.speech.gate import retakes
from dtbuild.speech.takes import take_id


class RetakeItem(msgspec.Struct, frozen=True, kw_only=True):
    """Number of the retake (from 1) by the id of the take that was spoken first."""

    numbers: dict[str, int]


class Retakes:
    """The retakes of one folder; `engine` and `aligner` are fingerprints: others begin with none."""

    def __init__(self, folder: Folder, engine: str, aligner: str) -> None:
        self._folder, self._engine, self._inputs = folder, engine, f"{engine}/{aligner}"
        self._numbers: dict[str, dict[str, int]] = {}

    def applied(self, recording: Recording) -> Recording:
        """The recording with the takes it stands at; give it the recording as it was cut at first."""
        numbers = self._of(recording.plan.family)
        return recording._replace(
            takes={
                turn: self._numbered(id, request, numbers.get(id, 0)) for turn, (id, request) in recording.takes.items()
            }
        )

    def ask(self, recordings: Iterable[Recording], items: Mapping[str, AlignItem]) -> bool:
        """Note a further retake for every turn that failed; False when nothing is left to try anywhere.

        A recording that fails for other reasons than a turn, or has a turn with no retake left, asks for none.
        """
        asked: dict[str, dict[str, int]] = {}
        for each in recordings:
            item = items.get(each.id)
            if item is None or item.alignment is not None:
                continue
            numbers = self._of(each.plan.family)
            wanted = {each.takes[turn] for turn in _turns(each, item)}
            ways = {id: numbers.get(id, 0) + 1 for id, _ in wanted}
            if wanted and all(ways[id] < len(retakes(request)) for id, request in wanted):
                asked.setdefault(each.plan.family, {}).update(ways)
        for family, numbers in asked.items():
            self._numbers[family] = self._of(family) | numbers
            self._folder.write("retakes", family, RetakeItem(numbers=self._numbers[family]), self._inputs)
        return bool(asked)

    def _of(self, family: str) -> dict[str, int]:
        if family not in self._numbers:
            item = self._folder.derived("retakes", family, RetakeItem, self._inputs)
            self._numbers[family] = dict(item.numbers) if item else {}
        return self._numbers[family]

    def _numbered(self, id: str, request: SpeechRequest, number: int) -> tuple[str, SpeechRequest]:
        if number == 0:
            return id, request
        again = retakes(request)[number]
        return take_id(again, self._engine), again


def _turns(recording: Recording, item: AlignItem) -> set[str]:
    """Turns that an alignment's errors name; empty when one of them names none."""
    found: set[str] = set()
    for finding in item.verdict.findings:
        if finding.level != "error":
            continue
        named = re.search(rf"{re.escape(recording.id)}-t\d+", f"{finding.where} {finding.message}")
        if named is None or named[0] not in recording.takes:
            return set()
        found.add(named[0])
    return found
