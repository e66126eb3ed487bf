"""The corpus of the audio bench: turns of real scripts, spoken once, kept in a folder and read by every part.

    corpus.json                 what was said, by which voice, and what the workers held after each turn
    work/said/<name>.json       the same of one turn: a corpus that was stopped goes on where it was
    work/takes/<take>.wav       the takes, as the pipeline lays them

Texts are the turns of families that passed the text stages, spoken form and all; voices take turns, so that every
voice says turns of every family. A take is made by `speak_turn`, with its gate and retakes, in worker processes.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import msgspec

from audio_bench.process import Held, held
from dtbuild import lexicon
from dtbuild.fingerprint import digest
from dtbuild.pipeline.folder import Folder
from dtbuild.pipeline.takes import TakeItem
from dtbuild.pipeline.workers import run_items
from dtbuild.records.sound import SpeechRequest, Voice
from dtbuild.records.spoken import Spoken
from dtbuild.seeds import derive
from dtbuild.speech.casting import load_voices
from dtbuild.speech.engine import SpeechEngine, fingerprint_of, make_engine
from dtbuild.speech.takes import speak_turn, take_id
from dtbuild.speech.wav import read_wav, write_wav
from dtbuild.store import write_json
from text_bench.families import generate, good

FAMILIES = 8


class Said(msgspec.Struct, frozen=True, kw_only=True):
    """One turn of the corpus. `tries` counts the takes made of it: 1 where the gate passed the first.

    `passed` is False where no retake did; such a turn has no file. `twin` names the turn whose words another voice
    says here; such turns stand outside the count of the corpus.
    """

    name: str
    family: str
    text: str
    spoken: Spoken
    voice: Voice
    seed: int
    take: str
    tries: int
    passed: bool
    samples: int
    codes: tuple[str, ...] = ()
    twin: str = ""

    @property
    def clean(self) -> bool:
        """Spoken well at once: what faults are planted in."""
        return self.passed and self.tries == 1 and not self.twin

    @property
    def request(self) -> SpeechRequest:
        return SpeechRequest(spoken=self.spoken, voice=self.voice, seed=self.seed)


class Corpus(msgspec.Struct, frozen=True, kw_only=True):
    """`held` is what the worker of a turn held after it, in the order in which turns were done; `inputs` what was asked
    for, of which engine."""

    inputs: str
    said: tuple[Said, ...]
    held: tuple[Held, ...]
    seconds: float


class Wanted(NamedTuple):
    name: str
    family: str
    text: str
    voice: Voice
    seed: int
    twin: str = ""


def corpus(root: Path, turns: int, twins: int, seed: int, jobs: int) -> Corpus:
    """The corpus of a folder: read where the same lies there, else made."""
    path, engine = root / "corpus.json", fingerprint_of("kokoro")
    inputs = digest([engine, turns, twins, seed])
    if path.is_file() and (there := msgspec.json.decode(path.read_bytes(), type=Corpus)).inputs == inputs:
        return there
    wanted = choose(root, turns, twins, seed)
    begin, folder = time.monotonic(), Folder(root)
    kept = {one.name: folder.derived("said", one.name, Said, digest([engine, *one])) for one in wanted}
    missing = [one for one in wanted if kept[one.name] is None]
    said, after = [each for each in kept.values() if each is not None], []
    for _, (each, memory) in run_items(_speak, missing, jobs=jobs, setup=_prepare, arguments=(str(root),)):
        said.append(each)
        after.append(memory)
    order = {each.name: at for at, each in enumerate(wanted)}
    made = Corpus(
        inputs=inputs,
        said=tuple(sorted(said, key=lambda each: order[each.name])),
        held=tuple(after),
        seconds=time.monotonic() - begin,
    )
    write_json(path, made)
    return made


def choose(root: Path, turns: int, twins: int, seed: int) -> list[Wanted]:
    """The turns to speak: families in turn, whole scripts from their beginning, voices one after another."""
    run = generate(root / "texts", FAMILIES, seed, jobs=1)
    if run.returncode:
        raise SystemExit(f"dtbuild generate: exit {run.returncode}")
    scripts = {plan.family: iter(script.turns) for plan, script in good(root / "texts")}
    each = -(-turns // len(scripts))
    texts = [(family, turn.text) for family, turns_of in scripts.items() for turn in islice(turns_of, each)][:turns]
    voices = load_voices()
    heard = few(voices, turns)
    wanted = [
        Wanted(f"t{at:04}", family, text, heard[at % len(heard)], derive(seed, "take", at))
        for at, (family, text) in enumerate(texts)
    ]
    step = max(1, len(wanted) // max(1, twins))
    return wanted + [
        Wanted(f"w{at:04}", one.family, one.text, _other(voices, one.voice, at), derive(seed, "twin", at), one.name)
        for at, one in enumerate(wanted[::step][:twins])
    ]


def audio_of(root: Path, said: Said):  # type: ignore[no-untyped-def]
    """Samples of a turn's take."""
    return read_wav(Folder(root).path("takes", said.take, ".wav"))


def few(voices: Sequence[Voice], turns: int) -> Sequence[Voice]:
    """All voices, or as many as have four turns each in a small corpus, taken from all over the population."""
    count = max(1, min(len(voices), turns // 4))
    return [voices[at * len(voices) // count] for at in range(count)]


def _other(voices: Sequence[Voice], own: Voice, at: int) -> Voice:
    """Another voice of the same gender: the harder fault to hear."""
    others = [voice for voice in voices if voice.id != own.id and voice.gender == own.gender]
    return others[at % len(others)]


class Counted:
    """An engine that counts how often it was asked to speak."""

    def __init__(self, engine: SpeechEngine) -> None:
        self._engine, self.calls = engine, 0
        self.name, self.fingerprint = engine.name, engine.fingerprint

    def speak(self, request: SpeechRequest):  # type: ignore[no-untyped-def]
        self.calls += 1
        return self._engine.speak(request)


class _Tools(NamedTuple):
    engine: Counted
    folder: Folder


_tools: _Tools


def _prepare(root: str) -> None:
    global _tools
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    _tools = _Tools(Counted(make_engine("kokoro")), Folder(Path(root)))


def _speak(wanted: Wanted) -> tuple[Said, Held]:
    engine, folder = _tools
    spoken = lexicon.spoken(wanted.text)
    request = SpeechRequest(spoken=spoken, voice=wanted.voice, seed=wanted.seed)
    before, id = engine.calls, take_id(request, engine.fingerprint)
    spoke = speak_turn(engine, request, turn=wanted.name)
    passed = spoke.verdict.outcome == "pass"
    if passed:
        write_wav(folder.path("takes", id, ".wav"), spoke.audio)
        folder.write("takes", id, TakeItem(take=spoke.take, verdict=spoke.verdict), id, beside=(".wav",))
    said = Said(
        name=wanted.name, family=wanted.family, text=wanted.text, spoken=spoken, voice=wanted.voice, seed=wanted.seed,
        take=id, tries=engine.calls - before, passed=passed, samples=len(spoke.audio),
        codes=tuple(each.code for each in spoke.verdict.findings), twin=wanted.twin,
    )  # fmt: skip
    folder.write("said", wanted.name, said, digest([engine.fingerprint, *wanted]))
    return said, held()
