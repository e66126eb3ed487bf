"""Texts read from the work folder: the admitted try, as it lies there, and what a reader must know of it."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dtbuild.errors import FolderError, FormatError, UnknownName
from dtbuild.pipeline import generate, resolve
from dtbuild.pipeline.reading import entries, reading
from dtbuild.release.side_by_side import side_by_side
from release.pages import turns
from release.test_side_by_side import check

GROUPS = 2
LAST = "那就这样，改天再聊。"


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Texts alone, of two families, the second of them a pair; nobody may change it."""
    out = tmp_path_factory.mktemp("texts") / "cohort"
    report = generate(resolve(scenario="supply_chain", groups=GROUPS), out=out, until="variants")
    assert (report.families, report.recordings) == (2, 3)
    return out


@pytest.fixture
def folder(written: Path, tmp_path: Path) -> Path:
    shutil.copytree(written, tmp_path / "cohort")
    return tmp_path / "cohort"


def item(folder: Path, stage: str, family: str) -> Path:
    """The item of the last try, which is the admitted one where the run went well."""
    return max((folder / "work" / stage).glob(f"{family}.*.json"))


def change(path: Path, edit: Callable[[dict[str, Any]], None]) -> None:
    data = json.loads(path.read_bytes())
    edit(data["record"])
    path.write_text(json.dumps(data, ensure_ascii=False), "utf-8")


def reword(record: dict[str, Any]) -> None:
    record["turns"][-1]["text"] = LAST


def test_what_is_read_is_what_is_written(written: Path) -> None:
    single, pair = entries(written)
    assert (single.kind, len(single.turns), single.note) == (None, 1, "")
    assert (len(pair.turns), pair.note) == (2, "")
    found = reading(written, pair.family)
    assert found.b is not None and found.kind == pair.kind and not found.notes
    record = json.loads(item(written, "variants", pair.family).read_bytes())["record"]
    assert [turn.text for turn in found.b.script.turns] == [turn["text"] for turn in record["script"]["turns"]]
    assert found.title == "供应链金融" and ("financing", "amount") in found.labels
    assert reading(written, f"{pair.family}-b") == reading(written, f"{pair.family}-a") == found
    for turn in found.a.script.turns[:5]:
        assert turn.text in side_by_side(found, width=200) or len(turn.text) > 30


def test_reading_writes_nothing(written: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in written.rglob("*")}
    for entry in entries(written):
        reading(written, entry.family)
    assert {path: path.stat().st_mtime_ns for path in written.rglob("*")} == before


def test_as_far_as_the_review(folder: Path) -> None:
    shutil.rmtree(folder / "work" / "variants")
    pair = entries(folder)[1]
    assert (pair.turns[1:], pair.note) == ((), "a pair; its B is not made yet")
    found = reading(folder, pair.family)
    assert found.b is None and found.notes == (pair.note,)


def test_as_far_as_the_script(folder: Path) -> None:
    shutil.rmtree(folder / "work" / "variants")
    shutil.rmtree(folder / "work" / "review")
    assert {each.note for each in entries(folder)} == {"not reviewed yet"}
    assert reading(folder, entries(folder)[0].family).notes == ("not reviewed yet",)


def test_plans_alone_are_no_texts(folder: Path) -> None:
    for stage in ("script", "review", "variants"):
        shutil.rmtree(folder / "work" / stage)
    with pytest.raises(FolderError, match="expected scripts; found a run that has written none; next: run generate"):
        entries(folder)


def test_an_edited_script_is_read_as_it_lies_there(folder: Path) -> None:
    pair = entries(folder)[1].family
    change(item(folder, "script", pair), reword)
    found = reading(folder, pair)
    assert found.a.script.turns[-1].text == LAST
    assert found.b is None
    assert found.notes == (
        "edited since its review: run generate again",
        "B was made from an earlier A and is left out: run generate again",
    )


def test_an_edited_script_that_was_reviewed_again(folder: Path) -> None:
    single = entries(folder)[0].family
    change(item(folder, "script", single), reword)
    generate(resolve(scenario="supply_chain", groups=GROUPS), out=folder, until="variants")
    found = reading(folder, single)
    assert (found.a.script.turns[-1].text, found.notes) == (LAST, ())


