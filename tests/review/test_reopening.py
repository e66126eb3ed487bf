"""Rules that the sample has no occasion for: reopening, resumption, action words, turns in a row."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from dtbuild.records.plan import Beat, Cycle, Event, Plan
from dtbuild.records.script import Script
from dtbuild.review.rules import counts, review
from review.marked import script as write
from review.sample import VALUES, blueprint
from text_bench.edits import edit, set_event
from variants.pair import LINES, pair

CHARS = (100, 400)
REOPENED = "{刚才定的金额得改一下，{按{七百二十万|m:m3:event:A4:7.2m s:value:A4}重新报|s:action:A4}|s:action:A4}。"
RESUMED = "材料齐了，{{这个数|s:value:A5@m3}接着往下走|s:action:A5}。"


def reopened() -> tuple[Plan, Script]:
    """The pair's dialogue with a second cycle: a start that opens it, a hold, and an advance out of the hold."""
    plan, _ = pair()
    scope = "financing_amount"
    start = Event(id="A4", action="start", value=VALUES["7.2m"], person="p2", scope=scope)
    advance = Event(
        id="A5",
        action="advance",
        value=VALUES["7.2m"],
        person="p4",
        scope=scope,
        predecessor="A4",
        value_said="elliptical",
    )
    first = plan.trajectories[0]
    plan = replace(
        plan,
        trajectories=(replace(first, cycles=(*first.cycles, Cycle(id="c2", events=(start, advance)))),),
        beats=(*plan.beats, Beat(kind="event", ref="A4"), Beat(kind="event", ref="A5")),
        change=None,
    )
    lines = (*LINES[:-1], ("p2", "start", REOPENED), ("p4", "advance", RESUMED), LINES[-1])
    return plan, write(plan, lines, VALUES)


def test_a_reopened_chain_passes() -> None:
    assert review(*reopened(), blueprint(), chars=CHARS).findings == ()


def test_a_cycle_that_nobody_opens() -> None:
    plan, script = reopened()
    span = next(
        span for span in script.spans if span.target == "A4" and script.turn(span.turn).text[span.start] == "刚"
    )
    script = edit(script, span.turn, 0, 6, "金额")
    script = edit(
        script, span.turn, script.turn(span.turn).text.index("重新"), script.turn(span.turn).text.index("重新") + 2, ""
    )
    script = edit(
        script, span.turn, script.turn(span.turn).text.index("得改"), script.turn(span.turn).text.index("一下") + 2, ""
    )
    assert counts(review(plan, script, blueprint(), chars=CHARS))["reopening"]


def test_an_advance_without_action_words() -> None:
    plan, script = reopened()
    script = replace(script, spans=tuple(span for span in script.spans if (span.target, span.kind) != ("A5", "action")))
    assert counts(review(plan, script, blueprint(), chars=CHARS))["action"]


def test_a_hold_that_is_cleared_in_its_own_turn() -> None:
    plan, script = reopened()
    # gold now says that the settled first cycle resumed; its text has hold and advance in one turn
    plan = set_event(plan, "A3", action="advance", clears="receivable_unconfirmed", result=None)
    hold = script.trigger("A2")
    assert hold is not None
    script = replace(
        script,
        spans=tuple(replace(s, turn=hold, start=0, end=3) if s.target == "A3" else s for s in script.spans),
    )
    assert counts(review(plan, script, blueprint(), chars=CHARS))["resumption"]


def test_turns_in_a_row_by_one_person() -> None:
    plan, script = reopened()
    turns = list(script.turns)
    turns[-1] = replace(turns[-1], person="p4")
    turns[0] = replace(turns[0], person="p1")
    verdict = review(plan, replace(script, turns=tuple(turns)), blueprint(), chars=CHARS)
    assert counts(verdict)["alternation"] == 1
    assert verdict.outcome == "fail"


@pytest.mark.parametrize("event", ["A4", "A5"])
def test_settling_words_after_reopening(event: str) -> None:
    plan, script = reopened()
    turn = script.trigger(event)
    assert turn is not None
    text = script.turn(turn).text
    assert counts(review(plan, edit(script, turn, len(text), len(text), "就这么定了。"), blueprint(), chars=CHARS))[
        "early-settle"
    ]
