"""Texts of a released cohort: the same as its gold, found by family or recording."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from dtbuild.errors import UnknownName
from dtbuild.records.cohort import Manifest
from dtbuild.release.chains import answer
from dtbuild.release.folder import golds, scripts
from dtbuild.release.reading import Entry, family_named, listing, released_entries, released_reading
from dtbuild.release.side_by_side import side_by_side
from dtbuild.release.terminal import cells

from .cohorts import OTHER_FAMILY, SAMPLE_FAMILY, sample_plan


def test_a_released_pair(released: tuple[Path, Manifest]) -> None:
    reading = released_reading(released[0], SAMPLE_FAMILY)
    assert reading.b is not None and reading.kind == "speaker_swap" and reading.title == "供应链金融"
    assert [reading.a.script, reading.b.script] == scripts(released[0])[:2]
    wanted = [
        (each.key, [(e.id, e.action, e.value, e.person) for e in each.events]) for each in sample_plan().trajectories
    ]
    found = [(each.key, [(e.id, e.action, e.value, e.person) for e in each.events]) for each in reading.a.trajectories]
    assert sorted(map(str, found)) == sorted(map(str, wanted))
    page = side_by_side(reading, width=120)
    assert "B1 start 应收账款 · 融资期限 6个月, turn " in page
    assert "by S2 何洁" in page and "≠ by S1 周航" in page


def test_events_under_the_turns_of_a_release(released: tuple[Path, Manifest]) -> None:
    page = side_by_side(released_reading(released[0], OTHER_FAMILY), width=100, events=True)
    for line in (
        "└ A1 hold 设备 · 评估值（甲批） 300万元, waits for stamp_missing",
        "└ A2 settle 设备 · 评估值（甲批） 300万元, confirmed, clears stamp_missing",
        "└ no event: 材料 · 收集情况 齐了, from someone without the right",
    ):
        assert line in page, line
    assert sum(len(answer(gold)) for gold in golds(released[0]) if gold.family == OTHER_FAMILY) == 2


def test_entries_and_names(released: tuple[Path, Manifest]) -> None:
    entries = released_entries(released[0])
    assert entries == [Entry(SAMPLE_FAMILY, "speaker_swap", (25, 25)), Entry(OTHER_FAMILY, None, (4,))]
    for name in (SAMPLE_FAMILY, f"{SAMPLE_FAMILY}-a", f"{SAMPLE_FAMILY}-b"):
        assert family_named(name, entries, released[0]) == SAMPLE_FAMILY
    with pytest.raises(UnknownName, match=f"perhaps {OTHER_FAMILY}-a"):
        family_named(f"{OTHER_FAMILY}-b", entries, released[0])


def test_listing() -> None:
    entries = [Entry("sc0007u", "role_reassignment", (53, 53)), Entry("sc0008s", None, (41,), "not reviewed yet")]
    text = listing(entries, Path("cohorts/x"), width=80)
    assert text.splitlines() == [
        "cohorts/x: 2 families to read",
        "",
        "sc0007u  role reassignment  53 | 53 turns",
        "sc0008s  standalone         41 turns  not reviewed yet",
        "",
        "dtbuild show cohorts/x sc0007u --text",
    ]
    assert max(map(cells, listing(entries, Path("cohorts/" + "x" * 70), width=60).splitlines())) <= 60


def test_a_release_given_away_needs_nothing_beside_it(released: tuple[Path, Manifest], tmp_path: Path) -> None:
    shutil.copytree(released[0], tmp_path / "given")
    assert released_reading(tmp_path / "given", SAMPLE_FAMILY) == released_reading(released[0], SAMPLE_FAMILY)
