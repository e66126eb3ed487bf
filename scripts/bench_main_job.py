"""The figures of the main job: cost, size, faults, and what a kill -9 or a second folder changes (nothing).

    python scripts/bench_main_job.py            the default cohort, 4 families: two full runs
    python scripts/bench_main_job.py --quick    two families, one of them a pair

Prints one table (figure, reached, wanted) and exits 1 when a figure falls short. Every run is the real command
in a process of its own. Wall time is compared with the audio made in the same run, on `--jobs 2`.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from dtbuild.pipeline import STAGES
from dtbuild.timebase import RATE
from killing import count_changed, execute, files, sign, stamps


class Row(NamedTuple):
    figure: str
    reached: str
    wanted: str
    holds: bool


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="two families instead of four")
    parser.add_argument("--seed", type=int, default=20260131)
    parser.add_argument("--keep", type=Path, help="leave the cohorts in this folder")
    options = parser.parse_args()
    groups = 2 if options.quick else 4
    with tempfile.TemporaryDirectory() as scratch:
        root = options.keep or Path(scratch)
        root.mkdir(parents=True, exist_ok=True)
        rows = [*measure(root, groups, options.seed), help_row()]
    print(table(rows))
    return int(not all(row.holds for row in rows))


def measure(root: Path, groups: int, seed: int) -> list[Row]:
    whole, killed = root / "whole", root / "killed"
    run = execute(command(whole, groups, seed))
    if run.returncode:
        return [Row("default run", f"exit {run.returncode}", "exit 0", False)]
    audio = sum(json.loads(path.read_bytes())["record"]["take"]["samples"] for path in takes(whole)) / RATE
    turns = turn_audio(whole)
    release = json.loads((whole / "release" / "manifest.json").read_bytes())
    lengths = [each["duration_us"] / 1e6 for each in release["recordings"]]
    rows = [
        Row("wall / summed turn audio", f"{run.seconds / turns:.2f} ({run.seconds:.0f} s / {turns:.0f} s)", "<= 0.75",
            run.seconds <= 0.75 * turns),
        Row("wall / audio spoken (shared takes once)", f"{run.seconds / audio:.2f}", "printed", True),
        Row("peak of the process tree", f"{run.peak / 1e9:.2f} GB", "<= 1.5 GB", run.peak <= 1.5e9),
        Row("recordings", str(len(lengths)), str(groups + groups // 2), len(lengths) == groups + groups // 2),
        Row("durations", f"{min(lengths):.1f}-{max(lengths):.1f} s", "95-272 s", min(lengths) >= 95 and max(lengths) <= 272),
    ]  # fmt: skip
    check = subprocess.run([sys.executable, "-m", "dtbuild", "validate", whole], capture_output=True, text=True)
    faults = sum(line.startswith("error") for line in check.stdout.splitlines())
    windowless = count_windowless(whole)
    rows += [
        Row(
            "faults in the release (rules, spans, mentions, hashes)",
            str(faults),
            "0",
            not faults and not check.returncode,
        ),
        Row("events without windows", str(windowless), "0", windowless == 0),
    ]
    kills, twice = kill_in_every_stage(killed, groups, seed)
    again = json.loads((killed / "release" / "manifest.json").read_bytes())
    rows += [
        Row("kill -9, once in every stage", f"{kills} of {len(STAGES)} stages", f"{len(STAGES)}", kills == len(STAGES)),
        Row("items made twice", str(twice), "0", twice == 0),
        equal(
            "content hash, after the kills, in another folder and process",
            release["content_hash"],
            again["content_hash"],
        ),
        equal("audio hash, likewise", release["audio_hash"], again["audio_hash"]),
    ]
    other = root / "other"
    execute(command(other, groups, seed, until="variants"))
    rows.append(equal("text items of a third folder", digests(whole), digests(other)))
    return rows


def command(out: Path, groups: int, seed: int, until: str | None = None) -> list[str]:
    words = [sys.executable, "-m", "dtbuild", "generate", "--scenario", "supply_chain", "--jobs", "2"]
    words += ["--groups", str(groups), "--seed", str(seed), "--out", str(out)]
    return words + (["--until", until] if until else [])


def kill_in_every_stage(folder: Path, groups: int, seed: int) -> tuple[int, int]:
    """Start the run again and again, killing it at the first sign of each stage; then let it finish.

    Returns the number of stages it was killed in, and how many finished items were made again from the same inputs.
    """
    kills, twice, known = 0, 0, {}
    for stage in STAGES:
        place = sign(folder, stage)
        before = files(place)
        done = execute(command(folder, groups, seed), stop=lambda place=place, before=before: files(place) > before)
        kills += done.returncode == -signal.SIGKILL
        twice += count_changed(known, folder)
        known = stamps(folder)
    execute(command(folder, groups, seed))
    return kills, twice + count_changed(known, folder)


def takes(folder: Path) -> list[Path]:
    return sorted((folder / "work" / "takes").glob("*.json"))


def turn_audio(folder: Path) -> float:
    """Seconds of turns in all recordings: a take that A and B share counts in both."""
    paths = (folder / "work" / "mix").glob("*.json")
    records = [json.loads(path.read_bytes())["record"] for path in paths]
    return sum(place["samples"] for record in records for place in record["placements"]) / RATE


def count_windowless(folder: Path) -> int:
    missing = 0
    for path in (folder / "release" / "gold").glob("*.json"):
        for trajectory in json.loads(path.read_bytes())["trajectories"]:
            for cycle in trajectory["cycles"]:
                missing += sum(not event["evidence"]["anchor"] for event in cycle["events"])
    return missing


def digests(folder: Path) -> str:
    """The texts of a folder as one string: stage, key and digest of each item."""
    found = []
    for stage in ("gold", "script", "review", "variants"):
        for path in sorted((folder / "work" / stage).glob("*.json")):
            found.append(f"{stage}/{path.stem}={json.loads(path.read_bytes())['made']}")
    return ";".join(found)


def equal(figure: str, one: str, other: str) -> Row:
    return Row(figure, "equal" if one == other and one else "different", "equal", one == other and bool(one))


def help_row() -> Row:
    heavy = ("numpy", "scipy", "onnxruntime", "httpx", "viter")
    code = (
        "import sys\nfrom dtbuild.cli.main import call\ncall(['--help'], debug=False)\n"
        f"print([name for name in {heavy!r} if name in sys.modules], file=sys.stderr)"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ}).stderr
    found = out.strip().splitlines()[-1]
    return Row("dtbuild --help imports of " + ", ".join(heavy), found, "[]", found == "[]")


def table(rows: list[Row]) -> str:
    lines = ["| figure | reached | wanted | |", "|---|---|---|---|"]
    return "\n".join(
        lines + [f"| {r.figure} | {r.reached} | {r.wanted} | {'ok' if r.holds else 'SHORT'} |" for r in rows]
    )


if __name__ == "__main__":
    sys.exit(main())
