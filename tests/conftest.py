"""Whole cohorts made with the stand-ins, tones for speech and equal shares for alignment: seconds, not minutes."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from dtbuild.cli.main import call

TONE = "scenario: supply_chain\ngroups: 2\nspeech: {engine: tone}\nalign: {aligner: even}\n"


@pytest.fixture(scope="session")
def tone_config(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A config of two families, the second of them a pair."""
    path = tmp_path_factory.mktemp("config") / "tone.yaml"
    path.write_text(TONE, "utf-8")
    return path


@pytest.fixture(scope="session")
def tone_cohort(tone_config: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The complete cohort of that config, made without interruption; tests work on copies of it."""
    from dtbuild.pipeline import generate, resolve

    out = tmp_path_factory.mktemp("whole") / "cohort"
    report = generate(resolve(config=tone_config), out=out, jobs=1)
    assert (report.families, report.recordings, report.withheld) == (2, 3, ())
    return out


@pytest.fixture
def cohort(tone_cohort: Path, tmp_path: Path) -> Path:
    """A copy of it that a test may change."""
    shutil.copytree(tone_cohort, tmp_path / "cohort")
    return tmp_path / "cohort"


def run(config: Path, out: Path, *more: str) -> int:
    """Exit code of `dtbuild generate`, in this process."""
    return call(["generate", "--config", str(config), "--out", str(out), "--jobs", "1", *more], debug=False)


def manifest_of(cohort: Path) -> dict[str, Any]:
    """The manifest of a released cohort, as plain data."""
    manifest: dict[str, Any] = json.loads((cohort / "release" / "manifest.json").read_bytes())
    return manifest


def record(path: Path) -> Any:
    """The record of an item in `work/`, as plain data."""
    return json.loads(path.read_bytes())["record"]


def hashes(cohort: Path) -> tuple[str, str]:
    """Content hash and audio hash of a released cohort."""
    manifest = manifest_of(cohort)
    return manifest["content_hash"], manifest["audio_hash"]


def stamps(cohort: Path) -> dict[str, tuple[int, int]]:
    """Inode and modification time of every finished file: a file made a second time has others.

    A sound without its item beside it is not finished: the run ended between the two.
    """
    paths = [path for path in cohort.rglob("*") if path.is_file() and not path.name.startswith(".")]
    done = [path for path in paths if path.suffix not in {".wav", ".TextGrid"} or _finished(path)]
    return {str(path.relative_to(cohort)): (path.stat().st_ino, path.stat().st_mtime_ns) for path in done}


def _finished(path: Path) -> bool:
    return path.with_suffix(".json").is_file() or "release" in path.parts
