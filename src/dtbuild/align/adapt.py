"""A model of the cohort's own: trained on its turns, where a config says `align: {adapt: true}`.

viter trains, it does not adapt: the model is made from nothing but these turns, by the recipe of ours
(which `scripts/train_aligner.py` follows too), in a folder of its own that is gone afterwards. The same turns give the
same times, in any order; the file itself differs in a few bytes each time viter writes it. Score table, reading
table and floors stay ours, so that figures before and after are of one measure. Too little speech makes a model worse than ours: see `LEAST`.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from dtbuild.align.aligner import TurnAudio, samples_of
from dtbuild.align.levels import FRAME, levels, loudness
from dtbuild.align.phones import phones, transcript
from dtbuild.align.viter import ViterAligner
from dtbuild.align.viter import train as train_model
from dtbuild.errors import SettingsError, StorageError
from dtbuild.records.spoken import Spoken
from dtbuild.timebase import RATE

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

LEAST = 300.0
"""Seconds of speech under which a cohort gets no model of its own."""
SEED = 20260131
RECIPE: dict[str, Any] = {
    "seed": SEED, "no_lda": True, "no_sat": True, "no_pron_probs": True, "position_dependent": False
}  # fmt: skip
PAD = RATE // 4
SAMPLE = 60
"""Turns, spread evenly over the cohort, that the figures are of."""
_EDGE_DB = 35.0


class Figures(msgspec.Struct, frozen=True, kw_only=True):
    """Of `SAMPLE` turns: median and least score, and how far turn edges lie from those of energy, in ms."""

    score: float
    least: float
    edges_median: float
    edges_p95: float

    def text(self) -> str:
        return f"score {self.score:.2f} (least {self.least:.2f}), edges {self.edges_median:.0f}/{self.edges_p95:.0f} ms"


def speech_seconds(turns: Sequence[TurnAudio]) -> float:
    return sum(len(samples_of(turn)) for turn in turns) / RATE


def check_enough(seconds: float) -> None:
    """Raises `SettingsError` where there is less speech than `LEAST`."""
    if seconds < LEAST:
        raise SettingsError(
            "align.adapt: too little speech for a model of the cohort's own",
            expected=f"at least {LEAST:.0f} s",
            found=f"{seconds:.0f} s",
            fix="build more families (--groups), or leave --adapt out: our own model aligns them",
        )


def train(turns: Sequence[TurnAudio], out: Path, *, threads: int | None = None) -> None:
    """Writes the model of these turns.

    The corpus lies in a folder beside `out` meanwhile, named like a temporary file. Raises `AlignmentError` when viter
    fails, `MissingExtra` without it, `StorageError` when the disk is full.
    """
    import soundfile

    with tempfile.TemporaryDirectory(prefix=".tmp-", dir=out.parent) as name:
        corpus = Path(name)
        for at, turn in enumerate(sorted(turns, key=lambda one: one.turn)):
            folder = corpus / turn.speaker
            folder.mkdir(parents=True, exist_ok=True)
            try:
                soundfile.write(folder / f"{at:06}.wav", padded(samples_of(turn), at), RATE, subtype="PCM_16")
            except soundfile.LibsndfileError as error:
                fix = "free some space and run the same command again: it resumes"
                raise StorageError(
                    f"cannot write a copy of {turn.turn} to {folder}", found=str(error), fix=fix
                ) from error
            (folder / f"{at:06}.lab").write_text(phrases(turn.spoken), encoding="ascii")
        train_model(corpus, out, threads=threads, **RECIPE)


def figures(turns: Sequence[TurnAudio], aligner: ViterAligner) -> Figures:
    """How well a model aligns a sample of turns, edges as the model gives them."""
    import numpy as np

    step = max(1, len(turns) // SAMPLE)
    some = sorted(turns, key=lambda one: one.turn)[::step][:SAMPLE]
    scores, off = [], []
    for turn, one in zip(some, aligner.align(some, refine=False), strict=True):
        level = levels(samples_of(turn))
        loud = np.flatnonzero(level > loudness(level) - _EDGE_DB)
        scores.append(one.score)
        off.append(abs(one.chars[0].start - turn.offset - int(loud[0]) * FRAME) * 1000 / RATE)
        off.append(abs(one.chars[-1].end - turn.offset - int(loud[-1] + 1) * FRAME) * 1000 / RATE)
    return Figures(
        score=round(float(np.median(scores)), 3),
        least=round(min(scores), 3),
        edges_median=round(float(np.median(off)), 1),
        edges_p95=round(float(np.percentile(off, 95)), 1),
    )


def phrases(said: Spoken) -> str:
    """The transcript to train on: one word a phrase, so that silence is looked for at punctuation alone.

    With a word for each 汉字, as in aligning, the silence model learns the closures and murmurs between any two.
    """
    words: list[list[str]] = []
    last = -2
    for char in said.chars:
        if char.at != last + 1:
            words.append([])
        words[-1] += phones(char.pinyin)
        last = char.at
    return transcript([tuple(word) for word in words])


def padded(samples: Any, seed: int) -> NDArray[float32]:
    """Takes begin and end with 30 ms of silence: a quarter of a second of faint noise at either end teaches it."""
    import numpy as np

    rng = np.random.default_rng(seed)
    faint = (rng.normal(0, 1e-4, PAD), samples, rng.normal(0, 1e-4, PAD))
    return np.concatenate(faint).astype(np.float32)
