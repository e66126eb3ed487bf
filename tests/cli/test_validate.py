"""`dtbuild validate` and `dtbuild stats` as they are called: what they print, where to, and their exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dtbuild.cli.main import call


def test_a_sound_cohort(tone_cohort: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["validate", str(tone_cohort)], debug=False) == 0
    assert capsys.readouterr().out == f"{tone_cohort}: no faults\n"
    assert call(["validate", str(tone_cohort / "release"), "--json"], debug=False) == 0
    assert capsys.readouterr().out == ""


def test_a_damaged_one_names_file_expected_found_and_next_step(
    cohort: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wav = min((cohort / "release" / "public" / "audio").iterdir())
    wav.write_bytes(wav.read_bytes()[:-2000])
    assert call(["validate", str(cohort)], debug=False) == 1
    out, err = capsys.readouterr()
    (line,) = [line for line in out.splitlines() if line.startswith("error wav ")]
    assert f"public/audio/{wav.name}: " in line and "expected " in line and "found " in line
    assert line.endswith("; next: generate mixes the recording anew; do not convert released audio")
    assert "faults" in err and "Traceback" not in err
    assert call(["validate", str(cohort), "--json"], debug=False) == 1
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {each["code"] for each in found} >= {"wav", "bytes", "sha256"}
    assert all(each["where"] and each["message"] and each["next"] for each in found)


def test_no_cohort(tmp_path: Path) -> None:
    assert call(["validate", str(tmp_path)], debug=False) == 2


def test_figures_as_text_json_and_pictures(
    tone_cohort: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(["stats", str(tone_cohort)], debug=False) == 0
    assert "alignment scores of events" in capsys.readouterr().out
    assert call(["stats", str(tone_cohort), "--json"], debug=False) == 0
    assert json.loads(capsys.readouterr().out) == json.loads((tone_cohort / "release" / "stats.json").read_bytes())
    pytest.importorskip("matplotlib")
    assert call(["stats", str(tone_cohort), "--png", str(tmp_path / "png")], debug=False) == 0
    paths = [Path(line) for line in capsys.readouterr().out.splitlines()]
    assert len(paths) == 6 and all(path.read_bytes().startswith(b"\x89PNG") for path in paths)
