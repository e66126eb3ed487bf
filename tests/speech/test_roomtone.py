"""Level, spectrum and sameness of room tone."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from dtbuild.records.sound import RoomTone
from dtbuild.speech.roomtone import PIECE, choose, peak_of, pieces
from dtbuild.timebase import RATE


def tone(level: float, seed: int = 5, count: int = 12) -> np.ndarray:
    return np.concatenate(list(itertools.islice(pieces(RoomTone(level_db=level, seed=seed)), count)))


def rms_db(audio: np.ndarray) -> float:
    return float(10 * np.log10(np.mean(audio.astype(np.float64) ** 2)))


@pytest.mark.parametrize("level", [-70.0, -62.0, -50.0])
def test_level_everywhere(level: float) -> None:
    audio = tone(level)
    assert audio.dtype == np.float32 and len(audio) == 12 * PIECE
    assert rms_db(audio) == pytest.approx(level, abs=0.1)
    seconds = audio[: len(audio) // RATE * RATE].reshape(-1, RATE)
    assert all(rms_db(second) == pytest.approx(level, abs=1.0) for second in seconds), "no swell where pieces meet"
    assert float(np.abs(audio).max()) <= np.float32(peak_of(RoomTone(level_db=level, seed=5)))


def test_a_seed_gives_the_same_samples_and_no_other_seed_does() -> None:
    assert np.array_equal(tone(-66.0), tone(-66.0))
    assert abs(np.corrcoef(tone(-66.0), tone(-66.0, seed=6))[0, 1]) < 0.02


def test_it_does_not_repeat() -> None:
    audio = tone(-66.0)
    first, rest = audio[:PIECE], audio[PIECE:]
    assert abs(np.corrcoef(first, rest[:PIECE])[0, 1]) < 0.1
    assert len(np.unique(audio[:2000])) > 1900


def test_it_falls_off_like_a_quiet_room() -> None:
    power = np.abs(np.fft.rfft(tone(-60.0).astype(np.float64))) ** 2
    frequency = np.fft.rfftfreq(12 * PIECE, 1 / RATE)

    def octave(low: float) -> float:
        return float(10 * np.log10(power[(frequency >= low) & (frequency < 2 * low)].sum()))

    assert octave(250) == pytest.approx(octave(500), abs=0.5), "pink: one power an octave"
    assert octave(30) < octave(250) - 5 and octave(6_000) < octave(500) - 5


def test_a_room_is_drawn_from_the_range() -> None:
    rooms = [choose((-70.0, -62.0), seed) for seed in range(200)]
    levels = [room.level_db for room in rooms]
    assert -70 <= min(levels) < -69 and -63 < max(levels) <= -62
    assert len({room.seed for room in rooms}) == 200 and choose((-66.0, -66.0), 1).level_db == -66.0
