"""The speech gate: each fault of a take by its own name, and the ways to speak it again."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from dtbuild.records.spoken import Spoken
from dtbuild.speech.engine import ToneEngine
from dtbuild.speech.gate import RETAKE_RATES, check, retakes

from .asking import request, say, voice
from .test_silence import hush, tone

TEN = say("这批应收按八百万来做。", "zhe4 pi1 ying1 shou1 an4 ba1 bai3 wan4 lai2 zuo4")
SHORT = say("嗯。", "en1")


def codes(audio: np.ndarray, spoken: Spoken = TEN) -> list[str]:
    return [finding.code for finding in check(audio, spoken, where="t1")]


def with_value(value: float) -> np.ndarray:
    audio = tone(2.0)
    audio[1000] = value
    return audio


@pytest.mark.parametrize(
    ("audio", "code"),
    [
        (hush(0), "speech.empty"),
        (with_value(np.nan), "speech.nan"),
        (with_value(np.inf), "speech.inf"),
        (with_value(-np.inf), "speech.inf"),
        (hush(2), "speech.silent"),
        (hush(2) + np.float32(0.2), "speech.constant"),
        (tone(2.0, 0.01), "speech.low_peak"),
        (np.clip(tone(2.0, 3.0), -1, 1), "speech.clipping"),
        (tone(2.0, 1.2), "speech.clipping"),
    ],
)
def test_each_signal_fault_has_its_own_name(audio: np.ndarray, code: str) -> None:
    assert codes(audio) == [code]


def test_one_click_is_no_clipping() -> None:
    assert codes(with_value(1.0)) == []


@pytest.mark.parametrize(
    ("seconds", "found"), [(0.6, ["speech.too_fast"]), (2.0, []), (4.0, []), (6.0, ["speech.too_slow"])]
)
def test_length_against_text(seconds: float, found: list[str]) -> None:
    assert codes(tone(seconds)) == found


@pytest.mark.parametrize(
    ("seconds", "found"), [(0.1, ["speech.short_turn"]), (0.2, []), (1.4, []), (1.8, ["speech.short_turn"])]
)
def test_very_short_turns(seconds: float, found: list[str]) -> None:
    assert codes(tone(seconds), SHORT) == found


def test_a_slow_delivery_may_be_slow() -> None:
    assert check(tone(6.0), TEN, where="t1", rate=0.7) == []


def test_stalled_and_hollow_speech() -> None:
    assert codes(np.concatenate([tone(1), hush(1.2), tone(1)])) == ["speech.inner_silence"]
    hollow = [part for _ in range(4) for part in (tone(0.3), hush(0.6))]
    assert codes(np.concatenate([*hollow, tone(0.3)])) == ["speech.silence_share"]


def test_findings_name_turn_expected_and_found() -> None:
    (finding,) = check(tone(0.6), TEN, where="sc0007q-a-t012")
    assert finding.where == "sc0007q-a-t012"
    assert finding.found and finding.expected and finding.level == "error"


def test_the_stand_in_passes_its_own_gate() -> None:
    engine = ToneEngine()
    for text, pinyin in (("嗯。", "en1"), ("行，那就五个月。", "xing2 na4 jiu4 wu3 ge4 yue4")):
        asked = request(text, pinyin)
        assert check(engine.speak(asked), asked.spoken, where="t") == []


def test_retakes_differ_in_seed_and_rate_and_are_few() -> None:
    asked = request("嗯。", "en1")
    tries = retakes(asked)
    assert tries[0] == asked and len(tries) == 1 + len(RETAKE_RATES) <= 6
    assert all(a.seed != b.seed and a.delivery.rate != b.delivery.rate for a, b in pairwise(tries))
    assert retakes(asked) == tries
    assert all(each.spoken == asked.spoken and each.voice == voice() for each in tries)
