"""The pictures of a cohort's figures: all of them, whole, the same twice, and without a box for a letter."""

from __future__ import annotations

import shutil
import sys
import warnings
from pathlib import Path

import pytest

from dtbuild.errors import FolderError, MissingExtra
from dtbuild.records.cohort import Manifest
from dtbuild.release.plots import plots

from .cohorts import OTHER_FAMILY
from .damages import edit

NAMES = ["lengths", "voices", "events", "phenomena", "windows", "scores"]


def test_six_pictures_equal_when_drawn_again(released: tuple[Path, Manifest], tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    first = plots(released[0], tmp_path / "one")
    again = plots(released[0].parent, tmp_path / "另 一")
    assert [path.stem for path in first] == NAMES
    for one, other in zip(first, again, strict=True):
        data = one.read_bytes()
        assert data.startswith(b"\x89PNG") and len(data) > 5_000 and data == other.read_bytes()


def test_a_name_in_汉字_needs_no_font(short: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    root = tmp_path / "release"
    shutil.copytree(short, root)
    edit(root, f"gold/{OTHER_FAMILY}-a.json", lambda gold: gold["speakers"][0].update(voice="男声一"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # matplotlib warns of every glyph that its font lacks
        plots(root, tmp_path / "png")


def test_without_matplotlib_the_extra_is_named(
    released: tuple[Path, Manifest], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtra, match=r"dtbuild\[plots\]"):
        plots(released[0], tmp_path / "png")
    assert not (tmp_path / "png").exists()


def test_no_release(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    with pytest.raises(FolderError):
        plots(tmp_path, tmp_path / "png")
