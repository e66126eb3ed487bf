"""Runs that are killed, interrupted, extended or spread over workers come to the same cohort, nothing made twice."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import psutil
import pytest

from conftest import hashes, stamps
from dtbuild.pipeline import generate, resolve, validate
from dtbuild.pipeline.admission import _FEW

FOLDERS = ("gold", "script", "review", "variants", "takes", "mix", "align", "evidence", "release")


def start(config: Path, out: Path, *more: str) -> subprocess.Popen[str]:
    words = [sys.executable, "-m", "dtbuild", "generate", "--config", str(config), "--out", str(out), *more]
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)


def finish(config: Path, out: Path, *more: str) -> str:
    process = start(config, out, *more)
    shown, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    return shown


def stop_when(process: subprocess.Popen[str], number: signal.Signals, holds: Callable[[], bool]) -> int | None:
    """Send the signal to the whole group (SIGINT) or to the parent alone (SIGKILL) once `holds`; the exit code."""
    parent = psutil.Process(process.pid)
    family: list[psutil.Process] = []
    while process.poll() is None:
        try:
            family = parent.children(recursive=True) or family
        except psutil.Error:
            break
        if holds():
            os.killpg(process.pid, number) if number == signal.SIGINT else process.send_signal(number)
            break
        time.sleep(0.01)
    process.wait(timeout=60)
    _, alive = psutil.wait_procs(family, timeout=30)
    assert not alive, "worker processes are left"
    return process.returncode


def count(out: Path, folder: str) -> int:
    return sum(not path.name.startswith(".") for path in (out / "work" / folder).glob("*"))


def kept(before: dict[str, tuple[int, int]], out: Path) -> None:
    after = stamps(out)
    changed = {name for name, stamp in before.items() if after.get(name) != stamp}
    assert changed <= {"run.json"}, changed


@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_killed_in_every_stage(jobs: str, tone_config: Path, tone_cohort: Path, tmp_path: Path) -> None:
    rng = random.Random(7)
    kills = 0
    for folder in FOLDERS:
        had, more = count(tmp_path, folder), rng.randint(1, 20 if folder == "takes" else 1)
        before = stamps(tmp_path)
        process = start(tone_config, tmp_path, "--jobs", jobs)
        code = stop_when(process, signal.SIGKILL, lambda had=had, more=more, folder=folder: count(tmp_path, folder) >= had + more)  # fmt: skip
        kills += code == -signal.SIGKILL
        kept(before, tmp_path)
    before = {name: stamp for name, stamp in stamps(tmp_path).items() if name.startswith("work/")}
    finish(tone_config, tmp_path, "--jobs", jobs)
    kept(before, tmp_path)
    assert kills >= len(FOLDERS) - 1  # the release may be done before the signal comes
    assert hashes(tmp_path) == hashes(tone_cohort) and validate(tmp_path) == []
    assert not list(tmp_path.rglob(".tmp-*"))


@pytest.mark.slow
def test_killed_at_random_moments(tone_config: Path, tone_cohort: Path, tmp_path: Path) -> None:
    rng = random.Random(11)
    for _ in range(12):
        before, process, began = stamps(tmp_path), start(tone_config, tmp_path, "--jobs", "2"), time.monotonic()
        wait = rng.uniform(0.3, 8)
        stop_when(process, signal.SIGKILL, lambda began=began, wait=wait: time.monotonic() > began + wait)
        kept({name: stamp for name, stamp in before.items() if name.startswith("work/")}, tmp_path)
    finish(tone_config, tmp_path)
    assert hashes(tmp_path) == hashes(tone_cohort) and validate(tmp_path) == []


@pytest.mark.slow
def test_texts_killed_and_interrupted_among_workers(tone_config: Path, tmp_path: Path) -> None:
    """As many families as workers are started for; what each run left is kept, and no process stays."""
    more = ("--until", "variants", "--groups", str(_FEW), "--jobs")
    for number, made in ((signal.SIGKILL, 1), (signal.SIGINT, 20), (signal.SIGKILL, 40)):
        before = stamps(tmp_path)
        process = start(tone_config, tmp_path, *more, "2")
        code = stop_when(process, number, partial(reviewed, tmp_path, made))
        assert code in (-number, 1) and count(tmp_path, "review") < _FEW
        kept(before, tmp_path)
    before = stamps(tmp_path)
    shown = finish(tone_config, tmp_path, *more, "2")
    assert f"{_FEW} families" in shown
    kept(before, tmp_path)
    alone = tmp_path.with_name("alone")
    finish(tone_config, alone, *more, "1")
    assert texts(tmp_path) == texts(alone) and not list(tmp_path.rglob(".tmp-*"))


def reviewed(out: Path, number: int) -> bool:
    return count(out, "review") >= number


def texts(out: Path) -> dict[str, bytes]:
    return {str(path.relative_to(out)): path.read_bytes() for path in (out / "work").rglob("*.json")}


@pytest.mark.parametrize(("jobs", "folder"), [("2", "takes"), pytest.param("1", "script", marks=pytest.mark.slow)])
def test_an_interrupt_leaves_a_folder_that_resumes(
    jobs: str, folder: str, tone_config: Path, tone_cohort: Path, tmp_path: Path
) -> None:
    process = start(tone_config, tmp_path, "--jobs", jobs)
    assert stop_when(process, signal.SIGINT, lambda: count(tmp_path, folder) > 0) == 1
    assert process.stderr
    lines = [line for line in process.stderr.read().splitlines() if line.startswith("dtbuild:") or "Trace" in line]
    assert lines == ["dtbuild: stopped; what is made is kept: run the same command again to resume"]
    before = stamps(tmp_path)
    report = generate(resolve(config=tone_config), out=tmp_path, jobs=1)
    kept(before, tmp_path)
    assert (report.content_hash, report.audio_hash) == hashes(tone_cohort)


@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["2", "3"])
def test_jobs_do_not_show(jobs: str, tone_config: Path, tone_cohort: Path, tmp_path: Path) -> None:
    finish(tone_config, tmp_path, "--jobs", jobs)
    assert hashes(tmp_path) == hashes(tone_cohort)


def test_fewer_groups_release_fewer_and_more_extend(tone_config: Path, tone_cohort: Path, tmp_path: Path) -> None:
    shutil.copytree(tone_cohort, tmp_path / "c")
    before = {name: stamp for name, stamp in stamps(tmp_path / "c").items() if name.startswith("work/") and "release" not in name}  # fmt: skip
    report = generate(resolve(config=tone_config, groups=1), out=tmp_path / "c", jobs=1)
    assert (report.families, report.recordings, report.made) == (1, 1, 1)
    assert validate(tmp_path / "c") == []
    one = hashes(tmp_path / "c")
    report = generate(resolve(config=tone_config, groups=1), out=tmp_path / "alone", jobs=1)
    assert hashes(tmp_path / "alone") == one
    report = generate(resolve(config=tone_config), out=tmp_path / "alone", jobs=1)
    assert hashes(tmp_path / "alone") == hashes(tone_cohort)
    report = generate(resolve(config=tone_config), out=tmp_path / "c", jobs=1)
    assert hashes(tmp_path / "c") == hashes(tone_cohort)
    kept(before, tmp_path / "c")


@pytest.mark.slow
def test_two_runs_at_once(tone_config: Path, tone_cohort: Path, tmp_path: Path) -> None:
    running = start(tone_config, tmp_path, "--jobs", "1")
    while not (tmp_path / ".lock").exists():
        time.sleep(0.01)
    time.sleep(0.2)
    second = start(tone_config, tmp_path)
    _, err = second.communicate(timeout=60)
    assert second.returncode == 2 and "another run is working in it" in err
    running.communicate(timeout=300)
    assert running.returncode == 0 and hashes(tmp_path) == hashes(tone_cohort)
