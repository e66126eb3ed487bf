"""Measures the Kokoro engine on this machine.

    .venv/bin/python scripts/bench_speech.py voices   every voice: rate, pitch, level, longest pause, gate
    .venv/bin/python scripts/bench_speech.py speed    two worker processes of one thread: real-time factor, memory
    .venv/bin/python scripts/bench_speech.py mix      the sample dialogue as a recording: loudness, peak, length

Texts are the turns of tests/data/sample_dialogue.script.json. Run it on an idle machine.
"""

from __future__ import annotations

import multiprocessing
import os
import resource
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from dtbuild.lexicon import spoken
from dtbuild.records.sound import SpeechRequest, Voice
from dtbuild.records.spoken import Spoken
from dtbuild.speech.casting import cast, load_table, load_voices
from dtbuild.speech.engine import make_engine
from dtbuild.speech.gaps import gaps
from dtbuild.speech.loudness import loudness
from dtbuild.speech.mixing import mix, place, render
from dtbuild.speech.silence import silences
from dtbuild.speech.takes import speak_turn
from dtbuild.speech.wav import SCALE, write_wav
from dtbuild.timebase import RATE

SCRIPT = Path(__file__).parents[1] / "tests" / "data" / "sample_dialogue.script.json"
SEED = 20260131
_engine: Any = None


def main() -> None:
    {"voices": voices, "speed": speed, "mix": mixed}[sys.argv[1] if len(sys.argv) > 1 else "speed"]()


def script() -> dict[str, Any]:
    found: dict[str, Any] = msgspec.json.decode(SCRIPT.read_bytes())
    return found


def texts() -> list[Spoken]:
    return [spoken(turn["text"]) for turn in script()["turns"]]


def voices() -> None:
    lines = texts()
    chosen = [line for line in lines if len(line.chars) >= 12][:5]
    short = [spoken(text) for text in ("嗯。", "对。", "行。")]
    print("voice  汉字/s  pitch  RMS dB  longest pause  嗯 对 行 (s)  gate")
    rates = []
    for voice in load_voices():
        takes = [speak(voice, line, index) for index, line in enumerate(chosen)]
        briefs = [speak(voice, line, index) for index, line in enumerate(short)]
        seconds = sum(len(take.audio) for take in takes) / RATE
        rate = sum(len(line.chars) for line in chosen) / seconds
        rates.append(rate)
        audio = np.concatenate([take.audio for take in takes])
        level = 20 * np.log10(np.sqrt(np.mean(audio.astype(np.float64) ** 2)))
        pause = max((gap.seconds for take in takes for gap in silences(take.audio)), default=0.0)
        lengths = " ".join(f"{len(take.audio) / RATE:.2f}" for take in briefs)
        bad = [f.code for take in [*takes, *briefs] for f in take.verdict.findings]
        print(
            f"{voice.id}  {rate:.2f}  {pitch(audio):.0f}  {level:.1f}  {pause:.2f}  {lengths}  {bad or 'pass'}",
            flush=True,
        )
    print(f"mean {np.mean(rates):.2f} 汉字/s, from {min(rates):.2f} to {max(rates):.2f}")


def speed() -> None:
    lines = texts()
    people = load_voices()
    jobs = [(people[index % len(people)], line, index) for index, line in enumerate(lines)]
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn"), initializer=engine) as pool:
        list(pool.map(_speak_one, jobs[:2], chunksize=1))  # both workers load
        start = time.perf_counter()
        done = list(pool.map(_speak_one, jobs, chunksize=1))
        wall = time.perf_counter() - start
    seconds = sum(each[0] for each in done)
    print(
        f"audio {seconds:.1f} s, wall {wall:.1f} s, real-time factor {wall / seconds:.3f} (two processes, one thread)"
    )
    cpu = sum(each[4] for each in done) / seconds
    print(f"CPU seconds for an audio second {cpu:.3f} (on an idle machine half of it is the factor above)")
    by_worker = {pid: max(peak for _, p, peak, *_ in done if p == pid) for _, pid, *_ in done}
    own = {pid: max(private for _, p, _, private, _ in done if p == pid) for _, pid, *_ in done}
    parent = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    for pid, peak in by_worker.items():
        print(f"worker {pid}: peak RSS {peak:.0f} MB, of it unshared after a run {own[pid]:.0f} MB")
    print(f"parent {parent:.0f} MB; sum of peaks {sum(by_worker.values()) + parent:.0f} MB")


def mixed() -> None:
    document = script()
    people = [(person["id"], person["gender"]) for person in document["cast"]]
    voices = cast(load_voices(), people, seed=SEED, table=load_table())
    order = [(turn["id"], turn["person"], turn["text"]) for turn in document["turns"]]
    start = time.perf_counter()
    takes = [speak(voices[person], spoken(text), index) for index, (_, person, text) in enumerate(order)]
    placed = [(turn, take.take.id, take.take.samples) for (turn, *_), take in zip(order, takes, strict=True)]
    held, pauses = {each.take.id: each.audio for each in takes}, gaps(order, SEED)
    placements = place(placed, pauses, {})
    timeline = mix(document["recording"], placements, placements[-1].end + pauses[-1], held.__getitem__)
    audio = np.concatenate(list(render(timeline, held.__getitem__))).astype(np.float32) / np.float32(SCALE)
    print(f"voices {', '.join(f'{person} {voice.id}' for person, voice in voices.items())}")
    print(
        f"{len(audio) / RATE:.1f} s, {sum(len(t.audio) for t in takes) / RATE:.1f} s of turns, gain {timeline.gain_db} dB"
    )
    print(f"loudness {loudness(audio):.3f} LUFS, peak {20 * np.log10(np.abs(audio).max()):.2f} dBFS")
    print(f"{time.perf_counter() - start:.1f} s with one process")
    if len(sys.argv) > 2:
        write_wav(Path(sys.argv[2]), audio)


def engine() -> Any:
    global _engine
    if _engine is None:
        _engine = make_engine("kokoro")
    return _engine


def speak(voice: Voice, line: Spoken, seed: int) -> Any:
    return speak_turn(engine(), SpeechRequest(spoken=line, voice=voice, seed=seed), turn=f"t{seed}")


def _speak_one(job: tuple[Voice, Spoken, int]) -> tuple[float, int, float, float, float]:
    start = time.process_time()
    take = speak(*job)
    cpu = time.process_time() - start
    status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    private = int(status["RssAnon"].split()[0]) / 1024
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return len(take.audio) / RATE, os.getpid(), peak, private, cpu


def pitch(audio: np.ndarray) -> float:
    """Median fundamental in Hz by autocorrelation, over voiced frames of 50 ms."""
    found = []
    for start in range(0, len(audio) - 1200, 1200):
        frame = audio[start : start + 1200].astype(np.float64)
        frame -= frame.mean()
        correlation = np.correlate(frame, frame, "full")[1199:]
        if correlation[0] < 0.3:
            continue
        lag = 60 + int(np.argmax(correlation[60:340]))
        if correlation[lag] > 0.5 * correlation[0]:
            found.append(RATE / lag)
    return float(np.median(found)) if found else float("nan")


if __name__ == "__main__":
    main()
