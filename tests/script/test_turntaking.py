"""What may stand in one turn, how many turns there are, and how much is said beside the matter."""

from __future__ import annotations

import pytest

from dtbuild.errors import Incomplete
from dtbuild.records.blueprint import Blueprint
from dtbuild.records.plan import Plan
from dtbuild.records.script import Script
from dtbuild.script.draft import Draft
from dtbuild.script.turntaking import SMALL, goes_on
from dtbuild.script.writer import write


def draft(plan: Plan, move: str, text: str, topic: str = "a/b", parts: int = 1) -> Draft:
    return Draft(plan.cast[0].id, move, text=text, topic=topic, parts=parts)


def test_only_a_short_receipt_turns_to_another_matter(plans: list[Plan]) -> None:
    plan = plans[0]
    who = plan.cast[0]
    assert goes_on(draft(plan, "take.start", "好，三个月。"), who, "bridge", "c/d")
    assert not goes_on(draft(plan, "basis", "好，三个月。"), who, "bridge", "c/d")
    assert not goes_on(draft(plan, "take.start", "三个月？老板那头不一定点头，这我得回去说说。"), who, "bridge", "c/d")
    assert not goes_on(draft(plan, "take.start", "好，三个月。"), who, "talk.matter", None)


def test_a_turn_asks_once(plans: list[Plan]) -> None:
    plan = plans[0]
    assert not goes_on(draft(plan, "take.start", "三个月，没听错吧？"), plan.cast[0], "basis", "a/b")
    assert goes_on(draft(plan, "take.start", "三个月，好。"), plan.cast[0], "basis", "a/b")


def test_little_is_said_beside_the_matter(scripts: list[Script]) -> None:
    turns = [turn for script in scripts for turn in script.turns]
    assert sum(turn.move in SMALL for turn in turns) < 0.12 * len(turns)


def test_turns_lie_in_their_window(plans: list[Plan], blueprint: Blueprint) -> None:
    plan = plans[1]
    script = write(plan, blueprint, recording="x-a", seed=1, chars=(400, 1200), turns=(25, 60))
    assert 25 <= len(script.turns) <= 60
    with pytest.raises(Incomplete, match="2 to 3 turns"):
        write(plan, blueprint, recording="x-a", seed=1, chars=(400, 1200), turns=(2, 3))
