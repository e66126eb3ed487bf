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
from dtbuild.speech.engine import SpeechEngine, ToneEngine
from dtbuild.speech.gate import check
from dtbuild.speech.wav import pcm_sha256
from dtbuild.speech.ways import WAYS, to_try, ways

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Audio = NDArray[np.float32]

GATE = "speech"

_NO_WAY = f"all {len(WAYS)} ways to speak it were tried: change the text of the turn"


class Spoke(NamedTuple):
    """Audio of one turn, its record and the gate's verdict; after a failed last retake the audio is that one's.

    `way` is the number of the way it was spoken, 0 for the first; `tried` how many were tried, by all runs together.
    """

    audio: Audio
    take: Take
    verdict: Verdict
    way: int
    tried: int


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


def speak_turn(engine: SpeechEngine, request: SpeechRequest, *, turn: str, way: int = 0, tried: int = 0) -> Spoke:
    """Speak a turn, in other ways (`dtbuild.speech.ways`) while the gate fails it or the engine does.

    `tried`: ways that earlier runs tried in vain; those are passed over, but for the first. `way`: the one that comes
    before all others, where it made a good take before.
    The verdict says pass or fail; findings of takes thrown away stand in it as warnings. After a last failure the
    audio is that take's (empty if the engine gave none) and the record's `sha256` is empty: never store it.

    Raises `Unspeakable`, `UnknownName`, `MissingExtra`, `AssetError`: no retake mends those.
    """
    import numpy as np

    id = take_id(request, engine.fingerprint)
    thrown: list[Finding] = []
    faults: list[Finding] = []
    audio: Audio = np.zeros(0, dtype=np.float32)
    asked, numbers = ways(request), to_try(tried, way)
    for number in numbers:
        thrown += [_as_warning(fault) for fault in faults]
        faults, audio = _take(engine, asked[number], turn)
        if not faults:
            break
        faults = [_spoken(fault, number) for fault in faults]
    if faults and max(tried, number + 1) == len(WAYS):
        faults.append(Finding(code="speech.no_way_left", where=turn, message=_NO_WAY, turn=turn))
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
    return Spoke(audio, take, verdict, number, max(tried, number + 1))


def _take(engine: SpeechEngine, request: SpeechRequest, turn: str) -> tuple[list[Finding], Audio]:
    import numpy as np

    try:
        audio = engine.speak(request)
    except SynthesisError as error:
        fault = Finding(code="speech.engine", where=turn, message=str(error), turn=turn)
        return [fault], np.zeros(0, dtype=np.float32)
    return check(audio, request, where=turn, stand_in=engine.name == ToneEngine.name), audio


def _spoken(fault: Finding, number: int) -> Finding:
    """The fault with the way that was tried, where it is another than the first."""
    how = f" (retake {number}: {WAYS[number].words()})" if number else ""
    return msgspec.structs.replace(fault, message=fault.message + how)


def _as_warning(fault: Finding) -> Finding:
    return msgspec.structs.replace(fault, level="warning")
