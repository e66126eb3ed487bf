"""Recordings for the pipeline's own stages, made of turns of the corpus.

A stage asks a recording for its turns in order, who says each, what is said and which take it is; of its plan it
asks the family. So a recording of the bench is a plan of the corpus under another family's number with such turns.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from dtbuild.pipeline import resolve
from dtbuild.pipeline.desk import Desk, Quarantine, Recording
from dtbuild.pipeline.folder import Folder
from dtbuild.pipeline.progress import Counting, Silent
from dtbuild.records.ids import family_id, recording_id, turn_id
from dtbuild.records.plan import Plan
from dtbuild.records.script import Script, Turn
from dtbuild.records.sound import Placement, SpeechRequest, Timeline
from text_bench.families import SCENARIO, good

CODE = "ab"
GAP = 7_200
"""Samples between two turns where the bench places them itself: 0.3 s."""


class Part(NamedTuple):
    """A turn of a recording: what is said and how, the take that holds it, its length in samples."""

    text: str
    request: SpeechRequest
    take: str
    samples: int


def pattern(texts: Path) -> tuple[Plan, Script]:
    """Any plan and script of the corpus."""
    return next(good(texts))


def desk(root: Path, jobs: int, seed: int) -> Desk:
    """Where the stages work: the default config over a folder of the bench."""
    config = resolve(scenario=SCENARIO, seed=seed)
    return Desk(config, Folder(root), jobs, False, Counting(Silent()), Quarantine())


def recording(number: int, parts: Sequence[Part], like: tuple[Plan, Script]) -> Recording:
    """A recording of these turns, each said by a person named like its voice."""
    plan, script = like
    family = family_id(CODE, number)
    id = recording_id(family, "a")
    turns = tuple(
        Turn(id=turn_id(id, at), person=part.request.voice.id, text=part.text) for at, part in enumerate(parts, start=1)
    )
    pairs = list(zip(turns, parts, strict=True))
    return Recording(
        id=id,
        plan=replace(plan, family=family),
        script=replace(script, recording=id, turns=turns, spans=(), mentions=()),
        verdicts=(),
        spoken={turn.id: part.request.spoken for turn, part in pairs},
        voices={part.request.voice.id: part.request.voice for part in parts},
        takes={turn.id: (part.take, part.request) for turn, part in pairs},
        factor=None,
    )


def timeline(each: Recording, parts: Sequence[Part]) -> Timeline:
    """The turns one after another."""
    places, at = [], GAP
    for turn, part in zip(each.script.turns, parts, strict=True):
        places.append(Placement(turn=turn.id, take=part.take, start=at, samples=part.samples))
        at += part.samples + GAP
    return Timeline(recording=each.id, samples=at, gain_db=0.0, placements=tuple(places))
