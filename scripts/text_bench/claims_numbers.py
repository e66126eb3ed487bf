"""Proofs that the numbers of a script are those of its plan, or no longer are. What a claim is: `text_bench.claims`."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator

from dtbuild.lexicon import read, same, styles_of
from dtbuild.lexicon import say as words_of
from dtbuild.records.blueprint import Blueprint
from dtbuild.records.plan import Plan
from dtbuild.records.script import Mention, Script
from dtbuild.records.values import Composite, Status, Value
from text_bench.claims import Claim, number_of, place_of, words_under


def mention_said(id: str) -> Claim:
    """The words under a mention are a way of saying its value."""
    return lambda plan, script, _: any(
        words_under(script, mention) in _sayings(mention.value, plan) for mention in script.mentions if mention.id == id
    )


def event_said(id: str) -> Claim:
    """The trigger of an event says its value, or leans on an equal number of the same chain said before."""

    def holds(plan: Plan, script: Script, _: Blueprint) -> bool:
        value, turn = plan.event(id).value, script.trigger(id)
        if value is None or turn is None:
            return False
        chain = _chain_targets(plan, id)
        sayings = _sayings(value, plan)
        if any(each.turn == turn and words_under(script, each) in sayings for each in script.mentions):
            return True
        leaned = [span.antecedent for span in script.spans if span.target == id and span.antecedent]
        return any(
            each.id in leaned
            and same(each.value, value)
            and each.target in chain
            and place_of(script, each) < place_of(script, span)
            for each in script.mentions
            for span in script.spans
            if span.target == id and span.antecedent == each.id
        )

    return holds


def leans_before(id: str) -> Claim:
    """Every antecedent of an event is a mention that exists, said before, about the same chain."""

    def holds(plan: Plan, script: Script, _: Blueprint) -> bool:
        mentions = {mention.id: mention for mention in script.mentions}
        chain = _chain_targets(plan, id)
        leaning = [span for span in script.spans if span.target == id and span.antecedent]
        return bool(leaning) and all(
            span.antecedent in mentions
            and mentions[span.antecedent].target in chain
            and place_of(script, mentions[span.antecedent]) < place_of(script, span)
            for span in leaning
        )

    return holds


def mention_true(id: str) -> Claim:
    """A mention stands for what the plan has there: its event, candidate or distractor, or a quantity of the case."""

    def holds(plan: Plan, script: Script, _: Blueprint) -> bool:
        known = _planned(plan)
        found = [mention for mention in script.mentions if mention.id == id]
        return bool(found) and all(any(same(each.value, value) for value in known(each)) for each in found)

    return holds


def all_declared() -> Claim:
    """Whatever the lexicon reads as a value lies under a mention, at least in part."""

    def holds(plan: Plan, script: Script, _: Blueprint) -> bool:
        anchor = datetime.date.fromisoformat(plan.anchor_date)
        for turn in script.turns:
            spots = [(each.start, each.end) for each in script.mentions if each.turn == turn.id]
            for found in read(turn.text, anchor=anchor):
                if found.value is not None and not any(s < found.end and found.start < e for s, e in spots):
                    return False
        return True

    return holds


def echo_after(id: str) -> Claim:
    """An echo comes after the event it repeats."""

    def holds(_: Plan, script: Script, __: Blueprint) -> bool:
        for mention in script.mentions:
            if mention.role == "echo" and mention.target == id:
                trigger = script.trigger(id)
                if trigger is None or number_of(script, mention.turn) < number_of(script, trigger):
                    return False
        return True

    return holds


def said_by(role: str, id: str, person: str) -> Claim:
    """A planned candidate or distractor is said, first by its person."""

    def holds(_: Plan, script: Script, __: Blueprint) -> bool:
        said = [each for each in script.mentions if each.role == role and each.target == id]
        said.sort(key=lambda each: place_of(script, each))
        return bool(said) and script.turn(said[0].turn).person == person

    return holds


def _planned(plan: Plan) -> Callable[[Mention], Iterator[Value]]:
    def values(mention: Mention) -> Iterator[Value]:
        if mention.role == "premise":
            yield from plan.quantities.values()
            return
        sources = [(event.id, event.value) for _, _, event in plan.events()]
        sources += [(each.id, each.value) for each in plan.candidates]
        sources += [(each.id, each.value) for each in plan.distractors]
        for id, value in sources:
            if id == mention.target and value is not None:
                yield value
                yield from value.parts if isinstance(value, Composite) else ()

    return values


def _chain_targets(plan: Plan, event: str) -> set[str]:
    for trajectory in plan.trajectories:
        events = {each.id for each in trajectory.events}
        if event in events:
            return events | {each.id for each in plan.candidates if each.trajectory == trajectory.id}
    return set()


def _sayings(value: Value, plan: Plan) -> set[str]:
    if isinstance(value, Status):
        return set()
    anchor = datetime.date.fromisoformat(plan.anchor_date)
    return {words_of(value, style, anchor=anchor) for style in styles_of(value, anchor=anchor)}
