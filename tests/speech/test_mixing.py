"""Gaps, loudness and places of a mixed recording."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dtbuild.errors import SynthesisError
from dtbuild.speech.mixing import CEILING, ERRAND, gaps, loudness, mix
from dtbuild.timebase import RATE

from .test_silence import hush, tone

TEXTS = st.lists(st.sampled_from(["您打算做多少？", "八百万。", "嗯，行。", "那……", "稍等啊，我看看。"]), max_size=12)


def turns(texts: list[str], person: str = "a") -> list[tuple[str, str, str]]:
    return [(f"t{index}", person, text) for index, text in enumerate(texts)]


@given(TEXTS, st.integers())
def test_gaps_hang_on_text_and_seed_alone(texts: list[str], seed: int) -> None:
    found = gaps(turns(texts), seed)
    assert found == gaps([(f"x{i}", f"p{i}", text) for i, (_, _, text) in enumerate(turns(texts))], seed)
    assert len(found) == max(2, len(texts) + 1)
    assert all(RATE // 10 <= gap <= ERRAND[1] * RATE for gap in found)


def test_a_changed_turn_changes_only_the_gaps_beside_it() -> None:
    one = gaps(turns(["好。", "您打算做多少？", "八百万。", "行。"]), 7)
    two = gaps(turns(["好。", "您打算做多少？", "七百万。", "行。"]), 7)
    assert [a == b for a, b in zip(one, two, strict=True)] == [True, True, False, False, True]


def test_questions_are_answered_sooner_and_errands_take_time() -> None:
    def mean(before: str, after: str) -> float:
        return float(np.mean([gaps(turns([before, after]), seed)[1] for seed in range(60)])) / RATE

    plain = mean("我们按八百万做。", "利率先按四个点。")
    assert mean("您打算做多少？", "利率先按四个点。") < plain - 0.1
    assert mean("稍等，我看看单子。", "利率先按四个点。") > plain + 0.6
    assert mean("我们按八百万做。", "嗯，行。") < plain - 0.1


def speech(seed: int, seconds: float, level: float) -> np.ndarray:
    """Noise in syllables: speech-like enough for a loudness meter."""
    noise = np.random.default_rng(seed).normal(0, level, round(seconds * RATE))
    envelope = np.clip(np.sin(2 * np.pi * 4 * np.arange(len(noise)) / RATE), 0.05, 1)
    return np.clip(noise * envelope, -0.99, 0.99).astype(np.float32)


@pytest.mark.parametrize("level", [0.01, 0.05, 0.3])
def test_loudness_and_places(level: float) -> None:
    takes = [(f"t{i}", f"take{i}", speech(i, 2.0 + i, level * (1 + i / 4))) for i in range(4)]
    pauses = gaps(turns(["您打算做多少？", "八百万。", "嗯，行。", "好。"]), 3)
    audio, timeline = mix("sc0007q-a", takes, pauses)
    assert loudness(audio) == pytest.approx(-23.0, abs=0.5)
    assert float(np.abs(audio).max()) <= CEILING
    assert timeline.samples == len(audio) == sum(pauses) + sum(len(take) for _, _, take in takes)
    assert [(each.turn, each.take) for each in timeline.placements] == [(turn, take) for turn, take, _ in takes]
    factor = 10 ** (timeline.gain_db / 20)
    for place, (_, _, take) in zip(timeline.placements, takes, strict=True):
        assert np.allclose(audio[place.start : place.start + place.samples], take * factor, atol=1e-5)


def test_a_peak_is_limited_not_clipped_and_the_loudness_holds() -> None:
    quiet = speech(1, 20.0, 0.02)
    quiet[5 * RATE : 5 * RATE + 200] = tone(200 / RATE, 0.9)
    audio, timeline = mix("r", [("t1", "a", quiet)], (0, 0))
    assert loudness(audio) == pytest.approx(-23.0, abs=0.5)
    assert float(np.abs(audio).max()) <= CEILING
    lifted = quiet * 10 ** (timeline.gain_db / 20)
    assert float(np.abs(lifted).max()) > CEILING, "the case needs a peak the gain would clip"
    untouched = np.r_[0 : 4 * RATE, 6 * RATE : 20 * RATE]
    assert np.allclose(audio[untouched], lifted[untouched], atol=1e-5)


def test_what_cannot_be_mixed() -> None:
    with pytest.raises(SynthesisError, match="LUFS"):
        mix("r", [("t1", "a", hush(2.0))], (0, 0))
    with pytest.raises(SynthesisError, match="t1"):
        mix("r", [("t1", "a", hush(0.0))], (0, 0))
    with pytest.raises(SynthesisError, match="one gap more"):
        mix("r", [("t1", "a", tone(1.0))], (0,))
