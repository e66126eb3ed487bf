"""Finds speech and silence in a take: frames of 10 ms, against the loud part of the same take.

A frame is silent when its RMS is more than `DROP` dB under the loud frames (95th percentile), or under `FLOOR`.
Soft onsets (f, s, x, h) lie 25-35 dB under vowels, the engine's own silence 60 dB and more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dtbuild.timebase import RATE, Interval, to_samples

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Audio = NDArray[np.float32]

FRAME = RATE // 100
DROP = 45.0
FLOOR = 10 ** (-65 / 20)
LEAD = to_samples(0.05)
"""Silence kept at either end of a take: enough for a soft onset, little enough that gaps are the mixer's."""


def speech_mask(audio: Audio) -> NDArray[np.bool_]:
    """One flag for each whole frame: True where there is sound. A part frame at the end is left out."""
    import numpy as np

    frames = audio[: len(audio) // FRAME * FRAME].reshape(-1, FRAME).astype(np.float64)
    level = np.sqrt(np.mean(frames**2, axis=1))
    if not len(level):
        return np.zeros(0, dtype=bool)
    threshold = max(FLOOR, float(np.percentile(level, 95)) * 10 ** (-DROP / 20))
    mask: NDArray[np.bool_] = level > threshold
    return mask


def speech_interval(audio: Audio) -> Interval:
    """From the first to the last frame with sound; empty at 0 for silence."""
    import numpy as np

    sounding = np.flatnonzero(speech_mask(audio))
    if not len(sounding):
        return Interval(0, 0)
    return Interval(int(sounding[0]) * FRAME, min(len(audio), (int(sounding[-1]) + 1) * FRAME))


def trim(audio: Audio) -> Audio:
    """The speech with `LEAD` samples at either end, where there are so many; all of it when it is silent."""
    speech = speech_interval(audio)
    if not speech.length:
        return audio
    return audio[max(0, speech.start - LEAD) : speech.end + LEAD]


def silences(audio: Audio) -> tuple[Interval, ...]:
    """Silent stretches inside the speech, in samples."""
    speech = speech_interval(audio)
    mask = speech_mask(audio)
    found, start = [], -1
    for frame in range(speech.start // FRAME, -(-speech.end // FRAME)):
        silent = frame < len(mask) and not mask[frame]
        if silent and start < 0:
            start = frame
        if not silent and start >= 0:
            found.append(Interval(start * FRAME, frame * FRAME))
            start = -1
    return tuple(found)
