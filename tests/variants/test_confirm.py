"""Confirmation change: B of the sample dialogue, as its last lines describe it, and what must not be said in it."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from dtbuild.errors import Incomplete
from dtbuild.legality.variant import edited
from dtbuild.records.plan import Confirmation, Plan
from dtbuild.records.script import Script
from dtbuild.records.variant import Variant
from dtbuild.review.rules import review
from review.marked import script as marked
from review.sample import LINES, VALUES, blueprint
from review.sample import plan as sample_plan
from variants.making import codes, made, turned

TRIGGER, AFTER = 23, 24
DEFERS = "应该问题不大，我先按{七百二十万|m:m30:echo:A3:7.2m}往上报，最后还得林岚签字。"
TAKES_UP = "行，那我先不跟老板说死，等您费率的消息。"


def _sample() -> tuple[Plan, Script]:
    plan = replace(sample_plan(), change=Confirmation(event="A4", person="p1"), phenomena=())
    lines = list(LINES)
    lines[TRIGGER - 1] = (lines[TRIGGER - 1][0], "confirm:A4", lines[TRIGGER - 1][2])
    lines[AFTER - 1] = (lines[AFTER - 1][0], "confirm:A4:after", lines[AFTER - 1][2])
    return plan, marked(plan, lines, VALUES)


def _words(plan: Plan, script: Script, defers: str = DEFERS, takes_up: str = TAKES_UP) -> Script:
    """What the writer would do: B's words in the two turns of the change, by hand."""
    ours = marked(plan, (("p1", "", defers), ("p2", "", takes_up)), VALUES)
    number = {TRIGGER - 1: ours.turns[0], AFTER - 1: ours.turns[1]}
    ids = {ours.turns[0].id: script.turns[TRIGGER - 1].id, ours.turns[1].id: script.turns[AFTER - 1].id}
    gone = set(ids.values())
    return replace(
        script,
        turns=tuple(
            replace(turn, person=number[at].person, text=number[at].text) if at in number else turn
            for at, turn in enumerate(script.turns)
        ),
        spans=tuple(span for span in script.spans if span.turn not in gone),
        mentions=(
            *(mention for mention in script.mentions if mention.turn not in gone),
            *(replace(mention, turn=ids[mention.turn]) for mention in ours.mentions),
        ),
    )


def _variant(*, before: tuple[tuple[int, str], ...] = (), defers: str = DEFERS, takes_up: str = TAKES_UP) -> Variant:
    """`before` puts other words into turns of A (which B then has as well)."""
    plan, script = _sample()
    for number, text in before:
        script = turned(script, number, text=text)
    return made(plan, script, blueprint(), words=lambda p, s: _words(p, s, defers, takes_up))


def test_the_sample_with_the_answer_of_somebody_who_may_not() -> None:
    plan, script = _sample()
    variant = _variant()
    assert variant.verdicts[0].outcome == "pass", variant.verdicts[0].findings
    assert variant.kind == "confirmation_change" and variant.declared == plan.change
    b = variant.script
    assert [
        number for number, (one, two) in enumerate(zip(script.turns, b.turns, strict=True), 1) if one.text != two.text
    ] == [23, 24]
    assert [(each.number, each.person) for each in variant.diff.turns if each.person] == [(23, ("p3", "p1"))]
    assert [(each.event, each.what) for each in variant.diff.gold] == [("A4", "missing")]
    assert [event.id for event in variant.plan.trajectories[0].events] == ["A1", "A2", "A3"]
    assert all(part.target != "A4" for part in (*b.spans, *b.mentions))
    assert review(variant.plan, b, blueprint(), chars=(400, 900)).outcome == "pass"


def test_later_echoes_lead_back_to_the_event_before() -> None:
    plan, script = _sample()
    line = "成，七百二十万先放这儿，明天下班前我给您回话。"
    script = turned(script, 25, text=line)
    echo = replace(script.mentions[-1], id="m40", turn=script.turns[24].id, start=2, end=7, role="echo", target="A4")
    script = replace(script, mentions=(*script.mentions, echo))
    variant = made(plan, script, blueprint(), words=_words)
    (found,) = [mention for mention in variant.script.mentions if mention.id == "m40"]
    assert (found.target, found.role, found.value) == ("A3", "echo", echo.value)
    assert variant.verdicts[0].outcome == "pass", variant.verdicts[0].findings


