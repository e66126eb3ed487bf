"""How good and how fast the alignment is: a table of figure, reached, wanted.

    python scripts/bench_align.py [--quick]

Speaks sentences that the aligner was not trained on, with single voices and mixes, then compares characters
with two things that are known without an aligner: the edges of signal energy at pauses and turn ends, and the
sample where two separately spoken phrases were joined. Energy edges: 5 ms frames each millisecond; speech is
what lies within 35 dB of the turn's loud frames (95th percentile), pauses are 80 ms or more below that.
Time and memory are those of a child process that aligns the turns as one recording, with one thread.
"""

from __future__ import annotations

import argparse
import functools
import itertools
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import soundfile
from numpy.typing import NDArray

from dtbuild.records.sound import SpeechRequest, TurnAlignment, Voice
from dtbuild.records.spoken import Spoken
from dtbuild.timebase import RATE

TEXTS = (
    "我这边先报个数，设备评估两百八十五万，折旧按三年摊。",
    "等一下，那张增值税发票我还没见着，这笔先放着别动。",
    "发票补到了，编号也对，那就接着往下走，按两百九十万算。",
    "行，额度我批，就二百九十万，大家散会吧。",
    "嗯。",
    "对，是这个意思。",
    "听说对面那家面馆换老板了，中午要不要去试试？",
    "利率四点三五，期限十八个月，下个月十五号之前把合同签了。",
    "我只是帮着问一句，八百万够不够，定不定可不归我管。",
    "质押率别超过百分之七十，仓单要是重复了，谁也担不起。",
    "好的，那我重新打一份表，发到群里。",
    "保证金原来是五十万，现在客户想降到三十五万，你怎么看？",
)
JOINS = (
    ("我们先看仓单", "数量差了三件"),
    ("他说不行", "还得补材料"),
    ("利息按月付", "本金到期还"),
    ("发票没问题", "合同缺一页"),
)
VOICES = ("f03", "m02", "f07", "m09")
"""Of the population: two plain styles and two mixes that the aligner was not trained on."""
PAUSE = 80


class Said(msgspec.Struct, frozen=True):
    turn: str
    speaker: str
    spoken: Spoken
    join: int | None = None
    """Sample of the joint, where the turn is two phrases."""
    first: int = 0
    """Characters before the joint."""


def spoken(text: str) -> Spoken:
    from dtbuild import lexicon

    return lexicon.spoken(text)


@functools.cache
def voice(at: int) -> Voice:
    from dtbuild.speech.casting import load_voices

    return {one.id: one for one in load_voices()}[VOICES[at % len(VOICES)]]


