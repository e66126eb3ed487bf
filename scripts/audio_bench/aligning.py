"""The corpus aligned, a voice at a time, with refined times and without; in worker processes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from audio_bench.process import Held, held
from dtbuild.align.aligner import TurnAudio
from dtbuild.align.viter import ViterAligner
from dtbuild.errors import AlignmentError
from dtbuild.pipeline.workers import run_items
from dtbuild.records.sound import TurnAlignment
from dtbuild.records.spoken import Spoken


class Sound(NamedTuple):
    """A turn to align: its name, voice, text and file."""

    name: str
    voice: str
    spoken: Spoken
    path: str


class Times(NamedTuple):
    """A turn's characters before and after refinement, in samples of its take; None where it cannot be aligned."""

    raw: TurnAlignment | None
    refined: TurnAlignment | None


def align(sounds: Sequence[Sound], jobs: int) -> dict[str, Times]:
    """Times by name."""
    times: dict[str, Times] = {}
    for group, found in run_items(_align, _by_voice(sounds), jobs=jobs, setup=_prepare):
        times |= {each.name: one for each, one in zip(group, found, strict=True)}
    return times


def align_again(sounds: Sequence[Sound], times: int, jobs: int) -> list[Held]:
    """What the workers hold after each of so many alignments of the turns of one voice, that with most sound.

    Of one voice, because what an aligner keeps depends on the longest recording that it has met.
    """
    group = max(_by_voice(sounds), key=lambda each: sum(Path(one.path).stat().st_size for one in each))
    return [memory for _, memory in run_items(_align_again, [group] * times, jobs=jobs, setup=_prepare)]


def _by_voice(sounds: Sequence[Sound]) -> list[list[Sound]]:
    voices = dict.fromkeys(each.voice for each in sounds)
    return [[each for each in sounds if each.voice == voice] for voice in voices]


_aligner: ViterAligner


def _prepare() -> None:
    global _aligner
    _aligner = ViterAligner(threads=1)


def _align(group: Sequence[Sound]) -> list[Times]:
    turns = _turns(group)
    return [Times(*each) for each in zip(_times(turns, False), _times(turns, True), strict=True)]


def _align_again(group: Sequence[Sound]) -> Held:
    _times(_turns(group), True)
    return held()


def _turns(group: Sequence[Sound]) -> list[TurnAudio]:
    return [TurnAudio(each.name, each.spoken, each.voice, Path(each.path)) for each in group]


def _times(turns: Sequence[TurnAudio], refine: bool) -> list[TurnAlignment | None]:
    """All turns of a voice together; one by one where one of them cannot be aligned."""
    try:
        return list(_aligner.align(turns, refine=refine))
    except AlignmentError:
        if len(turns) == 1:
            return [None]
        return [_times([turn], refine)[0] for turn in turns]
