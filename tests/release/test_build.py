from __future__ import annotations

from pathlib import Path

from dtbuild.records.cohort import Bundle, Manifest, RunInfo
from dtbuild.records.blueprint import Blueprint
from dtbuild.release.build import build
from dtbuild.release.validate import Checkers, validate


def test_sound(released: tuple[Path, Manifest], checkers: Checkers) -> None:
    assert validate(released[0], checkers=checkers) == []
