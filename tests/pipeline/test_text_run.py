"""Text stages as a whole: resumable, the same in any folder, for any number of groups and jobs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from dtbuild.errors import Incomplete, UserError
from dtbuild.pipeline import RunReport, generate, plan_run, resolve, text
from dtbuild.records.plan import Plan
from dtbuild.records.variant import Variant

SEED = 20260131


def run(out: Path, groups: int = 4, until: str = "variants", seed: int = SEED) -> RunReport:
    return generate(resolve(scenario="supply_chain", groups=groups, seed=seed), out=out, until=until)


def contents(folder: Path) -> dict[str, bytes]:
    paths = sorted((folder / "work").rglob("*.json"))
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


@pytest.fixture(scope="module")
def four(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("cohort") / "four"
    report = run(out)
    assert (report.families, report.recordings, report.withheld) == (4, 6, ())
    return out


def test_a_rerun_makes_nothing(four: Path) -> None:
    before = contents(four)
    assert run(four).made == 0
    assert contents(four) == before


def test_the_same_in_another_folder_stage_by_stage(four: Path, tmp_path: Path) -> None:
    for until in ("gold", "script", "review", "variants"):
        run(tmp_path / "staged", until=until)
    assert contents(tmp_path / "staged") == contents(four)


def test_group_k_does_not_depend_on_their_number(four: Path, tmp_path: Path) -> None:
    run(tmp_path / "two", groups=2)
    two, all_four = contents(tmp_path / "two"), contents(four)
    assert two.items() <= all_four.items()
    run(tmp_path / "two", groups=4)
    assert contents(tmp_path / "two") == all_four


def test_another_seed_is_another_cohort(four: Path, tmp_path: Path) -> None:
    run(tmp_path / "other", groups=1, seed=7)
    mine, theirs = contents(tmp_path / "other"), contents(four)
    assert all(theirs.get(name) != data for name, data in mine.items())


def test_lost_items_are_made_again_the_same(four: Path, tmp_path: Path) -> None:
    run(tmp_path / "c")
    whole = contents(tmp_path / "c")
    for number, name in enumerate(sorted(whole)):
        if number % 2:
            (tmp_path / "c" / name).unlink()
    run(tmp_path / "c")
    assert contents(tmp_path / "c") == whole == contents(four)


def test_a_hand_edited_script_is_reviewed_again_and_kept(tmp_path: Path) -> None:
    run(tmp_path, groups=1)
    (path,) = (tmp_path / "work" / "script").glob("*.0.json")
    stored = json.loads(path.read_bytes())
    turn = stored["record"]["turns"][0]
    turn["text"] = f"（翻合同）{turn['text']}"
    path.write_text(json.dumps(stored, ensure_ascii=False), "utf-8")
    edited = path.read_bytes()
    report = run(tmp_path, groups=1)
    assert path.read_bytes() == edited
    (withheld,) = report.withheld
    assert "hand-edited" in withheld.reason
    with pytest.raises(Incomplete, match=withheld.family):
        report.raise_if_incomplete()


def test_a_family_whose_b_fails_is_tried_again_and_then_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = text.make_variant

    def make(plan: Plan, *arguments: Any, **options: Any) -> Variant:
        variant = real(plan, *arguments, **options)
        if plan.attempt == 0:
            failed = msgspec.structs.replace(variant.verdicts[0], outcome="fail")
            return msgspec.structs.replace(variant, verdicts=(failed, *variant.verdicts[1:]))
        return variant

    monkeypatch.setattr(text, "make_variant", make)
    report = run(tmp_path, groups=3)
    failed, *others = sorted(path.name for path in (tmp_path / "work" / "variants").glob("*.json"))
    assert report.withheld == () and failed.endswith(".0.json") and len(others) == 1
    before = contents(tmp_path)
    assert run(tmp_path, groups=3).made == 0 and contents(tmp_path) == before


@pytest.mark.parametrize("seconds", [(1.0, 2.0), (5000.0, 9000.0)])
def test_lengths_that_no_script_has_withhold_by_name(seconds: tuple[float, float], tmp_path: Path) -> None:
    config = resolve(scenario="supply_chain", groups=1)
    window = msgspec.structs.replace(config.script, seconds=seconds)
    review = msgspec.structs.replace(config.review, attempts=2)
    config = msgspec.structs.replace(config, script=window, review=review)
    report = generate(config, out=tmp_path, until="variants")
    (withheld,) = report.withheld
    assert "2 tries, the last: script of" in withheld.reason and "汉字" in withheld.reason
    assert (report.families, report.recordings) == (0, 0)


def test_jobs_below_one_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="jobs; expected 1 or more; found 0"):
        generate(resolve(scenario="supply_chain"), out=tmp_path / "c", jobs=0)
    assert not (tmp_path / "c").exists()


def test_a_dry_run_writes_nothing(tmp_path: Path) -> None:
    text = plan_run(resolve(scenario="supply_chain"), out=tmp_path / "c", until="variants")
    assert "6 recordings" in text and not (tmp_path / "c").exists()
