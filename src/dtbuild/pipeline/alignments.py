"""The align stage: every 汉字 of a recording its interval, in workers that hold the aligner.

The unit is one voice in one recording, whose turns are normalised together: a turn that is spoken again costs an
alignment of that person's turns and leaves the others as they are. Items hold times from the start of each take, so
that a take of another length moves nothing that is stored.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from dtbuild.align.aligner import Aligner, TurnAudio
from dtbuild.align.make import fingerprint_of, make_aligner
from dtbuild.align.plausibility import check
from dtbuild.errors import AlignmentError
from dtbuild.fingerprint import digest
from dtbuild.pipeline.desk import Desk, Recording
from dtbuild.pipeline.folder import Folder
from dtbuild.pipeline.workers import run_items
from dtbuild.records.sound import Alignment, Timeline, TurnAlignment
from dtbuild.records.spoken import Spoken
from dtbuild.records.verdict import Finding, Verdict


class AlignItem(msgspec.Struct, frozen=True, kw_only=True):
    """The turns of one person of a recording as stored, None where the aligner or the check of its result failed.

    Times are samples from the start of each turn's take.
    """

    turns: tuple[TurnAlignment, ...] | None
    verdict: Verdict


class Aligned(NamedTuple):
    """What came of a recording: its alignment, None where a voice of it failed, and all findings."""

    alignment: Alignment | None
    findings: tuple[Finding, ...]


def align_all(
    recordings: Sequence[Recording],
    sounds: Mapping[str, str],
    timelines: Mapping[str, Timeline],
    desk: Desk,
    model: Path | None = None,
) -> dict[str, Aligned]:
    """What the aligner and the check of its result made of each recording.

    `sounds`: what each take's sound is known by (`Take.sha256`); `model` is the cohort's own, if any.
    """
    name = desk.config.align.aligner
    aligner = fingerprint_of(name, model)
    wanted = [one for each in recordings for one in _voices(each, sounds, aligner)]
    items: dict[str, AlignItem] = {}
    for one in wanted:
        item = desk.folder.derived("align", one.key, AlignItem, one.inputs)
        if item is not None and (item.turns is not None or not desk.retry):
            items[one.key] = item
    missing = [one for one in wanted if one.key not in items]
    setup = (name, model, str(desk.folder.root))
    with desk.watcher.stage("align", len(wanted), "voices") as step:
        for _ in items:
            step(made=False)
        for one, item in run_items(_align, missing, jobs=desk.jobs, setup=_prepare, arguments=setup):
            items[one.key] = item
            step(made=True)
    by_recording: dict[str, list[AlignItem]] = {each.id: [] for each in recordings}
    for one in wanted:
        by_recording[one.recording].append(items[one.key])
    return {each.id: _joined(each.id, name, by_recording[each.id], timelines[each.id]) for each in recordings}


class _Turn(NamedTuple):
    id: str
    spoken: Spoken
    take: str
    sound: str


class _Wanted(NamedTuple):
    """One person's turns in a recording."""

    recording: str
    person: str
    voice: str
    turns: tuple[_Turn, ...]
    inputs: str

    @property
    def key(self) -> str:
        return f"{self.recording}-{self.person}"


def _voices(each: Recording, sounds: Mapping[str, str], aligner: str) -> list[_Wanted]:
    """A recording's persons in the order in which they first speak."""
    said: dict[str, list[_Turn]] = {}
    for turn in each.script.turns:
        take = each.takes[turn.id][0]
        said.setdefault(turn.person, []).append(_Turn(turn.id, each.spoken[turn.id], take, sounds[take]))
    return [
        _Wanted(each.id, person, each.voices[person].id, tuple(turns), digest([aligner, turns]))
        for person, turns in said.items()
    ]


def _joined(recording: str, aligner: str, items: Sequence[AlignItem], timeline: Timeline) -> Aligned:
    """The turns of all voices in the order of the timeline, at their places in it."""
    findings = tuple(finding for item in items for finding in item.verdict.findings)
    if any(item.turns is None for item in items):
        return Aligned(None, findings)
    turns = {one.turn: one for item in items for one in item.turns or ()}
    placed = tuple(turns[place.turn].moved(place.start) for place in timeline.placements)
    return Aligned(Alignment(recording=recording, aligner=aligner, turns=placed), findings)


class _Tools(NamedTuple):
    """What a worker loads once."""

    aligner: Aligner
    folder: Folder


_tools: _Tools


def _prepare(name: str, model: Path | None, root: str) -> None:
    global _tools
    _tools = _Tools(make_aligner(name, model), Folder(Path(root)))


def _align(wanted: _Wanted) -> AlignItem:
    aligner, folder = _tools
    turns = [
        TurnAudio(turn.id, turn.spoken, wanted.voice, folder.path("takes", turn.take, ".wav")) for turn in wanted.turns
    ]
    aligned: tuple[TurnAlignment, ...] | None = None
    try:
        aligned = aligner.align(turns)
        verdict = check(wanted.key, turns, aligned, inputs=wanted.inputs)
        if verdict.outcome != "pass":
            aligned = None
    except AlignmentError as error:
        finding = Finding(code="align.failed", where=wanted.key, message=str(error), turn=error.turn)
        verdict = Verdict(
            gate="align",
            subject=wanted.key,
            reviewer=aligner.name,
            outcome="fail",
            inputs=wanted.inputs,
            findings=(finding,),
        )
    item = AlignItem(turns=aligned, verdict=verdict)
    folder.write("align", wanted.key, item, wanted.inputs)
    return item
