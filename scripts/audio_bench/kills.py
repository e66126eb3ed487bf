"""The part `kills`: kill -9 at random moments of every stage of the real command, resumed to the end.

One run goes through undisturbed and shows how long each stage lasts. Another folder is killed again and again, each
time after the first new item of a stage and a delay drawn from what that stage lasts; where the stage has nothing
left to make, the first item of a later one begins the delay. Then it is run to the end.
"""

from __future__ import annotations

import json
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from dtbuild.pipeline import STAGES
from dtbuild.seeds import rng
from killing import count_changed, execute, files, sign, stamps
from text_bench.report import Figure

PLACES = tuple(dict.fromkeys((*STAGES[:5], "mix", *STAGES[5:])))
"""What leaves files of its own, in order: mixing stands between speech and alignment."""
SHARES = {"gold": 2, "script": 2, "review": 2, "variants": 1, "speech": 8, "align": 2, "evidence": 2, "release": 2}
"""Kills by stage, more where a run spends its time; one more than asked for, since a run may end before its last."""
EARLY = 0.6
"""Part of a stage that its delays may fill together: a run that is quicker than the undisturbed one ends no stage early."""
RECORDINGS = "script: {seconds: [60, 90]}\n"
STAND_INS = "speech: {engine: tone}\nalign: {aligner: even}\n"


def kills(folder: Path, wanted: int, seed: int, *, real: bool) -> list[Figure]:
    """Figures of the kills. `folder` is empty. Not `real`: with the stand-ins for speech and alignment."""
    folder.mkdir(parents=True, exist_ok=True)
    config = folder / "config.yaml"
    config.write_text(
        f"scenario: supply_chain\ngroups: 2\nseed: {seed}\n{RECORDINGS}{'' if real else STAND_INS}", "utf-8"
    )
    whole, killed = folder / "whole", folder / "killed"
    begun, run = _watched(_command(config, whole), whole)
    if run:
        return [Figure("an undisturbed run of two families, one a pair", f"exit {run}", "exit 0", False, small=True)]
    draw = rng(seed, "kills")
    hit, twice, left = Counter[str](), 0, 0
    known: dict[Path, tuple[int, str]] = {}
    for stage in plan(wanted):
        delay = draw.uniform(0, EARLY * _lasts(begun, stage) / SHARES[stage])
        before = counts(killed)
        done = execute(_command(config, killed), stop=_moment(killed, stage, delay))
        if done.returncode == -signal.SIGKILL:
            hit[furthest(before, counts(killed)) or stage] += 1
        left += done.left
        twice += count_changed(known, killed)
        known = stamps(killed)
    end = execute(_command(config, killed))
    twice += count_changed(known, killed)
    one, other = _hashes(whole), _hashes(killed)
    same = one == other and one is not None and not end.returncode
    count = sum(hit.values())
    where = ", ".join(f"{stage} {n}" for stage, n in hit.items())
    return [
        Figure("kill -9 at random moments", f"{count} ({where})", f">= {wanted}", count >= wanted),
        Figure("content and audio hash against an undisturbed run", "equal" if same else "different", "equal", same, small=True),
        Figure("items made twice", str(twice), "0", twice == 0, small=True),
        Figure("worker processes left behind", str(left), "0", left == 0, small=True),
    ]  # fmt: skip


def plan(wanted: int) -> list[str]:
    """Stages to kill in, in order: SHARES, or one each where fewer are wanted.

    >>> plan(8) == list(SHARES) and len(plan(20)) == 21
    True
    """
    if wanted <= len(SHARES):
        return list(SHARES)
    return [stage for stage, count in SHARES.items() for _ in range(count)]


def counts(folder: Path) -> dict[str, int]:
    """Files of each place, in order."""
    return {place: files(sign(folder, place)) for place in PLACES}


def furthest(before: dict[str, int], after: dict[str, int]) -> str:
    """The last place that gained a file; empty where none did.

    >>> furthest({"gold": 1, "script": 0, "mix": 2}, {"gold": 2, "script": 1, "mix": 2})
    'script'
    """
    return next((place for place in reversed(list(after)) if after[place] > before[place]), "")


def _command(config: Path, out: Path) -> list[str]:
    return [sys.executable, "-m", "dtbuild", "generate", "--config", str(config), "--jobs", "2", "--out", str(out)]


def _watched(words: list[str], folder: Path) -> tuple[dict[str, float], int]:
    """When each stage left its first file, seconds from the start of the run, the end under "", and the exit code."""
    begin, begun = time.monotonic(), dict[str, float]()

    def look() -> bool:
        for place in PLACES:
            if place not in begun and files(sign(folder, place)):
                begun[place] = time.monotonic() - begin
        return False

    run = execute(words, stop=look)
    return begun | {"": run.seconds}, run.returncode


def _lasts(begun: dict[str, float], stage: str) -> float:
    """Seconds from a stage's first file to the next stage's, as seen."""
    start = begun.get(stage, begun[""])
    return min((time for time in begun.values() if time > start), default=start) - start


def _moment(folder: Path, stage: str, delay: float) -> Callable[[], bool]:
    """True from `delay` seconds after the stage, or a later one, has made something that is not there now."""
    places = PLACES[PLACES.index(stage) :]
    before = counts(folder)
    due: list[float] = []

    def reached() -> bool:
        if not due and any(files(sign(folder, place)) > before[place] for place in places):
            due.append(time.monotonic() + delay)
        return bool(due) and time.monotonic() >= due[0]

    return reached


def _hashes(folder: Path) -> tuple[str, str] | None:
    try:
        manifest = json.loads((folder / "release" / "manifest.json").read_bytes())
    except OSError:
        return None
    return manifest["content_hash"], manifest["audio_hash"]
