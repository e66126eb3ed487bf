"""Somebody called himself by a title that is another's in B: 我这个风控经理 in a turn that moved, or that stayed when
roles were exchanged, passed."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from dtbuild.records.plan import Plan, Reassignment
from dtbuild.records.script import KEEP, Script
from review.marked import script as marked
from review.sample import LINES, VALUES, blueprint
from review.sample import plan as sample_plan
from variants.making import codes, made, turned
from variants.pair import pair


def _other_title(plan: Plan, script: Script) -> tuple[Plan, Script]:
    """The taker's title is not the giver's."""
    cast = tuple(replace(person, title="授信评审员") if person.id == "p4" else person for person in plan.cast)
    return replace(plan, cast=cast), replace(script, cast=cast)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("我这个风控经理看过的，就那两张。", True),
        ("作为风控经理，我看就那两张。", True),
        ("就那两张，风控经理都看过的。", False),
    ],
)
def test_who_takes_over_a_turn_has_not_the_givers_title(text: str, fault: bool) -> None:
    plan, script = _other_title(*pair())
    found = codes(made(plan, turned(script, 6, text=text), blueprint()))
    assert ("swap-self" in found) is fault


def test_an_opening_that_stays_shows_no_title() -> None:
    plan = replace(sample_plan(), change=Reassignment(one="p2", other="p3"), phenomena=())
    script = marked(
        plan, (("p2", KEEP, "喂，听得见吗？"), ("p3", KEEP, "听得见，我这个风控经理刚到。"), *LINES), VALUES
    )
    assert "role-keep" in codes(made(plan, script, blueprint()))
