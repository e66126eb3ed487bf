"""Make the reading table and the floors of the gate "align" from takes that are right, and measure what they catch.

    python scripts/calibrate_aligner.py speak TAKES COHORT [NUMBER]   speak turns of a cohort's scripts (resumable)
    python scripts/calibrate_aligner.py make TAKES [OUT]              tables and floors, and the figures below

TAKES holds NAME.wav and NAME.json (`voice` and `spoken`) of each take. `speak` draws turns by seed and gives them to
all voices of the population in turn. `make` leaves every fourth voice out in turn, makes the table of the others
and looks at the takes of those left out: right as they are, and with a word of one to three characters cut out or
doubled, its edges moved by up to 15 ms. The floors refuse a share `QUANTILE` of right takes at most; the table written is
of all.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
import soundfile

from dtbuild.align.aligner import TurnAudio
from dtbuild.align.fit import FitModel, Sound, features
from dtbuild.align.floors import WINDOW, Floors
from dtbuild.align.reading import Read, ReadingFile, ReadingModel, trained
from dtbuild.align.viter import MODEL, ViterAligner
from dtbuild.records.sound import SpeechRequest, TurnAlignment
from dtbuild.records.spoken import Spoken
from dtbuild.timebase import RATE

SEED = 20260131
QUANTILE = 0.01
"""Share of right takes that the floors of slips together may refuse, and that each floor of fit would without its
margin."""
MARGIN = 0.6
"""Nats that the floors of fit lie under what right takes reach: other texts and rates fit less well, wrong ones by far."""
EVIDENCE = (50.0, 75.0)
"""Least limits for words skipped and said twice, in nats. Right turns that were refused in every way of speaking them
would withhold their families: 紧 before 的 in one voice reached 71 for a word said twice, by tables of that voice too."""
FOLDS, JITTER, SLACK = 4, RATE * 15 // 1000, 2.5


class Said(msgspec.Struct, frozen=True):
    voice: str
    spoken: Spoken


class Take(NamedTuple):
    name: str
    said: Said
    samples: Any
    frames: Any
    phones: Sequence[Any]
    aligned: TurnAlignment


class Judged(NamedTuple):
    """`fault` is "" for a right take, else what was planted; `count` the characters of the word."""

    fault: str
    count: int
    what: str
    skipped: float
    repeated: float


def speak(takes: Path, cohort: Path, number: int) -> None:
    """Speaks turns of the scripts under COHORT/work/script with every voice of the population in turn."""
    from dtbuild.lexicon import spoken
    from dtbuild.speech.casting import load_voices
    from dtbuild.speech.kokoro import KokoroEngine

    documents = [msgspec.json.decode(path.read_bytes()) for path in sorted((cohort / "work" / "script").glob("*.json"))]
    texts = sorted({turn["text"] for document in documents for turn in document["record"]["turns"]})
    random.Random(SEED).shuffle(texts)
    takes.mkdir(parents=True, exist_ok=True)
    engine, voices = KokoroEngine(), load_voices()
    for at, text in enumerate(texts[:number]):
        path, voice = takes / f"t{at:03}.wav", voices[at % len(voices)]
        if not path.is_file():
            said = spoken(text)
            audio = engine.speak(SpeechRequest(spoken=said, voice=voice, seed=at))
            path.with_suffix(".json").write_bytes(msgspec.json.encode(Said(voice.id, said)))
            soundfile.write(path.with_suffix(".part"), audio, RATE, format="WAV", subtype="PCM_16")
            path.with_suffix(".part").rename(path)


class Recorder(ViterAligner):
    """The aligner, keeping the phones of the last run."""

    heard: dict[str, Sequence[Any]]

    def _heard(self, *args: Any, **options: Any) -> Any:
        found = super()._heard(*args, **options)
        self.heard = {turn.turn: one.phones for turn, one in zip(args[0], found, strict=True) if one is not None}
        return found


def load(folder: Path) -> list[Take]:
    """The takes of a folder, aligned; those of a voice are normalised together. Broken ones are left out by name."""
    aligner = Recorder(threads=1, slips=False)
    said: dict[str, list[tuple[str, Said, Any]]] = {}
    for path in sorted(folder.glob("*.wav")):
        one = msgspec.json.decode(path.with_suffix(".json").read_bytes(), type=Said)
        samples = soundfile.read(path, dtype="float32")[0]
        syllables = len(one.spoken.chars) * RATE / len(samples)
        if len(one.spoken.chars) > 3 and not 2 < syllables < 8:
            print(f"{path.name}: {syllables:.1f} syllables a second, left out", file=sys.stderr)
        else:
            said.setdefault(one.voice, []).append((path.stem, one, samples))
    takes = []
    for voice, own in sorted(said.items()):
        aligned = aligner.align([TurnAudio(name, one.spoken, voice, samples) for name, one, samples in own])
        frames = features([Sound(voice, samples, ()) for _, _, samples in own])
        for (name, one, samples), each, found in zip(own, aligned, frames, strict=True):
            takes.append(Take(name, one, samples, found, aligner.heard[name], each))
    return takes


def planted(take: Take, rng: random.Random) -> Iterator[tuple[str, int, int, Any]]:
    """(fault, characters, first of them, samples) for words of one to three characters."""
    chars, samples = take.aligned.chars, take.samples
    for fault in ("cut", "doubled"):
        for count in (1, 2, 3):
            if len(chars) < count + 2:
                continue
            at = rng.randrange(len(chars) - count + 1)
            start = max(0, chars[at].start + rng.randint(-JITTER, JITTER))
            end = min(len(samples), chars[at + count - 1].end + rng.randint(-JITTER, JITTER))
            parts = (samples[:start], samples[end:]) if fault == "cut" else (samples[:end], samples[start:])
            yield fault, count, at, np.concatenate(parts)


def judged(takes: Sequence[Take], base: FitModel) -> list[Judged]:
    """Every take by tables that its voice took no part in."""
    voices, found = sorted({take.said.voice for take in takes}), []
    rng = random.Random(SEED)
    for fold in range(FOLDS):
        out = set(voices[fold::FOLDS])
        rest = [take for take in takes if take.said.voice not in out]
        file = msgspec.json.decode(trained(map(read, rest), base), type=ReadingFile)
        model = ReadingModel(file, "")
        for take in takes:
            if take.said.voice in out:
                # features are cut and joined with the sound, so that the voice's mean stays
                mean = features_mean(take)
                for fault, count, at, samples in [("", 0, 0, take.samples), *planted(take, rng)]:
                    frames = take.frames if not fault else shifted(samples, mean)
                    slips = {one.kind: one.gain for one in model.slips(frames, samples, take.said.spoken)}
                    word = "".join(char.hanzi for char in take.said.spoken.chars[at : at + count])
                    what = f"{take.name} {word or take.said.spoken.text}"
                    never = -1e9
                    found.append(Judged(fault, count, what, slips.get("skipped", never), slips.get("repeated", never)))
    return found


def features_mean(take: Take) -> Any:
    """What the features of the take's voice were centred on."""
    from dtbuild.align.fit import CEPSTRA, cepstra

    return (cepstra(take.samples) - take.frames[:, :CEPSTRA]).mean(axis=0)


