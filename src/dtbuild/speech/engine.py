"""The seam of every synthesiser, and a stand-in engine for tests.

An engine turns one `SpeechRequest` into float32 mono audio at `timebase.RATE`, with at most
`silence.LEAD` samples of silence at either end: gaps belong to the mixer. Its audio is a function of the request and of
its `fingerprint` alone, whatever was spoken before and in whatever process.

>>> ToneEngine().name
'tone'
"""

from __future__ import annotations

import hashlib
import math
from typing import TYPE_CHECKING, Protocol

from dtbuild.errors import UnknownName, closest
from dtbuild.records.sound import SpeechRequest
from dtbuild.timebase import RATE, to_samples

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Audio = NDArray[np.float32]


class SpeechEngine(Protocol):
    """Three members; errors are `SynthesisError`, or `Unspeakable` for text it cannot say."""

    @property
    def name(self) -> str:
        """`kokoro`, `tone`: what `Voice.engine` refers to."""
        ...

    @property
    def fingerprint(self) -> str:
        """Identity of the engine's files and of the recipe that turns a request into audio."""
        ...

    def speak(self, request: SpeechRequest) -> Audio:
        """Audio of one turn: float32, mono, 24 kHz."""
        ...


ENGINES = ("kokoro", "tone")


def make_engine(name: str) -> SpeechEngine:
    """A loaded engine by name. Raises `UnknownName`, or what its constructor raises."""
    if name == "kokoro":
        from dtbuild.speech.kokoro import KokoroEngine

        return KokoroEngine()
    if name == "tone":
        return ToneEngine()
    raise _unknown(name)


def fingerprint_of(name: str) -> str:
    """The fingerprint `make_engine(name)` will have, without loading a model. Raises `UnknownName`."""
    if name == "kokoro":
        from dtbuild.speech.kokoro import fingerprint

        return fingerprint()
    if name == "tone":
        return ToneEngine.fingerprint
    raise _unknown(name)


class ToneEngine:
    """STAND-IN, not speech: one harmonic tone of 180 ms for each 汉字, silence at marks.

    For tests of the rooms around it: instant, deterministic, with the durations and pauses of talk. Its pitch
    hangs on the voice, its tone shape on the pinyin. Nothing uses it but a config that names it, and the
    manifest and the data card then name it too.
    """

    SYLLABLE = 0.18
    PAUSE = 0.22

    name = "tone"
    fingerprint = "tone-1"

    def speak(self, request: SpeechRequest) -> Audio:
        import numpy as np

        pitch = 120.0 if request.voice.gender == "male" else 210.0
        digest = hashlib.sha256(f"{request.voice.id}/{request.seed}".encode()).digest()
        pitch *= 1.0 + digest[0] / 255 * 0.3
        tempo = request.delivery.rate * request.voice.rate
        length = to_samples(self.SYLLABLE / tempo)
        by_place = {char.at: char for char in request.spoken.chars}
        parts: list[Audio] = []
        for place in range(len(request.spoken.text)):
            char = by_place.get(place)
            if char is None:
                if parts and place < len(request.spoken.text) - 1:
                    parts.append(np.zeros(to_samples(self.PAUSE / tempo), dtype=np.float32))
                continue
            parts.append(_tone(pitch, length, char.pinyin[-1:]))
        return np.concatenate(parts) if parts else np.zeros(0, dtype=np.float32)


def _unknown(name: str) -> UnknownName:
    return UnknownName(f"speech engine {name!r}", expected=closest(name, ENGINES), fix="dtbuild doctor")


def _tone(pitch: float, length: int, tone: str) -> Audio:
    import numpy as np

    bend = {"2": 0.15, "3": -0.1, "4": -0.25}.get(tone, 0.0)
    time = np.arange(length) / RATE
    phase = 2 * math.pi * pitch * (time + bend * time**2 / (2 * max(length / RATE, 1e-9)))
    wave = sum(np.sin(k * phase) / k for k in (1, 2, 3, 4, 5))
    envelope = np.minimum(1.0, np.minimum(np.arange(length), np.arange(length)[::-1]) / (0.015 * RATE))
    audio: Audio = (0.25 * wave * envelope).astype(np.float32)
    return audio
