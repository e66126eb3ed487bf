"""Properties of two hundred scripts of the shipped scenario."""

from __future__ import annotations

import datetime
import time
from itertools import pairwise

import msgspec
import pytest

from dtbuild.address import name_forms
from dtbuild.errors import BlueprintError, Incomplete
from dtbuild.lexicon import read, spoken
from dtbuild.lexicon.characters import hanzi_in
from dtbuild.records.blueprint import Blueprint
from dtbuild.records.plan import Plan, Swap
from dtbuild.records.script import TRIGGER_KINDS, Script, Span
from dtbuild.records.values import Status
from dtbuild.script.lint import lint_banks
from dtbuild.script.writer import write

CHARS = (430, 1090)
"""The window of conftest.py."""
Pairs = list[tuple[Plan, Script]]


@pytest.fixture(scope="module")
def written(plans: list[Plan], scripts: list[Script]) -> Pairs:
    return list(zip(plans, scripts, strict=True))


def words(script: Script, span: Span) -> str:
    return script.turn(span.turn).text[span.start : span.end]


def test_banks_have_no_hidden_numbers_and_are_speakable(blueprint: Blueprint) -> None:
    assert lint_banks(blueprint) == ()


def test_length_is_in_the_window(written: Pairs) -> None:
    for _, script in written:
        assert CHARS[0] <= sum(hanzi_in(turn.text) for turn in script.turns) <= CHARS[1]


def test_every_event_has_its_trigger_said_by_its_person(written: Pairs) -> None:
    for plan, script in written:
        for _, _, event in plan.events():
            spans = [span for span in script.spans if span.target == event.id]
            trigger = {span.turn for span in spans if span.kind in TRIGGER_KINDS}
            assert len(trigger) == 1, (plan.family, event.id)
            assert script.turn(trigger.pop()).person == event.person
            kinds = {span.kind for span in spans}
            assert "action" in kinds
            assert event.value is None or "value" in kinds
            assert event.action != "hold" or "obstacle" in kinds
            assert event.action != "settle" or {"conclusion", "scope", "authority"} <= kinds


def test_no_two_events_share_a_turn(written: Pairs) -> None:
    for plan, script in written:
        triggers = [script.trigger(event.id) for _, _, event in plan.events()]
        assert len(set(triggers)) == len(triggers), plan.family


def test_beats_come_in_their_order(written: Pairs) -> None:
    for plan, script in written:
        at = {turn.id: number for number, turn in enumerate(script.turns)}
        places = [at[script.trigger(beat.ref) or ""] for beat in plan.beats if beat.kind == "event"]
        assert places == sorted(places), plan.family


def test_value_spans_select_the_value_or_name_an_antecedent(written: Pairs) -> None:
    for plan, script in written:
        by_id = {mention.id: mention for mention in script.mentions}
        for _, _, event in plan.events():
            for span in script.spans:
                if span.target != event.id or span.kind != "value":
                    continue
                if span.antecedent is not None:
                    assert by_id[span.antecedent].value == event.value
                    continue
                [mention] = [
                    m for m in script.mentions if (m.turn, m.start, m.end) == (span.turn, span.start, span.end)
                ]
                assert mention.value == event.value and mention.role == "event"


def test_what_is_said_of_the_value_is_as_planned(written: Pairs) -> None:
    for plan, script in written:
        for _, _, event in plan.events():
            mentions = [m for m in script.mentions if m.role == "event" and m.target == event.id]
            if event.value is not None and event.value_said == "explicit":
                assert len(mentions) == 1, (plan.family, event.id)
            else:
                assert not mentions, (plan.family, event.id)


def test_every_number_read_is_declared(written: Pairs, blueprint: Blueprint) -> None:
    anchor = datetime.date.fromisoformat(blueprint.anchor_date)
    for _, script in written:
        for turn in script.turns:
            spots = [(m.start, m.end) for m in script.mentions if m.turn == turn.id]
            for found in read(turn.text, anchor=anchor):
                if found.value is not None or found.number is not None:
                    assert any(a < found.end and found.start < b for a, b in spots), (
                        turn.id,
                        turn.text,
                        found.text,
                    )


def test_candidates_and_distractors_are_said_by_their_persons(written: Pairs) -> None:
    for plan, script in written:
        for item in (*plan.candidates, *plan.distractors):
            said = [m for m in script.mentions if m.target == item.id]
            assert said, (plan.family, item.id)
            assert script.turn(said[0].turn).person == item.person


