"""Every kind of damage is found by its own rule; undamaged scripts pass."""

from __future__ import annotations

import msgspec
import pytest

from dtbuild.records.plan import Plan
from dtbuild.records.script import Script
from dtbuild.review.neighbours import Neighbours
from dtbuild.review.rules import RULES, counts, review
from review.sample import DATA, blueprint, sample
from text_bench.kind import Kind, Subject, strike
from text_bench.kinds import KINDS
from text_bench.matrix import codes
from variants.pair import pair

WINDOW = (380, 1090)
NOT_HERE = {
    "changed premise",
    "action words removed",
    "obstacle denied",
    "scope removed",
    "scope of another field",
    "reopening unsaid",
    "entitled candidate",
    "extra settled amount",
    "settled by the longer name",
    "limit words removed",
    "swapped names",
    "names exchanged throughout",
    "too short",
    "too long",
    "family copied",
    "silent member",
}
"""Kinds for which the sample and its small scenario have no occasion; written scripts have."""


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


@pytest.mark.parametrize(
    "kind", [kind for kind in KINDS if not kind.leak and kind.name not in NOT_HERE], ids=lambda kind: kind.name
)
def test_damage_to_the_sample_is_found_by_its_rule(kind: Kind) -> None:
    subject = Subject(*sample(), blueprint(), WINDOW)
    damaged = next(filter(None, (strike(kind, subject, seed) for seed in range(20))))
    assert kind.rule in codes(kind, subject, damaged)


def test_every_rule_has_its_damage() -> None:
    assert {rule.code for rule in RULES} == {kind.rule for kind in KINDS if not kind.leak}


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
