"""Damage to numbers: said and not declared, declared and not said, changed, unlicensed, too early."""

from __future__ import annotations

from msgspec.structs import replace

from dtbuild.records.plan import Plan
from dtbuild.records.script import Script
from dtbuild.records.values import Money, Term
from review.damage_tools import (
    Pair,
    edit,
    plain_turn,
    restate,
    say,
)


def undeclared_number(plan: Plan, script: Script) -> Pair:
    return plan, say(script, plain_turn(script), "另外还有四十七万在账上。")


def undeclared_date(plan: Plan, script: Script) -> Pair:
    return plan, say(script, plain_turn(script), "六月十八号再说吧。")


def changed_number(plan: Plan, script: Script) -> Pair | None:
    """The amount in a trigger is another one; mention and plan keep the old."""
    for mention in script.mentions:
        if mention.role == "event" and isinstance(mention.value, Money):
            other = "九百三十万" if mention.value.amount != 9_300_000 else "四百七十万"
            return plan, edit(script, mention.turn, mention.start, mention.end, other)
    return None


def wrong_unit(plan: Plan, script: Script) -> Pair | None:
    """五个月 becomes days, or 八百万 becomes 八百亿; the number stays."""
    for mention in script.mentions:
        words = script.turn(mention.turn).text[mention.start : mention.end]
        if isinstance(mention.value, Term) and mention.value.unit == "month":
            return plan, edit(script, mention.turn, mention.end - 1, mention.end, "天")
        if isinstance(mention.value, Money) and words.endswith("万"):
            return plan, edit(script, mention.turn, mention.end - 1, mention.end, "亿")
    return None


def other_value(plan: Plan, script: Script) -> Pair | None:
    """Text and mention agree on a value that the plan does not have."""
    for mention in script.mentions:
        if mention.role == "event" and isinstance(mention.value, Money):
            return plan, restate(script, mention)
    return None


def changed_echo(plan: Plan, script: Script) -> Pair | None:
    for mention in script.mentions:
        if mention.role == "echo":
            return plan, restate(script, mention)
    return None


def antecedent_gone(plan: Plan, script: Script) -> Pair | None:
    for span in script.spans:
        if span.antecedent is not None:
            gone = next(mention for mention in script.mentions if mention.id == span.antecedent)
            script = edit(script, gone.turn, gone.start, gone.end, "那个数")
            return plan, replace(script, mentions=tuple(m for m in script.mentions if m.id != gone.id))
    return None


def antecedent_unnamed(plan: Plan, script: Script) -> Pair | None:
    for span in script.spans:
        if span.antecedent is not None:
            others = tuple(replace(s, antecedent=None) if s == span else s for s in script.spans)
            return plan, replace(script, spans=others)
    return None


def antecedent_after(plan: Plan, script: Script) -> Pair | None:
    """这个数 refers to an equal value that is said only later."""
    for span in script.spans:
        if span.antecedent is None:
            continue
        source = next(mention for mention in script.mentions if mention.id == span.antecedent)
        later = replace(
            source, id="later", turn=script.turns[-1].id, start=0, end=1, role="premise", target=span.target
        )
        others = tuple(replace(s, antecedent="later") if s == span else s for s in script.spans)
        return plan, replace(script, spans=others, mentions=(*script.mentions, later))
    return None


def antecedent_elsewhere(plan: Plan, script: Script) -> Pair | None:
    """这个数 refers to an equal value of a distractor."""
    for span in script.spans:
        if span.antecedent is not None:
            mentions = tuple(
                replace(m, role="distractor", target=None) if m.id == span.antecedent else m for m in script.mentions
            )
            return plan, replace(script, mentions=mentions)
    return None


def early_echo(plan: Plan, script: Script) -> Pair | None:
    """The answer is out before its event: a number of small talk is passed off as an echo of the last event."""
    for _, _, event in reversed(list(plan.events())):
        for mention in script.mentions:
            if mention.role == "event" and mention.target == event.id and mention.turn != script.turns[0].id:
                words = script.turn(mention.turn).text[mention.start : mention.end]
                first = script.turns[0]
                start = len(first.text)
                script = say(script, 0, f"{words}是吧？")
                leak = replace(mention, id="leak", turn=first.id, role="echo", start=start, end=start + len(words))
                return plan, replace(script, mentions=(*script.mentions, leak))
    return None


def candidate_unsaid(plan: Plan, script: Script) -> Pair | None:
    for candidate in plan.candidates:
        for mention in [m for m in script.mentions if m.target == candidate.id]:
            now = next(m for m in script.mentions if m.id == mention.id)
            script = edit(script, now.turn, now.start, now.end, "低一些")
            script = replace(script, mentions=tuple(m for m in script.mentions if m.id != mention.id))
        return plan, script
    return None
