"""Sound like speech without words: what the gate must let pass, and faults can be planted in."""

from __future__ import annotations

import numpy as np

from dtbuild.records.sound import SpeechRequest
from dtbuild.speech.lengths import phrases
from dtbuild.timebase import RATE


def babble(seconds: float, seed: int = 1) -> np.ndarray:
    """Syllables of a wandering voice, each with harmonics and a colour of its own, and breath beside them."""
    rng = np.random.default_rng(seed)
    parts: list[np.ndarray] = []
    left, pitch = round(seconds * RATE), 180.0
    while left > 0:
        count = left if left < 0.23 * RATE else int(rng.uniform(0.16, 0.22) * RATE)
        left -= count
        up = pitch < 140 or (pitch < 230 and rng.random() < 0.5)
        to = pitch * rng.uniform(1.15, 1.35) if up else pitch / rng.uniform(1.15, 1.35)
        phase = 2 * np.pi * np.cumsum(np.linspace(pitch, to, count)) / RATE
        pitch = to
        wave = sum(np.sin(k * phase + rng.uniform(0, 6)) * rng.uniform(0.1, 1.0) / k for k in range(1, 18))
        breath = rng.normal(0, 0.25, count) * rng.uniform(0.2, 1.0)
        swell = 0.25 + np.sin(np.pi * np.arange(count) / count) ** rng.uniform(0.5, 1.5)
        parts.append((wave + breath) * swell)
    whole = np.concatenate(parts)
    return (0.4 * whole / np.abs(whole).max()).astype(np.float32)


def said(request: SpeechRequest, seed: int = 1, pause: float = 0.2) -> np.ndarray:
    """Babble as long as the request's phrases should last, with a pause at each mark."""
    unit = 1.0 / request.voice.chars_per_second / request.delivery.rate
    parts: list[np.ndarray] = []
    for number, phrase in enumerate(phrases(request.spoken)):
        gap = [np.zeros(round(pause * RATE), dtype=np.float32)] if number else []
        parts += [*gap, babble(phrase.units * unit, seed * 100 + number)]
    return np.concatenate(parts)
