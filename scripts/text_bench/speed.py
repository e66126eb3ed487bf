"""How long the text stages take and what they hold in memory, beside what the disk takes for the same bytes."""

from __future__ import annotations

import statistics
import time
from pathlib import Path

from dtbuild.store import write_bytes
from text_bench.families import Run, generate, items
from text_bench.report import Figure

SECONDS = 60
FLAT = 1.25
MEMORY = 700
"""MB of resident memory that the whole process tree may take; pages that processes share count once for each."""


def speed(small: Run, few: int, large: Run, many: int, folder: Path, scratch: Path) -> list[Figure]:
    """Figures of two runs over `few` and `many` families, the larger one's files in `folder`."""
    if small.returncode or large.returncode:
        return [Figure("text stages", f"exit {small.returncode}, {large.returncode}", "exit 0, 0", False)]
    ratio = large.peak / small.peak
    files = items(folder)
    disk = writing(files, scratch)
    return [
        Figure(
            f"wall, {many:,} families to variants on 2 processes",
            f"{large.seconds:.1f} s ({large.cpu:.1f} s of processor time)",
            f"<= {SECONDS} s",
            large.seconds <= SECONDS,
        ),
        Figure(
            f"peak of the process tree, {many:,} against {few:,} families",
            f"{large.peak / 1e6:.0f} MB / {small.peak / 1e6:.0f} MB = {ratio:.2f}",
            f"<= {FLAT}, <= {MEMORY} MB",
            ratio <= FLAT and large.peak <= MEMORY * 1e6,
        ),
        Figure(
            "time per family, beside writing the same files (flushed to disk, one process)",
            f"{1000 * large.seconds / many:.1f} ms, {1000 * disk / many:.1f} ms "
            f"({len(files):,} files, {sum(path.stat().st_size for path in files) / 1e6:.1f} MB)",
            "printed",
        ),
    ]


def runs(root: Path, few: int, many: int, seed: int) -> tuple[Run, Run]:
    """The command over few and over many families; the folders are `few` and `many` under `root`."""
    return generate(root / "few", few, seed), generate(root / "many", many, seed)


def writing(files: list[Path], scratch: Path) -> float:
    """Seconds to write the same files once more, as the store writes them; reading is not counted."""
    spent = []
    for path in files:
        data = path.read_bytes()
        begin = time.perf_counter()
        write_bytes(scratch / path.parent.name / path.name, data)
        spent.append(time.perf_counter() - begin)
    # one stall of a busy disk must not pass for the cost of a file
    return statistics.fmean(sorted(spent)[: max(1, int(0.99 * len(spent)))]) * len(spent) if spent else 0.0
