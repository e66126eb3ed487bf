"""Role reassignment: the sample dialogue with a neutral opening, and families of the writer with compound surnames."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from dtbuild.blueprint.load import load
from dtbuild.gold.planner import plan as make_plan
from dtbuild.gold.settings import GoldSettings
from dtbuild.legality.variant import edited
from dtbuild.records.ids import recording_id
from dtbuild.records.plan import Plan, Reassignment
from dtbuild.records.script import KEEP, Script, speakers
from dtbuild.review.rules import review
from dtbuild.script.writer import write
from dtbuild.variants.coherence_roles import reassigned_talk
from dtbuild.variants.difference import difference, undeclared
from dtbuild.variants.reassign import expected, reassigned
from dtbuild.variants.turns import renumbered
from review.marked import script as marked
from review.sample import LINES, VALUES, blueprint
from review.sample import plan as sample_plan
from variants.making import CHARS, SEED, codes, made, really_made, turned

OPENING = (("p2", KEEP, "喂，听得见吗？"), ("p3", KEEP, "听得见，挺清楚。"))
CHANGE = Reassignment(one="p2", other="p3")


def _sample(*, moved: tuple[tuple[int, str], ...] = ()) -> tuple[Plan, Script]:
    """The sample dialogue after an opening that shows no role; `moved` puts other words into turns, from 1."""
    plan = replace(sample_plan(), change=CHANGE, phenomena=())
    script = marked(plan, (*OPENING, *LINES), VALUES)
    for number, text in moved:
        script = turned(script, number, text=text)
    return plan, script


def test_the_two_exchange_what_they_say_and_what_they_are_called() -> None:
    plan, script = _sample()
    variant = made(plan, script, blueprint())
    assert variant.verdicts[0].outcome == "pass", variant.verdicts[0].findings
    b = variant.script
    assert [(turn.person, turn.text) for turn in b.turns[:2]] == [(turn.person, turn.text) for turn in script.turns[:2]]
    assert b.turns[2].text.startswith("林会计，咱们接着上回说")
    assert b.turns[6].text == script.turns[6].text.replace("林岚", "何洁")
    assert [turn.person for turn in b.turns[2:6]] == ["p1", "p3", "p1", "p3"]
    assert speakers(b) == speakers(script) == {"p2": "S1", "p3": "S2", "p1": "S3"}
    assert [(each.person, each.role, each.title) for each in variant.diff.cast] == [
        ("p2", ("supplier_accountant", "risk_manager"), ("会计", "风控经理")),
        ("p3", ("risk_manager", "supplier_accountant"), ("风控经理", "会计")),
    ]
    assert {(each.event, each.a, each.b) for each in variant.diff.gold} >= {("A1", "S1", "S2"), ("A4", "S2", "S1")}
    assert {"plan.candidates", "plan.distractors"} == set(variant.diff.plan) and not variant.diff.speakers


def test_spans_stand_on_the_same_words() -> None:
    plan, script = _sample()
    b = made(plan, script, blueprint()).script
    pairs = list(zip((*script.spans, *script.mentions), (*b.spans, *b.mentions), strict=True))
    said = [(_said(script, one), _said(b, other)) for one, other in pairs]
    assert [(one, other) for one, other in said if one != other] == [
        ("林岚，金额跟期限归你定", "何洁，金额跟期限归你定"),
        ("林岚，金额跟期限归你定", "何洁，金额跟期限归你定"),
    ]


def _said(script: Script, part: object) -> str:
    text = script.turn(part.turn).text  # type: ignore[attr-defined]
    return text[part.start : part.end]  # type: ignore[attr-defined, no-any-return]


def test_twice_is_once_too_often() -> None:
    plan, script = _sample()
    there = made(plan, script, blueprint())
    back = reassigned(replace(there.plan, change=CHANGE), there.script, CHANGE, blueprint())
    assert renumbered(back, script.recording) == script
    assert edited(replace(there.plan, change=CHANGE)) == replace(plan, change=None)


@pytest.mark.parametrize(
    ("code", "number", "text"),
    [
        pytest.param("role-keep", 1, "林岚，听得见吗？", id="kept-turn-names-one"),
        pytest.param("role-keep", 2, "听得见，您请说。", id="kept-turn-shows-rank"),
        pytest.param("role-keep", 2, "听得见，我们这边挺清楚。", id="kept-turn-shows-a-side"),
        pytest.param("role-keep", 3, "那咱们接着上回说，您那边这批应收，发票一共是多少张来着？", id="pronoun-after"),
        pytest.param("role-self", 8, "对，就那两张，林老师说日期对不上。", id="himself-by-name"),
        pytest.param("role-pronoun", 20, "林岚看过了没有？她说系统里确权了。", id="she-may-be-the-other"),
    ],
)
def test_incoherent_talk_is_found(code: str, number: int, text: str) -> None:
    plan, script = _sample(moved=((number, text),))
    if code == "role-pronoun":
        # with one of another gender
        cast = tuple(replace(person, gender="male") if person.id == "p2" else person for person in plan.cast)
        plan, script = replace(plan, cast=cast), replace(script, cast=cast)
    assert code in codes(made(plan, script, blueprint()))


@pytest.mark.parametrize(
    ("number", "change"), [(4, {"person": "p1"}), (9, {"text": "换了一句。"}), (1, {"person": "p3"})]
)
def test_a_difference_that_was_not_declared_is_found(number: int, change: dict[str, str]) -> None:
    plan, script = _sample()
    good = renumbered(reassigned(plan, script, CHANGE, blueprint()), recording_id(plan.family, "b"))
    wanted = expected(plan, script, CHANGE, blueprint())
    assert not list(undeclared(difference(plan, script, edited(plan), good), wanted))
    damaged = turned(good, number, **change)
    assert {each.code for each in undeclared(difference(plan, script, edited(plan), damaged), wanted)} & {
        "diff-text",
        "diff-turns",
    }


def test_a_title_that_was_left_is_found() -> None:
    plan, script = _sample()
    b = reassigned(plan, script, CHANGE, blueprint())
    left = turned(b, 3, text=script.turns[2].text)
    found = {each.code for each in reassigned_talk(plan, script, left, blueprint(), CHANGE)}
    assert {"role-title", "role-address"} <= found


@pytest.mark.parametrize("index", range(1, 9))
def test_compound_surnames_in_written_families(index: int) -> None:
    scenario = load("supply_chain")
    for attempt in range(8):
        plan = make_plan(scenario, GoldSettings(), seed=SEED, index=index, attempt=attempt, change="role_reassignment")
        rng = random.Random(index)
        families = rng.sample(("欧阳", "司马", "上官", "诸葛", "慕容"), len(plan.cast))
        cast = tuple(
            replace(person, name=family + person.name[1:]) if at % 2 == index % 2 else person
            for at, (person, family) in enumerate(zip(plan.cast, families, strict=True))
        )
        plan = replace(plan, cast=cast)
        script = write(plan, scenario, recording=recording_id(plan.family, "a"), seed=SEED, chars=CHARS)
        if review(plan, script, scenario, chars=CHARS).outcome == "pass":
            break
    else:
        pytest.fail("no sub-seed gives an A that passes")
    variant = really_made(plan, script, scenario)
    assert [verdict.outcome for verdict in variant.verdicts] == ["pass", "pass"], variant.verdicts
    assert isinstance(plan.change, Reassignment)
    back = reassigned(replace(variant.plan, change=plan.change), variant.script, plan.change, scenario)
    assert renumbered(back, script.recording) == script