def shifted(samples: Any, mean: Any) -> Any:
    """Features of a changed take, centred as the take was."""
    from dtbuild.align.fit import cepstra, with_slopes

    return with_slopes(cepstra(samples) - mean)


def read(take: Take) -> Read:
    return Read(take.frames, take.phones, take.said.spoken, take.aligned.chars)


def make(folder: Path, out: Path) -> None:
    takes = load(folder)
    base = FitModel.load(MODEL.with_suffix(".fit.json"))
    started = time.process_time()
    every = judged(takes, base)
    right = [one for one in every if not one.fault]
    scores = np.array([take.aligned.score + SLACK / np.sqrt(len(take.aligned.chars)) for take in takes])
    windows = np.array([worst(take.aligned) for take in takes])
    skipped, repeated = map(max, best_limits(every), EVIDENCE)
    floors = Floors(
        quantile=QUANTILE,
        takes=len(takes),
        score=round(float(np.quantile(scores, QUANTILE)) - MARGIN, 2),
        slack=SLACK,
        window=round(float(np.quantile(windows, QUANTILE)) - MARGIN, 2),
        skipped=skipped,
        repeated=repeated,
    )
    print(floors)
    seconds = sum(len(take.samples) for take in takes) / RATE
    print(f"{len(takes)} takes, {seconds:.0f} s, {len({t.said.voice for t in takes})} voices; "
          f"CPU {time.process_time() - started:.0f} s for {len(every)} readings")  # fmt: skip
    over = [one for one in right if one.skipped > floors.skipped or one.repeated > floors.repeated]
    print(f"right takes refused: {len(over)} of {len(right)}: " + "; ".join(one.what for one in over))
    for fault in ("cut", "doubled"):
        own = [one for one in every if one.fault == fault]
        for count in (1, 2, 3):
            some = [one for one in own if one.count == count]
            hit = [one for one in some if one.skipped > floors.skipped or one.repeated > floors.repeated]
            print(f"{fault}, {count} characters: {len(hit)} of {len(some)} = {len(hit) / max(1, len(some)):.3f}")
        missed = [one.what.split()[1] for one in own
                  if one.skipped <= floors.skipped and one.repeated <= floors.repeated]  # fmt: skip
        print(f"{fault}: {1 - len(missed) / max(1, len(own)):.3f} caught; missed {' '.join(missed)}")
    out.mkdir(parents=True, exist_ok=True)
    (out / "mandarin.reading.json").write_bytes(trained(map(read, takes), base))
    (out / "mandarin.floors.json").write_bytes(msgspec.json.format(msgspec.json.encode(floors)) + b"\n")


def worst(aligned: TurnAlignment) -> float:
    """Least mean of `WINDOW` neighbouring characters' fits."""
    fits = aligned.fits
    return min(float(np.mean(fits[at : at + WINDOW])) for at in range(max(1, len(fits) - WINDOW + 1)))


def best_limits(every: Sequence[Judged]) -> tuple[float, float]:
    """Of the pairs of limits that refuse at most a share `QUANTILE` of right takes, the one that catches most."""
    right = np.array([(one.skipped, one.repeated) for one in every if not one.fault])
    wrong = np.array([(one.skipped, one.repeated) for one in every if one.fault])
    best = (-1.0, 0.0, 0.0)
    for skipped in np.ceil(sorted(right[:, 0])[-8:]) + 0.5:
        for repeated in np.ceil(sorted(right[:, 1])[-8:]) + 0.5:
            limits = np.array([skipped, repeated])
            if float((right > limits).any(axis=1).mean()) <= QUANTILE:
                best = max(best, (float((wrong > limits).any(axis=1).mean()), float(skipped), float(repeated)))
    return best[1:]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    steps = parser.add_subparsers(dest="step", required=True)
    one = steps.add_parser("speak")
    one.add_argument("takes", type=Path)
    one.add_argument("cohort", type=Path)
    one.add_argument("number", type=int, nargs="?", default=150)
    one = steps.add_parser("make")
    one.add_argument("takes", type=Path)
    one.add_argument("out", type=Path, nargs="?", default=MODEL.parent)
    args = parser.parse_args()
    if args.step == "speak":
        speak(args.takes, args.cohort, args.number)
    else:
        make(args.takes, args.out)


if __name__ == "__main__":
    main()
