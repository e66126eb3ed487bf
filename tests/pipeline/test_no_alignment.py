"""A cohort that declares `align: {aligner: none}`: turns and coarse windows only, and everything says so."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from conftest import TONE, hashes, manifest_of
from dtbuild.align.textgrid import read_textgrid
from dtbuild.boundary import load
from dtbuild.cli.main import call
from dtbuild.pipeline import stats, validate
from dtbuild.records.cohort import Gold
from dtbuild.release.show import show

CONFIG = TONE.replace("aligner: even", "aligner: none")


@pytest.fixture(scope="module")
def unaligned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Made in a process that has no aligner: the package cannot be imported there."""
    folder = tmp_path_factory.mktemp("none")
    (folder / "none.yaml").write_text(CONFIG, "utf-8")
    words = ["generate", "--config", str(folder / "none.yaml"), "--out", str(folder / "cohort"), "--jobs", "1"]
    code = f"import sys; sys.modules['viter'] = None\nfrom dtbuild.cli.main import call\nsys.exit(call({words}, debug=True))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ})
    assert done.returncode == 0, done.stderr
    return folder / "cohort"


def golds(cohort: Path) -> list[Gold]:
    return [load(path, Gold) for path in sorted((cohort / "release" / "gold").iterdir())]


def test_events_have_turns_and_coarse_windows_only(unaligned: Path, tone_cohort: Path) -> None:
    found = [event.evidence for one in golds(unaligned) for each in one.trajectories for event in each.events]
    other = [event.evidence for one in golds(tone_cohort) for each in one.trajectories for event in each.events]
    assert [(each.turn, each.utterance, each.coarse) for each in found] == [
        (each.turn, each.utterance, each.coarse) for each in other
    ]
    assert {(each.anchor, each.score, each.anchor_score, each.anchor_lowest) for each in found} == {
        ((), None, None, None)
    }
    for path in (unaligned / "release" / "gold").iterdir():
        assert '"anchor' not in path.read_text("utf-8") and '"score"' not in path.read_text("utf-8")


def test_the_same_words_and_sound_as_with_an_aligner(unaligned: Path, tone_cohort: Path) -> None:
    assert hashes(unaligned)[1] == hashes(tone_cohort)[1] and hashes(unaligned)[0] != hashes(tone_cohort)[0]
    assert not (unaligned / "work" / "align").exists() and not (unaligned / "work" / "retakes").exists()


def test_manifest_card_textgrid_figures_and_page_say_so(unaligned: Path) -> None:
    manifest, root = manifest_of(unaligned), unaligned / "release"
    assert manifest["alignment"] == "none" and manifest["aligner"] is None
    card = (root / "data_card.md").read_text("utf-8")
    assert "`alignment: none`" in card and "gated by the speech gate alone" in card
    assert "`anchor`, the words" not in card and "down to\nthe turn" in card
    for path in (root / "textgrids").iterdir():
        assert all(tier.name.endswith(" turns") for tier in read_textgrid(path))
    figures = stats(unaligned)
    assert figures.scores == {} and figures.windows["anchor"].count == 0 and figures.windows["coarse"].count > 0
    name = manifest["recordings"][0]["recording"]
    page = show(unaligned, name, width=100)
    assert "none: events are known to the turn" in page and "words " not in page.split("─")[-1]


def test_it_is_sound_as_it_is_and_not_otherwise(unaligned: Path, tmp_path: Path) -> None:
    assert validate(unaligned) == []
    shutil.copytree(unaligned, tmp_path / "c")
    path = sorted((tmp_path / "c" / "release" / "gold").iterdir())[0]

    def with_anchor(evidence: Any) -> None:
        evidence["anchor"] = [evidence["utterance"]]

    edit(path, with_anchor)
    codes = {each.code for each in validate(tmp_path / "c")}
    assert "alignment" in codes
    edit(path, lambda evidence: (evidence.pop("anchor"), evidence.update(score=1.0)))
    assert "alignment" in {each.code for each in validate(tmp_path / "c")}


def test_an_aligner_later_is_another_cohort(
    unaligned: Path, tone_config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = hashes(unaligned)
    assert call(["generate", "--config", str(tone_config), "--out", str(unaligned)], debug=False) == 2
    message = capsys.readouterr().err
    assert "align.aligner: none there, even here" in message and "choose another folder with --out" in message
    assert hashes(unaligned) == before


def edit(path: Path, change: Callable[[Any], object]) -> None:
    gold = json.loads(path.read_text("utf-8"))
    change(gold["trajectories"][0]["cycles"][0]["events"][0]["evidence"])
    path.write_text(json.dumps(gold, ensure_ascii=False, indent=1, sort_keys=True) + "\n", "utf-8")
