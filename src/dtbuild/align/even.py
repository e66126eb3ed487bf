"""STAND-IN aligner: characters spread evenly over the sound of a turn.

For tests of the rooms around it, with the tone engine, whose syllables are equally long: there it is right to a
few milliseconds. On speech it is wrong, and it says nothing about it: its score is always 0.
Nothing uses it but a config that names it, and the manifest and the data card then name it too.
"""

from __future__ import annotations

from collections.abc import Sequence

from dtbuild.align.aligner import TurnAudio, samples_of
from dtbuild.align.plausibility import room_for
from dtbuild.errors import AlignmentError
from dtbuild.records.sound import CharTime, TurnAlignment
from dtbuild.timebase import RATE

_FRAME = RATE // 200
_PAUSE = RATE // 12
"""Silence of this length (83 ms) parts two stretches of sound; a shorter one is a dip in a syllable."""


class EvenAligner:
    """`Aligner` without a model: no character lies across a pause."""

    name = "even"
    fingerprint = "even-1"

    def align(self, turns: Sequence[TurnAudio], *, refine: bool = True) -> tuple[TurnAlignment, ...]:
        return tuple(self._align(turn) for turn in turns)

    def _align(self, turn: TurnAudio) -> TurnAlignment:
        samples = samples_of(turn)
        room_for(turn.turn, turn.spoken, len(samples))
        stretches = _stretches(samples)
        count = len(turn.spoken.chars)
        if not stretches or not count:
            raise AlignmentError(f"turn {turn.turn}: nothing to align", found=f"{count} characters", turn=turn.turn)
        total = sum(end - start for start, end in stretches)
        edges, done = [], 0
        for start, end in stretches:
            # characters whose middle falls into this stretch share it evenly
            first = round(count * done / total)
            done += end - start
            share = round(count * done / total) - first
            edges += [
                (start + (end - start) * at // share, start + (end - start) * (at + 1) // share) for at in range(share)
            ]
        chars = tuple(
            CharTime(char.hanzi, start + turn.offset, end + turn.offset)
            for char, (start, end) in zip(turn.spoken.chars, edges, strict=True)
        )
        return TurnAlignment(turn=turn.turn, score=0.0, chars=chars)


def _stretches(samples: object) -> list[tuple[int, int]]:
    """Ranges of sound between pauses."""
    import numpy as np

    sound = np.abs(np.asarray(samples, dtype=np.float64))
    padded = np.pad(sound, (0, -len(sound) % _FRAME)).reshape(-1, _FRAME).max(axis=1)
    out: list[list[int]] = []
    for at in np.flatnonzero(padded > 0.02 * padded.max() + 1e-6).tolist():
        start, end = at * _FRAME, min((at + 1) * _FRAME, len(sound))
        if out and start - out[-1][1] < _PAUSE:
            out[-1][1] = end
        else:
            out.append([start, end])
    return [(start, end) for start, end in out]
