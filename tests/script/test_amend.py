"""What is said in B where A concludes: nobody's conclusion, in the turns of the change and nowhere else."""

from __future__ import annotations

from functools import lru_cache

import pytest
from msgspec.structs import replace

from dtbuild.blueprint.load import load
from dtbuild.errors import Incomplete
from dtbuild.gold.planner import plan as make_plan
from dtbuild.gold.settings import GoldSettings
from dtbuild.records.ids import recording_id
from dtbuild.records.plan import Confirmation, Plan
from dtbuild.records.script import Script
from dtbuild.script.amend import amend
from dtbuild.script.lint import lint_banks
from dtbuild.script.phrasebook import Phrasebook
from dtbuild.script.writer import write

CHARS = (448, 940)
SEED = 4


@lru_cache(maxsize=1)
def _families() -> tuple[tuple[Plan, Script], ...]:
    blueprint = load("supply_chain")
    plans = [
        make_plan(blueprint, GoldSettings(), seed=SEED, index=index, attempt=0, change="confirmation_change")
        for index in range(1, 13)
    ]
    return tuple(
        (plan, write(plan, blueprint, recording=recording_id(plan.family, "a"), seed=SEED, chars=CHARS))
        for plan in plans
    )


def _amended(plan: Plan, script: Script) -> Script:
    return amend(plan, script, load("supply_chain"), recording=recording_id(plan.family, "b"), seed=SEED)


def _change(plan: Plan) -> Confirmation:
    assert isinstance(plan.change, Confirmation)
    return plan.change


def test_only_the_turns_of_the_change_have_other_words() -> None:
    for plan, script in _families():
        event = _change(plan).event
        made = _amended(plan, script)
        assert [turn.id for turn in made.turns] == [turn.id for turn in script.turns]
        changed = [one.move for one, other in zip(script.turns, made.turns, strict=True) if one != other]
        assert changed == [f"confirm:{event}", f"confirm:{event}:after"]
        own = {turn.id for turn in script.turns if turn.move in changed}
        assert [span for span in made.spans if span.turn not in own] == [s for s in script.spans if s.turn not in own]
        assert [m for m in made.mentions if m.turn not in own] == [m for m in script.mentions if m.turn not in own]
        assert not [span for span in made.spans if span.turn in own]


def test_the_value_is_an_echo_of_the_event_before() -> None:
    said = 0
    for plan, script in _families():
        settle = plan.event(_change(plan).event)
        made = _amended(plan, script)
        own = {turn.id for turn in script.turns if turn.move.startswith("confirm:")}
        ids = [mention.id for mention in made.mentions]
        assert len(set(ids)) == len(ids)
        for mention in made.mentions:
            if mention.turn in own:
                said += 1
                assert (mention.role, mention.target, mention.value) == ("echo", settle.predecessor, settle.value)
    assert said >= 2


def test_the_same_words_every_time_and_others_for_another_seed() -> None:
    plan, script = _families()[0]
    assert _amended(plan, script) == _amended(plan, script)
    blueprint, recording = load("supply_chain"), recording_id(plan.family, "b")
    others = {amend(plan, script, blueprint, recording=recording, seed=seed).turns for seed in range(8)}
    assert len(others) > 4


def test_hand_edited_turns_stay_and_the_names_of_a_are_used() -> None:
    plan, script = _families()[0]
    decider = plan.person(plan.event(_change(plan).event).person)
    turns = list(script.turns)
    at = next(at for at, turn in enumerate(turns) if turn.person == _change(plan).person)
    turns[at] = replace(turns[at], text=f"{decider.name}，这份底稿你收好。")
    edited = replace(
        script,
        turns=tuple(turns),
        spans=tuple(span for span in script.spans if span.turn != turns[at].id),
        mentions=tuple(mention for mention in script.mentions if mention.turn != turns[at].id),
    )
    made = _amended(plan, edited)
    assert made.turns[at] == turns[at]
    answer = next(turn for turn in made.turns if turn.move == f"confirm:{_change(plan).event}")
    assert decider.name in answer.text


def test_nobody_opens_the_matter_or_sums_it_up_later() -> None:
    """What comes after must be true in A, where it is settled, and in B, where it is not."""
    closing = [part[0].source for part in Phrasebook.of(load("supply_chain")).exchanges("close")]
    done = {line for line in closing if line.startswith("@all_done")}
    assert done
    for index in range(1, 30):
        blueprint = load("supply_chain")
        plan = make_plan(blueprint, GoldSettings(), seed=SEED, index=index, attempt=0, change="confirmation_change")
        heard: list[str] = []
        write(
            plan, blueprint, recording=recording_id(plan.family, "a"), seed=SEED, chars=CHARS,
            observe=lambda bank, line, heard=heard: heard.append(line),  # type: ignore[misc]
        )  # fmt: skip
        assert not done & set(heard)


def test_a_plan_without_the_change_or_a_script_without_the_event_is_named() -> None:
    plan, script = _families()[0]
    blueprint, event = load("supply_chain"), _change(plan).event
    with pytest.raises(Incomplete, match="confirmation change"):
        amend(replace(plan, change=None), script, blueprint, recording="x-b", seed=1)
    bare = replace(script, spans=tuple(span for span in script.spans if span.target != event))
    with pytest.raises(Incomplete, match=event):
        amend(plan, bare, blueprint, recording="x-b", seed=1)


def test_an_opening_that_shows_a_role_is_named() -> None:
    blueprint = load("supply_chain")
    assert not [each for each in lint_banks(blueprint) if each.code == "shows-role"]
    phrases = {**blueprint.phrases, "open.neutral": ("听得见吗，{to}？ // 听得见，您说。",)}
    found = [each.found for each in lint_banks(replace(blueprint, phrases=phrases)) if each.code == "shows-role"]
    assert found == ["■", "您"]