def test_a_rejected_family_says_why(folder: Path) -> None:
    family = entries(folder)[0].family

    def fail(record: dict[str, Any]) -> None:
        record["outcome"] = "fail"
        record["findings"] = [{"code": "echo-value", "where": "t1", "message": "another number"}]

    for path in (folder / "work" / "review").glob(f"{family}.*.json"):
        change(path, fail)
    assert entries(folder)[0].note == "not admitted: echo-value"
    assert reading(folder, family).notes[0] == "not admitted: echo-value"


def test_the_try_that_was_admitted(folder: Path) -> None:
    family = entries(folder)[0].family
    for stage in ("gold", "script", "review"):
        path = item(folder, stage, family)
        number = int(path.stem.rsplit(".", 1)[1])
        shutil.copy(path, path.with_name(f"{family}.{number + 1}.json"))

    def fail(record: dict[str, Any]) -> None:
        record["outcome"] = "fail"

    def reword_first(record: dict[str, Any]) -> None:
        record["turns"][0]["text"] = "这是另一稿。"

    change(item(folder, "review", family), fail)
    change(item(folder, "script", family), reword_first)
    assert reading(folder, family).a.script.turns[0].text != "这是另一稿。"


def test_unknown_names_and_broken_files(folder: Path) -> None:
    single, pair = (each.family for each in entries(folder))
    with pytest.raises(UnknownName, match=f"perhaps {single}"):
        reading(folder, f"{single}-b")
    with pytest.raises(FolderError, match="no such folder"):
        entries(folder / "nowhere")
    item(folder, "script", pair).write_text("{", "utf-8")
    with pytest.raises(FormatError, match=r"next: restore the file, or delete it"):
        reading(folder, pair)


def test_the_scenario_may_be_gone(folder: Path) -> None:
    path = folder / "run.json"
    data = json.loads(path.read_bytes())
    data["config"]["scenario"] = "nowhere/gone.yaml"
    path.write_text(json.dumps(data), "utf-8")
    found = reading(folder, entries(folder)[1].family)
    assert (found.title, found.labels) == ("supply_chain", {})
    first = found.a.trajectories[0]
    assert f"{first.entity}/{first.field}" in side_by_side(found, width=120, events=True)


def test_a_released_cohort_has_its_latest_text(cohort: Path) -> None:
    single, pair = (each.family for each in entries(cohort))
    assert reading(cohort, pair).notes == ()
    release = entries(cohort / "release")
    assert [each.family for each in release] == [single, pair]
    given = reading(cohort / "release", pair)
    assert given.b is not None and given.a.script.turns == reading(cohort, pair).a.script.turns
    shutil.rmtree(cohort / "work" / "script")
    assert reading(cohort, pair) == given


def test_a_text_newer_than_the_release_says_so(cohort: Path) -> None:
    single = entries(cohort)[0].family
    change(item(cohort, "script", single), reword)
    assert reading(cohort, single).notes[-1] == "the release has another text: run generate to the end"


@pytest.fixture(scope="module")
def every_kind(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three pairs, one of each kind."""
    folder = tmp_path_factory.mktemp("kinds")
    weights = "{speaker_swap: 1, confirmation_change: 1, role_reassignment: 1}"
    (folder / "kinds.yaml").write_text(
        f"scenario: supply_chain\ngroups: 3\npairs: 1\ngold: {{variants: {weights}}}\n", "utf-8"
    )
    report = generate(resolve(config=folder / "kinds.yaml"), out=folder / "cohort", until="variants")
    assert (report.families, report.recordings) == (3, 6)
    return folder / "cohort"


@pytest.mark.parametrize("width", [60, 100, 200])
def test_written_pairs_of_every_kind(every_kind: Path, width: int) -> None:
    found = entries(every_kind)
    assert {each.kind for each in found} == {"speaker_swap", "confirmation_change", "role_reassignment"}
    for entry in found:
        check(reading(every_kind, entry.family), width)


def test_what_each_kind_shows(every_kind: Path) -> None:
    pages = {each.kind: side_by_side(reading(every_kind, each.family), width=120) for each in entries(every_kind)}
    signs = {kind: {line.sign for line in turns(page)} - {""} for kind, page in pages.items()}
    assert signs["speaker_swap"] == {"↔"} and "↔" in signs["role_reassignment"]
    assert signs["confirmation_change"] == {"≠"}
    cast = {kind: page.split("┼")[0] for kind, page in pages.items()}
    assert cast["role_reassignment"].count("≠") >= 2
    gold = pages["confirmation_change"].split("┴")[1]
    assert re.search(r"settle, \w+, by S\d \S+ +< not in B\n", gold)
    assert re.search(r"ends settled at .*≠ ends (active|held) at ", gold)
