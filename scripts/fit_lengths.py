"""Fit what a turn must last (`dtbuild.speech.lengths`) and the pace of every voice to takes that are right.

    python scripts/fit_lengths.py TAKES [--write]

TAKES is a folder as `scripts/calibrate_aligner.py speak` fills it. Printed are the figures that stand in
`lengths.py`, how far phrases lie from them by number of 汉字, and the pace of each voice beside the one its entry
states; `--write` puts the paces into the population. Stretches are laid on phrases by the present figures, so the fit
is made again until the readings stay.
"""

from __future__ import annotations

import argparse
import itertools
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
import soundfile

from calibrate_aligner import Said
from dtbuild.records.spoken import Spoken
from dtbuild.speech import lengths
from dtbuild.speech.casting import load_voices
from dtbuild.speech.gate import stretches
from dtbuild.speech.silence import silences, speech_interval

VOICES = Path(__file__).parents[1] / "voices" / "kokoro.yaml"
FAR = 4.0
"""Readings more deviations away are left out: a pause where no mark stands, laid on the wrong phrase."""
ROUNDS = 6
SIZES = ((1, 2), (3, 4), (5, 7), (8, 11), (12, 16), (17, 25), (26, 60))
TONES = ("3", "4", "5")


class Stretch(NamedTuple):
    """A stretch of a take between two pauses and what of the text was laid on it."""

    voice: str
    seconds: float
    phrases: int
    tones: tuple[str, ...]


def readings(takes: Sequence[tuple[Said, Any]], pace: Mapping[str, float]) -> list[Stretch]:
    found = []
    for said, samples in takes:
        text = lengths.phrases(said.spoken)
        each = stretches(speech_interval(samples), silences(samples), len(text) - 1)
        at, chars = 0, list(by_phrase(said.spoken))
        for one in lengths.read(each, text, 1 / pace[said.voice]):
            first = at
            while sum(map(len, chars[first:at])) < one.chars:
                at += 1
            own = chars[first:at]
            found.append(Stretch(said.voice, one.found, len(own), tuple(itertools.chain(*own))))
    return found


def by_phrase(spoken: Spoken) -> list[list[str]]:
    """Tones of each phrase's characters, as `lengths.phrases` counts phrases."""
    tones, out = [char.pinyin[-1:] for char in spoken.chars], []
    for phrase in lengths.phrases(spoken):
        out.append(tones[: phrase.chars])
        tones = tones[phrase.chars :]
    return out


def fitted(found: Sequence[Stretch], pace: Mapping[str, float]) -> tuple[Any, Any, Any]:
    """(weights, distances in units, which count): base, each, tones 3, 4, 5, joint."""
    matrix = np.array([[1.0, len(s.tones), *(s.tones.count(tone) for tone in TONES), s.phrases - 1] for s in found])
    units = np.array([s.seconds * pace[s.voice] for s in found])
    count = matrix[:, 1]
    kept, weights = np.ones(len(found), dtype=bool), np.zeros(matrix.shape[1])
    for _ in range(ROUNDS):
        scale = 1 / np.sqrt(lengths.SPREAD[0] + lengths.SPREAD[1] * count + (lengths.PACE * count) ** 2)
        weights = np.linalg.lstsq(matrix[kept] * scale[kept, None], units[kept] * scale[kept], rcond=None)[0]
        kept = np.abs(units - matrix @ weights) * scale < FAR
    return weights, units - matrix @ weights, kept


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("takes", type=Path)
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    takes = [
        (
            msgspec.json.decode(path.with_suffix(".json").read_bytes(), type=Said),
            soundfile.read(path, dtype="float32")[0],
        )
        for path in sorted(args.takes.glob("*.wav"))
    ]
    stated = {voice.id: voice.chars_per_second for voice in load_voices()}
    pace = dict(stated)
    for _ in range(ROUNDS):
        found = readings(takes, pace)
        weights, off, kept = fitted(found, pace)
        # of two phrases with no pause between them, both have a base
        lengths.BASE, lengths.EACH = float(weights[0]), float(weights[1])
        lengths.JOINT = float(weights[5] - weights[0])
        lengths.TONES = dict(zip(TONES, map(float, weights[2:5]), strict=True))
        for voice in pace:
            own = np.array([s.voice == voice for s in found]) & kept
            units = np.array([s.seconds * pace[voice] for s in found])[own]
            if len(units):
                pace[voice] *= float((units - off[own]).sum() / units.sum())
        # a pace of all voices and the figures are told apart by the paces stated
        drift = float(np.exp(np.mean([np.log(pace[voice] / stated[voice]) for voice in pace])))
        pace = {voice: value / drift for voice, value in pace.items()}
    print(f"BASE, EACH = {lengths.BASE:.2f}, {lengths.EACH:.3f}; JOINT = {lengths.JOINT:.2f}")
    print("TONES = " + ", ".join(f"{tone}: {weight:.2f}" for tone, weight in lengths.TONES.items()))
    count = np.array([len(s.tones) for s in found])
    for low, high in SIZES:
        own = (count >= low) & (count <= high) & kept
        if own.any():
            print(
                f"{low:3}-{high:<3} 汉字: {own.sum():4} stretches, mean {off[own].mean():+.2f}, variance {off[own].var():.3f}"
            )
    print(f"left out: {(~kept).sum()} of {len(found)}")
    print(", ".join(f"{voice} {stated[voice]:.2f} -> {value:.2f}" for voice, value in sorted(pace.items())))
    if args.write:
        write(pace)


def write(pace: Mapping[str, float]) -> None:
    """The paces into the population, all else as it is."""
    out, voice = [], ""
    for line in VOICES.read_text(encoding="utf-8").splitlines():
        if found := re.match(r"\s*- id: (\S+)", line):
            voice = found[1]
        out.append(re.sub(r"(?<=chars_per_second: )\S+", f"{pace[voice]:.2f}", line) if voice else line)
    VOICES.write_text("\n".join(out) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
