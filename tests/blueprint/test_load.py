"""Loading is strict, and lint names every fault with its place."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from dtbuild.blueprint.examples import as_plan
from dtbuild.blueprint.lint import lint
from dtbuild.blueprint.load import load, read
from dtbuild.errors import BlueprintError, UnknownName
from dtbuild.legality.plan import check

CLAIMS = Path(__file__).with_name("claims.yaml")
TEXT = CLAIMS.read_text("utf-8")


def faulty(tmp_path: Path, *edits: tuple[str, str]) -> str:
    """The message that loading the claims scenario gives after these edits."""
    text = TEXT
    for old, new in edits:
        assert old in text, old
        text = text.replace(old, new, 1)
    path = tmp_path / "edited.yaml"
    path.write_text(text, "utf-8")
    with pytest.raises(BlueprintError) as raised:
        load(path)
    return str(raised.value)


def test_the_shipped_scenario_has_no_error() -> None:
    blueprint, document = read("supply_chain")
    assert [finding for finding in lint(blueprint, document) if finding.level == "error"] == []
    assert len(blueprint.fields) >= 12 and len(blueprint.obstacles) >= 15
    assert {len(cast.roles) for cast in blueprint.casts} == {2, 3, 4}
    types = {field.value.type for field in blueprint.fields}
    assert types >= {"money", "rate", "term", "date", "count", "ratio", "factor", "status", "composite", "change"}


def test_another_scenario_is_only_yaml() -> None:
    assert load(CLAIMS).code == "ic"
    blueprint, document = read(CLAIMS)
    assert lint(blueprint, document) == []


def test_an_unknown_name_gets_the_closest() -> None:
    with pytest.raises(UnknownName, match="supply_chain"):
        load("supply_chian")
    with pytest.raises(UnknownName, match=r"nowhere\.yaml"):
        load("nowhere.yaml")


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("wants: {customer: raise,", "wants: {client: raise,", r"no such side"),
        ("    past: true", "    nature: fact", r"vehicle/loss is a fact"),
        ("proposed_by: [insured, adjuster]", "proposed_by: [insurer]", r"no such role"),
        ("excludes: [photos_missing]", "excludes: [photo]", r"no such obstacle"),
        ("{id: adjuster, title", "{id: adjustor, title", r"no such role; expected perhaps adjustor; found adjuster"),
        ("scope: payout\n    limited", "scope: payuot\n    limited", r"fields\[0\]\.scope: no such scope.*payout"),
        ("limited: [survey]", "limited: [payout]", r"another than the deciding one"),
        ("fields: [claim/repair_term]\n", "fields: [claim/repair]\n", r"obstacles\[2\].*no such field.*claim/repair_term"),
        ("of: insured_sum", "of: insured", r"no such quantity or field"),
        ("gives: [approved, rejected]}", "gives: []}", r"settle and the results it gives belong together"),
        ("results: [confirmed]\n", "results: [rejected]\n", r"nobody may settle claim/repair_term"),
        ("found_by: [adjuster, examiner]\n    cleared_by: [insured", "found_by: [insured]\n    cleared_by: [insured",
         r"nobody of found_by may hold vehicle/loss"),
        ("cleared_by: [insured, adjuster]", "cleared_by: []", r"somebody who clears"),
        ("currency: CNY\n      prior: {of", "prior: {of", r"a money needs its currency"),
        ("unit: day", "unit: hour", r"month or day or workday; found hour"),
        ("{lo: 5, hi: 20, step: 1}", "{lo: 5, hi: 20, step: 4}", r"not a grid"),
        ("{lo: 5, hi: 20, step: 1}", "{lo: -5, hi: 20, step: 1}", r"a term is above 0"),
        ("{toward: lower, share: {choice: [80, 85, 90]}}", "{toward: lower, share: {choice: [105]}}", r"does not lower"),
        ("effect: [raise]", "effect: [cap]", r"the effect cap, cap and over belong together"),
        ("final: [closed]", "final: [shut]", r"no words for a code.*shut"),
        ("codes: [filed]", "codes: []", r"a status draws from codes"),
        ("ratios: [[3, 7], [5, 5], [10, 0]]", "ratios: [[3, 7]]", r"two ratios or more"),
        ("{roles: [adjuster, examiner, insured]}", "{roles: [adjuster]}", r"two to four persons; found 1"),
        ("start: [先说一下]", "start: []", r"phrases\.start: an empty bank"),
        ("start: [先说一下]", 'start: [""]', r"a blank phrase"),
        ("expect: [authority]", "expect: [transition]", r"comes out otherwise; expected transition; found authority"),
        ("expect: [authority]", "", r"comes out otherwise; expected no finding"),
        ("code: ic", "code: icx", r"two letters"),
        ('anchor_date: "2026-01-31"', "anchor_date: 31.1.2026", r"not a date"),
        ("by: [adjuster, insured]\n    value: {type: count, unit: 公里", "by: [adjuster]\n    value: {type: count, unit: 公里", None),
        ("by: [customer]", "by: [client]", r"no role has this side"),
        ("prior: {lo: 5, hi: 20, step: 1}", "prior: {of: vehicle/loss, share: {choice: [1]}}", r"of which two can occur"),
        ("id: case_load", "id: mileage", r"'mileage' stands twice"),
    ],
)  # fmt: skip
def test_each_fault_is_named(tmp_path: Path, old: str, new: str, told: str | None) -> None:
    if told is None:
        edited = tmp_path / "fine.yaml"
        edited.write_text(TEXT.replace(old, new, 1), "utf-8")
        assert load(edited).id == "insurance_claims"
        return
    assert re.search(told, faulty(tmp_path, (old, new)), re.S)


def test_all_faults_come_at_once_with_their_lines(tmp_path: Path) -> None:
    message = faulty(
        tmp_path, ("scope: survey, may: [start]", "scope: surveys, may: [start]"), ("unit: day", "unit: hour")
    )
    line = next(n for n, text in enumerate(TEXT.splitlines(), 1) if "role: insured, scope: survey" in text)
    assert f"line {line}, authority[2].scope" in message
    assert "expected month or day or workday" in message


def test_unknown_and_doubled_keys_are_faults(tmp_path: Path) -> None:
    assert "limitted" in faulty(tmp_path, ("limited: [survey]", "limitted: [survey]"))
    assert "stands twice" in faulty(tmp_path, ("code: ic\n", "code: ic\ncode: ic\n"))
    assert "dtbuild.blueprint/1" in faulty(tmp_path, ("dtbuild.blueprint/1", "dtbuild.blueprint/9"))


def test_references_in_a_circle_are_a_fault(tmp_path: Path) -> None:
    circle = ("prior: {lo: 100000, hi: 300000, step: 10000}", "prior: {of: vehicle/loss, share: {choice: [200]}}")
    assert "hangs on itself" in faulty(tmp_path, circle)


def test_without_a_shared_right_no_pair_can_be_planned() -> None:
    blueprint, document = read(CLAIMS)
    alone = tuple(right for right in blueprint.authority if right.role == "examiner" and right.scope == "payout")
    opener = tuple(right for right in blueprint.authority if right.role == "insured" and right.scope == "survey")
    lonely = msgspec.structs.replace(blueprint, authority=alone + opener)
    assert "swap" in {finding.code for finding in lint(lonely, document)}


def test_where_everybody_concludes_everything_no_confirmation_can_change() -> None:
    blueprint, document = read(CLAIMS)
    right = blueprint.authority[0]
    everybody = tuple(
        msgspec.structs.replace(
            right,
            role=role.id,
            scope=scope.id,
            may=("start", "advance", "hold", "settle"),
            gives=("approved", "confirmed"),
        )
        for role in blueprint.roles
        for scope in blueprint.scopes
    )
    found = lint(msgspec.structs.replace(blueprint, authority=everybody), document)
    assert ("confirmation", "warning") in {(finding.code, finding.level) for finding in found}
    assert "confirmation" not in {finding.code for finding in lint(blueprint, document)}


@pytest.mark.parametrize("source", [lambda: load("supply_chain"), lambda: load(CLAIMS)])
def test_examples_come_out_as_they_say(source: Callable[[], object]) -> None:
    blueprint = source()
    assert blueprint.examples  # type: ignore[attr-defined]
    for example in blueprint.examples:  # type: ignore[attr-defined]
        found = {finding.code for finding in check(as_plan(blueprint, example), blueprint)}  # type: ignore[arg-type]
        assert found == set(example.expect), example.name
