"""Where sound begins and ends, by energy alone: the truth that turn edges are compared with.

Made without the aligner's levels and without its repair (`dtbuild.align.levels`, frames of 10 ms that do not
overlap): power under a Hann window of 5 ms, looked at each millisecond. Loud is the 95th percentile of those levels;
speech is what lies within 35 dB of it for at least 15 ms together, so that a click of the engine begins nothing. A
sudden onset is found 1 ms early on average (the window reaches ahead), one that swells from nothing where it comes
within those 35 dB: what a listener would call the first sound lies within 10 ms of it.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtbuild.timebase import RATE

HOP = RATE // 1000
"""Samples between two looks: 1 ms."""
WINDOW = 5 * HOP
DOWN = 35.0
FLOOR = -80.0
"""Level below which nothing is sound, dB re full scale: under the engine's own silence."""
SHORTEST = 15
"""Milliseconds that sound must last to count."""


def level(audio: Any) -> NDArray[np.float64]:
    """Level in dB re full scale, one a millisecond, centred on its middle."""
    power = np.asarray(audio, dtype=np.float64) ** 2
    hann = np.hanning(WINDOW + 2)[1:-1]
    smooth = np.convolve(power, hann / hann.sum(), "same")[HOP // 2 :: HOP]
    result: NDArray[np.float64] = 10 * np.log10(smooth + 1e-12)
    return result


def loud(audio: Any) -> float:
    """Level of the loud part of a take."""
    return float(np.percentile(level(audio), 95))


def stretches(audio: Any) -> list[tuple[int, int]]:
    """Samples [start, end) of every stretch of sound."""
    sounding = level(audio) > max(FLOOR, loud(audio) - DOWN)
    edges = np.flatnonzero(np.diff(np.concatenate(([0], sounding.astype(np.int8), [0]))))
    pairs = zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True)
    return [(start * HOP, min(end * HOP, len(audio))) for start, end in pairs if end - start >= SHORTEST]


def ends(audio: Any) -> tuple[int, int]:
    """First and last sample of the sound, half open; (0, 0) for silence."""
    found = stretches(audio)
    return (found[0][0], found[-1][1]) if found else (0, 0)


def pauses(audio: Any) -> list[tuple[int, int]]:
    """What lies between the stretches of sound."""
    return [(one[1], other[0]) for one, other in pairwise(stretches(audio))]
