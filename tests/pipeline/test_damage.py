"""Damage to a cohort folder is made good or named, never released."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import soundfile

from conftest import hashes, stamps
from dtbuild.errors import FormatError
from dtbuild.pipeline import RunReport, generate, resolve, validate
from dtbuild.speech.engine import ToneEngine


def again(config: Path, cohort: Path) -> RunReport:
    return generate(resolve(config=config), out=cohort, jobs=1)


def first(cohort: Path, pattern: str) -> Path:
    return sorted(cohort.glob(pattern))[0]


def flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) * 2 // 3] ^= 0x40
    path.write_bytes(data)


def truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def other_version(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b"dtbuild.item/1", b"dtbuild.item/9"))


def edit(path: Path) -> None:
    stored = json.loads(path.read_bytes())
    (stored["record"].get("verdict") or stored["record"])["gate"] = "none"
    path.write_text(json.dumps(stored), "utf-8")


def foreign(path: Path) -> None:
    """Another program's sound: stereo at 8 kHz."""
    soundfile.write(path, np.full((4000, 2), 0.1), 8000, format="WAV")


Damage = Callable[[Path], None]
SLOW = pytest.mark.slow
DERIVED = [
    pytest.param("work/review/*.json", truncate, marks=SLOW),
    pytest.param("work/review/*.json", edit, marks=SLOW),
    pytest.param("work/takes/*.json", truncate, marks=SLOW),
    pytest.param("work/takes/*.json", other_version, marks=SLOW),
    pytest.param("work/takes/*.json", edit, marks=SLOW),
    pytest.param("work/takes/*.wav", flip),
    pytest.param("work/takes/*.wav", foreign),
    pytest.param("work/mix/*.wav", foreign, marks=SLOW),
    pytest.param("work/takes/*.wav", Path.unlink, marks=SLOW),
    pytest.param("work/mix/*.wav", flip),
    pytest.param("work/mix/*.wav", truncate, marks=SLOW),
    pytest.param("work/mix/*.json", Path.unlink, marks=SLOW),
    pytest.param("work/align/*.json", truncate),
    pytest.param("work/evidence/*.TextGrid", flip, marks=SLOW),
    pytest.param("work/release/*.json", truncate, marks=SLOW),
    pytest.param("release/manifest.json", flip, marks=SLOW),
    pytest.param("release/public/audio/*.wav", flip, marks=SLOW),
    pytest.param("release/gold/*.json", Path.unlink),
]


@pytest.mark.parametrize(("pattern", "damage"), DERIVED, ids=lambda value: getattr(value, "__name__", value))
def test_what_is_derived_is_made_again(
    pattern: str, damage: Damage, cohort: Path, tone_cohort: Path, tone_config: Path
) -> None:
    path = first(cohort, pattern)
    before = path.read_bytes()
    damage(path)
    report = again(tone_config, cohort)
    assert report.made >= 1 and path.read_bytes() == before
    assert hashes(cohort) == hashes(tone_cohort) and (report.content_hash, report.audio_hash) == hashes(cohort)
    assert validate(cohort) == []
    assert again(tone_config, cohort).made == 0


@pytest.mark.parametrize(
    ("stage", "damage"),
    [
        ("gold", truncate),
        pytest.param("script", truncate, marks=SLOW),
        ("script", other_version),
        pytest.param("variants", truncate, marks=SLOW),
    ],
    ids=lambda value: getattr(value, "__name__", value),
)
def test_texts_that_may_hold_edits_are_named(stage: str, damage: Damage, cohort: Path, tone_config: Path) -> None:
    path = first(cohort, f"work/{stage}/*.json")
    damage(path)
    before = path.read_bytes()
    with pytest.raises(FormatError, match=r"next: restore the file, or delete it: it is made again") as caught:
        again(tone_config, cohort)
    assert str(path) in str(caught.value) and path.read_bytes() == before
    path.unlink()
    again(tone_config, cohort)
    assert validate(cohort) == []


def test_a_release_stays_and_is_told_of_where_no_family_comes_through(
    cohort: Path, tone_config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = hashes(cohort)
    shutil.rmtree(cohort / "work" / "takes")
    monkeypatch.setattr(ToneEngine, "speak", lambda self, request: np.zeros(24_000, dtype=np.float32))
    report = again(tone_config, cohort)
    assert report.families == 0 and report.content_hash is None
    assert "no family came through: release/ is as an earlier run left it" in report.text()
    assert hashes(cohort) == before and validate(cohort) == []


def test_a_complete_cohort_is_left_as_it_is(cohort: Path, tone_config: Path) -> None:
    before = stamps(cohort)
    report = again(tone_config, cohort)
    assert report.made == 0 and "complete already, nothing to do" in report.text()
    assert stamps(cohort) == before


def test_a_run_that_was_killed_at_its_first_file_goes_on(tone_config: Path, tmp_path: Path) -> None:
    (tmp_path / ".lock").touch()
    (tmp_path / ".tmp-abc.json").write_text("{")
    report = generate(resolve(config=tone_config, groups=1), out=tmp_path, until="gold")
    assert report.made == 1 and not list(tmp_path.glob(".tmp-*"))
