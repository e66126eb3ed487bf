"""From an aligner's words back to the characters of a turn: expected against produced, by index.

One word is one 汉字, so the n-th word is the n-th `SpokenChar`. Nothing is searched for; a missing, surplus,
empty, mislabelled or misplaced word stops the turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from dtbuild.align.aligner import TurnAudio
from dtbuild.align.phones import phones
from dtbuild.errors import AlignmentError
from dtbuild.records.sound import CharTime
from dtbuild.timebase import RATE, to_samples

OVERRUN = RATE // 100
"""An edge past its neighbour or the end of the take by up to one frame (10 ms) is rounding, and is cut."""


class Word(Protocol):
    """What an aligner says of one word: its phones by spaces, and seconds from the start of the take."""

    @property
    def label(self) -> str: ...
    @property
    def start(self) -> float: ...
    @property
    def end(self) -> float: ...


def character_times(turn: TurnAudio, words: Sequence[Word], samples: int) -> tuple[CharTime, ...]:
    """Characters in samples of the take, which is `samples` long; raises `AlignmentError` with turn and character."""
    chars = turn.spoken.chars
    if len(words) != len(chars):
        raise AlignmentError(
            f"turn {turn.turn}: the aligner returned another number of characters",
            expected=str(len(chars)),
            found=str(len(words)),
            fix="speak the turn again",
            turn=turn.turn,
        )
    times: list[CharTime] = []
    floor = 0
    for at, (char, word) in enumerate(zip(chars, words, strict=True)):
        where = f"turn {turn.turn}, character {at} {char.hanzi}"
        start, end = to_samples(word.start), to_samples(word.end)
        if start < floor - OVERRUN or end > samples + OVERRUN:
            raise AlignmentError(
                f"{where} leaves its place",
                expected=f"inside [{floor}, {samples})",
                found=f"[{start}, {end})",
                turn=turn.turn,
            )
        start, end = max(start, floor), min(end, samples)
        label = " ".join(phones(char.pinyin))
        if word.label != label or end <= start:
            raise AlignmentError(
                f"{where} has no time",
                expected=f"{label} with a length",
                found=f"{word.label} in [{start}, {end})",
                fix="speak the turn again",
                turn=turn.turn,
            )
        times.append(CharTime(char.hanzi, start, end))
        floor = end
    return tuple(times)
