"""Every kind of damage is found, and is reported with file, item, expected and found."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from dtbuild.errors import FolderError
from dtbuild.records.cohort import Manifest
from dtbuild.release.advice import advice
from dtbuild.release.validate import Checkers, validate

from .cohorts import SAMPLE_FAMILY
from .damages import DAMAGES, OTHER, WHOLE, copy, edit


@pytest.mark.parametrize("name", DAMAGES)
def test_damage_is_found(
    name: str, tmp_path: Path, released: tuple[Path, Manifest], short: Path, checkers: Checkers
) -> None:
    damage, code, place = DAMAGES[name]
    root = tmp_path / "release"
    whole = SAMPLE_FAMILY in place or name in WHOLE
    shutil.copytree(released[0] if whole else short, root, copy_function=copy)
    damage(root)
    findings = validate(root, checkers=checkers)
    hits = [each for each in findings if each.code == code and place in each.where]
    assert hits, [f"{each.code} {each.where}: {each.message}" for each in findings]
    assert all(advice(each.code) for each in findings)
    assert all(each.level == "error" for each in findings)


def test_a_sound_cohort_has_no_findings(released: tuple[Path, Manifest], short: Path, checkers: Checkers) -> None:
    assert validate(released[0], checkers=checkers) == [] == validate(short, checkers=checkers)


def test_there_are_many_kinds_of_damage_and_many_codes() -> None:
    assert len(DAMAGES) > 90 and len({code for _, code, _ in DAMAGES.values()}) > 30


def test_a_finding_names_file_item_expected_and_found(
    tmp_path: Path, released: tuple[Path, Manifest], checkers: Checkers
) -> None:
    root = tmp_path / "release"
    shutil.copytree(released[0], root, copy_function=copy)
    DAMAGES["shorter audio"][0](root)
    finding = next(each for each in validate(root, checkers=checkers) if each.code == "duration")
    assert finding.where == f"public/audio/{OTHER}.wav"
    assert (finding.expected, finding.found) == ("13100000 µs", "13099000 µs")


def test_an_unreadable_manifest_is_one_finding(
    tmp_path: Path, released: tuple[Path, Manifest], checkers: Checkers
) -> None:
    root = tmp_path / "release"
    shutil.copytree(released[0], root, copy_function=copy)
    edit(root, "manifest.json", lambda value: value.update(format="dtbuild.manifest/9"))
    findings = validate(root, checkers=checkers)
    assert [(each.code, each.where) for each in findings] == [("format", "manifest.json")]
    assert "dtbuild.manifest/2" in str(findings[0].expected)


def test_no_release_is_an_error(tmp_path: Path, checkers: Checkers) -> None:
    (tmp_path / "run.json").write_text("{}")
    with pytest.raises(FolderError, match="has not reached its release"):
        validate(tmp_path, checkers=checkers)
