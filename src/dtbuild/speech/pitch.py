"""Moves a sound's pitch and formants together, as a smaller or larger speaker would have them.

An engine speaks slower or faster by the same factor, so the length of a turn stays what its rate asks for. Imports
numpy and scipy alone: `scripts/choose_voices.py` uses it beside torch, without the rest of dtbuild.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Audio = NDArray[np.float32]


def shifted(audio: Audio, pitch: float) -> Audio:
    """The sound with every frequency times `pitch` and the length divided by it, rounded up to whole samples.

    A polyphase filter on a ratio of whole numbers, so equal sound gives equal bytes; `pitch` counts in hundredths.

    >>> import numpy as np
    >>> len(shifted(np.zeros(2400, dtype=np.float32), 1.04))
    2308
    """
    import numpy as np
    from scipy.signal import resample_poly

    ratio = Fraction(100, round(pitch * 100))
    moved: Audio = resample_poly(audio.astype(np.float64), ratio.numerator, ratio.denominator).astype(np.float32)
    return moved
