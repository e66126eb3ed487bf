"""Places takes one after another and brings the recording to -23 LUFS (EBU R 128).

Gaps hang on the text alone: never on gold, and never on who speaks, so that the variants of a family keep the
gaps of every pair of turns they share. A recording gets one gain, recorded in its timeline; never a gain per
turn, which would flatten what a voice is. Where that gain would lift a peak over -1 dBFS, a look-ahead limiter
takes just that peak down, and the gain is found again so that the loudness still holds.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from dtbuild.errors import MissingExtra, SynthesisError
from dtbuild.records.sound import Placement, Timeline
from dtbuild.seeds import rng
from dtbuild.timebase import RATE, to_samples

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Audio = NDArray[np.float32]

TARGET, TOLERANCE = -23.0, 0.5
CEILING = 10 ** (-1 / 20)
"""-1 dBFS."""
LEAD_IN, TAIL = 0.4, 0.6
LIMITER_WINDOW = RATE // 200
"""5 ms either side of a peak."""

PLAIN, ANSWER, BACKCHANNEL, TRAILING, ERRAND = (
    (0.30, 0.70), (0.15, 0.40), (0.12, 0.32), (0.55, 1.00), (1.10, 2.20),
)  # fmt: skip
"""Ranges of the gap in seconds: after a statement, a question, before a short assent, after words left hanging,
after somebody asked for a moment."""

_ERRAND = re.compile("等一下|等下|稍等|等会|等我|我看看|我看一下|我查|我翻|我找|我问一下|我打个电话|我算")
_ASSENT = re.compile("^(嗯|哦|噢|对|好|行|成|是|可以|没错|明白|收到)[^，。！？…]{0,2}[，。！]")
_ASKING = re.compile("(？|吗|呢)[。！？”’]*$")
_HANGING = re.compile("(…|—)[。！？”’]*$")


def gaps(turns: Sequence[tuple[str, str, str]], seed: int) -> tuple[int, ...]:
    """Silence before the first turn, between turns, after the last, in samples: one more than there are turns.

    `turns` holds (turn id, person, text); ids and persons are not looked at.

    >>> texts = [("t1", "a", "您打算做多少？"), ("t2", "b", "八百万。")]
    >>> [round(gap / 24_000, 1) for gap in gaps(texts, 1)]
    [0.4, 0.2, 0.6]
    """
    seen: Counter[tuple[str, str]] = Counter()
    found = [to_samples(LEAD_IN)]
    texts = [text for _, _, text in turns]
    for pair in pairwise(texts):
        low, high = _range(*pair)
        stream = rng(seed, "gap", *pair, seen[pair])
        seen[pair] += 1
        found.append(to_samples(stream.uniform(low, high)))
    return (*found, to_samples(TAIL))


def mix(recording: str, takes: Sequence[tuple[str, str, Audio]], pauses: Sequence[int]) -> tuple[Audio, Timeline]:
    """The recording and where its turns lie; `takes` holds (turn id, take id, audio), `pauses` comes from `gaps`.

    Raises `SynthesisError` for an empty take, or when -23 LUFS ± 0.5 under -1 dBFS cannot be reached.
    """
    import numpy as np

    if not takes or len(pauses) != len(takes) + 1:
        raise SynthesisError(
            f"recording {recording}", expected="takes and one gap more", found=f"{len(takes)} and {len(pauses)}"
        )
    parts: list[Audio] = []
    placements: list[Placement] = []
    place = 0
    for (turn, take, audio), pause in zip(takes, pauses, strict=False):
        if not len(audio):
            raise SynthesisError(f"turn {turn} of {recording}", expected="audio", found="an empty take")
        parts += [np.zeros(pause, dtype=np.float32), audio]
        placements.append(Placement(turn=turn, take=take, start=place + pause, samples=len(audio)))
        place += pause + len(audio)
    parts.append(np.zeros(pauses[-1], dtype=np.float32))
    levelled, gain = _level(np.concatenate(parts), recording)
    timeline = Timeline(
        recording=recording, samples=len(levelled), gain_db=round(gain, 6), placements=tuple(placements)
    )
    return levelled, timeline


def loudness(audio: Audio) -> float:
    """Integrated loudness in LUFS; minus infinity for silence. Needs at least 0.4 s."""
    try:
        import pyloudnorm
    except ImportError as error:
        raise MissingExtra("pyloudnorm", expected="the extra `speech`", fix="pip install 'dtbuild[speech]'") from error
    return float(pyloudnorm.Meter(RATE).integrated_loudness(audio.astype("float64")))


def _range(before: str, after: str) -> tuple[float, float]:
    if _ERRAND.search(before):
        return ERRAND
    if _HANGING.search(before):
        return TRAILING
    if _ASKING.search(before):
        return ANSWER
    return BACKCHANNEL if _ASSENT.search(after) else PLAIN


def _level(audio: Audio, recording: str) -> tuple[Audio, float]:
    """The audio at TARGET under CEILING, and the gain in dB that was applied before any limiting."""
    import numpy as np

    measured = loudness(audio) if len(audio) >= to_samples(0.4) else -np.inf
    if not np.isfinite(measured):
        raise SynthesisError(f"recording {recording}", expected="at least 0.4 s of sound", found=f"{measured} LUFS")
    gain = TARGET - measured
    levelled = audio
    for _ in range(6):
        levelled = _limit(audio * np.float32(10 ** (gain / 20)))
        off = TARGET - loudness(levelled)
        if abs(off) <= TOLERANCE / 5:
            return levelled, gain
        gain += off
    raise SynthesisError(
        f"recording {recording}",
        expected=f"{TARGET} LUFS ± {TOLERANCE} with peaks under -1 dBFS",
        found=f"{loudness(levelled):.2f} LUFS",
        fix="look at its takes: one voice is far louder than the others",
    )


def _limit(audio: Audio) -> Audio:
    """Peaks over CEILING taken down smoothly; audio without such peaks comes back as it is."""
    import numpy as np
    from scipy.ndimage import minimum_filter1d, uniform_filter1d

    magnitude = np.abs(audio)
    if not len(audio) or float(magnitude.max()) <= CEILING:
        return audio
    wanted = np.minimum(1.0, CEILING * 0.999 / np.maximum(magnitude.astype(np.float64), 1e-9))
    width = 2 * LIMITER_WINDOW + 1
    # the smallest factor in the window, then its mean over the same window: never above what a peak needs
    factor = uniform_filter1d(minimum_filter1d(wanted, width, mode="nearest"), width, mode="nearest")
    limited: Audio = (audio * factor).astype(np.float32)
    return limited
