"""Damage to the talk itself: closing words, names, marks, real names, length."""

from __future__ import annotations

from dtbuild.records.plan import Plan
from dtbuild.records.script import Script
from review.damage_tools import (
    Pair,
    edit,
    events,
    plain_turn,
    say,
    set_turn,
    turn_index,
)


def settled_early(plan: Plan, script: Script) -> Pair | None:
    """Somebody closes a matter right after a start that is not yet settled."""
    for event in events(plan, "start"):
        trigger = script.trigger(event.id)
        if trigger is not None:
            at = turn_index(script, trigger)
            return plan, say(script, at, "那就这么定了。")
    return None


def settled_never(plan: Plan, script: Script) -> Pair | None:
    """A chain that ends held or active is closed in passing, right after its last event."""
    for trajectory in plan.trajectories:
        trigger = script.trigger(trajectory.events[-1].id)
        if trajectory.events[-1].action != "settle" and trigger is not None:
            return plan, say(script, turn_index(script, trigger), "好，说定了。")
    return None


def self_greeting(plan: Plan, script: Script) -> Pair:
    turn = script.turns[0]
    person = plan.person(turn.person)
    return plan, edit(script, turn.id, 0, 0, f"{person.name[0]}经理您好，")


def self_name(plan: Plan, script: Script) -> Pair:
    at = plain_turn(script)
    person = plan.person(script.turns[at].person)
    return plan, say(script, at, f"这个得问{person.name}。")


def stage_direction(plan: Plan, script: Script) -> Pair:
    return plan, edit(script, script.turns[2].id, 0, 0, "（翻合同）")


def bracket(plan: Plan, script: Script) -> Pair:
    return plan, edit(script, script.turns[2].id, 0, 0, "[pause]")


def markup(plan: Plan, script: Script) -> Pair:
    return plan, say(script, plain_turn(script), "**利率**再说。")


def name_label(plan: Plan, script: Script) -> Pair:
    return plan, edit(script, script.turns[2].id, 0, 0, "李总：")


def digits(plan: Plan, script: Script) -> Pair:
    return plan, say(script, plain_turn(script), "就30%。")


def unspeakable(plan: Plan, script: Script) -> Pair:
    return plan, say(script, plain_turn(script), "走QZXW那边。")


def only_punctuation(plan: Plan, script: Script) -> Pair:
    return plan, set_turn(script, plain_turn(script), text="……。")


def real_bank(plan: Plan, script: Script) -> Pair:
    return plan, say(script, plain_turn(script), "招商银行那边也问过。")


def telephone(plan: Plan, script: Script) -> Pair:
    return plan, say(script, plain_turn(script), "我电话幺三八零零幺三八零零零。")


def too_short(plan: Plan, script: Script) -> Pair:
    """The talk after the last thing that must happen, and the talk before the first, is cut to nothing."""
    busy = {span.turn for span in script.spans} | {mention.turn for mention in script.mentions}
    for at, turn in enumerate(script.turns):
        if turn.id not in busy:
            script = set_turn(script, at, text="嗯。")
    return plan, script


def said_twice(plan: Plan, script: Script) -> Pair:
    at = plain_turn(script)
    text = "那个材料您回头再给我发过来吧。"
    script = set_turn(script, at, text=text)
    return plan, set_turn(script, len(script.turns) - 1, text=text)
