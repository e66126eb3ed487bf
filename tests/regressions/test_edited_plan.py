"""An edited plan that could not be judged ended in an internal fault; one that could not be written was passed over for
the next sub-seed, so that the edit was lost without a word."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from dtbuild.blueprint.load import load as load_blueprint
from dtbuild.gold.planner import plan as make_plan
from dtbuild.pipeline import generate, resolve
from dtbuild.pipeline.config import Config
from dtbuild.pipeline.edits import unusable

KEY = "sc00015.0"


def first_event(plan: Any) -> Any:
    return plan["trajectories"][0]["cycles"][0]["events"][0]


def number(text: str) -> Callable[[Any], None]:
    def edit(plan: Any) -> None:
        value = first_event(plan)["value"]
        value[next(name for name in ("amount", "value", "iso") if name in value)] = text

    return edit


def twice(plan: Any) -> None:
    plan["trajectories"][-1]["cycles"][-1]["events"][-1]["id"] = first_event(plan)["id"]


EDITS: dict[str, tuple[Callable[[Any], None], str]] = {
    "twice": (twice, "names more than one thing"),
    "empty": (lambda plan: plan.update(trajectories=[]), "without events"),
    "unknown": (lambda plan: plan["beats"][0].update(ref="e77"), "e77"),
    "no date": (lambda plan: plan.update(anchor_date="2026-02-31"), "2026-02-31"),
    "scenario": (lambda plan: plan.update(scenario="elsewhere"), "elsewhere"),
    "sub-seed": (lambda plan: plan.update(attempt=5), "found 5"),
    "change": (
        lambda plan: plan.update(change={"kind": "role_reassignment", "one": "p1", "other": "p2"}),
        "disagree on variant B",
    ),
    "no name": (lambda plan: plan["cast"][0].update(name=""), "given name"),
}


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("texts") / "cohort"
    generate(config(), out=out, until="script", jobs=1)
    return out


def config() -> Config:
    return resolve(scenario="supply_chain", groups=1)


@pytest.mark.parametrize("name", EDITS)
def test_an_edited_plan_is_named_with_what_is_wrong(name: str, texts: Path) -> None:
    edit, part = EDITS[name]
    path = texts / "work" / "gold" / f"{KEY}.json"
    whole = path.read_bytes()
    stored = json.loads(whole)
    edit(stored["record"])
    path.write_text(json.dumps(stored), "utf-8")
    edited, others = path.read_bytes(), sorted(path.parent.iterdir())
    try:
        report = generate(config(), out=texts, until="script", jobs=1)
        assert [each.family for each in report.withheld] == ["sc00015"]
        assert "hand-edited plan" in report.withheld[0].reason and part in report.withheld[0].reason
        assert path.read_bytes() == edited and sorted(path.parent.iterdir()) == others
    finally:
        path.write_bytes(whole)


@pytest.mark.parametrize("text", ["NaN", "Infinity", "1e999", "-8"])
def test_an_edited_number_that_cannot_be_said_is_named(text: str, texts: Path) -> None:
    path = texts / "work" / "gold" / f"{KEY}.json"
    whole = path.read_bytes()
    stored = json.loads(whole)
    number(text)(stored["record"])
    path.write_text(json.dumps(stored), "utf-8")
    others = sorted(path.parent.iterdir())
    try:
        report = generate(config(), out=texts, until="script", jobs=1)
        assert "hand-edited plan" in report.withheld[0].reason
        assert sorted(path.parent.iterdir()) == others
    finally:
        path.write_bytes(whole)


def test_plans_as_they_are_made_are_usable() -> None:
    blueprint = load_blueprint("supply_chain")
    made = config()
    for index in range(1, 21):
        change = made.change(index)
        plan = make_plan(blueprint, made.gold, seed=made.seed, index=index, attempt=0, change=change, pairs=made.pairs)
        assert unusable(plan, blueprint, attempt=0, pair=change is not None) == []
        lost = unusable(msgspec.structs.replace(plan, change=None), blueprint, attempt=0, pair=change is not None)
        assert [each.code for each in lost] == ([] if change is None else ["change"])
