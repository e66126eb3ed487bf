"""Aligners by name, and the even stand-in on tones."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from align.sounds import spoken
from dtbuild.align.aligner import TurnAudio
from dtbuild.align.even import EvenAligner
from dtbuild.align.make import NAMES, fingerprint_of, make_aligner
from dtbuild.align.plausibility import check
from dtbuild.errors import AlignmentError, UnknownName
from dtbuild.records.sound import SpeechRequest, Voice, VoicePart
from dtbuild.speech.engine import ToneEngine
from dtbuild.timebase import to_samples

VOICE = Voice(
    id="v", gender="male", engine="tone", recipe=(VoicePart(style="x", weight=1.0),), licence="-", attribution="-"
)


@pytest.mark.parametrize("name", NAMES)
def test_the_fingerprint_is_known_before_the_aligner_is_made(name: str) -> None:
    aligner = make_aligner(name)
    assert aligner.name == name and aligner.fingerprint == fingerprint_of(name)


def test_fingerprints_load_no_library() -> None:
    code = (
        "import sys; from dtbuild.align.make import fingerprint_of as f; f('viter'); f('even');"
        "print(sorted({'viter', 'numpy', 'soundfile'} & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_unknown_names_are_refused() -> None:
    for call in (make_aligner, fingerprint_of):
        with pytest.raises(UnknownName, match="aligner 'mfa'; expected one of viter, even"):
            call("mfa")


@pytest.mark.parametrize("text", ["好。", "好，行吗？", "我们先看仓单，数量差了三件，补齐再说。"])
def test_even_finds_the_syllables_of_the_tone_engine(text: str) -> None:
    audio = ToneEngine().speak(SpeechRequest(spoken=spoken(text), voice=VOICE))
    turn = TurnAudio("t1", spoken(text), "v", audio, 4_800)
    aligned = EvenAligner().align([turn])
    at = 4_800
    for char, before in zip(aligned[0].chars, [None, *turn.spoken.chars], strict=False):
        here = turn.spoken.chars[aligned[0].chars.index(char)]
        at += to_samples(ToneEngine.PAUSE) if before and here.at > before.at + 1 else 0
        assert abs(char.start - at) < 240 and abs(char.end - char.start - to_samples(0.18)) < 240
        at += to_samples(ToneEngine.SYLLABLE)
    assert check("r", [turn], aligned, inputs="x").outcome == "pass"


def test_even_refuses_silence() -> None:
    with pytest.raises(AlignmentError, match="turn t1: nothing to align"):
        EvenAligner().align([TurnAudio("t1", spoken("好"), "v", np.zeros(24_000, np.float32))])
