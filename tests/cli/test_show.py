"""`dtbuild show`: what is printed for a recording, for texts, for a list, and to a pipe."""

from __future__ import annotations

from pathlib import Path

import pytest

from dtbuild.cli.main import call
from dtbuild.release.terminal import cells


@pytest.fixture(autouse=True)
def columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "110")


def show(capsys: pytest.CaptureFixture[str], *words: str | Path, code: int = 0) -> str:
    capsys.readouterr()
    assert call(["show", *map(str, words)], debug=False) == code
    out, err = capsys.readouterr()
    return err if code else out


def families(cohort: Path) -> tuple[str, str]:
    single, pair = sorted({path.name.split("-")[0] for path in (cohort / "release" / "scripts").iterdir()})
    return single, pair


def test_a_family_without_colour_in_a_pipe(tone_cohort: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, pair = families(tone_cohort)
    page = show(capsys, tone_cohort, pair, "--text")
    assert "\x1b" not in page and "╤" in page and "Gold: " in page and "└" not in page
    assert max(map(cells, page.splitlines())) <= 110
    assert show(capsys, tone_cohort, f"{pair}-b", "--text") == page
    assert "└ A1 " in show(capsys, tone_cohort, pair, "--text", "--events")


@pytest.mark.parametrize("options", [["--text"], []])
def test_without_a_name_it_lists(options: list[str], tone_cohort: Path, capsys: pytest.CaptureFixture[str]) -> None:
    single, pair = families(tone_cohort)
    lines = show(capsys, tone_cohort, *options).splitlines()
    assert lines[0].endswith(": 2 families to read")
    assert lines[2].startswith(f"{single}  standalone") and lines[3].startswith(f"{pair}  ")


def test_a_recording_with_its_chains(tone_cohort: Path, capsys: pytest.CaptureFixture[str]) -> None:
    single, _ = families(tone_cohort)
    assert "└ A1 " in show(capsys, tone_cohort, f"{single}-a")


def test_mistakes(tone_cohort: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    single, _ = families(tone_cohort)
    message = show(capsys, tone_cohort, f"{single}x", "--text", code=2)
    assert f"perhaps {single}" in message and "--text lists them" in message
    assert "expected --text with it" in show(capsys, tone_cohort, f"{single}-a", "--events", code=2)
    assert "no such folder" in show(capsys, tmp_path / "nowhere", "--text", code=2)
