"""Takes: what one is called, and how one is made.

A take's id addresses what it says and how: spoken text, pinyin, voice, delivery, seed and engine. Turns with the
same text and person share a take when they ask for the same seed; whoever casts derives it from person, text and
occurrence.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import msgspec

from dtbuild.errors import SynthesisError
from dtbuild.fingerprint import digest
from dtbuild.records.sound import SpeechRequest, Take
from dtbuild.records.verdict import Finding, Verdict, outcome_of
from dtbuild.speech.engine import SpeechEngine
from dtbuild.speech.gate import check, retakes
from dtbuild.speech.wav import pcm_sha256

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Audio = NDArray[np.float32]

GATE = "speech"


class Spoke(NamedTuple):
    """Audio of one turn, its record and the gate's verdict; after a failed last retake the audio is that one's."""

    audio: Audio
    take: Take
    verdict: Verdict


def take_id(request: SpeechRequest, engine_fingerprint: str) -> str:
    """Content hash (hex) of a request on an engine.

    The places of the shown text are left out: they do not reach the sound.
    """
    spoken = request.spoken
    voice = request.voice
    return digest(
        {
            "text": spoken.text,
            "pinyin": [[char.at, char.pinyin] for char in spoken.chars],
            "voice": [voice.id, voice.engine, [[part.style, part.weight] for part in voice.recipe]],
            "voice_level": [voice.rate, voice.gain_db, voice.pitch],
            "delivery": request.delivery,
            "effects": [],
            "seed": request.seed,
            "engine": engine_fingerprint,
        }
    )


def speak_turn(engine: SpeechEngine, request: SpeechRequest, *, turn: str) -> Spoke:
    """Speak a turn, retaking it a few times if the gate fails it or the engine does.

    The verdict says pass or fail; findings of takes thrown away stand in it as warnings. After a last failure the
    audio is that take's (empty if the engine gave none) and the record's `sha256` is empty: never store it.

    Raises `Unspeakable`, `UnknownName`, `MissingExtra`, `AssetError`: no retake mends those.
    """
    import numpy as np

    id = take_id(request, engine.fingerprint)
    thrown: list[Finding] = []
    faults: list[Finding] = []
    audio: Audio = np.zeros(0, dtype=np.float32)
    for way in retakes(request):
        thrown += [_as_warning(fault) for fault in faults]
        try:
            audio = engine.speak(way)
        except SynthesisError as error:
            audio, faults = np.zeros(0, dtype=np.float32), [_engine_fault(turn, error)]
            continue
        faults = check(audio, request.spoken, where=turn, rate=way.delivery.rate * request.voice.rate)
        if not faults:
            break
    take = Take(
        id=id,
        text=request.spoken.text,
        voice=request.voice.id,
        samples=len(audio),
        sha256="" if faults else pcm_sha256(audio, turn),
    )
    verdict = Verdict(
        gate=GATE,
        subject=turn,
        reviewer=f"gate/{engine.name}",
        outcome=outcome_of(faults),
        inputs=id,
        findings=(*faults, *thrown),
    )
    return Spoke(audio, take, verdict)


def _engine_fault(turn: str, error: SynthesisError) -> Finding:
    return Finding(code="speech.engine", where=turn, message=str(error))


def _as_warning(fault: Finding) -> Finding:
    return msgspec.structs.replace(fault, level="warning")
