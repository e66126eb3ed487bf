"""Every kind of damage is found, and is reported with file, item, expected and found."""

from __future__ import annotations

import shutil
from pathlib import Path

import msgspec
import pytest

from dtbuild.boundary import load
from dtbuild.errors import FolderError
from dtbuild.records.cohort import Gold, Manifest, Window
from dtbuild.release.advice import advice
from dtbuild.release.timing import Rules, windows
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


def test_where_the_config_allows_overlap_only_an_event_s_words_are_kept_clear(released: tuple[Path, Manifest]) -> None:
    gold = load(released[0] / "gold" / f"{OTHER}.json", Gold)
    first, second, *rest = gold.turns
    start, end = first.window.end_us, second.window.end_us

    def found(by: int, overlap: bool) -> list[str]:
        moved = msgspec.structs.replace(second, window=Window(start_us=start - by, end_us=end))
        edited = msgspec.structs.replace(gold, turns=(first, moved, *rest))
        # e2 is in the turn that was moved: its utterance is told apart, and no matter here
        rules = Rules(overlap=overlap)
        return [each.where.split()[1] for each in windows(edited, rules) if each.code == "overlap"]

    assert found(0, overlap=False) == found(-100_000, overlap=False) == []
    assert found(1_000, overlap=True) == ["equipment/value"] and found(1_000, overlap=False)[0] == second.turn
    free = gold.trajectories[0].events[0].evidence.anchor[-1].end_us
    assert free == start  # the event's last word is the turn's last word: nothing may begin before it
    one = msgspec.structs.replace(second, speaker=first.speaker, window=Window(start_us=start - 1_000, end_us=end))
    codes = {
        each.where.split()[1]
        for each in windows(msgspec.structs.replace(gold, turns=(first, one, *rest)), Rules(overlap=True))
        if each.code == "overlap"
    }
    assert one.turn in codes


def test_no_release_is_an_error(tmp_path: Path, checkers: Checkers) -> None:
    (tmp_path / "run.json").write_text("{}")
    with pytest.raises(FolderError, match="has not reached its release"):
        validate(tmp_path, checkers=checkers)
