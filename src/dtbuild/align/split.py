"""The last rung of the ladder: a turn in parts, cut where a pause of the sound meets a mark of the text.

A wrong path through a long turn can keep a wider beam from finding the right one; parts of it have fewer paths.
A cut is trusted only if sound and text agree on it: the share of the sound before the pause is about the share of
the characters before the mark. Parts are tried against each other at the seam: their tempos may differ by half.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from dtbuild.align.aligner import TurnAudio
from dtbuild.align.levels import FRAME, levels, loudness
from dtbuild.records.sound import CharTime
from dtbuild.records.spoken import Spoken
from dtbuild.timebase import RATE

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

QUIET_DB = 30.0
PAUSE = 10
"""Least frames of a pause to cut in: 100 ms."""
CUTS = 3
"""Most cuts of a turn: at its longest pauses."""
AGREE = 0.08
"""Most difference of the two shares at a cut."""
TEMPO = 1.5
"""Most ratio of the tempos (sound a character) of two neighbouring parts."""


class Part(NamedTuple):
    """A part of a turn as a turn of its own: its samples, and the sample of the take it starts at."""

    turn: TurnAudio
    samples: Any
    start: int


def parts_of(turn: TurnAudio, samples: NDArray[float32]) -> tuple[Part, ...]:
    """The parts of a turn, in order; empty where no pause meets a mark."""
    chars = turn.spoken.chars
    level = levels(samples)
    sound = level >= loudness(level) - QUIET_DB
    marks = [at for at in range(1, len(chars)) if chars[at].at != chars[at - 1].at + 1]
    cuts: dict[int, int] = {}
    for start, end in sorted(_pauses(sound.tolist()), key=lambda pause: pause[0] - pause[1]):
        before = float(sound[:start].sum()) / max(1, int(sound.sum()))
        at = min(marks, key=lambda mark: abs(mark / len(chars) - before), default=0)
        if at and at not in cuts and abs(at / len(chars) - before) <= AGREE:
            cuts[at] = (start + end) * FRAME // 2
        if len(cuts) == CUTS:
            break
    places = [(0, 0), *sorted(cuts.items()), (len(chars), len(samples))]
    if not cuts or any(one[1] >= other[1] for one, other in itertools.pairwise(places)):
        return ()
    return tuple(
        Part(_part(turn, number, first, end, samples[start:stop]), samples[start:stop], start)
        for number, ((first, start), (end, stop)) in enumerate(itertools.pairwise(places))
    )


def seams_hold(parts: Sequence[Sequence[CharTime]]) -> bool:
    """Whether the tempos of neighbouring parts can be one speaker's in one turn."""
    tempos = [sum(char.end - char.start for char in part) / len(part) for part in parts]
    return all(max(pair) <= TEMPO * min(pair) for pair in itertools.pairwise(tempos))


class _Span(NamedTuple):
    """A word or phone of a part, in seconds of the whole take."""

    label: str
    start: float
    end: float
    phones: tuple[Any, ...] = ()


def moved(part: Part, spans: Sequence[Any]) -> list[_Span]:
    """Words or phones of a part, in seconds of the take."""
    by = part.start / RATE
    return [
        _Span(one.label, one.start + by, one.end + by, tuple(moved(part, getattr(one, "phones", ())))) for one in spans
    ]


def _part(turn: TurnAudio, number: int, first: int, end: int, samples: NDArray[float32]) -> TurnAudio:
    base = turn.spoken.chars[first].at
    chars = tuple(msgspec.structs.replace(char, at=char.at - base) for char in turn.spoken.chars[first:end])
    stop = turn.spoken.chars[end].at if end < len(turn.spoken.chars) else None
    return TurnAudio(f"{turn.turn}#{number}", Spoken(turn.spoken.text[base:stop], chars), turn.speaker, samples)


def _pauses(sound: list[bool]) -> list[tuple[int, int]]:
    """Frames [start, end) of quiet between sounds."""
    runs, at = [], 0
    for loud, group in itertools.groupby(sound):
        count = len(list(group))
        if not loud and count >= PAUSE and at > 0 and at + count < len(sound):
            runs.append((at, at + count))
        at += count
    return runs
