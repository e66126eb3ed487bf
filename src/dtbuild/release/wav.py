"""The header of a WAV file as it really is, read without an audio library.

Only the chunks and their sizes are looked at. A released file has exactly a `fmt ` and a `data` chunk: others
(names, dates, software) could tell a system under test something about the recording.
"""

from __future__ import annotations

import struct
from pathlib import Path
from typing import NamedTuple

from dtbuild.errors import FormatError


class WavHeader(NamedTuple):
    """`frames` counts what the file holds, not what its header claims; `coding` 1 is integer PCM."""

    coding: int
    rate: int
    channels: int
    bits: int
    frames: int
    chunks: tuple[str, ...]


def read_header(path: Path) -> WavHeader:
    """Raises FormatError for a file that is no RIFF WAVE, is cut off, or lacks a format or data chunk."""
    try:
        with path.open("rb") as file:
            size = path.stat().st_size
            head = file.read(12)
            if len(head) < 12 or head[:4] != b"RIFF" or head[8:] != b"WAVE":
                raise _fault(path, f"a file that begins {head[:12]!r}")
            at, chunks, form, data = 12, [], b"", -1
            while at + 8 <= size:
                file.seek(at)
                name, length = struct.unpack("<4sI", file.read(8))
                if at + 8 + length > size:
                    raise _fault(path, f"a {name!r} chunk of {length} bytes with {size - at - 8} left in the file")
                chunks.append(name.decode("latin-1"))
                if name == b"fmt ":
                    form = file.read(min(16, length))
                elif name == b"data":
                    data = length
                at += 8 + length + length % 2
    except OSError as error:
        raise _fault(path, error.strerror or "an unreadable file") from error
    if len(form) < 16 or data < 0:
        raise _fault(path, f"chunks {chunks}")
    coding, channels, rate, _, block, bits = struct.unpack("<HHIIHH", form)
    return WavHeader(coding, rate, channels, bits, data // block if block else 0, tuple(chunks))


def _fault(path: Path, found: str) -> FormatError:
    return FormatError(f"file {path}", expected="a whole RIFF WAVE file", found=found, fix="mix this recording again")
