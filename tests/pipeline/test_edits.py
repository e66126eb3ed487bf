"""Plans and scripts edited by hand: judged like any other, marked in the release, spoken again where they changed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from conftest import manifest_of, run, stamps
from dtbuild.errors import FormatError
from dtbuild.pipeline import generate, resolve, validate


def change(path: Path, edit: Callable[[Any], None]) -> None:
    stored = json.loads(path.read_bytes())
    edit(stored["record"])
    path.write_text(json.dumps(stored, ensure_ascii=False, indent=1), "utf-8")


def free_turn(script: Any) -> Any:
    """A turn whose words nothing points at: it may be worded otherwise."""
    bound = {each["turn"] for each in [*script["spans"], *script["mentions"]]}
    return next(turn for turn in script["turns"][3:-3] if turn["id"] not in bound and len(turn["text"]) > 6)


def a_script(cohort: Path) -> Path:
    return sorted((cohort / "work" / "script").glob("*.json"))[0]


def test_an_edit_that_passes_costs_its_turn_and_is_marked(cohort: Path, tone_config: Path) -> None:
    before = stamps(cohort / "work" / "takes")
    path = a_script(cohort)
    change(path, lambda script: free_turn(script).update(text="嗯，您接着往下说，我听着呢。"))
    edited = path.read_bytes()
    report = generate(resolve(config=tone_config), out=cohort, jobs=1)
    assert report.withheld == () and path.read_bytes() == edited
    after = stamps(cohort / "work" / "takes")
    assert before.items() <= after.items()
    assert len([name for name in after.keys() - before.keys() if name.endswith(".wav")]) == 1
    manifest = manifest_of(cohort)
    family = path.stem.partition(".")[0]
    assert {each["family"] for each in manifest["recordings"] if each.get("edited")} == {family}
    assert validate(cohort) == []
    assert generate(resolve(config=tone_config), out=cohort, jobs=1).made == 0


@pytest.mark.parametrize(
    ("text", "part"),
    [("您先①看一下。", "①"), ("这个按XYZ走。", "'X'"), ("……", "nothing to speak"), ("您先把㐂字看一下。", "'㐂'")],
)
def test_what_cannot_be_spoken_is_named_and_its_family_withheld(
    text: str, part: str, cohort: Path, tone_config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = a_script(cohort)
    change(path, lambda script: free_turn(script).update(text=text))
    edited = path.read_bytes()
    assert run(tone_config, cohort) == 1
    shown = capsys.readouterr()
    family = path.stem.partition(".")[0]
    assert f"withheld {family}: the hand-edited script does not pass" in shown.out and part in shown.out
    assert f"1 withheld: {family}; next: " in shown.err and "Traceback" not in shown.err
    assert path.read_bytes() == edited
    manifest = manifest_of(cohort)
    assert family not in {each["family"] for each in manifest["recordings"]}
    assert [each["family"] for each in manifest["withheld"]] == [family]


def test_an_edited_variant_is_refused_with_the_place_to_edit(cohort: Path, tone_config: Path) -> None:
    (path,) = (cohort / "work" / "variants").glob("*.json")
    change(path, lambda variant: variant["script"]["turns"][0].update(text="您好。"))
    edited = path.read_bytes()
    with pytest.raises(FormatError, match=r"one edited by hand; next: edit .*/script/"):
        generate(resolve(config=tone_config), out=cohort, jobs=1)
    assert path.read_bytes() == edited


def test_an_illegal_plan_is_named(cohort: Path, tone_config: Path) -> None:
    path = sorted((cohort / "work" / "gold").glob("*.json"))[0]

    def reverse(plan: Any) -> None:
        for trajectory in plan["trajectories"]:
            for cycle in trajectory["cycles"]:
                cycle["events"].reverse()

    change(path, reverse)
    edited = path.read_bytes()
    report = generate(resolve(config=tone_config), out=cohort, jobs=1)
    (withheld,) = report.withheld
    assert withheld.family == path.stem.partition(".")[0] and "the hand-edited plan does not pass" in withheld.reason
    assert path.read_bytes() == edited and report.families == 1
