"""Room tone: the noise of a quiet room, so that a gap is not digital silence.

Noise that falls off by about 3 dB an octave between a rumble filter at 60 Hz and a slope from 4 kHz on. It is made in
pieces of 2.7 s, each from a seed of its own, that fade into each other at equal power: it never repeats, has one level
throughout, takes little memory, and its samples follow from seed and level alone.

Levels: a quiet room in a voice recording lies under -60 dBFS RMS, the limit audiobook publishers set.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING

from dtbuild.records.sound import RoomTone
from dtbuild.seeds import derive, rng
from dtbuild.timebase import RATE

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Audio = NDArray[np.float32]

PIECE = 2**15
"""Samples from one piece to the next; a piece is twice as long."""
RUMBLE, SLOPE = 60.0, 4_000.0
"""Hz: half-power points below and above which the tone falls off further."""


def choose(levels: tuple[float, float], seed: int) -> RoomTone:
    """The tone of one room: its level in dBFS drawn evenly from the range `levels`.

    >>> tone = choose((-70.0, -62.0), 7)
    >>> -70 <= tone.level_db <= -62
    True
    """
    low, high = levels
    return RoomTone(level_db=round(rng(seed, "level").uniform(low, high), 2), seed=derive(seed, "tone"))


def pieces(tone: RoomTone) -> Iterator[Audio]:
    """The tone from its beginning, `PIECE` samples at a time, without end."""
    import numpy as np

    length = 2 * PIECE
    frequency = np.maximum(np.fft.rfftfreq(length, 1 / RATE), 1.0)
    power = 1 / frequency / (1 + (frequency / SLOPE) ** 2) / (1 + (RUMBLE / frequency) ** 4)
    power[0] = 0.0
    # coefficients even in (-0.5, 0.5) have a mean square of 1/12 in each part; a sum of so many is normal in time
    scale = 10 ** (tone.level_db / 20) * length / np.sqrt(2 * power.sum() / 6)
    shape = (np.sqrt(power) * scale).astype(np.float32)
    fade = np.sin(np.pi * (np.arange(length) + 0.5) / length).astype(np.float32)
    most = np.float32(peak_of(tone))
    tail = None
    for number in itertools.count():
        noise = np.random.Generator(np.random.PCG64(derive(tone.seed, number)))
        parts = noise.random((len(shape), 2), dtype=np.float32) - np.float32(0.5)
        piece = np.fft.irfft(parts.view(np.complex64)[:, 0] * shape, length) * fade
        if tail is not None:
            yield np.clip(tail + piece[:PIECE], -most, most)
        tail = piece[PIECE:]


def peak_of(tone: RoomTone | None) -> float:
    """The most that the tone adds to a peak: five times its RMS, where it is cut off (one sample in two million)."""
    return 5 * 10 ** (tone.level_db / 20) if tone else 0.0
