"""WAV files written and read back."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pytest
import soundfile
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from dtbuild.errors import FormatError, SynthesisError
from dtbuild.speech.wav import pcm_sha256, read_wav, to_pcm, write_wav
from dtbuild.timebase import RATE

from .test_silence import tone


@given(arrays(np.float32, st.integers(1, 300), elements=st.floats(-1, 1, width=32)))
def test_pcm_is_the_identity_after_one_round(audio: np.ndarray) -> None:
    pcm = to_pcm(audio, "x")
    again = to_pcm((pcm / 32767).astype(np.float32), "x")
    assert np.array_equal(pcm, again)
    assert np.max(np.abs(pcm / 32767 - audio)) <= 0.51 / 32767


def test_file_is_what_it_says(tmp_path: Path) -> None:
    path = tmp_path / "a.wav"
    audio = tone(0.5)
    write_wav(path, audio)
    info = soundfile.info(path)
    assert (info.format, info.subtype, info.channels, info.samplerate, info.frames) == ("WAV", "PCM_16", 1, RATE, 12000)
    back = read_wav(path)
    assert back.dtype == np.float32
    assert np.max(np.abs(back - audio)) < 1 / 32767
    assert pcm_sha256(back, "x") == pcm_sha256(audio, "x")
    first = hashlib.sha256(path.read_bytes()).hexdigest()
    write_wav(path, audio)
    assert hashlib.sha256(path.read_bytes()).hexdigest() == first
    assert [each.name for each in tmp_path.iterdir()] == ["a.wav"]


@pytest.mark.parametrize("value", [1.01, -1.5, np.nan, np.inf])
def test_nothing_is_clipped_in_silence(tmp_path: Path, value: float) -> None:
    audio = tone(0.2)
    audio[10] = value
    with pytest.raises(SynthesisError, match="full scale"):
        write_wav(tmp_path / "a.wav", audio)
    assert not (tmp_path / "a.wav").exists()


@pytest.mark.parametrize(
    ("rate", "channels", "subtype", "format"),
    [(16000, 1, "PCM_16", "WAV"), (RATE, 2, "PCM_16", "WAV"), (RATE, 1, "FLOAT", "WAV"), (RATE, 1, "PCM_16", "FLAC")],
)
def test_the_real_header_is_read(tmp_path: Path, rate: int, channels: int, subtype: str, format: str) -> None:
    path = tmp_path / "a.wav"
    soundfile.write(path, np.zeros((100, channels)), rate, subtype=subtype, format=format)
    with pytest.raises(FormatError) as caught:
        read_wav(path)
    assert str(path) in str(caught.value) and format in str(caught.value)


def test_no_sound_file(tmp_path: Path) -> None:
    (tmp_path / "a.wav").write_bytes(b"ID3 this is something else")
    with pytest.raises(FormatError):
        read_wav(tmp_path / "a.wav")
    with pytest.raises(FormatError):
        read_wav(tmp_path / "none.wav")
