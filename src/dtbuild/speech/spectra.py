"""Two faults that only the spectrum shows: a tone that is not speech, and a stretch heard twice.

*A steady tone.* The harmonics of a voice move; over a third of a second none stays within a few hertz. A line that
stands out of its surroundings in two windows of 0.34 s, half over each other, is none of the voice's. Under 2 kHz
harmonics lie dense and high, so more is asked of a line there.

*Heard twice.* A word said and at once said again: two stretches of equal length, one after the other, with the same
log mel spectrum frame by frame. Words that Chinese doubles (谢谢, 看看) lie far above the threshold: their tones and
lengths differ. Repetitions that differ as much are beyond this measure.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, NamedTuple

from dtbuild.speech.silence import FRAME, speech_mask
from dtbuild.timebase import RATE

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Audio = NDArray[np.float32]

LINE_WINDOW = 8192
LINE_LEVEL = -26.0
"""dB re the level of the take: a weaker line is not looked at."""
LINES = ((60.0, 1000.0, 28.0), (1000.0, 2000.0, 22.0), (2000.0, 10_500.0, 16.0))
"""From, to (Hz), and the dB by which a line must stand out of the 70 Hz on either side of it."""
_NEAR, _AROUND = 4, 24
"""Bins on either side of a line that belong to it, and those that are its surroundings."""

TWICE_SECONDS = (0.15, 0.75)
TWICE = 0.25
"""Mean distance, in nepers of mel power, under which two stretches are the same; the least of clean takes is 0.30."""
_BANDS, _WINDOW, _DEPTH = 20, 512, 9.0


class Line(NamedTuple):
    """A steady tone: its frequency, how far it stands out of its surroundings, and by how much it should not."""

    hertz: float
    stands_out: float
    limit: float


class Twice(NamedTuple):
    """A stretch and its repeat, from `start`, each `seconds` long; `distance` says how much they differ."""

    start: float
    seconds: float
    distance: float


def steady_line(audio: Audio) -> Line | None:
    """The clearest tone that is not speech, if there is one."""
    import numpy as np

    if len(audio) < LINE_WINDOW:
        audio = np.pad(audio, (0, LINE_WINDOW - len(audio)))
    at = np.arange(0, len(audio) - LINE_WINDOW + 1, LINE_WINDOW // 2)
    window = _hann(LINE_WINDOW)
    power = np.abs(np.fft.rfft(audio[at[:, None] + np.arange(LINE_WINDOW)] * window, axis=1)) ** 2
    sums = np.concatenate([np.zeros((len(power), 1)), np.cumsum(power, axis=1)], axis=1)
    bins = np.arange(_AROUND, power.shape[1] - _AROUND)
    wide = sums[:, bins + _AROUND + 1] - sums[:, bins - _AROUND]
    around = (wide - (sums[:, bins + _NEAR + 1] - sums[:, bins - _NEAR])) / (2 * (_AROUND - _NEAR))
    around = np.maximum(around, power.max() * 1e-10 + 1e-20)
    # a sine of power p puts p · (sum of the window)² / 2 into its bin
    level = power[:, bins] * 2 / float(window.sum()) ** 2 / (float(np.mean(audio**2)) + 1e-20)
    out = np.where(level > 10 ** (LINE_LEVEL / 10), 10 * np.log10(power[:, bins] / around + 1e-20), 0.0)
    if len(out) > 1:
        out = np.minimum(out[1:], out[:-1])
    clearest = out.max(axis=0)
    hertz = bins * RATE / LINE_WINDOW
    found = []
    for low, high, limit in LINES:
        here = np.where((hertz >= low) & (hertz < high), clearest, 0.0)
        peak = int(here.argmax())
        if here[peak] >= limit:
            found.append(Line(float(hertz[peak]), float(here[peak]), limit))
    return max(found, key=lambda line: line.stands_out - line.limit, default=None)


def closest_repeat(audio: Audio) -> Twice | None:
    """The stretch most like the one after it; None where the take is too short to hold any.

    A take is at fault where its `distance` is under `TWICE`.
    """
    import numpy as np

    frames = _mel(audio)
    mask = speech_mask(audio)
    count = min(len(frames), len(mask))
    frames, sound = frames[:count], mask[:count].astype(np.float64)
    found: Twice | None = None
    for lag in range(*(round(seconds * RATE / FRAME) for seconds in TWICE_SECONDS)):
        if count < 2 * lag:
            break
        distance = np.abs(frames[:-lag] - frames[lag:]).mean(axis=1)
        apart = _sliding_mean(distance, lag)
        apart[_sliding_mean(sound[:-lag] * sound[lag:], lag) < 0.8] = np.inf
        start = int(apart.argmin())
        if np.isfinite(apart[start]) and (found is None or apart[start] < found.distance):
            found = Twice(start * FRAME / RATE, lag * FRAME / RATE, float(apart[start]))
    return found


def _mel(audio: Audio) -> NDArray[np.float32]:
    """Log mel spectrum, one row each 10 ms, with what lies far below the loudest bands cut off."""
    import numpy as np

    count = max(1, len(audio) // FRAME)
    padded = np.pad(audio, ((_WINDOW - FRAME) // 2, _WINDOW))
    at = np.arange(count)[:, None] * FRAME + np.arange(_WINDOW)
    power = np.abs(np.fft.rfft(padded[at] * _hann(_WINDOW), axis=1)) ** 2
    log = np.log(power.astype(np.float32) @ _banks() + np.float32(1e-7))
    cut: NDArray[np.float32] = np.maximum(log, np.float32(np.percentile(log.max(axis=1), 95) - _DEPTH))
    return cut


def _sliding_mean(values: NDArray[np.floating], length: int) -> NDArray[np.float64]:
    import numpy as np

    sums = np.concatenate([[0.0], np.cumsum(values, dtype=np.float64)])
    mean: NDArray[np.float64] = (sums[length:] - sums[:-length]) / length
    return mean


@functools.cache
def _hann(length: int) -> NDArray[np.float32]:
    import numpy as np

    return np.hanning(length).astype(np.float32)


@functools.cache
def _banks() -> NDArray[np.float32]:
    """Triangular mel filters, bins × bands."""
    import numpy as np

    edges = np.linspace(1127 * np.log1p(100 / 700), 1127 * np.log1p(7600 / 700), _BANDS + 2)
    bins = 1127 * np.log1p(np.arange(_WINDOW // 2 + 1) * RATE / _WINDOW / 700)[:, None]
    rise = (bins - edges[:-2]) / (edges[1:-1] - edges[:-2])
    fall = (edges[2:] - bins) / (edges[2:] - edges[1:-1])
    banks: NDArray[np.float32] = np.clip(np.minimum(rise, fall), 0, None).astype(np.float32)
    return banks
