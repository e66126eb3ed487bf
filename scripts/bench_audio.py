"""The figures of sound: turns spoken and aligned, faults planted and caught, kills survived.

    python scripts/bench_audio.py                  300 turns of all voices, some twenty minutes on 2 cores
    python scripts/bench_audio.py --quick          smaller counts, under three minutes: shows that all is in order
    python scripts/bench_audio.py --only faults    one part (soak, edges, splices, faults, kills); may be repeated
    python scripts/bench_audio.py --corpus DIR     keep the corpus in this folder, or use the one that lies there

Speech is Kokoro's and alignment viter's everywhere, but for the kills of `--quick`. Every turn is spoken once, in the
part `soak`, and serves the others. Prints tables (figure, reached, wanted) and exits 1 when a figure falls short.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parent))

from audio_bench import aligning
from audio_bench.catching import faults
from audio_bench.corpus import Said, corpus
from audio_bench.edges import edges
from audio_bench.kills import kills
from audio_bench.process import held
from audio_bench.soak import left_over, soak
from audio_bench.splices import splices
from dtbuild.pipeline.folder import Folder
from text_bench.report import Figure, status, table

PARTS = ("soak", "edges", "splices", "faults", "kills")


class Sizes(NamedTuple):
    """Turns of the corpus, turns said again by another voice, alignments of one voice whose memory is watched, spliced
    pairs, cases a kind of fault, kills."""

    turns: int
    twins: int
    again: int
    pairs: int
    cases: int
    kills: int


FULL, QUICK = Sizes(300, 12, 16, 200, 25, 20), Sizes(20, 2, 4, 16, 2, 8)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="smaller counts: no claim of the full run")
    parser.add_argument("--only", action="append", choices=PARTS, help="one part; may be repeated")
    parser.add_argument("--corpus", type=Path, help="keep the corpus here, or use the one that lies here")
    parser.add_argument("--turns", type=int, help="turns of a corpus that is made")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=20260131)
    options = parser.parse_args(arguments)
    sizes, parts = QUICK if options.quick else FULL, options.only or list(PARTS)
    sizes = sizes._replace(turns=options.turns or sizes.turns)
    if options.quick:
        print(f"quick: {sizes.turns} turns, {sizes.cases} cases a kind, kills with stand-ins for speech and alignment.")
        print("What is wanted of the full run is printed beside the figures, and claimed for none but those marked ok.")
    with tempfile.TemporaryDirectory(prefix="bench-audio-") as name:
        # temporary files of this process and its workers go where they can be counted
        scratch = Path(name)
        for each in ("tmp", "corpus"):
            (scratch / each).mkdir()
        os.environ["TMPDIR"], tempfile.tempdir = str(scratch / "tmp"), str(scratch / "tmp")
        try:
            root = options.corpus or scratch / "corpus"
            figures = measure(root, scratch, sizes, parts, options.seed, options.jobs, real=not options.quick)
        finally:
            tempfile.tempdir = None
    if options.quick:
        figures = [figure if figure.small else figure._replace(holds=None) for figure in figures]
    print(f"\n{table(figures)}")
    return status(figures)


def measure(
    root: Path, scratch: Path, sizes: Sizes, parts: Sequence[str], seed: int, jobs: int, *, real: bool
) -> list[Figure]:
    figures: list[Figure] = []
    if set(parts) - {"kills"}:
        root.mkdir(parents=True, exist_ok=True)
        spoken = corpus(root, sizes.turns, sizes.twins, seed, jobs)
        told(f"corpus: {len(spoken.said)} takes, {spoken.seconds:.0f} s to speak")
        said = [each for each in spoken.said if each.passed and not each.twin]
        sounds = [_sound(root, each) for each in said]
        times = aligning.align(sounds, jobs)
        before = held()
        if "soak" in parts:
            told("soak")
            after = aligning.align_again(sounds, sizes.again, jobs)
            figures += soak(root, _made(scratch / "soak"), spoken, after, sizes.turns, seed)
        if "edges" in parts:
            told("edges")
            figures += edges(root, said, times)
        if "splices" in parts:
            told("splices")
            figures += splices(root, _made(scratch / "splices"), said, sizes.pairs, seed, jobs)
        if "faults" in parts:
            told("faults")
            figures += faults(root, _made(scratch / "faults"), spoken, times, sizes.cases, seed, jobs)
        figures += left_over([scratch, root], before)
    if "kills" in parts:
        told("kills")
        figures += kills(_made(scratch / "kills"), sizes.kills, seed, real=real)
    return figures


def told(what: str) -> None:
    """Says on stderr how far the bench is."""
    print(f"{time.strftime('%H:%M:%S')} {what}", file=sys.stderr, flush=True)


def _made(folder: Path) -> Path:
    folder.mkdir()
    return folder


def _sound(root: Path, each: Said) -> aligning.Sound:
    return aligning.Sound(each.name, each.voice.id, each.spoken, str(Folder(root).path("takes", each.take, ".wav")))


if __name__ == "__main__":
    sys.exit(main())
