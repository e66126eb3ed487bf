"""Families tried in workers and admitted in order: the same files for any number of jobs, whatever ends a run."""

from __future__ import annotations

from collections.abc import Generator
from multiprocessing import active_children
from pathlib import Path
from typing import TypeVar

import msgspec
import pytest

from dtbuild.blueprint.load import load
from dtbuild.errors import Incomplete
from dtbuild.pipeline import admission as admitting
from dtbuild.pipeline import resolve
from dtbuild.pipeline.admission import Outcome, write_texts
from dtbuild.pipeline.config import Config
from dtbuild.pipeline.folder import Folder
from dtbuild.pipeline.text import TextStages
from dtbuild.records.plan import Plan
from dtbuild.records.script import Script
from dtbuild.records.verdict import Verdict
from dtbuild.review import extent
from dtbuild.review.neighbours import Neighbours
from dtbuild.review.rules import review
from dtbuild.store import sweep

T = TypeVar("T")
GROUPS = 4
BLUEPRINT = load("supply_chain")


def config(attempts: int = 8) -> Config:
    base = resolve(scenario="supply_chain", groups=GROUPS)
    return msgspec.structs.replace(base, review=msgspec.structs.replace(base.review, attempts=attempts))


def texts(root: Path, jobs: int, wanted: Config | None = None) -> Generator[Outcome, None, None]:
    return write_texts(wanted or config(), Folder(root), BLUEPRINT, until="variants", jobs=jobs)


def contents(root: Path) -> dict[str, bytes]:
    return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*.json")}


def record(folder: Folder, stage: str, key: str, kind: type[T]) -> T:
    item = folder.stored(stage, key, kind)
    assert item
    return item.record


@pytest.fixture(autouse=True)
def no_family_is_few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admitting, "_FEW", 0)


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Outcome]]:
    """The texts made in one process."""
    root = tmp_path_factory.mktemp("alone")
    return root, list(texts(root, 1))


def test_jobs_do_not_show_in_any_file(alone: tuple[Path, list[Outcome]], tmp_path: Path) -> None:
    root, outcomes = alone
    assert list(texts(tmp_path, 2)) == outcomes
    assert contents(tmp_path) == contents(root)
    again = list(texts(tmp_path, 1))
    assert [each.made for each in again] == [0] * GROUPS and contents(tmp_path) == contents(root)
    assert [each._replace(made=0) for each in outcomes] == again


def test_an_admitted_family_is_read_back_as_it_was_made(alone: tuple[Path, list[Outcome]]) -> None:
    root, outcomes = alone
    stages = TextStages(config(), Folder(root), BLUEPRINT)
    for outcome in outcomes:
        assert outcome.attempt is not None
        family = stages.admitted(outcome.group, outcome.attempt)
        assert (family.family, len(family.scripts)) == (outcome.family, outcome.recordings)
        assert all(verdict.outcome == "pass" for verdicts in family.verdicts for verdict in verdicts)


def test_who_is_too_near_is_tried_again_in_the_order_of_numbers(
    alone: tuple[Path, list[Outcome]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A limit that half of the families exceed; each stored verdict is the one of a review among those before."""
    index, found = Neighbours(BLUEPRINT), []
    stages = TextStages(config(), Folder(alone[0]), BLUEPRINT)
    for outcome in alone[1]:
        script = stages.admitted(outcome.group, outcome.attempt or 0).scripts[0]
        match = index.closest(index.shingles(script))
        found.append(match.jaccard if match else 0.0)
        index.add(script)
    monkeypatch.setattr(extent, "LIMIT", sorted(found)[GROUPS // 2])
    few = config(attempts=2)
    outcomes = list(texts(tmp_path / "two", 2, few))
    assert outcomes == list(texts(tmp_path / "one", 1, few))
    assert contents(tmp_path / "two") == contents(tmp_path / "one")
    folder, index, near = Folder(tmp_path / "two"), Neighbours(BLUEPRINT), 0
    for outcome in outcomes:
        last = 1 if outcome.attempt is None else outcome.attempt
        for key in (f"{outcome.family}.{attempt}" for attempt in range(last + 1)):
            plan, script = record(folder, "gold", key, Plan), record(folder, "script", key, Script)
            verdict = record(folder, "review", key, Verdict)
            assert verdict == review(plan, script, BLUEPRINT, chars=few.script.chars, neighbours=index)
            near += any(finding.code == "near-duplicate" for finding in verdict.findings)
        if outcome.attempt is None:
            assert "2 tries, the last: " in outcome.reason
        else:
            index.add(script)
    assert near > 0
    assert sum(each.made for each in texts(tmp_path / "two", 1, few)) == 0


@pytest.mark.slow
def test_a_run_that_is_left_or_loses_a_worker_goes_on(alone: tuple[Path, list[Outcome]], tmp_path: Path) -> None:
    run = texts(tmp_path, 2)
    assert next(run).group == 1
    left = active_children()
    assert len(left) == 2
    run.close()
    assert not any(each.is_alive() for each in left)
    with pytest.raises(Incomplete, match="a worker process"):
        for _ in texts(tmp_path, 2):
            active_children()[0].kill()
    assert not active_children()
    sweep(tmp_path)  # as a run does first: a killed worker may leave a temporary file
    assert [each._replace(made=0) for each in texts(tmp_path, 1)] == [each._replace(made=0) for each in alone[1]]
    assert contents(tmp_path) == contents(alone[0])
