"""The ten lines of docs/evidence.md run, and find what the gold has."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dtbuild.records.cohort import Manifest
from dtbuild.release.folder import golds

DOC = Path(__file__).parents[2] / "docs" / "evidence.md"


def test_the_example_loads_a_release(released: tuple[Path, Manifest], capsys: pytest.CaptureFixture[str]) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", DOC.read_text("utf-8"), re.DOTALL)
    exec(compile(code, str(DOC), "exec"), {"RELEASE": str(released[0])})
    shown = [line.split() for line in capsys.readouterr().out.splitlines()]
    events = [
        (gold.recording, event.event_id, event.action, part.length_us / 1e6)
        for gold in golds(released[0])
        for trajectory in gold.trajectories
        for event in trajectory.events
        for part in event.evidence.anchor
    ]
    assert len(shown) == len(events) > 21
    for (name, event, action, seconds), wanted in zip(shown, events, strict=True):
        assert (name, event, action) == wanted[:3] and float(seconds) == pytest.approx(wanted[3], abs=1e-4)
