"""Items run in any number of processes with the same results; failures stay with their item; no process is left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import psutil
import pytest

from dtbuild.errors import AssetError, Incomplete, Unspeakable
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
    items = (0, 1, 2, 4, 5)
    found = dict(run_items(square, items, jobs=jobs, setup=set_offset, arguments=(100,)))
    assert found == {item: item * item + 100 for item in items}


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_comes_up_as_it_was_raised(jobs: int) -> None:
    with pytest.raises(Unspeakable, match="item 3") as caught:
        list(run_items(square, range(6), jobs=jobs))
    assert caught.value.expected == "anything but 3" and caught.value.exit_code == 2


def refuse(what: str) -> None:
    raise AssetError(what, fix="dtbuild assets")


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_setup_that_fails_is_named_and_prints_nothing(jobs: int, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(AssetError, match="model x; next: dtbuild assets"):
        list(run_items(square, range(6), jobs=jobs, setup=refuse, arguments=("model x",)))
    assert capfd.readouterr().err == ""


def die(item: int) -> int:
    os._exit(item)


def test_a_worker_that_dies_is_named_with_the_way_on() -> None:
    with pytest.raises(Incomplete, match=r"a worker process.*run again, with a smaller --jobs"):
        list(run_items(die, [9, 9, 9], jobs=2))


def test_no_items_start_nothing() -> None:
    assert list(run_items(square, [], jobs=2, setup=pytest.fail)) == []


def nap(item: int) -> int:
    time.sleep(60)
    return item


CODE = """
import sys; sys.path.insert(0, sys.argv[1])
from test_workers import nap
from dtbuild.pipeline.workers import run_items
if __name__ == '__main__':
    list(run_items(nap, [1, 2, 3], jobs=2))
"""


def start_naps() -> tuple[subprocess.Popen[str], list[psutil.Process]]:
    """A run in its own process group whose two workers (and resource tracker) are there."""
    script = subprocess.Popen(
        [sys.executable, "-c", CODE, os.path.dirname(__file__)],
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    parent, children = psutil.Process(script.pid), []
    deadline = time.monotonic() + 60
    while len(children) < 3 and time.monotonic() < deadline:
        children = parent.children(recursive=True)
        time.sleep(0.1)
    assert len(children) >= 3
    return script, children


def test_workers_end_with_a_killed_parent() -> None:
    script, children = start_naps()
    time.sleep(2)
    script.send_signal(signal.SIGKILL)
    script.wait()
    _, alive = psutil.wait_procs(children, timeout=20)
    assert not alive


@pytest.mark.parametrize("after", [0.0, 2.0])
def test_an_interrupt_stops_workers_at_once_and_they_print_nothing(after: float) -> None:
    script, children = start_naps()
    time.sleep(after)
    os.killpg(script.pid, signal.SIGINT)  # as a terminal does: to every process of the group
    _, alive = psutil.wait_procs(children, timeout=20)
    assert not alive
    assert script.stderr and script.stderr.read().count("Traceback") == 1  # the script's own
    script.wait()
