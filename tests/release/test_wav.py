"""WAV headers: what is read, what is refused, whatever the bytes."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dtbuild.errors import FormatError
from dtbuild.release.wav import read_header

from .cohorts import write_wav


def riff(*chunks: tuple[bytes, bytes]) -> bytes:
    body = b"".join(name + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2) for name, data in chunks)
    return b"RIFF" + struct.pack("<I", 4 + len(body)) + b"WAVE" + body


FORM = struct.pack("<HHIIHH", 1, 1, 24_000, 48_000, 2, 16)


def test_header_of_a_written_file(tmp_path: Path) -> None:
    write_wav(tmp_path / "a.wav", 1_000)
    header = read_header(tmp_path / "a.wav")
    assert header == (1, 24_000, 1, 16, 1_000, ("fmt ", "data"))


def test_odd_chunks_are_padded(tmp_path: Path) -> None:
    (tmp_path / "a.wav").write_bytes(riff((b"LIST", b"abc"), (b"fmt ", FORM), (b"data", b"\0" * 8)))
    header = read_header(tmp_path / "a.wav")
    assert header.chunks == ("LIST", "fmt ", "data") and header.frames == 4


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"ID3 and so on, an MP3 by another name",
        b"RIFX" + riff((b"fmt ", FORM))[4:],
        riff((b"fmt ", FORM)),
        riff((b"data", b"\0" * 8)),
        riff((b"fmt ", FORM[:10]), (b"data", b"")),
        riff((b"fmt ", FORM), (b"data", b"\0" * 8))[:-3],
    ],
)
def test_what_is_no_wav_is_refused(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "a.wav").write_bytes(data)
    with pytest.raises(FormatError, match=r"a\.wav"):
        read_header(tmp_path / "a.wav")


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="No such file"):
        read_header(tmp_path / "a.wav")


@given(st.binary(max_size=80))
def test_any_bytes_give_a_header_or_a_named_error(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "any.wav"
    path.write_bytes(b"RIFF\0\0\0\0WAVE" + data)
    try:
        assert read_header(path).chunks
    except FormatError as error:
        assert "any.wav" in str(error)
