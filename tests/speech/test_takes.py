"""One take: its id, its retakes, its verdict."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from dtbuild.errors import RunError, SynthesisError, Unspeakable
from dtbuild.records.sound import Delivery, SpeechRequest, VoicePart
from dtbuild.records.spoken import Spoken, SpokenChar
from dtbuild.speech.engine import SpeechEngine, ToneEngine
from dtbuild.speech.takes import speak_turn, take_id
from dtbuild.speech.wav import pcm_sha256
from dtbuild.speech.ways import FIRST, FURTHER, WAYS

from .asking import request, voice

ASKED = request("行，五个月。", "xing2 wu3 ge4 yue4")
replace = msgspec.structs.replace


class Faulty:
    """Gives what it is told to, one thing a call, then what the stand-in says."""

    name = "tone"
    fingerprint = "faulty-1"

    def __init__(self, *outcomes: float | Exception) -> None:
        self.outcomes = list(outcomes)
        self.asked: list[SpeechRequest] = []

    def speak(self, request: SpeechRequest) -> np.ndarray:
        self.asked.append(request)
        if not self.outcomes:
            return ToneEngine().speak(request)
        outcome = self.outcomes.pop(0)
        if isinstance(outcome, Exception):
            raise outcome
        return np.full(24_000, outcome, dtype=np.float32)


def test_a_good_take() -> None:
    engine: SpeechEngine = ToneEngine()
    audio, take, verdict, way, tried = speak_turn(engine, ASKED, turn="sc0007q-a-t001")
    assert (way, tried) == (0, 1)
    assert verdict.outcome == "pass" and verdict.findings == () and verdict.subject == "sc0007q-a-t001"
    assert take.id == verdict.inputs == take_id(ASKED, "tone-1")
    assert (take.samples, take.sha256, take.text) == (len(audio), pcm_sha256(audio, "x"), "行，五个月。")


def test_a_bad_take_is_made_again_and_both_are_told() -> None:
    engine = Faulty(np.nan, SynthesisError("out of luck"))
    audio, take, verdict, way, tried = speak_turn(engine, ASKED, turn="t")
    assert verdict.outcome == "pass" and len(audio) == take.samples and take.sha256
    assert (way, tried) == (2, 3) and take.id == take_id(ASKED, "faulty-1")
    assert [(f.code, f.level) for f in verdict.findings] == [("speech.nan", "warning"), ("speech.engine", "warning")]
    assert len({each.seed for each in engine.asked}) == 3


@pytest.mark.parametrize("last", [0.0, SynthesisError("broken")])
def test_no_retake_helps(last: float | Exception) -> None:
    spoke = speak_turn(Faulty(*[0.0] * (FIRST - 2), np.inf, last), ASKED, turn="t")
    assert spoke.verdict.outcome == "fail" and spoke.take.sha256 == "" and spoke.tried == FIRST
    first, *others = spoke.verdict.findings
    assert (
        first.level == "error"
        and first.turn == "t"
        and f"retake {FIRST - 1}: {WAYS[FIRST - 1].words()}" in first.message
    )
    assert [finding.level for finding in others] == ["warning"] * (FIRST - 1)


def test_a_retry_goes_on_with_ways_that_were_not_tried() -> None:
    seen: list[SpeechRequest] = []
    tried = 0
    for _ in range(4):
        engine = Faulty(*[0.0] * len(WAYS))
        spoke = speak_turn(engine, ASKED, turn="t", tried=tried)
        first, *others = engine.asked
        assert spoke.verdict.outcome == "fail" and first == ASKED
        assert not set(map(str, others)) & set(map(str, seen)), "no way is tried twice, but for the first"
        assert spoke.tried == min(len(WAYS), tried + FURTHER if tried else FIRST)
        tried, seen = spoke.tried, [*seen, *engine.asked]
    assert tried == len(WAYS) and len(others) == 0
    assert [finding.code for finding in spoke.verdict.findings] == ["speech.silent", "speech.no_way_left"]


def test_a_retry_after_the_machine_was_at_fault_gives_the_first_take() -> None:
    spoke = speak_turn(Faulty(), ASKED, turn="t", tried=FIRST)
    assert (spoke.way, spoke.take) == (0, speak_turn(Faulty(), ASKED, turn="t").take)


def test_what_no_retake_can_mend_is_raised() -> None:
    with pytest.raises(Unspeakable):
        speak_turn(Faulty(Unspeakable("T+1")), ASKED, turn="t")


def test_the_id_changes_with_all_that_is_heard_and_nothing_else() -> None:
    same = [ASKED, replace(ASKED, voice=replace(ASKED.voice, licence="other", chars_per_second=3.0))]
    moved = tuple(SpokenChar(c.hanzi, c.pinyin, c.at, 90, 91) for c in ASKED.spoken.chars)
    same.append(replace(ASKED, spoken=Spoken(ASKED.spoken.text, moved)))
    other = [
        replace(ASKED, seed=2),
        replace(ASKED, delivery=Delivery(rate=1.1)),
        replace(ASKED, delivery=Delivery(split=1)),
        replace(ASKED, delivery=Delivery(style_shift=3)),
        replace(ASKED, voice=voice("zf_xiaoyi")),
        replace(ASKED, voice=replace(ASKED.voice, rate=1.1)),
        replace(ASKED, voice=replace(ASKED.voice, gain_db=1.0)),
        replace(ASKED, voice=replace(ASKED.voice, recipe=(VoicePart(style="zf_xiaoxiao", weight=0.5),) * 2)),
        request("行，五个月。", "hang2 wu3 ge4 yue4"),
        request("行。五个月。", "xing2 wu3 ge4 yue4"),
    ]
    assert len({take_id(each, "e") for each in same}) == 1
    assert len({take_id(each, "e") for each in [ASKED, *other]} | {take_id(ASKED, "e2")}) == len(other) + 2


def test_a_full_memory_is_no_fault_of_the_take() -> None:
    with pytest.raises(RunError, match="no memory"):
        speak_turn(Faulty(RunError("no memory left")), ASKED, turn="t")
