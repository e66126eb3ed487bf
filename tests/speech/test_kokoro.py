"""The real engine: needs `make setup`, and says so when its files are missing."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path

import msgspec
import numpy as np
import pytest

from dtbuild.errors import AssetError, RunError, SynthesisError, UnknownName, Unspeakable
from dtbuild.records.sound import Delivery
from dtbuild.speech.chunks import BUDGET
from dtbuild.speech.engine import fingerprint_of
from dtbuild.speech.gate import check
from dtbuild.speech.kokoro import KokoroEngine, recipe_sha256
from dtbuild.speech.phonemes import Piece, symbols
from dtbuild.speech.pitch import shifted
from dtbuild.speech.silence import LEAD, silences, speech_interval
from dtbuild.speech.takes import speak_turn
from dtbuild.timebase import RATE

from .asking import request, say, voice
from .test_silence import tone

LINE = request(
    "对，就那两张，签收单上日期对不上。", "dui4 jiu4 na4 liang3 zhang1 qian1 shou1 dan1 shang4 ri4 qi1 dui4 bu2 shang4"
)
SHORT = (("嗯。", "en1"), ("对。", "dui4"), ("行。", "xing2"), ("好", "hao3"))
replace = msgspec.structs.replace


def pitch(audio: np.ndarray) -> float:
    """Median fundamental in Hz by autocorrelation, over loud frames of 50 ms."""
    found = []
    for start in range(0, len(audio) - 1200, 600):
        frame = audio[start : start + 1200].astype(np.float64)
        correlation = np.correlate(frame - frame.mean(), frame - frame.mean(), "full")[1199:]
        lag = 60 + int(np.argmax(correlation[60:340]))
        if correlation[0] > 0.3 and correlation[lag] > 0.6 * correlation[0]:
            found.append(RATE / lag)
    return float(np.median(found))


@pytest.fixture(scope="module")
def spoken(kokoro: KokoroEngine) -> np.ndarray:
    audio: np.ndarray = kokoro.speak(LINE)
    return audio


def test_a_turn_is_speech(spoken: np.ndarray) -> None:
    assert spoken.dtype == np.float32 and spoken.ndim == 1
    assert check(spoken, LINE, where="t") == []
    assert 2.0 < len(spoken) / RATE < 5.0
    speech = speech_interval(spoken)
    assert speech.start <= LEAD + RATE // 100 and len(spoken) - speech.end <= LEAD + RATE // 100


def test_commas_are_heard_as_pauses(spoken: np.ndarray) -> None:
    assert [gap for gap in silences(spoken) if gap.seconds >= 0.05]


def test_the_gate_tells_speech_from_speech_of_another_text(spoken: np.ndarray) -> None:
    long = say("对" * 60, " ".join(["dui4"] * 60))
    brief = say("对，行，好，成。", "dui4 xing2 hao3 cheng2")
    assert "speech.too_fast" in {finding.code for finding in check(spoken, replace(LINE, spoken=long), where="t")}
    assert "speech.too_slow" in {finding.code for finding in check(spoken, replace(LINE, spoken=brief), where="t")}


@pytest.mark.parametrize("style", ["zf_xiaoni", "zm_yunjian"])
def test_very_short_turns_are_sane(kokoro: KokoroEngine, style: str) -> None:
    for text, pinyin in SHORT:
        audio, take, verdict, *_ = speak_turn(kokoro, request(text, pinyin, style), turn=text)
        assert verdict.outcome == "pass" and verdict.findings == (), (text, verdict)
        assert 0.15 <= speech_interval(audio).seconds <= 1.5 and take.samples == len(audio)


def test_audio_is_a_function_of_the_request_alone(kokoro: KokoroEngine, spoken: np.ndarray) -> None:
    kokoro.speak(request("嗯。", "en1", "zm_yunyang"))
    assert np.array_equal(kokoro.speak(LINE), spoken)
    code = (
        "import hashlib; from dtbuild.speech.engine import make_engine; from speech.test_kokoro import LINE;"
        "print(hashlib.sha256(make_engine('kokoro').speak(LINE).tobytes()).hexdigest())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=Path(__file__).parents[1]
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == hashlib.sha256(spoken.tobytes()).hexdigest()


def test_seed_rate_pinyin_and_voice_reach_the_sound(kokoro: KokoroEngine) -> None:
    asked = request("行长说行。", "hang2 zhang3 shuo1 xing2")
    plain = kokoro.speak(asked)
    slow = kokoro.speak(replace(asked, delivery=Delivery(rate=0.7)))
    assert 1.2 < speech_interval(slow).length / speech_interval(plain).length < 1.8
    others = [
        replace(asked, seed=2),
        request("行长说行。", "xing2 chang2 shuo1 xing2"),
        replace(asked, voice=voice("zf_xiaoxiao", "zf_xiaoyi")),
    ]
    for other in others:
        audio = kokoro.speak(other)
        assert len(audio) != len(plain) or not np.allclose(audio, plain)


def test_three_hundred_hanzi_without_punctuation_lose_nothing(
    kokoro: KokoroEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every 汉字 reaches a run, every run's sound is kept: the graph itself is stood in for by a tone a 汉字."""
    seen: list[str] = []

    def run(pieces: tuple[Piece, ...], voice: object, speed: float, shift: int) -> np.ndarray:
        text = symbols(pieces)
        assert len(text) <= BUDGET
        seen.append(text)
        return tone(0.1 * len(pieces))

    monkeypatch.setattr(kokoro, "_run", run)
    audio = kokoro.speak(request("款" * 300, " ".join(["kuan3"] * 300)))
    assert len(seen) > 5 and "".join(seen).replace(" ", "") == "kʰwa↓n" * 300
    assert len(audio) == pytest.approx(30 * RATE, rel=0.01)


