"""Every kind of damage is found by its own rule; undamaged scripts pass."""

from __future__ import annotations

import msgspec
import pytest

from dtbuild.records.plan import Plan
from dtbuild.records.script import Script
from dtbuild.review.neighbours import Neighbours
from dtbuild.review.rules import RULES, counts, review
from review.damage import KINDS
from review.damage_talk import too_short
from review.damage_tools import Kind
from review.sample import DATA, blueprint, sample
from variants.pair import pair

WINDOW = (380, 1090)


def test_the_sample_files_are_the_sample() -> None:
    plan, script = sample()
    assert msgspec.json.decode((DATA / "sample_dialogue.plan.json").read_bytes(), type=Plan) == plan
    assert msgspec.json.decode((DATA / "sample_dialogue.script.json").read_bytes(), type=Script) == script


def test_the_sample_has_the_words_of_the_page() -> None:
    rows = [
        line.split(" | ")
        for line in (DATA / "sample_dialogue.md").read_text("utf-8").splitlines()
        if line[2:3].isdigit()
    ]
    assert [turn.text for turn in sample()[1].turns] == [row[2] for row in rows]


def test_undamaged_scripts_pass() -> None:
    plan, script = sample()
    verdict = review(plan, script, blueprint(), chars=WINDOW)
    assert verdict.findings == ()
    assert (verdict.outcome, verdict.gate, verdict.subject) == ("pass", "script", "sc00007-a")
    plan, script = pair()
    assert review(plan, script, blueprint(), chars=(100, 400)).findings == ()


@pytest.mark.parametrize(("kind", "code"), KINDS, ids=[f"{kind.__name__}-{code}" for kind, code in KINDS])
def test_damage_is_found_by_its_rule(kind: Kind, code: str) -> None:
    damaged = kind(*sample())
    assert damaged is not None
    # the window leaves room for the sentence that a kind of damage adds, and none for one that cuts
    verdict = review(*damaged, blueprint(), chars=(300 if kind is not too_short else 380, 1090))
    assert counts(verdict)[code], verdict.findings
    assert verdict.outcome == "fail"


def test_every_rule_has_its_damage() -> None:
    elsewhere = {"reopening", "near-duplicate", "action", "resumption", "alternation"}
    assert {rule.code for rule in RULES} == {code for _, code in KINDS} | elsewhere


def test_without_a_rule_some_damage_slips_through() -> None:
    """Each of these rules is the only one to find some kind of damage: none is there for show."""
    alone = set()
    for kind, code in KINDS:
        damaged = kind(*sample())
        assert damaged is not None
        verdict = review(*damaged, blueprint(), chars=(300 if kind is not too_short else 380, 1090))
        if {finding.code for finding in verdict.findings if finding.level == "error"} == {code}:
            alone.add(code)
    # marks are also unspeakable, and a telephone number is also an undeclared number
    assert {code for _, code in KINDS} - alone <= {"directions", "personal"}


def test_a_near_copy_is_found() -> None:
    plan, script = sample()
    neighbours = Neighbours(blueprint())
    neighbours.add(script)
    assert counts(review(plan, script, blueprint(), neighbours=neighbours))["near-duplicate"] == 1
    assert not counts(review(*pair(), blueprint(), neighbours=neighbours))["near-duplicate"]


def test_the_verdict_names_what_was_judged() -> None:
    plan, script = sample()
    first = review(plan, script, blueprint())
    other = msgspec.structs.replace(script, edited=True)
    assert review(plan, script, blueprint()) == first
    assert review(plan, other, blueprint()).inputs != first.inputs
