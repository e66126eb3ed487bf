"""The pictures of one recording that the documentation shows."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

SCRIPT = Path(__file__).parents[1] / "scripts" / "draw_recording.py"


def draw(cohort: Path, target: Path) -> None:
    name = min((cohort / "release" / "public" / "audio").iterdir()).stem
    done = subprocess.run([sys.executable, SCRIPT, cohort, name, target], capture_output=True, text=True)
    assert done.returncode == 0 and "Glyph" not in done.stderr, done.stderr


def test_svg_with_every_turn(tone_cohort: Path, tmp_path: Path) -> None:
    draw(tone_cohort, tmp_path / "r.svg")
    text = (tmp_path / "r.svg").read_text("utf-8")
    ElementTree.fromstring(text)
    assert text.count("<title>") >= 20


def test_png(tone_cohort: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    draw(tone_cohort, tmp_path / "r.png")
    data = (tmp_path / "r.png").read_bytes()
    assert data.startswith(b"\x89PNG") and len(data) > 50_000
