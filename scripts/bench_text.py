"""The figures of the text stages: damage found, false alarms, phenomena, diversity, speed and memory.

    python scripts/bench_text.py                  1,000 families, some ten minutes on 2 cores
    python scripts/bench_text.py --quick          smaller counts, about a minute: shows that all is in order, no more
    python scripts/bench_text.py --only damage    one part (damage, alarms, phenomena, diversity, speed); may be repeated

Families are written once, by the command itself in a process of its own, and read by all parts. Prints tables
(figure, reached, wanted) and exits 1 when a figure falls short.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parent))

from dtbuild.blueprint.load import load
from dtbuild.pipeline import resolve
from text_bench import matrix
from text_bench.alarms import alarms, phenomena
from text_bench.diversity import JACCARD, SHARE, diversity
from text_bench.families import SCENARIO, Tried, generate, tries
from text_bench.reach import reach
from text_bench.report import Figure, status, table
from text_bench.speed import runs, speed

PARTS = ("damage", "alarms", "phenomena", "diversity", "speed")


class Sizes(NamedTuple):
    """Families in all, families of the smaller run, instances a kind, scripts whose likeness is measured, and how
    phrases are searched for: plain families, rounds of directed search.
    """

    families: int
    few: int
    instances: int
    scripts: int
    plain: int
    rounds: int


FEWEST = 50
FULL, QUICK = Sizes(1000, 250, 60, 200, 600, 4), Sizes(120, 30, 5, 60, 60, 0)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="smaller counts: no claim of the full run")
    parser.add_argument("--only", action="append", choices=PARTS, help="one part; may be repeated")
    parser.add_argument("--seed", type=int, default=20260131)
    parser.add_argument("--keep", type=Path, help="leave the families in this folder, which is empty or not there yet")
    options = parser.parse_args(arguments)
    sizes, parts = QUICK if options.quick else FULL, options.only or list(PARTS)
    if options.quick:
        print(
            f"quick: {sizes.families} families, {sizes.instances} instances a kind. What is wanted of the full run is"
        )
        print("printed beside the figures, and claimed for none but those marked ok.")
    with tempfile.TemporaryDirectory() as scratch:
        root = options.keep or Path(scratch)
        figures = measure(root, sizes, parts, options.seed)
    if options.quick:
        figures = [figure if figure.small else figure._replace(holds=None) for figure in figures]
    print(f"\n{table(figures)}")
    return status(figures)


def measure(root: Path, sizes: Sizes, parts: Sequence[str], seed: int) -> list[Figure]:
    figures: list[Figure] = []
    if "speed" in parts:
        small, large = runs(root, sizes.few, sizes.families, seed)
        figures += speed(small, sizes.few, large, sizes.families, root / "many", root / "again")
    else:
        large = generate(root / "many", sizes.families, seed)
    if large.returncode:
        return [*figures, Figure("dtbuild generate", f"exit {large.returncode}", "exit 0", False)]
    tried = tries(root / "many")
    if "alarms" in parts:
        figures += alarms(tried, sizes.families)
    if "phenomena" in parts:
        figures += phenomena(tried)
    if "diversity" in parts:
        figures += likeness(tried, sizes.scripts)
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as beside:
        # the search for phrases takes one core for minutes
        searched = beside.submit(phrases, sizes, seed) if "diversity" in parts else None
        if "damage" in parts:
            figures += damage(root / "many", sizes.instances, seed)
        return [*figures, searched.result()] if searched else figures


def damage(folder: Path, wanted: int, seed: int) -> list[Figure]:
    found = matrix.matrix(folder, resolve(scenario=SCENARIO).script.chars, wanted, seed)
    print(f"\n{matrix.table(found)}\n\n{matrix.rules_table(found)}")
    missed = [f"{row.kind.name}: {', '.join(row.missed[:5])}" for row in found if row.missed]
    print("".join(f"\nslipped through, {each}" for each in missed))
    fewest = min(found, key=lambda row: row.instances)
    idle = matrix.idle(found)
    instances, caught = sum(row.instances for row in found), sum(row.caught for row in found)
    return [
        Figure("kinds of damage", str(len(found)), ">= 20", len(found) >= 20),
        Figure(
            "instances of the rarest kind",
            f"{fewest.instances} ({fewest.kind.name})",
            f">= {FEWEST}",
            fewest.instances >= FEWEST,
        ),
        Figure("instances caught", f"{caught:,} of {instances:,}", "every one", caught == instances, small=True),
        Figure("rules without which nothing slips through", ", ".join(idle) or "none", "none", not idle),
    ]


def likeness(tried: Sequence[Tried], count: int) -> list[Figure]:
    scripts = {each.family: each.script for each in tried if each.passed and each.script is not None}
    found = diversity(list(scripts.values())[:count], load(SCENARIO))
    sentence, times = found.commonest[0] if found.commonest else ("", 0)
    return [
        Figure(
            f"largest 5-gram Jaccard of {found.scripts} families",
            f"{found.jaccard:.3f} ({', '.join(found.nearest)})",
            f"<= {JACCARD}",
            found.jaccard <= JACCARD,
        ),
        Figure(
            "masked sentence of 8 汉字 or more in most scripts",
            f"{found.share:.1%} ({times}: {sentence})",
            f"<= {SHARE:.0%}",
            found.share <= SHARE,
        ),
        Figure("masked distinct-4", f"{found.distinct:.3f}", "printed"),
    ]


def phrases(sizes: Sizes, seed: int) -> Figure:
    """Whether every line of the banks can be drawn: in plain families, else by a directed search (full run)."""
    found = reach(load(SCENARIO), seed=seed, families=sizes.plain, rounds=sizes.rounds)
    for bank, line in found.left if sizes.rounds else ():
        print(f"never drawn: {bank} | {line}")
    return Figure(
        "phrases never drawn",
        f"{len(found.left)} of {len(found.entries):,} ({found}; {sizes.plain} families a sample)",
        "0",
        not found.left,
    )


if __name__ == "__main__":
    sys.exit(main())
