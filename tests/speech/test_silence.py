"""Where speech begins and ends, and the silences inside."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dtbuild.speech.silence import FRAME, LEAD, silences, speech_interval, trim
from dtbuild.timebase import RATE


def tone(seconds: float, level: float = 0.3) -> np.ndarray:
    return (level * np.sin(2 * np.pi * 200 * np.arange(round(seconds * RATE)) / RATE)).astype(np.float32)


def hush(seconds: float) -> np.ndarray:
    return np.zeros(round(seconds * RATE), dtype=np.float32)


@given(st.floats(0, 1), st.floats(0.1, 1), st.floats(0, 1))
def test_trim_keeps_the_speech_and_a_little(before: float, sound: float, after: float) -> None:
    audio = np.concatenate([hush(before), tone(sound), hush(after)])
    kept = trim(audio)
    speech = speech_interval(kept)
    assert abs(speech.length - sound * RATE) <= 2 * FRAME
    assert speech.start <= LEAD + FRAME
    assert len(kept) - speech.end <= LEAD + FRAME
    assert np.array_equal(trim(kept), kept)


def test_soft_onset_is_speech() -> None:
    audio = np.concatenate([hush(0.3), tone(0.1, 0.3 * 10 ** (-35 / 20)), tone(0.5)])
    assert speech_interval(audio).start == pytest.approx(0.3 * RATE, abs=FRAME)


def test_inner_silences() -> None:
    audio = np.concatenate([hush(0.2), tone(0.3), hush(0.4), tone(0.3), hush(0.2)])
    (pause,) = silences(audio)
    assert pause.seconds == pytest.approx(0.4, abs=0.02)
    assert silences(hush(1.0)) == ()
    assert speech_interval(hush(1.0)).length == 0
    assert speech_interval(hush(0.0)).length == 0
