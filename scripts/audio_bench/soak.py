"""The part `soak`: what the workers hold from the first turn to the last, and what is left when they are gone."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

from audio_bench.corpus import Corpus
from audio_bench.gates import link
from audio_bench.process import GROWTH, Held, growth, held
from audio_bench.recordings import Part, desk, pattern, recording
from dtbuild.pipeline.alignments import align_all
from dtbuild.pipeline.folder import Folder
from dtbuild.pipeline.mixes import mix_all
from dtbuild.records.sound import Take
from dtbuild.store import is_temporary
from dtbuild.timebase import RATE
from text_bench.report import Figure

SESSION = ".ses"
"""One file of fixed name and size that onnxruntime writes into the temporary folder when it is imported."""


def soak(root: Path, scratch: Path, corpus: Corpus, aligned: Sequence[Held], wanted: int, seed: int) -> list[Figure]:
    """Figures of the corpus as it was spoken, and of all of it as one recording, mixed and aligned in `scratch`."""
    said = [each for each in corpus.said if not each.twin]
    passed = [each for each in said if each.passed]
    retaken = [each for each in said if each.tries > 1]
    for each in retaken:
        print(f"retaken {each.tries - 1} times: {each.name} {each.voice.id} {each.text} ({', '.join(each.codes)})")
    seconds = sum(each.samples for each in passed) / RATE
    voices = len({each.voice.id for each in said})
    figures = [
        Figure("turns spoken", f"{len(passed)} of {wanted}, {seconds:.0f} s", f"{wanted}", len(passed) == wanted),
        Figure("voices / families", f"{voices} / {len({each.family for each in said})}", ">= 24 / several", voices >= 24),
        Figure("turns retaken by the speech gate", f"{len(retaken)} of {len(said)}", "printed"),
        *_memory("speech", corpus.held),
        *_memory("alignment", aligned),
    ]  # fmt: skip
    return figures + _whole(root, scratch, corpus, seed)


def left_over(folders: Sequence[Path], before: Held) -> list[Figure]:
    """What the bench's own folders hold of temporary files, and this process of open files, once all is done."""
    temporary = sum(is_temporary(path.name) for folder in folders for path in folder.rglob("*"))
    temporary += sum(path.name != SESSION for path in (folders[0] / "tmp").iterdir())
    gained = held().files - before.files
    return [
        Figure("temporary files left", str(temporary), "0", temporary == 0, small=True),
        Figure("open files gained by the bench itself", str(gained), "<= 0", gained <= 0, small=True),
    ]


def _memory(what: str, series: Sequence[Held]) -> list[Figure]:
    """Nothing is claimed of a corpus that was read from its folder in part: its workers were others."""
    found = growth(series)
    if not found:
        return [Figure(f"memory of the {what} workers", "not measured", f"<= {GROWTH:.2f}", False)]
    worst = max(last / second for second, last, _ in found.values())
    shown = ", ".join(f"{second / 1e6:.0f} to {last / 1e6:.0f} MB" for second, last, _ in found.values())
    gained = max(files for *_, files in found.values())
    return [
        Figure(f"memory of the {what} workers, last quarter / second", f"{worst:.2f} ({shown})", f"<= {GROWTH:.2f}", worst <= GROWTH),
        Figure(f"open files gained by a {what} worker", str(gained), "<= 0", gained <= 0),
    ]  # fmt: skip


def _whole(root: Path, scratch: Path, corpus: Corpus, seed: int) -> list[Figure]:
    """All turns as one recording through the mixing and the align stage, in this process."""
    passed = [each for each in corpus.said if each.passed and not each.twin]
    for each in passed:
        link(Folder(root), Folder(scratch), each.take)
    parts = [Part(each.text, each.request, each.take, each.samples) for each in passed]
    one, at = recording(1, parts, pattern(root / "texts")), desk(scratch, 1, seed)
    begin = time.monotonic()
    takes = {
        part.take: Take(
            id=part.take, text=part.text, voice=part.request.voice.id, samples=part.samples, sha256=part.take
        )
        for part in parts
    }
    timelines = mix_all([one], takes, at)
    mixed, begin = time.monotonic() - begin, time.monotonic()
    if one.id not in timelines:
        return [Figure("all turns as one recording", str(at.quarantine.withheld), "mixed", False)]
    item = align_all([one], {id: id for id in takes}, timelines, at)[one.id]
    seconds = timelines[one.id].samples / RATE
    for finding in item.findings:
        print(f"all turns as one recording: {finding.code} {finding.where} {finding.message}")
    turns = len(item.alignment.turns) if item.alignment else 0
    return [
        Figure(
            f"all turns as one recording of {seconds:.0f} s: mixed, aligned",
            f"{mixed:.0f} s, {time.monotonic() - begin:.0f} s",
            "printed",
        ),
        Figure("its turns with times", f"{turns} of {len(parts)}", "printed"),
        Figure("memory of the process that mixed and aligned it", f"{held().resident / 1e6:.0f} MB", "printed"),
    ]
