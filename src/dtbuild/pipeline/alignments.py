"""The align stage: every 汉字 of a recording its interval, in workers that hold the aligner."""

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
from dtbuild.records.sound import Alignment, Timeline
from dtbuild.records.verdict import Finding, Verdict


class AlignItem(msgspec.Struct, frozen=True, kw_only=True):
    """An alignment as stored, None where the aligner or the check of its result failed."""

    alignment: Alignment | None
    verdict: Verdict


def align_all(
    recordings: Sequence[Recording], timelines: Mapping[str, Timeline], desk: Desk, model: Path | None = None
) -> dict[str, AlignItem]:
    """What the aligner and the check of its result made of each recording; `model` is the cohort's own, if any."""
    aligner = fingerprint_of(desk.config.align.aligner, model)
    items: dict[str, AlignItem] = {}
    missing = []
    for each in recordings:
        inputs = digest([aligner, timelines[each.id], *each.spoken.values()])
        item = desk.folder.derived("align", each.id, AlignItem, inputs)
        if item is None or (item.alignment is None and desk.retry):
            missing.append(_Wanted(each, timelines[each.id], inputs))
        else:
            items[each.id] = item
    setup = (desk.config.align.aligner, model, str(desk.folder.root))
    with desk.watcher.stage("align", len(recordings), "recordings") as step:
        for _ in items:
            step(made=False)
        for wanted, item in run_items(_align, missing, jobs=desk.jobs, setup=_prepare, arguments=setup):
            items[wanted.recording.id] = item
            step(made=True)
    return items


class _Wanted(NamedTuple):
    recording: Recording
    timeline: Timeline
    inputs: str


class _Tools(NamedTuple):
    """What a worker loads once."""

    aligner: Aligner
    folder: Folder


_tools: _Tools


def _prepare(name: str, model: Path | None, root: str) -> None:
    global _tools
    _tools = _Tools(make_aligner(name, model), Folder(Path(root)))


def _align(wanted: _Wanted) -> AlignItem:
    each, timeline, inputs = wanted
    aligner, folder = _tools
    people = {turn.id: turn.person for turn in each.script.turns}
    turns = [
        TurnAudio(
            turn=place.turn,
            spoken=each.spoken[place.turn],
            speaker=each.voices[people[place.turn]].id,
            audio=folder.path("takes", place.take, ".wav"),
            offset=place.start,
        )
        for place in timeline.placements
    ]
    alignment = None
    try:
        aligned = aligner.align(turns)
        verdict = check(each.id, turns, aligned, inputs=inputs)
        if verdict.outcome == "pass":
            alignment = Alignment(recording=each.id, aligner=aligner.name, turns=aligned)
    except AlignmentError as error:
        finding = Finding(code="align.failed", where=each.id, message=str(error), turn=error.turn)
        verdict = Verdict(
            gate="align", subject=each.id, reviewer=aligner.name, outcome="fail", inputs=inputs, findings=(finding,)
        )
    item = AlignItem(alignment=alignment, verdict=verdict)
    folder.write("align", each.id, item, inputs)
    return item
