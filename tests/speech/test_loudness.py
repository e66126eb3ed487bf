"""Loudness in blocks against pyloudnorm's on the whole."""

from __future__ import annotations

import math

import numpy as np
import pyloudnorm
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from dtbuild.speech.loudness import HOP, Meter, loudness
from dtbuild.timebase import RATE


def talk(seed: int, seconds: float) -> NDArray[np.float32]:
    """Noise in bursts of changing level with silence between: something for both gates."""
    random = np.random.default_rng(seed)
    hops = round(seconds * 10)
    level = np.repeat(random.choice([0.0, 1e-5, 0.003, 0.05, 0.2], hops), HOP)
    audio: NDArray[np.float32] = (random.normal(0, 1, len(level)) * level * 0.3).astype(np.float32)
    return audio


@pytest.mark.parametrize("seed", range(8))
def test_it_is_what_pyloudnorm_says(seed: int) -> None:
    audio = talk(seed, 5.0 + seed)
    expected = pyloudnorm.Meter(RATE).integrated_loudness(audio.astype(np.float64))
    assert loudness(audio) == pytest.approx(expected, abs=1e-6)


@settings(deadline=None)
@given(st.integers(0, 9), st.lists(st.integers(1, 30_000), max_size=8))
def test_blocks_of_any_length_make_no_difference(seed: int, lengths: list[int]) -> None:
    audio, meter, at = talk(seed, 4.0), Meter(), 0
    for length in [*lengths, len(audio)]:
        meter.take(audio[at : at + length])
        at += length
    assert meter.loudness == pytest.approx(loudness(audio), abs=1e-9)
    assert meter.peak == float(np.abs(audio).max())


@pytest.mark.parametrize("audio", [np.zeros(RATE), np.zeros(0), np.full(RATE // 3, 0.1)])
def test_no_loudness(audio: np.ndarray) -> None:
    assert loudness(audio.astype(np.float32)) == -math.inf