@pytest.mark.parametrize(
    ("code", "defers"),
    [
        pytest.param("confirm-leak", "对，十一张，都确权了，金额这块我签{七百二十万|m:m30:echo:A3:7.2m}。", id="leaks"),
        pytest.param("confirm-leak", "行，金额批了，最后还得林岚签字。", id="leaks-and-defers"),
        pytest.param("confirm-authority", "对，{七百二十万|m:m30:echo:A3:7.2m}，是这个数。", id="nothing-denies"),
        pytest.param("confirm-self", "应该问题不大，不过周经理说了不算，得林岚签字。", id="himself-by-name"),
    ],
)
def test_what_the_answer_may_not_say(code: str, defers: str) -> None:
    assert code in codes(_variant(defers=defers))


def test_the_answer_of_a_is_no_answer_in_b() -> None:
    plan, script = _sample()
    found = codes(made(plan, script, blueprint(), words=lambda p, s: turned(s, TRIGGER, person="p1")))
    assert {"diff-text", "confirm-leak", "confirm-authority", "confirm-glad"} <= found


@pytest.mark.parametrize(
    ("code", "takes_up"),
    [
        pytest.param("confirm-glad", "太好了，那我回去跟老板说一声，等您费率的消息。", id="glad"),
        pytest.param("confirm-glad", "那我就放心了，等您费率的消息。", id="relieved"),
        pytest.param("confirm-thanks", "谢谢您，那我备材料去。", id="thanks"),
        pytest.param("confirm-address", "林经理，那我等您的准信。", id="answers-the-decider"),
        pytest.param("confirm-self", "好，那何洁先不跟老板说。", id="herself-by-name"),
    ],
)
def test_how_it_may_not_be_taken(code: str, takes_up: str) -> None:
    assert code in codes(_variant(takes_up=takes_up))


@pytest.mark.parametrize(
    ("code", "number", "text"),
    [
        pytest.param("confirm-address", 22, "林岚，也就是十一张，七百二，对吧？", id="calls-on-the-decider"),
        pytest.param("confirm-address", 22, "也就是十一张，七百二，您看对吧？", id="asks-by-pronoun"),
        pytest.param("confirm-presumed", 25, "成，金额定了，费率明天给您回话。", id="field-closed"),
        pytest.param("confirm-presumed", 25, "这下都齐了，明天下班前我给您回话。", id="all-done"),
        pytest.param("confirm-ascribed", 25, "金额林岚签了，费率明天给您回话。", id="the-decider-did"),
    ],
)
def test_what_other_turns_may_not_say(code: str, number: int, text: str) -> None:
    assert code in codes(_variant(before=((number, text),)))


@pytest.mark.parametrize(
    ("number", "text"),
    [
        pytest.param(25, "成，金额还得林岚签字，费率明天给您回话。", id="says-that-it-is-open"),
        pytest.param(25, "成，期限定了，费率明天给您回话。", id="another-matter-closed"),
        pytest.param(22, "何洁说得对，十一张，七百二。", id="names-somebody-else"),
    ],
)
def test_what_they_may(number: int, text: str) -> None:
    found = codes(_variant(before=((number, text),)))
    assert not {each for each in found if each.startswith("confirm-")}, found


def test_the_decider_does_not_claim_it_later() -> None:
    plan, script = _sample()
    text = "金额我刚才签的，费率明天再说。"
    script = turned(turned(script, 25, text=text), 25, person="p3")
    mention = replace(script.mentions[-1], id="m41", turn=script.turns[24].id, start=0, end=2, role="echo", target="A3")
    script = replace(script, mentions=(*script.mentions, mention))
    assert "confirm-past" in codes(made(plan, script, blueprint(), words=_words))


def test_words_elsewhere_are_no_part_of_the_change() -> None:
    plan, script = _sample()
    assert "diff-text" in codes(
        made(plan, script, blueprint(), words=lambda p, s: turned(_words(p, s), 10, text="期限咱们也说说？"))
    )


def test_an_event_that_no_turn_carries_is_named() -> None:
    plan, script = _sample()
    bare = replace(script, spans=tuple(span for span in script.spans if span.target != "A4"))
    assert "confirm-turns" in codes(made(plan, bare, blueprint()))
    with pytest.raises(Incomplete, match="A9"):
        made(replace(plan, change=Confirmation(event="A9", person="p1")), script, blueprint())
    assert edited(plan).change is None
