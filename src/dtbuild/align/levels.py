"""Levels of a take: one figure for each 10 ms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dtbuild.timebase import RATE

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

FRAME = RATE // 100
"""Samples of a frame."""


def levels(samples: Any) -> NDArray[float64]:
    """Level of each whole or begun frame in dB re full scale; digital silence is −120."""
    import numpy as np

    padded = np.pad(np.asarray(samples, dtype=np.float64), (0, -len(samples) % FRAME))
    power = (padded.reshape(-1, FRAME) ** 2).mean(axis=1)
    result: NDArray[float64] = 10 * np.log10(power + 1e-12)
    return result


def loudness(level: NDArray[float64]) -> float:
    """Level of the loud frames of a take, its 95th percentile: what "quiet" and "silent" are measured against."""
    import numpy as np

    return float(np.percentile(level, 95))
