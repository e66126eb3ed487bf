"""The families that the bench looks at: made once by the command itself, in a process of its own, and read back."""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, TypeVar

import msgspec
import psutil

from dtbuild.records.plan import Plan
from dtbuild.records.script import Script
from dtbuild.records.variant import Variant
from dtbuild.records.verdict import Verdict
from process_tree import tree_memory

T = TypeVar("T")

SCENARIO = "supply_chain"
STAGES = ("gold", "script", "review", "variants")
_EVERY = 0.05
"""Seconds between two looks at the memory of the process tree."""


class Run(NamedTuple):
    """One run of the command: wall seconds, processor seconds, and the highest memory of its process tree in bytes."""

    seconds: float
    cpu: float
    peak: int
    returncode: int


class Tried(NamedTuple):
    """One try of a family as it lies in the folder; what the try did not come to is None."""

    family: str
    attempt: int
    plan: Plan | None
    script: Script | None
    verdict: Verdict | None
    variant: Variant | None

    @property
    def passed(self) -> bool:
        """Whether A passed review and B, where the family is a pair, the gate of variants and review."""
        if self.plan is None or self.verdict is None or self.verdict.outcome != "pass":
            return False
        if self.plan.change is None:
            return True
        return self.variant is not None and all(each.outcome == "pass" for each in self.variant.verdicts)


def generate(folder: Path, groups: int, seed: int, *, jobs: int = 2) -> Run:
    """Run `dtbuild generate … --until variants` and watch it."""
    words = [sys.executable, "-m", "dtbuild", "generate", "--scenario", SCENARIO, "--groups", str(groups)]
    words += ["--seed", str(seed), "--jobs", str(jobs), "--until", "variants", "--out", str(folder)]
    begin, peak = time.monotonic(), 0
    before = _children_cpu()
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    watched = psutil.Process(process.pid)
    while process.poll() is None:
        peak = max(peak, tree_memory(watched))
        time.sleep(_EVERY)
    return Run(time.monotonic() - begin, _children_cpu() - before, peak, process.returncode)


def tries(folder: Path) -> list[Tried]:
    """Every try of every family in the folder, in the order of families and tries."""
    names = {path.stem for stage in STAGES for path in (folder / "work" / stage).glob("*.json")}
    return [_tried(folder, *each) for each in sorted(map(_family_and_attempt, names))]


def items(folder: Path) -> list[Path]:
    """Every file that the text stages left."""
    return [path for stage in STAGES for path in sorted((folder / "work" / stage).glob("*.json"))]


def good(folder: Path) -> Iterator[tuple[Plan, Script]]:
    """Plan and A script of every try that passed."""
    for each in tries(folder):
        if each.passed and each.plan is not None and each.script is not None:
            yield each.plan, each.script


def _family_and_attempt(name: str) -> tuple[str, int]:
    family, attempt = name.rsplit(".", 1)
    return family, int(attempt)


def _tried(folder: Path, family: str, attempt: int) -> Tried:
    name = f"{family}.{attempt}"
    return Tried(
        family,
        attempt,
        _record(folder, "gold", name, Plan),
        _record(folder, "script", name, Script),
        _record(folder, "review", name, Verdict),
        _record(folder, "variants", name, Variant),
    )


def _record(folder: Path, stage: str, name: str, kind: type[T]) -> T | None:
    path = folder / "work" / stage / f"{name}.json"
    if not path.is_file():
        return None
    return msgspec.convert(msgspec.json.decode(path.read_bytes())["record"], kind, strict=False)


def _children_cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
