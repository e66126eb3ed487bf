"""The one writer and reader of WAV files: 16-bit PCM, mono, 24 kHz, headers checked, nothing clipped in silence."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dtbuild.errors import FormatError, MissingExtra, SynthesisError
from dtbuild.store import placing
from dtbuild.timebase import RATE

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Audio = NDArray[np.float32]
    Samples = NDArray[np.int16]

SCALE = 32_767


def to_pcm(audio: Audio, where: str) -> Samples:
    """16-bit samples, rounded to nearest. Raises `SynthesisError` for NaN, Inf or a peak over full scale."""
    import numpy as np

    if audio.ndim != 1:
        raise SynthesisError(where, expected="one channel", found=f"shape {audio.shape}")
    peak = float(np.max(np.abs(audio))) if len(audio) else 0.0
    if not peak <= 1.0:  # also true for NaN
        raise SynthesisError(where, expected="finite samples of at most full scale", found=f"peak {peak:.3f}")
    pcm: Samples = np.rint(audio.astype(np.float64) * SCALE).astype(np.int16)
    return pcm


def pcm_sha256(audio: Audio, where: str) -> str:
    """sha256 of the 16-bit little-endian samples: the same for a take in memory and read back from its file."""
    return hashlib.sha256(to_pcm(audio, where).astype("<i2").tobytes()).hexdigest()


def write_wav(path: Path, audio: Audio) -> None:
    """Write audio whole or not at all. Raises `SynthesisError` (bad audio), `StorageError` (disk)."""
    write_blocks(path, len(audio), [to_pcm(audio, f"audio for {path.name}")])


def write_blocks(path: Path, samples: int, blocks: Iterable[Samples]) -> None:
    """Write 16-bit blocks of `samples` samples in all as they come, whole or not at all; one block is held at a time.

    Raises `StorageError` (disk), `SynthesisError` when the blocks hold another number of samples.
    """
    size, written = 2 * samples, 0
    with placing(path) as temporary, temporary.open("wb") as file:
        file.write(b"RIFF" + struct.pack("<I", 36 + size) + b"WAVE")
        file.write(b"fmt " + struct.pack("<IHHIIHH", 16, 1, 1, RATE, 2 * RATE, 2, 16))
        file.write(b"data" + struct.pack("<I", size))
        for block in blocks:
            file.write(block.astype("<i2").tobytes())
            written += len(block)
        if written != samples:
            raise SynthesisError(f"audio for {path.name}", expected=f"{samples} samples", found=str(written))


def read_wav(path: Path) -> Audio:
    """Samples in [-1, 1]. Raises `FormatError` naming what the real header says, if it is not our format."""
    import numpy as np

    sf = _soundfile()
    wanted = f"WAV, PCM_16, mono, {RATE} Hz, not empty"
    try:
        with sf.SoundFile(path) as file:
            found = f"{file.format}, {file.subtype}, {file.channels} channel(s), {file.samplerate} Hz, {file.frames}"
            ours = (file.format, file.subtype, file.channels, file.samplerate) == ("WAV", "PCM_16", 1, RATE)
            if not ours or not file.frames:
                raise FormatError(f"sound {path}", expected=wanted, found=f"{found} samples", fix="convert it first")
            pcm: Samples = file.read(dtype="int16")
    except (sf.SoundFileError, OSError) as error:
        raise FormatError(f"sound {path}", expected=wanted, found=str(error), fix="make it again") from error
    audio: Audio = pcm.astype(np.float32) / np.float32(SCALE)
    return audio


def _soundfile() -> Any:
    try:
        import soundfile
    except ImportError as error:
        raise MissingExtra("soundfile", expected="the extra `speech`", fix="pip install 'dtbuild[speech]'") from error
    return soundfile