@pytest.mark.slow
def test_three_hundred_hanzi_are_all_spoken(kokoro: KokoroEngine) -> None:
    text, pinyin = "这批应收按八百万来做", "zhe4 pi1 ying1 shou1 an4 ba1 bai3 wan4 lai2 zuo4"
    asked = request(text * 30, " ".join([pinyin] * 30))
    audio = kokoro.speak(asked)
    assert check(audio, asked, where="t") == []
    once = kokoro.speak(request(text, pinyin))
    assert 0.75 * 30 < len(audio) / len(once) < 1.25 * 30


def test_pitch_moves_every_frequency_and_keeps_the_length(kokoro: KokoroEngine, spoken: np.ndarray) -> None:
    higher = replace(LINE, voice=replace(LINE.voice, pitch=1.08))
    audio = kokoro.speak(higher)
    assert len(audio) == pytest.approx(len(spoken), rel=0.05)
    assert pitch(audio) == pytest.approx(1.08 * pitch(spoken), rel=0.04)
    assert np.array_equal(kokoro.speak(higher), audio)
    # a voice of pitch k and rate r·k says what the voice of rate r says, resampled: what choose_voices measures on
    same = kokoro.speak(replace(LINE, voice=replace(LINE.voice, pitch=1.08, rate=1.08)))
    moved = shifted(spoken, 1.08)
    assert abs(len(same) - len(moved)) < RATE // 50
    lag = int(np.argmax(np.correlate(same[:RATE], moved[: RATE - 2000], "valid")))
    both = min(len(same) - lag, len(moved)) - 2000
    assert np.corrcoef(same[lag : lag + both], moved[:both])[0, 1] > 0.99


def test_a_voice_of_another_recipe_than_was_pinned_is_named(kokoro: KokoroEngine) -> None:
    pinned = replace(LINE.voice, sha256=recipe_sha256(LINE.voice.recipe))
    kokoro._refuse(replace(LINE, voice=pinned))
    for other in (replace(pinned, recipe=voice("zf_xiaoni").recipe), replace(pinned, sha256="0" * 64)):
        with pytest.raises(AssetError, match=rf"voice {pinned.id}.*sha256"):
            kokoro.speak(replace(LINE, voice=other))


def test_what_kokoro_cannot_do_is_refused(kokoro: KokoroEngine) -> None:
    for delivery in (Delivery(pitch=2.0), Delivery(gain=3.0), Delivery(rate=5.0)):
        with pytest.raises(SynthesisError, match="delivery"):
            kokoro.speak(replace(LINE, delivery=delivery))
    with pytest.raises(UnknownName, match="zf_xiaobei"):
        kokoro.speak(replace(LINE, voice=voice("zf_nobody")))
    with pytest.raises(SynthesisError, match="cosyvoice"):
        kokoro.speak(replace(LINE, voice=voice(engine="cosyvoice")))
    with pytest.raises(Unspeakable):
        kokoro.speak(request("。", ""))


def test_a_full_memory_ends_the_run_and_any_other_fault_only_the_take(
    kokoro: KokoroEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Broken:
        def __init__(self, error: Exception) -> None:
            self.error = error

        def run(self, *arguments: object) -> None:
            raise self.error

    for full in (MemoryError(), RuntimeError("std::bad_alloc"), RuntimeError("Failed to allocate memory for 9 bytes")):
        monkeypatch.setattr(kokoro, "_session", Broken(full))
        with pytest.raises(RunError, match=r"no memory left to speak .*with fewer --jobs") as caught:
            kokoro.speak(LINE)
        assert not isinstance(caught.value, SynthesisError)
    monkeypatch.setattr(kokoro, "_session", Broken(RuntimeError("bad node")))
    with pytest.raises(SynthesisError, match="bad node"):
        kokoro.speak(LINE)


def test_the_fingerprint_is_known_before_the_model_is_loaded(kokoro: KokoroEngine) -> None:
    assert kokoro.fingerprint == fingerprint_of("kokoro")
