"""The part `splices`: two takes of one voice joined at a known sample, and where the aligner finds the joint.

Takes are cut to their sound and put one after the other, every other pair with 80 to 250 ms of silence between. The
text is both texts. Without a pause both characters at the joint should meet at it; a pause should lie between them.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from audio_bench.aligning import Sound, Times, align
from audio_bench.corpus import Said, audio_of
from audio_bench.edges import close
from audio_bench.energy import ends
from audio_bench.planting import Audio, joined
from dtbuild.records.sound import TurnAlignment
from dtbuild.seeds import rng
from dtbuild.speech.wav import write_wav
from dtbuild.timebase import RATE
from text_bench.report import Figure

PAUSE = 80, 250
"""Milliseconds."""
EDGE = RATE // 30
"""Samples of silence before and after a pair."""
CHARS = 16
"""Most 汉字 of a take that is spliced: pairs like these are turns of ordinary length, and cost little."""


class Splice(NamedTuple):
    """A pair: samples at which the first take ends and the second begins, and how many characters the first has."""

    name: str
    end: int
    start: int
    chars: int

    def offsets(self, one: TurnAlignment) -> tuple[float, float]:
        """Aligned minus known, in milliseconds: where the first take ends, where the second begins."""
        left, right = one.chars[self.chars - 1].end - self.end, one.chars[self.chars].start - self.start
        return left * 1000 / RATE, right * 1000 / RATE


def splices(root: Path, scratch: Path, said: Sequence[Said], wanted: int, seed: int, jobs: int) -> list[Figure]:
    """Figures of `wanted` pairs; `scratch` is an empty folder."""
    made = {True: dict[str, Splice](), False: dict[str, Splice]()}
    sounds = []
    for at, (one, other) in enumerate(pairs(said, wanted, rng(seed, "splices"))):
        paused, name = bool(at % 2), f"s{at:03}"
        pause = rng(seed, "pause", at).randint(*PAUSE) * RATE // 1000 if paused else 0
        audio, end = splice(audio_of(root, one), audio_of(root, other), pause)
        write_wav(scratch / f"{name}.wav", audio)
        made[paused][name] = Splice(name, end, end + pause, len(one.spoken.chars))
        sounds.append(Sound(name, one.voice.id, joined(one.spoken, other.spoken), str(scratch / f"{name}.wav")))
    times = align(sounds, jobs)
    return [
        figure
        for paused, what in ((False, "without a pause"), (True, "with a pause"))
        for figure in _figures(what, made[paused], times, wanted)
    ]


def pairs(said: Sequence[Said], wanted: int, draw: random.Random) -> list[tuple[Said, Said]]:
    """Ordered pairs of different turns of one voice, all voices about equally often."""
    by_voice: dict[str, list[Said]] = {}
    for each in said:
        if each.passed and not each.twin and len(each.spoken.chars) <= CHARS:
            by_voice.setdefault(each.voice.id, []).append(each)
    queues = []
    for own in by_voice.values():
        found = [(one, other) for one in own for other in own if one is not other]
        queues.append(draw.sample(found, len(found)))
    rounds = max((len(each) for each in queues), default=0)
    return [queue[at] for at in range(rounds) for queue in queues if at < len(queue)][:wanted]


def splice(one: Audio, other: Audio, pause: int) -> tuple[Audio, int]:
    """The sound of both takes with `pause` samples between, and the sample at which the first ends."""
    (first, last), (begin, end) = ends(one), ends(other)
    quiet, edge = np.zeros(pause, np.float32), np.zeros(EDGE, np.float32)
    return np.concatenate([edge, one[first:last], quiet, other[begin:end], edge]), EDGE + last - first


def _figures(what: str, made: dict[str, Splice], times: dict[str, Times], wanted: int) -> list[Figure]:
    figures = []
    for which, name in ((0, "before refinement"), (1, "as released")):
        found = [(each, times[each.name][which]) for each in made.values()]
        values = [off for each, one in found if one is not None for off in each.offsets(one)]
        figures.append(close(f"joint of two takes {what} {name}", values, 2 * (wanted // 2)))
    return figures
