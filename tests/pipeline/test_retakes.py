"""A turn whose alignment fails is spoken another way, for A and B alike, until a retake passes or none is left."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from conftest import hashes, record, run, stamps
from dtbuild.align.aligner import TurnAudio
from dtbuild.align.even import EvenAligner
from dtbuild.errors import AlignmentError
from dtbuild.pipeline import validate
from dtbuild.speech.ways import FIRST, FURTHER
from dtbuild.timebase import RATE

ALIGN = EvenAligner.align


def shared_take(cohort: Path) -> tuple[str, int]:
    """(id, samples) of a take that A and B of the pair share."""
    takes = [
        {each["take"]: each["samples"] for each in record(path)["placements"]}
        for path in sorted((cohort / "work" / "mix").glob("*.json"))
        if path.with_name(path.name.replace("-a.", "-b.")).exists()
    ]
    id = min(takes[0].keys() & takes[1].keys())
    return id, takes[0][id]


def refuse(take: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """From here on every turn that plays this take fails in the aligner, which sees the file's name."""

    def align(self: EvenAligner, turns: Sequence[TurnAudio]) -> Any:
        for turn in turns:
            if isinstance(turn.audio, Path) and turn.audio.stem == take:
                raise AlignmentError(f"turn {turn.turn}: the sound does not fit", turn=turn.turn)
        return ALIGN(self, turns)

    monkeypatch.setattr(EvenAligner, "align", align)


def test_a_retake_saves_the_family_and_both_variants_share_it(
    tone_config: Path, tone_cohort: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    take, samples = shared_take(tone_cohort)
    refuse(take, monkeypatch)
    assert run(tone_config, tmp_path) == 0
    assert validate(tmp_path) == [] and hashes(tmp_path)[1] != hashes(tone_cohort)[1]
    (item,) = (tmp_path / "work" / "retakes").glob("*.json")
    assert record(item)["numbers"] == {take: 1}
    a, b = ({p["take"] for p in record(path)["placements"]} for path in sorted((tmp_path / "work" / "mix").glob(f"{item.stem}-?.json")))  # fmt: skip
    (again,) = (a & b) - {p["take"] for path in (tone_cohort / "work" / "mix").glob(f"{item.stem}-a.json") for p in record(path)["placements"]}  # fmt: skip
    assert take not in a | b
    # the first retake is spoken more slowly
    assert record(tmp_path / "work" / "takes" / f"{again}.json")["take"]["samples"] > samples + RATE // 1000

    before = stamps(tmp_path)
    assert run(tone_config, tmp_path) == 0 and stamps(tmp_path) == before


def test_a_turn_that_no_retake_saves_withholds_its_family(
    tone_config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def align(self: EvenAligner, turns: Sequence[TurnAudio]) -> Any:
        for turn in turns:
            if turn.turn.endswith("-b-t005"):
                raise AlignmentError(f"turn {turn.turn}: the sound does not fit", turn=turn.turn)
        return ALIGN(self, turns)

    monkeypatch.setattr(EvenAligner, "align", align)
    assert run(tone_config, tmp_path) == 1
    shown = capsys.readouterr().out
    assert "alignment of" in shown and "-b quarantined: align.failed" in shown
    (item,) = (tmp_path / "work" / "retakes").glob("*.json")
    assert list(record(item)["numbers"].values()) == [FIRST - 1]
    before = stamps(tmp_path / "work" / "takes")
    assert run(tone_config, tmp_path) == 1 and stamps(tmp_path / "work" / "takes") == before
    for last in (FIRST - 1 + FURTHER, FIRST - 1 + 2 * FURTHER, FIRST - 1 + 2 * FURTHER):
        assert run(tone_config, tmp_path, "--retry-quarantined") == 1
        assert list(record(item)["numbers"].values()) == [last]
    monkeypatch.setattr(EvenAligner, "align", ALIGN)
    assert run(tone_config, tmp_path, "--retry-quarantined") == 0 and validate(tmp_path) == []


def test_a_retake_round_says_how_many_takes_it_makes(
    tone_config: Path,
    tone_cohort: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    refuse(shared_take(tone_cohort)[0], monkeypatch)
    assert run(tone_config, tmp_path) == 0
    shown = [line for line in capfd.readouterr().err.splitlines() if line.startswith("speech:")]
    first, *_, done, again = shown
    assert "takes to do" in first and "there" not in first
    assert "made, 0 kept" in done
    assert "(1 made, " in again, "and no word of takes to do"
