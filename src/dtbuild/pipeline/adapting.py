"""The cohort's own acoustic model, where its config asks for one: `work/adapt/cohort.viter` and what it changed.

It is trained once on the takes that were spoken first, before any retake and with those of families that are withheld
later, so it does not depend on what the alignment asks for. It depends on the whole cohort: with more families it is
made again, and so are all times.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from dtbuild.align.adapt import Figures, check_enough, figures, speech_seconds, train
from dtbuild.align.aligner import TurnAudio
from dtbuild.align.viter import ViterAligner
from dtbuild.fingerprint import digest
from dtbuild.pipeline.desk import Desk, Recording
from dtbuild.pipeline.workers import asking
from dtbuild.records.sound import SpeechRequest, Take
from dtbuild.store import placing

STAGE, KEY, MODEL = "adapt", "cohort", ".viter"


class AdaptItem(msgspec.Struct, frozen=True, kw_only=True):
    """What the model was made from, and how a sample of its turns aligns with ours (`before`) and with it."""

    turns: int
    seconds: float
    before: Figures
    after: Figures


def own_model(recordings: Sequence[Recording], takes: Mapping[str, Take], desk: Desk, aligner: str) -> Path:
    """The cohort's model, trained unless it stands for these takes.

    `takes` are those of the recordings that came about; `aligner` is our model's fingerprint. Raises SettingsError for too little speech, AlignmentError from training.
    """
    every: dict[str, SpeechRequest] = {id: request for each in recordings for id, request in each.takes.values()}
    there = {id: one for id, one in sorted(every.items()) if id in takes}
    inputs = digest([aligner, [[id, takes[id].sha256] for id in there]])
    path = desk.folder.path(STAGE, KEY, MODEL)
    made = desk.folder.derived(STAGE, KEY, AdaptItem, inputs) is None
    with desk.watcher.stage("adapt", 1, "model") as step:
        if made:
            audio = {id: desk.folder.path("takes", id, ".wav") for id in there}
            # viter's memory goes with the process, and its threads stay out of ours
            with asking(_train, jobs=2) as ask:
                item = ask(_Wanted(there, audio, path))()
            desk.folder.write(STAGE, KEY, item, inputs, beside=(MODEL,))
        step(made=made)
    return path


class _Wanted(NamedTuple):
    takes: Mapping[str, SpeechRequest]
    audio: Mapping[str, Path]
    out: Path


def _train(wanted: _Wanted) -> AdaptItem:
    turns = [
        TurnAudio(turn=id, spoken=request.spoken, speaker=request.voice.id, audio=wanted.audio[id])
        for id, request in wanted.takes.items()
    ]
    seconds = speech_seconds(turns)
    check_enough(seconds)
    with placing(wanted.out) as temporary:
        train(turns, temporary, threads=1)
    aligner = functools.partial(ViterAligner, threads=1)
    return AdaptItem(
        turns=len(turns),
        seconds=round(seconds, 1),
        before=figures(turns, aligner()),
        after=figures(turns, aligner(wanted.out)),
    )
