"""B of a pair: made from the edited plan, different in nothing but what the plan declares."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from msgspec.structs import replace

from dtbuild.errors import Incomplete
from dtbuild.legality.variant import edited
from dtbuild.records.blueprint import Blueprint
from dtbuild.records.plan import Plan, Swap
from dtbuild.records.script import Script, speakers
from dtbuild.records.variant import Variant
from dtbuild.records.verdict import Finding
from dtbuild.variants.difference import difference, undeclared
from dtbuild.variants.swap import expected, moved_turns, swapped
from review.sample import blueprint
from variants.making import codes, made, turned
from variants.pair import pair


def _make(plan: Plan, script: Script, findings: Iterable[Finding] = ()) -> Variant:
    def check(judged: Plan, _: Blueprint) -> Iterable[Finding]:
        assert judged.event("A2").person == "p4"
        return findings

    return made(plan, script, blueprint(), check_chains=check)


def _declared(plan: Plan) -> Swap:
    assert isinstance(plan.change, Swap)
    return plan.change


def test_swap_moves_the_declared_turns_and_nothing_else() -> None:
    plan, script = pair()
    variant = _make(plan, script)
    assert variant.verdicts[0].outcome == "pass", variant.verdicts[0].findings
    assert moved_turns(script, _declared(plan)) == {4, 6}
    assert [(change.number, change.person, change.text) for change in variant.diff.turns] == [
        (4, ("p3", "p4"), None),
        (6, ("p3", "p4"), None),
    ]
    assert [(change.event, change.what) for change in variant.diff.persons] == [("A2", "person")]
    assert [turn.text for turn in variant.script.turns] == [turn.text for turn in script.turns]
    assert variant.script.turns[3].id == f"{plan.family}-b-t004"
    assert {span.turn for span in variant.script.spans} <= {turn.id for turn in variant.script.turns}
    assert variant.plan.event("A2").person == "p4"
    assert variant.plan.cast == plan.cast


def test_labels_follow_first_speech_and_gold_is_compared_by_labels() -> None:
    plan, script = pair()
    plan_b, script_b = edited(plan), swapped(script, _declared(plan))
    assert speakers(script) == {"p1": "S1", "p2": "S2", "p3": "S3", "p4": "S4"}
    assert speakers(script_b) == {"p1": "S1", "p2": "S2", "p4": "S3", "p3": "S4"}
    # the hold stays S3's; it is the settle, which nobody moved, whose label changes
    assert [(each.event, each.what, each.a, each.b) for each in difference(plan, script, plan_b, script_b).gold] == [
        ("A3", "speaker", "S4", "S3")
    ]


def test_unchanged_gold_is_rejected() -> None:
    plan, script = pair()
    # when the settle moves as well, every label is as it was
    plan = replace(plan, change=Swap(events=("A2",), giver="p3", taker="p4"))
    events = tuple(replace(event, person="p3") if event.id == "A3" else event for event in plan.trajectories[0].events)
    cycle = replace(plan.trajectories[0].cycles[0], events=events)
    plan = replace(
        plan,
        trajectories=(replace(plan.trajectories[0], cycles=(cycle,)),),
        change=Swap(events=("A2", "A3"), giver="p3", taker="p4"),
    )
    variant = _make(plan, turned(script, 8, person="p3"))
    assert "gold-equal" in codes(variant)
    assert variant.verdicts[0].outcome == "fail"


def test_illegal_chains_fail_the_variant() -> None:
    plan, script = pair()
    variant = _make(plan, script, [Finding(code="chain", where="A2", message="illegal")])
    assert variant.verdicts[0].outcome == "fail"


def test_taker_without_the_right() -> None:
    plan, script = pair()
    cast = tuple(replace(p, role="supplier_accountant") if p.id == "p4" else p for p in plan.cast)
    assert "swap-rights" in codes(_make(replace(plan, cast=cast), replace(script, cast=cast)))


@pytest.mark.parametrize("swap_", [None, Swap(events=("A9",), giver="p3", taker="p4")])
def test_a_plan_without_a_possible_swap_is_named(swap_: Swap | None) -> None:
    plan, script = pair()
    with pytest.raises(Incomplete, match=r"change|A9"):
        made(replace(plan, change=swap_), script, blueprint())


@pytest.mark.parametrize(
    ("code", "number", "change"),
    [
        pytest.param(
            "swap-self", 4, {"text": "沈舟也说了，有发票还没确权，这个数先停一停。"}, id="taker-in-third-person"
        ),
        pytest.param("swap-address", 5, {"text": "林经理，哪几张没确权？"}, id="giver-answered-by-name"),
        pytest.param("swap-address", 3, {"text": "金额归风控这边定，林岚，你看过底单没有？"}, id="giver-called-on"),
        pytest.param("swap-adjacent", 5, {"person": "p4"}, id="answers-himself"),
        pytest.param("swap-past", 6, {"text": "我刚才说的那几张。"}, id="claims-the-givers-past"),
        pytest.param(
            "swap-ascribed", 7, {"text": "林老师说的那几张我让仓库补了，这个数能往下走了吧？"}, id="ascribed-to-giver"
        ),
        pytest.param("swap-past", 9, {"text": "我刚才停的那个数可以走了。"}, id="giver-claims-it-later"),
    ],
)
def test_incoherent_talk_is_found(code: str, number: int, change: dict[str, str]) -> None:
    plan, script = pair()
    variant = _make(plan, turned(script, number, **change))
    assert code in codes(variant)
    assert variant.verdicts[0].outcome == "fail"


@pytest.mark.parametrize(
    ("number", "text"),
    [
        pytest.param(7, "林岚，这批货有没有退货的，怎么说？", id="a-question-to-the-giver"),
        pytest.param(7, "林岚那边的底单也归档了吧？", id="the-giver-in-another-matter"),
        pytest.param(5, "沈舟，哪几张没确权？", id="an-answer-to-the-taker"),
        pytest.param(9, "我刚才说的底单我来归档。", id="one-owns-what-one-said"),
    ],
)
def test_coherent_talk_passes(number: int, text: str) -> None:
    """Turn 7 follows a moved turn: the question there is asked of somebody else, and is answered by nobody."""
    plan, script = pair()
    found = codes(_make(plan, turned(script, number, text=text)))
    assert "swap-ascribed" not in found
    assert (found & {"swap-self", "swap-adjacent", "swap-side"}) == set()


def test_words_of_another_side_and_gender() -> None:
    plan, script = pair()
    cast = tuple(
        replace(p, role="supplier_accountant", gender="male", title="会计") if p.id == "p4" else p for p in plan.cast
    )
    plan, script = replace(plan, cast=cast), replace(script, cast=cast)
    script = turned(script, 4, text="我们看了一遍，有发票还没确权，这个数先停一停。")
    script = turned(script, 5, text="她说的是哪几张？")
    assert {"swap-side", "swap-pronoun"} <= codes(_make(plan, script))


@pytest.mark.parametrize(
    ("code", "damage"),
    [
        ("diff-text", lambda b: turned(b, 1, text="换了一句。")),
        ("diff-turns", lambda b: turned(b, 1, person="p4")),
        ("diff-turns", lambda b: turned(b, 6, person="p3")),
        ("diff-text", lambda b: replace(b, spans=b.spans[1:])),
        ("diff-other", lambda b: replace(b, anchor_date="2026-02-01")),
    ],
)
def test_a_difference_that_was_not_declared_is_found(code: str, damage: object) -> None:
    plan, script = pair()
    plan_b, script_b = edited(plan), swapped(script, _declared(plan))
    wanted = expected(script, _declared(plan))
    assert not list(undeclared(difference(plan, script, plan_b, script_b), wanted))
    damaged = damage(script_b)  # type: ignore[operator]
    found = {each.code for each in undeclared(difference(plan, script, plan_b, damaged), wanted)}
    assert code in found