def test_authority_comes_before_or_in_the_settle_and_before_a_candidate(written: Pairs) -> None:
    for plan, script in written:
        at = {turn.id: number for number, turn in enumerate(script.turns)}
        for _, _, event in plan.events():
            if event.action == "settle":
                spans = [s for s in script.spans if s.kind == "authority" and s.target == event.id]
                assert min(at[s.turn] for s in spans) <= at[script.trigger(event.id) or ""]
        for candidate in plan.candidates:
            [mention] = [m for m in script.mentions if m.target == candidate.id]
            span = next(s for s in script.spans if s.kind == "authority" and s.target == candidate.id)
            assert (at[span.turn], span.start) < (at[mention.turn], mention.start)


def test_people_take_turns_and_nobody_names_himself(written: Pairs) -> None:
    for plan, script in written:
        for one, two in pairwise(script.turns):
            assert one.person != two.person, (one.text, two.text)
        for turn in script.turns:
            person = plan.person(turn.person)
            assert person.name not in turn.text


def test_colleagues_are_not_addressed_formally_across_and_within(written: Pairs, blueprint: Blueprint) -> None:
    """With one side alone at the table nobody says 您."""
    seen = 0
    for plan, script in written:
        if len({blueprint.role(person.role).side for person in plan.cast}) == 1:
            seen += 1
            assert not any("您" in turn.text for turn in script.turns), plan.family
    assert seen


def test_every_turn_can_be_spoken(written: Pairs) -> None:
    for _, script in written:
        for turn in script.turns:
            assert hanzi_in(turn.text) > 0
            assert not any(char.isdigit() and char.isascii() for char in turn.text)
            spoken(turn.text)


def test_turns_differ_in_length(written: Pairs) -> None:
    for _, script in written:
        lengths = sorted(hanzi_in(turn.text) for turn in script.turns)
        assert lengths[0] <= 8 and lengths[-1] >= 20


def test_swapped_turns_fit_either_person(written: Pairs, blueprint: Blueprint) -> None:
    seen = 0
    for plan, script in written:
        if plan.change is None:
            continue
        pair = {plan.change.giver, plan.change.taker}
        forms = {form for id in pair for form in name_forms(plan.person(id))}
        for number, turn in enumerate(script.turns):
            moved = turn.move.startswith("swap:")
            assert moved == any(script.trigger(event) == turn.id for event in plan.change.events)
            if not moved:
                continue
            seen += 1
            assert not any(form in turn.text for form in forms)
            for near in script.turns[max(0, number - 1) : number + 2]:
                assert near is turn or near.person not in pair
                if near is not turn:
                    named = {id for id in pair if any(form in near.text for form in name_forms(plan.person(id)))}
                    assert len(named) in {0, 2}, (turn.text, near.text)
    assert seen > 50


def test_a_pair_of_two_people_is_refused_by_name(plans: list[Plan], blueprint: Blueprint) -> None:
    two = next(plan for plan in plans if len(plan.cast) == 2)
    event = next(event for _, _, event in two.events() if event.value is not None)
    other = next(person.id for person in two.cast if person.id != event.person)
    odd = msgspec.structs.replace(two, change=Swap(events=(event.id,), giver=event.person, taker=other))
    with pytest.raises(BlueprintError, match="third person"):
        write(odd, blueprint, recording="x-a", seed=1, chars=CHARS)


def test_the_same_arguments_give_the_same_script(
    plans: list[Plan], scripts: list[Script], blueprint: Blueprint
) -> None:
    for plan, script in list(zip(plans, scripts, strict=True))[:20]:
        assert write(plan, blueprint, recording=script.recording, seed=20260131, chars=CHARS) == script
    other = write(plans[0], blueprint, recording=scripts[0].recording, seed=7, chars=CHARS)
    assert [turn.text for turn in other.turns] != [turn.text for turn in scripts[0].turns]


def test_an_impossible_window_is_named(plans: list[Plan], blueprint: Blueprint) -> None:
    with pytest.raises(Incomplete, match="汉字"):
        write(plans[0], blueprint, recording="x-a", seed=1, chars=(3, 9))


def test_statuses_are_said_in_the_words_of_their_field(written: Pairs, blueprint: Blueprint) -> None:
    seen = 0
    for plan, script in written:
        for trajectory, _, event in plan.events():
            for mention in script.mentions:
                if mention.target == event.id and isinstance(mention.value, Status):
                    seen += 1
                    said = script.turn(mention.turn).text[mention.start : mention.end]
                    assert said in blueprint.field(trajectory.key).codes[mention.value.code]
    assert seen


def test_writing_is_quick(plans: list[Plan], blueprint: Blueprint) -> None:
    start = time.process_time()
    for plan in plans[:40]:
        write(plan, blueprint, recording=f"{plan.family}-a", seed=3, chars=CHARS)
    assert (time.process_time() - start) / 40 < 0.1