def speak(folder: Path, quick: bool) -> list[Said]:
    """Turns of every voice, then joined phrases: WAV files and what they say."""
    from dtbuild.speech.kokoro import KokoroEngine

    engine, said = KokoroEngine(), []
    voices = range(2 if quick else len(VOICES))
    for at, text in enumerate(TEXTS[:4] if quick else TEXTS):
        for which in (at % len(voices),) if quick else voices:
            form, name = spoken(text), f"t{at:02}v{which}"
            audio = engine.speak(SpeechRequest(spoken=form, voice=voice(which), seed=at))
            soundfile.write(folder / f"{name}.wav", audio, RATE, subtype="PCM_16")
            said.append(Said(name, voice(which).id, form))
    for at, (before, after) in enumerate(JOINS[:2] if quick else JOINS):
        for which in voices:
            parts = []
            for text in (before, after):
                audio = engine.speak(SpeechRequest(spoken=spoken(text + "。"), voice=voice(which), seed=at))
                loud = speech_frames(audio)
                parts.append(audio[int(np.argmax(loud)) * 24 : (len(loud) - int(np.argmax(loud[::-1]))) * 24])
            name, edge = f"j{at:02}v{which}", np.zeros(RATE // 30, np.float32)
            soundfile.write(folder / f"{name}.wav", np.concatenate([edge, *parts, edge]), RATE, subtype="PCM_16")
            form = spoken(before + after)
            said.append(Said(name, voice(which).id, form, len(edge) + len(parts[0]), len(spoken(before).chars)))
    return said


def speech_frames(audio: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Whether each millisecond is speech by energy alone."""
    power = np.convolve(audio.astype(np.float64) ** 2, np.ones(120) / 120, "same")[12::24]
    level = 10 * np.log10(power + 1e-12)
    result: NDArray[np.bool_] = level > np.percentile(level, 95) - 35
    return result


def pieces(audio: NDArray[np.float32]) -> list[tuple[int, int]]:
    """Stretches of speech between pauses, in milliseconds."""
    out: list[list[int]] = []
    for at in np.flatnonzero(speech_frames(audio)).tolist():
        if out and at - out[-1][1] < PAUSE:
            out[-1][1] = at + 1
        else:
            out.append([at, at + 1])
    return [(start, end) for start, end in out]


def errors(said: Said, aligned: TurnAlignment, audio: NDArray[np.float32]) -> Iterator[tuple[str, float]]:
    """(kind, aligned − known) in milliseconds."""
    chars = [(char.start * 1000 / RATE, char.end * 1000 / RATE) for char in aligned.chars]
    if said.join is not None:
        known = said.join * 1000 / RATE
        yield "join", chars[said.first - 1][1] - known
        yield "join", chars[said.first][0] - known
        return
    spans = pieces(audio)
    yield "turn start", chars[0][0] - spans[0][0]
    yield "turn end", chars[-1][1] - spans[-1][1]
    for (_, end), (start, _) in itertools.pairwise(spans):
        # the characters that the pause parts: the aligner's own edges decide only which pair it is
        middle = (end + start) / 2
        after = next((at for at, one in enumerate(chars) if sum(one) / 2 > middle), len(chars))
        if 0 < after < len(chars):
            yield "pause start", chars[after - 1][1] - end
            yield "pause end", chars[after][0] - start


def child(folder: Path) -> dict[str, Any]:
    """Aligns what the folder holds as one recording, in this process."""
    from dtbuild.align.aligner import TurnAudio
    from dtbuild.align.plausibility import check
    from dtbuild.align.viter import ViterAligner

    said = msgspec.json.decode((folder / "said.json").read_bytes(), type=list[Said])
    turns = [TurnAudio(one.turn, one.spoken, one.speaker, folder / f"{one.turn}.wav") for one in said]
    aligner = ViterAligner(threads=1)
    wall, cpu = time.perf_counter(), time.process_time()
    aligned = aligner.align(turns)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    verdict = check("bench", turns, aligned, inputs="-")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    again = aligner.align(turns) == aligned
    # the same sounds with the next turn's text of like length: what the score must tell apart
    wrong = []
    for one, other in zip(turns, [*turns[4:], *turns[:4]], strict=True):
        fits = 0.6 < len(one.spoken.chars) / len(other.spoken.chars) < 1.6
        if fits and one.spoken.text != other.spoken.text:
            try:
                wrong.append(aligner.align([TurnAudio(one.turn, other.spoken, one.speaker, one.audio)])[0].score)
            except Exception as error:
                print(f"wrong text of {one.turn}: {error}", file=sys.stderr)
    return {
        "turns": msgspec.to_builtins(aligned), "wall": wall, "cpu": cpu, "same": again, "wrong": wrong,
        "findings": [f"{one.code} {one.where}: {one.message} {one.found or ''}" for one in verdict.findings],
        "peak": peak,
    }  # fmt: skip


def report(said: list[Said], found: dict[str, Any], folder: Path) -> list[tuple[str, str, str]]:
    aligned = msgspec.convert(found["turns"], type=list[TurnAlignment], strict=False)
    sums: dict[str, list[float]] = {}
    seconds = 0.0
    for one, turn in zip(said, aligned, strict=True):
        audio, _ = soundfile.read(folder / f"{one.turn}.wav", dtype="float32")
        seconds += len(audio) / RATE
        for kind, error in errors(one, turn, audio):
            sums.setdefault(kind, []).append(error)
    rows = []
    for kind, values in sums.items():
        off = np.abs(values)
        rows.append(
            (
                f"{kind}, {len(values)} edges: median / p95 / bias ms",
                f"{np.median(off):.0f} / {np.percentile(off, 95):.0f} / {np.mean(values):+.0f}",
                "40 / 120",
            )
        )
    chars = [char for turn in aligned for char in turn.chars]
    lengths = np.array([char.end - char.start for char in chars]) * 1000 / RATE
    scores, wrong = np.array([turn.score for turn in aligned]), np.array(found["wrong"])
    rows += [
        ("characters: number, shortest / median / longest ms",
         f"{len(chars)}, {lengths.min():.0f} / {np.median(lengths):.0f} / {lengths.max():.0f}", "40–800"),
        ("score of right texts: least / median", f"{scores.min():.2f} / {np.median(scores):.2f}", "> floor"),
        ("score of wrong texts: median / most", f"{np.median(wrong):.2f} / {wrong.max():.2f}", "< floor"),
        ("findings of the gate", str(len(found["findings"])), "0"),
        ("same result twice", str(found["same"]), "True"),
        (f"real-time factor over {seconds:.0f} s: wall / CPU",
         f"{found['wall'] / seconds:.3f} / {found['cpu'] / seconds:.3f}", "0.06 / 0.12"),
        ("peak memory of the process, MB", f"{found['peak']:.0f}", "400"),
    ]  # fmt: skip
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--quick", action="store_true", help="four turns and two joints instead of 48 and 16")
    parser.add_argument("--child", type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.child:
        print(json.dumps(child(args.child)))
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        said = speak(folder, args.quick)
        (folder / "said.json").write_bytes(msgspec.json.encode(said))
        run = subprocess.run([sys.executable, __file__, "--child", name], check=True, stdout=subprocess.PIPE, text=True)
        found = json.loads(run.stdout)
        rows = report(said, found, folder)
    for line in found["findings"]:
        print(line)
    width = max(len(row[0]) for row in rows)
    for row in [("figure", "reached", "wanted"), *rows]:
        print(f"{row[0]:<{width}}  {row[1]:>22}  {row[2]:>12}")


if __name__ == "__main__":
    main()
