"""Runs a command and kills it, and tells which of a cohort folder's items were made a second time."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import psutil

from process_tree import tree_memory

SIGNS = {"speech": "work/takes", "release": ".tmp-release"}
"""Where a stage's first new file shows that it is under way, where that is not `work/<stage>`."""


class Run(NamedTuple):
    """Wall seconds, highest memory of the process tree in bytes (0 where it was waited for to be killed), exit code,
    and how many of its worker processes outlived it by more than `PATIENCE` seconds."""

    seconds: float
    peak: int
    returncode: int
    left: int = 0


PATIENCE = 20


def execute(words: Sequence[str], stop: Callable[[], bool] | None = None) -> Run:
    """Run a command and watch the memory of its process tree; or kill -9 the parent as soon as `stop` says so.

    After a kill its workers are waited for: what they write last is written.
    """
    begin, peak = time.monotonic(), 0
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    watched, workers = psutil.Process(process.pid), []
    while process.poll() is None:
        if stop is None:
            peak = max(peak, tree_memory(watched))
            time.sleep(0.1)
        elif stop():
            workers = _children(watched)
            process.send_signal(signal.SIGKILL)
            process.wait()
        else:
            time.sleep(0.002)
    _, left = psutil.wait_procs(workers, timeout=PATIENCE)
    return Run(time.monotonic() - begin, peak, process.returncode, len(left))


def sign(folder: Path, stage: str) -> Path:
    """The folder where a stage's files appear."""
    return folder / SIGNS.get(stage, f"work/{stage}")


def files(folder: Path) -> int:
    try:
        return sum(not name.startswith(".tmp-") for name in os.listdir(folder))
    except OSError:
        return 0


def stamps(folder: Path) -> dict[Path, tuple[int, str]]:
    """Inode and inputs of every finished item; a rewritten item has another inode."""
    found = {}
    for path in (folder / "work").rglob("*.json"):
        if not path.name.startswith(".tmp-"):
            found[path] = (path.stat().st_ino, json.loads(path.read_bytes())["inputs"])
    return found


def count_changed(known: dict[Path, tuple[int, str]], folder: Path) -> int:
    """How many of the known items are gone, or were made again from the same inputs."""
    now = stamps(folder)
    return sum(
        path not in now or (now[path][0] != node and now[path][1] == inputs) for path, (node, inputs) in known.items()
    )


def _children(process: psutil.Process) -> list[psutil.Process]:
    try:
        return list(process.children(recursive=True))
    except psutil.Error:
        return []
