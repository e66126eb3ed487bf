"""Items run in any number of processes with the same results; failures stay with their item; no process is left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import psutil
import pytest

from dtbuild.errors import Unspeakable
from dtbuild.pipeline.workers import run_items

_offset = 0


def set_offset(value: int) -> None:
    global _offset
    _offset = value


def square(item: int) -> int:
    if item == 3:
        raise Unspeakable(f"item {item}", expected="anything but 3", fix="skip it")
    return item * item + _offset


@pytest.mark.parametrize("jobs", [1, 2])
def test_results_do_not_depend_on_jobs(jobs: int) -> None:
    found = dict(run_items(square, range(6), jobs=jobs, setup=set_offset, arguments=(100,)))
    error = found.pop(3)
    assert found == {item: item * item + 100 for item in (0, 1, 2, 4, 5)}
    assert isinstance(error, Unspeakable) and error.expected == "anything but 3" and error.exit_code == 2


def test_no_items_start_nothing() -> None:
    assert list(run_items(square, [], jobs=2, setup=pytest.fail)) == []


def nap(item: int) -> int:
    time.sleep(60)
    return item


def test_workers_end_with_a_killed_parent() -> None:
    code = (
        "import sys; sys.path.insert(0, sys.argv[1])\nfrom test_workers import nap\n"
        "from dtbuild.pipeline.workers import run_items\n"
        "if __name__ == '__main__':\n list(run_items(nap, [1, 2], jobs=2))"
    )
    script = subprocess.Popen([sys.executable, "-c", code, os.path.dirname(__file__)])
    parent = psutil.Process(script.pid)
    deadline = time.monotonic() + 30
    while len(children := parent.children(recursive=True)) < 3 and time.monotonic() < deadline:
        time.sleep(0.1)
    assert len(children) >= 2
    time.sleep(1.5)
    script.send_signal(signal.SIGKILL)
    script.wait()
    _, alive = psutil.wait_procs(children, timeout=15)
    assert not alive
