"""Profiles of voices, and takes held against them."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np
import pytest

from dtbuild.errors import AssetError
from dtbuild.speech import likeness
from dtbuild.speech.casting import load_voices
from dtbuild.speech.kokoro import KokoroEngine
from dtbuild.speech.likeness import LEAST, excess, key, made, other_voice, point, shipped

from .asking import request

LINE = request(
    "对，就那两张，签收单上日期对不上。", "dui4 jiu4 na4 liang3 zhang1 qian1 shou1 dan1 shang4 ri4 qi1 dui4 bu2 shang4"
)
VOICES = {voice.id: voice for voice in load_voices()}
replace = msgspec.structs.replace


@pytest.fixture(scope="module")
def said(kokoro: KokoroEngine) -> dict[str, np.ndarray]:
    """One sentence by two women and two men."""
    chosen = [
        [v for v in VOICES.values() if v.gender == gender][place] for gender in ("female", "male") for place in (0, -1)
    ]
    return {voice.id: kokoro.speak(replace(LINE, voice=voice)) for voice in chosen}


def test_every_shipped_voice_has_a_profile() -> None:
    assert {key(voice) for voice in VOICES.values()} == set(shipped().points)


def test_a_take_is_in_its_own_voice_and_in_no_other(said: dict[str, np.ndarray]) -> None:
    for id, audio in said.items():
        for claimed in said:
            found = other_voice(audio, replace(LINE, voice=VOICES[claimed]), where="t1")
            assert [(each.code, each.turn) for each in found] == (
                [] if claimed == id else [("speech.other_voice", "t1")]
            )


def test_loudness_does_not_matter(said: dict[str, np.ndarray]) -> None:
    for id, audio in said.items():
        asked = replace(LINE, voice=VOICES[id])
        assert other_voice(audio * np.float32(0.5), asked, where="t") == []


def test_short_turns_and_voices_without_a_profile_are_passed_over(said: dict[str, np.ndarray]) -> None:
    one, *_, other = said
    short = request("行，可以的。", "xing2 ke2 yi3 de5")
    assert len(short.spoken.chars) < LEAST
    assert other_voice(said[other], replace(short, voice=VOICES[one]), where="t") == []
    for change in ({"sha256": ""}, {"pitch": 0.85}):
        asked = replace(LINE, voice=replace(VOICES[one], **change))
        assert other_voice(said[other], asked, where="t") == []


def test_profiles_tell_apart_what_they_were_made_of(said: dict[str, np.ndarray]) -> None:
    """Halves of a take are nearer to the other half of their own than to any other voice's."""
    halves = {id: np.array_split(audio, 2) for id, audio in said.items()}
    profiles = made({id: list(parts) for id, parts in halves.items()})
    for id, parts in halves.items():
        for other in halves:
            assert (excess(point(parts[0]), other, profiles) < 0) == (other == id)
    with pytest.raises(ValueError, match="one: 1 take"):
        made({"one": [halves[id][0] for id in list(halves)[:1]]})


def test_silence_is_a_point_too() -> None:
    assert np.isfinite(point(np.zeros(6000, dtype=np.float32))).all()


def test_broken_profiles_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(likeness.resources, "folder", lambda kind: tmp_path)
    shipped.cache_clear()
    with pytest.raises(AssetError, match="profiles"):
        shipped()
    (tmp_path / "kokoro.profiles.json").write_text("{}", "utf-8")
    with pytest.raises(AssetError, match="points"):
        shipped()
    monkeypatch.undo()
    shipped.cache_clear()
    assert shipped().points
