"""The speech gate: each fault of a take by its own name."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import numpy as np
import pytest

from dtbuild.records.sound import Delivery, SpeechRequest
from dtbuild.speech.engine import ToneEngine
from dtbuild.speech.gate import check
from dtbuild.speech.kokoro import KokoroEngine
from dtbuild.speech.takes import speak_turn
from dtbuild.timebase import RATE

from .asking import request
from .babble import babble, said
from .test_silence import hush, tone

TEN = request("这批应收，按八百万来做。", "zhe4 pi1 ying1 shou1 an4 ba1 bai3 wan4 lai2 zuo4")
SHORT = request("嗯。", "en1")
PLAIN = request("这批应收按八百万来做。", "zhe4 pi1 ying1 shou1 an4 ba1 bai3 wan4 lai2 zuo4")


def codes(audio: np.ndarray, asked: SpeechRequest = TEN, *, stand_in: bool = False) -> list[str]:
    return [finding.code for finding in check(audio, asked, where="t1", stand_in=stand_in)]


def with_value(value: float) -> np.ndarray:
    audio = said(TEN)
    audio[10_000] = value
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
    assert codes(audio) == codes(audio, stand_in=True) == [code]


def test_one_click_is_no_clipping() -> None:
    assert codes(with_value(1.0)) == []


@pytest.mark.parametrize("asked", [TEN, SHORT, PLAIN], ids=lambda asked: asked.spoken.text)
@pytest.mark.parametrize("seed", range(8))
def test_sound_of_the_right_length_passes(asked: SpeechRequest, seed: int) -> None:
    assert codes(said(asked, seed), asked) == []


@pytest.mark.parametrize(
    ("seconds", "found"), [(0.6, ["speech.too_fast"]), (2.0, []), (4.0, []), (6.0, ["speech.too_slow"])]
)
def test_coarse_length_against_text(seconds: float, found: list[str]) -> None:
    assert codes(tone(seconds), stand_in=True) == found
    if found:
        assert codes(babble(seconds)) == found


@pytest.mark.parametrize(
    ("seconds", "found"), [(0.1, ["speech.short_turn"]), (0.2, []), (1.4, []), (1.8, ["speech.short_turn"])]
)
def test_coarse_length_of_very_short_turns(seconds: float, found: list[str]) -> None:
    assert codes(tone(seconds), SHORT, stand_in=True) == found


@pytest.mark.parametrize(("seconds", "fine"), [(0.1, False), (0.35, True), (0.5, True), (0.9, False)])
def test_short_turns_are_held_to_their_length_like_any_other(seconds: float, fine: bool) -> None:
    assert (codes(babble(seconds, 3), SHORT) == []) is fine


def test_a_slow_delivery_may_be_slow() -> None:
    slow = msgspec.structs.replace(PLAIN, delivery=Delivery(rate=0.7))
    assert codes(said(slow), slow) == []
    assert codes(said(slow), PLAIN) == ["speech.phrase_length"]


def test_a_slow_voice_may_be_slow() -> None:
    voice = msgspec.structs.replace(PLAIN.voice, chars_per_second=3.6)
    slow = msgspec.structs.replace(PLAIN, voice=voice)
    assert codes(said(slow), slow) == []
    assert codes(said(slow), PLAIN) == ["speech.phrase_length"]


def cut(audio: np.ndarray) -> np.ndarray:
    return np.delete(audio, slice(RATE // 4, RATE // 4 + RATE * 3 // 5))


def doubled(audio: np.ndarray) -> np.ndarray:
    word = audio[RATE // 2 : RATE // 2 + int(0.3 * RATE)]
    return np.insert(audio, RATE // 2, word)


def stalled(audio: np.ndarray) -> np.ndarray:
    return np.insert(audio, RATE // 2, hush(1.0))


def hesitant(audio: np.ndarray) -> np.ndarray:
    return np.insert(audio, RATE // 2, hush(0.3))


def late(audio: np.ndarray) -> np.ndarray:
    return np.concatenate([hush(1.0), audio])


def early(audio: np.ndarray) -> np.ndarray:
    return np.concatenate([audio, hush(1.0)])


def whistled(audio: np.ndarray) -> np.ndarray:
    level = float(np.sqrt(np.mean(audio**2))) * 10 ** (-12 / 20) * 2**0.5
    return audio + (level * np.sin(2 * np.pi * 3000 * np.arange(len(audio)) / RATE)).astype(np.float32)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(
    ("plant", "found"),
    [
        (cut, {"speech.phrase_length"}),
        (doubled, {"speech.repeated"}),
        (stalled, {"speech.inner_silence"}),
        (hesitant, {"speech.pause"}),
        (late, {"speech.edge_silence"}),
        (early, {"speech.edge_silence"}),
        (whistled, {"speech.tone"}),
    ],
)
def test_what_a_listener_would_notice(plant: Callable[[np.ndarray], np.ndarray], found: set[str], seed: int) -> None:
    assert found <= set(codes(plant(said(PLAIN, seed)), PLAIN))


def test_hollow_speech() -> None:
    hollow = [part for _ in range(4) for part in (tone(0.3), hush(0.5))]
    assert codes(np.concatenate([*hollow, tone(0.3)]), stand_in=True) == ["speech.silence_share"]


def test_findings_name_turn_expected_and_found() -> None:
    (finding,) = check(tone(0.6), TEN, where="sc0007q-a-t012", stand_in=True)
    assert finding.where == finding.turn == "sc0007q-a-t012"
    assert finding.found and finding.expected and finding.level == "error"


def test_the_stand_in_passes_its_own_gate() -> None:
    engine = ToneEngine()
    for text, pinyin in (("嗯。", "en1"), ("行，那就五个月。", "xing2 na4 jiu4 wu3 ge4 yue4")):
        asked = request(text, pinyin)
        assert check(engine.speak(asked), asked, where="t", stand_in=True) == []
        assert speak_turn(engine, asked, turn="t").verdict.findings == ()


@pytest.mark.slow
def test_planted_faults_in_real_speech(kokoro: KokoroEngine) -> None:
    text, pinyin = "嗯，这批应收按八百万来做。", "en1 zhe4 pi1 ying1 shou1 an4 ba1 bai3 wan4 lai2 zuo4"
    for asked in (request(text, pinyin), request("可以。", "ke3 yi3"), request("谢谢，看看。", "xie4 xie5 kan4 kan5")):
        audio = kokoro.speak(asked)
        assert codes(audio, asked) == []
        assert codes(whistled(audio), asked)[-1] == "speech.tone"
        assert "speech.edge_silence" in codes(early(audio), asked)
        assert codes(with_nan(audio), asked) == ["speech.nan"]
    audio = kokoro.speak(request(text, pinyin))
    assert codes(stalled(audio), request(text, pinyin))[0] == "speech.inner_silence"
    assert "speech.phrase_length" in codes(cut(audio), request(text, pinyin))
    assert codes(audio, SHORT) != [], "the words of another turn"


def with_nan(audio: np.ndarray) -> np.ndarray:
    return np.where(np.arange(len(audio)) == 999, np.float32(np.nan), audio)
