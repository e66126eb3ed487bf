"""Takes before the pipeline's own gates: `speak_turn` for the speech gate, the align stage for the other.

Nothing of a gate is called or copied here. The speech gate hears what an engine says: an engine that gives the take
at hand, and the turn as it was first spoken when it is asked again, shows by the second call that the take was
refused. The alignment gate is the verdict of the align stage on a recording that holds the take among other turns
of the same voice, as a cohort's recording would.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from audio_bench.planting import Audio
from audio_bench.recordings import Part, desk, recording, timeline
from dtbuild.errors import SynthesisError
from dtbuild.pipeline.alignments import align_all
from dtbuild.pipeline.desk import Recording
from dtbuild.pipeline.folder import Folder
from dtbuild.records.plan import Plan
from dtbuild.records.script import Script
from dtbuild.records.sound import SpeechRequest, Timeline
from dtbuild.speech.engine import fingerprint_of as engine_fingerprint
from dtbuild.speech.takes import speak_turn
from dtbuild.speech.wav import write_wav


class Replayed:
    """An engine that says what it is given, one take after another, the last again and again."""

    name = "kokoro"

    def __init__(self, takes: Sequence[Audio]) -> None:
        self._takes, self.calls = takes, 0
        self.fingerprint = engine_fingerprint(self.name)

    def speak(self, request: SpeechRequest) -> Audio:
        take = self._takes[min(self.calls, len(self._takes) - 1)]
        self.calls += 1
        return take


def speech_gate(audio: Audio, request: SpeechRequest, sound: Audio, turn: str) -> tuple[str, ...]:
    """Codes of what the speech gate finds in a take, none where it passes it. `sound`: the turn as it was spoken."""
    engine = Replayed([audio, sound])
    spoke = speak_turn(engine, request, turn=turn)
    return tuple(dict.fromkeys(each.code for each in spoke.verdict.findings)) if engine.calls > 1 else ()


class Answer(NamedTuple):
    """Codes of the align stage by turn of the recording; `others` are findings that name no turn of it."""

    codes: dict[int, tuple[str, ...]]
    others: tuple[str, ...]


def alignment_gate(
    root: Path, asked: Sequence[Sequence[Part]], like: tuple[Plan, Script], jobs: int, seed: int
) -> list[Answer]:
    """What the align stage says of each recording. The takes of their parts lie in `root` under their ids."""
    recordings = [recording(number, each, like) for number, each in enumerate(asked, start=1)]
    timelines: dict[str, Timeline] = {one.id: timeline(one, each) for one, each in zip(recordings, asked, strict=True)}
    at = desk(root, jobs, seed)
    sounds = {take: take for one in recordings for take, _ in one.takes.values()}  # no two sounds have one id here
    items = align_all(recordings, sounds, timelines, at)
    return [_answer(each, items[each.id].findings) for each in recordings]


def lay(folder: Folder, take: str, audio: Audio) -> bool:
    """Write a take where the align stage reads it; False where it cannot be written as a sound at all."""
    try:
        write_wav(folder.path("takes", take, ".wav"), audio)
    except SynthesisError:
        return False
    return True


def link(source: Folder, target: Folder, take: str) -> None:
    """The same file of a take in another folder."""
    path = target.path("takes", take, ".wav")
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        os.link(source.path("takes", take, ".wav"), path)


def _answer(each: Recording, findings: Sequence[object]) -> Answer:
    turns = {turn.id: at for at, turn in enumerate(each.script.turns)}
    codes: dict[int, list[str]] = {}
    others: list[str] = []
    for one in findings:
        if getattr(one, "level", "error") != "error":
            continue
        words = f"{getattr(one, 'turn', '')} {getattr(one, 'where', '')} {getattr(one, 'message', '')}"
        named = next((name for name in re.findall(rf"{re.escape(each.id)}-t\d+", words) if name in turns), None)
        if named is None:
            others.append(str(getattr(one, "code", one)))
        else:
            codes.setdefault(turns[named], []).append(str(getattr(one, "code", "")))
    return Answer({at: tuple(dict.fromkeys(found)) for at, found in codes.items()}, tuple(others))
