"""Moves a sound's pitch and formants together, as a smaller or larger speaker would have them.

An engine speaks slower or faster by the same factor, so the length of a turn stays what its rate asks for. Imports
numpy and soxr alone: `scripts/choose_voices.py` uses it beside torch, without the rest of dtbuild; and soxr takes up
a hundredth of the memory that scipy's filters do in each worker.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Audio = NDArray[np.float32]


def shifted(audio: Audio, pitch: float) -> Audio:
    """The sound with every frequency times `pitch` and the length divided by it, to the nearest sample.

    Equal sound gives equal bytes; `pitch` counts in hundredths.

    >>> import numpy as np
    >>> len(shifted(np.zeros(2400, dtype=np.float32), 1.04))
    2308
    """
    import numpy as np
    import soxr

    moved: Audio = soxr.resample(audio.astype(np.float64), round(pitch * 100), 100, quality="VHQ").astype(np.float32)
    return moved
