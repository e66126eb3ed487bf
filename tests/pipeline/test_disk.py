"""A full or read-only disk is named, keeps what is made, and a run with room again resumes. Real tmpfs mounts."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from conftest import hashes, stamps

pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.geteuid() != 0, reason="mounting needs root")]


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    place = tmp_path / "disk"
    place.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", place], capture_output=True)
    if mounted.returncode:
        pytest.skip(f"no tmpfs here: {mounted.stderr.decode().strip()}")
    yield place
    subprocess.run(["umount", "--lazy", place], check=True)


def resize(disk: Path, options: str) -> None:
    subprocess.run(["mount", "-o", f"remount,{options}", "none", disk], check=True)


def run(config: Path, out: Path, jobs: str = "2") -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-m", "dtbuild", "generate", "--config", config, "--out", out, "--jobs", jobs]
    return subprocess.run(words, capture_output=True, text=True)


def test_a_disk_that_fills_up_stage_by_stage(disk: Path, tone_config: Path, tone_cohort: Path) -> None:
    out, stopped, kilobytes = disk / "c", set(), 16
    resize(disk, f"size={kilobytes}k")
    done = run(tone_config, out)
    while done.returncode:
        assert done.returncode == 1 and "Traceback" not in done.stderr, done.stderr
        message = done.stderr.strip().splitlines()[-1]
        assert "cannot write" in message and "found a full disk; next: free some space and run the same" in message
        stopped |= {part for part in ("/gold/", "/script/", "/takes/", "/mix/", "/release") if part in message}
        before = {name: stamp for name, stamp in stamps(out).items() if name.startswith("work/")}
        kilobytes = kilobytes * 8 // 5
        resize(disk, f"size={kilobytes}k")
        done = run(tone_config, out)
        assert before.items() <= stamps(out).items()
    assert len(stopped) >= 3 and "/mix/" in stopped, stopped
    assert hashes(out) == hashes(tone_cohort)


def test_a_read_only_disk(disk: Path, tone_config: Path, tone_cohort: Path) -> None:
    resize(disk, "size=200m")
    shutil.copytree(tone_cohort, disk / "c")
    next((disk / "c" / "work" / "mix").glob("*.wav")).unlink()
    resize(disk, "ro")
    for out in (disk / "c", disk / "other"):
        done = run(tone_config, out)
        assert done.returncode == 2 and "Traceback" not in done.stderr
        assert f"folder {out}; expected one that can be written; found a read-only file system" in done.stderr
