"""Loudness (ITU-R BS.1770-4, as EBU R 128 uses it) and peak of audio that comes in blocks of any length.

The weighting filters are pyloudnorm's; the gating is done here on sums of 100 ms, so an hour of audio needs no more
memory than a second. Only whole gating blocks of 0.4 s count, as the standard says.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from dtbuild.errors import MissingExtra
from dtbuild.timebase import RATE

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Audio = NDArray[np.float32]

HOP = RATE // 10
"""Samples from one gating block to the next; a block is four hops."""
ABSOLUTE, RELATIVE = -70.0, -10.0
"""Gates: LUFS, and LU under the mean of what passes the first."""


class Meter:
    """Takes blocks in order; `loudness` and `peak` are those of everything taken so far.

    Raises `MissingExtra` without pyloudnorm.
    """

    def __init__(self) -> None:
        try:
            import pyloudnorm
            import scipy.signal
        except ImportError as error:
            raise MissingExtra(
                "pyloudnorm", expected="the extra `speech`", fix="pip install 'dtbuild[speech]'"
            ) from error
        self._run: Any = scipy.signal.lfilter
        self._stages = [
            [each.passband_gain * each.b, each.a, (0.0, 0.0)] for each in pyloudnorm.Meter(RATE)._filters.values()
        ]
        self._rest: Any = None
        self._hops: list[float] = []
        self.peak = 0.0

    def take(self, block: Audio) -> None:
        import numpy as np

        self.peak = max(self.peak, float(np.max(np.abs(block), initial=0.0)))
        weighted: Any = block.astype(np.float64)
        for stage in self._stages:
            weighted, stage[2] = self._run(stage[0], stage[1], weighted, zi=stage[2])
        if self._rest is not None:
            weighted = np.concatenate([self._rest, weighted])
        whole = len(weighted) // HOP * HOP
        self._rest = weighted[whole:]
        self._hops += np.sum(np.square(weighted[:whole].reshape(-1, HOP)), axis=1).tolist()

    @property
    def loudness(self) -> float:
        """Integrated loudness in LUFS; minus infinity for silence or less than 0.4 s."""
        import numpy as np

        if len(self._hops) < 4:
            return -math.inf
        sums = np.asarray(self._hops)
        power = (sums[:-3] + sums[1:-2] + sums[2:-1] + sums[3:]) / (4 * HOP)
        level = -0.691 + 10 * np.log10(np.maximum(power, 1e-20))
        passed = level > ABSOLUTE
        if not passed.any():
            return -math.inf
        gate = -0.691 + 10 * math.log10(float(power[passed].mean())) + RELATIVE
        # the loudest block always passes: its level is at least the mean that the gate lies under
        return -0.691 + 10 * math.log10(float(power[passed & (level > gate)].mean()))


def loudness(audio: Audio) -> float:
    """Integrated loudness of a whole signal in LUFS as pyloudnorm has it at 24 kHz.

    >>> import numpy as np
    >>> tone = np.sin(2 * np.pi * 997 * np.arange(RATE) / RATE).astype(np.float32)
    >>> round(loudness(tone), 1)
    -3.1
    """
    meter = Meter()
    meter.take(audio)
    return meter.loudness
