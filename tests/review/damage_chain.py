"""Damage to who does what, when, and in which words it is carried."""

from __future__ import annotations

from itertools import pairwise

from msgspec.structs import replace

from dtbuild.records.plan import Plan
from dtbuild.records.script import TRIGGER_KINDS, Script
from review.damage_tools import (
    Pair,
    edit,
    events,
    plain_turn,
    set_turn,
    spans_of,
    turn_index,
    without,
)


def exchanged_ids(plan: Plan, script: Script) -> Pair:
    first, second = script.turns[0].id, script.turns[1].id
    script = set_turn(set_turn(script, 0, id=second), 1, id=first)
    return plan, script


def other_family(plan: Plan, script: Script) -> Pair:
    return plan, replace(script, family=script.family[:-1] + "?")


def exchanged_beats(plan: Plan, script: Script) -> Pair | None:
    """The plan has two events of different chains in the other order."""
    owner = {event.id: trajectory.id for trajectory, _, event in plan.events()}
    for at, (one, two) in enumerate(pairwise(plan.beats)):
        if one.ref in owner and two.ref in owner and owner[one.ref] != owner[two.ref]:
            beats = list(plan.beats)
            beats[at], beats[at + 1] = two, one
            return replace(plan, beats=tuple(beats)), script
    return None


def stranger(plan: Plan, script: Script) -> Pair:
    return plan, set_turn(script, plain_turn(script), person="p9")


def mute(plan: Plan, script: Script) -> Pair:
    extra = replace(plan.cast[0], id="p8", name="丁一凡")
    return replace(plan, cast=(*plan.cast, extra)), replace(script, cast=(*script.cast, extra))


def stale_range(plan: Plan, script: Script) -> Pair:
    span = script.spans[-1]
    length = len(script.turn(span.turn).text)
    return plan, replace(script, spans=(*script.spans[:-1], replace(span, end=length + 2)))


def unknown_target(plan: Plan, script: Script) -> Pair:
    return plan, replace(script, spans=(*script.spans, replace(script.spans[0], kind="premise", target="zz")))


def event_without_right(plan: Plan, script: Script) -> Pair:
    """Who does the last event turns out to be a visitor, who may do nothing."""
    person = list(plan.events())[-1][2].person
    cast = tuple(replace(each, role="visitor") if each.id == person else each for each in plan.cast)
    return replace(plan, cast=cast), replace(script, cast=cast)


def entitled_candidate(plan: Plan, script: Script) -> Pair | None:
    """The unauthorised value is said by the person who started the chain."""
    for candidate in plan.candidates:
        trajectory = next(each for each in plan.trajectories if each.id == candidate.trajectory)
        starter = next((event.person for event in trajectory.events if event.action in {"start", "advance"}), None)
        if starter is not None:
            changed = tuple(replace(c, person=starter) if c.id == candidate.id else c for c in plan.candidates)
            said = next(m for m in script.mentions if m.target == candidate.id)
            return replace(plan, candidates=changed), set_turn(script, turn_index(script, said.turn), person=starter)
    return None


def authority_words_gone(plan: Plan, script: Script) -> Pair | None:
    for event in events(plan, "settle"):
        spans = spans_of(script, event.id, "authority")
        if spans:
            for span in spans:
                now = next(each for each in spans_of(script, event.id, "authority") if each == span)
                script = edit(script, now.turn, now.start, now.end, "这事儿大家都知道")
            return plan, script
    return None


def authority_of_another(plan: Plan, script: Script) -> Pair | None:
    """The words let a listener know that somebody else decides."""
    for event in events(plan, "settle"):
        for span in spans_of(script, event.id, "authority"):
            said = script.turn(span.turn)
            other = next((each for each in plan.cast if each.id not in {event.person, said.person}), None)
            if said.person != event.person and other is not None:
                words = f"{other.name}说了算"
                script = set_turn(script, turn_index(script, said.id), text=words + "。")
                kept = tuple(each for each in script.spans if each.turn != said.id)
                return plan, replace(
                    script,
                    spans=(*kept, replace(span, start=0, end=len(words))),
                    mentions=tuple(each for each in script.mentions if each.turn != said.id),
                )
    return None


def authority_span_gone(plan: Plan, script: Script) -> Pair | None:
    for event in events(plan, "settle"):
        return plan, without(script, *spans_of(script, event.id, "authority"))
    return None


def limit_words_gone(plan: Plan, script: Script) -> Pair | None:
    for candidate in plan.candidates:
        return plan, without(script, *spans_of(script, candidate.id, "authority"))
    return None


def event_sentence_gone(plan: Plan, script: Script) -> Pair:
    """The trigger turn becomes an empty remark; its spans and mentions go with it."""
    event = next(iter(plan.events()))[2]
    trigger = script.trigger(event.id)
    assert trigger is not None
    at = turn_index(script, trigger)
    kept = replace(
        script,
        spans=tuple(span for span in script.spans if span.turn != trigger),
        mentions=tuple(mention for mention in script.mentions if mention.turn != trigger),
    )
    return plan, set_turn(kept, at, text="嗯，您接着说。")


def split_trigger(plan: Plan, script: Script) -> Pair | None:
    """The action words of an event lie in another turn than the rest of it."""
    for span in script.spans:
        beside = spans_of(script, span.target, *TRIGGER_KINDS)
        elsewhere = next((turn for turn in script.turns if turn.id != span.turn and len(turn.text) >= 4), None)
        if span.kind == "action" and len(beside) > 1 and elsewhere is not None:
            moved = replace(span, turn=elsewhere.id, start=0, end=2)
            return plan, replace(script, spans=(*without(script, span).spans, moved))
    return None


def wrong_speaker(plan: Plan, script: Script) -> Pair:
    event = next(iter(plan.events()))[2]
    trigger = script.trigger(event.id)
    other = next(person.id for person in plan.cast if person.id != event.person)
    assert trigger is not None
    return plan, set_turn(script, turn_index(script, trigger), person=other)


def exchanged_events(plan: Plan, script: Script) -> Pair | None:
    """Two events of one chain happen in the other order: their turns change places, words and speakers and all."""
    for trajectory in plan.trajectories:
        turns = [script.trigger(event.id) for event in trajectory.events]
        for one, two in pairwise(turns):
            if one is not None and two is not None and one != two:
                a, b = turn_index(script, one), turn_index(script, two)
                first, second = script.turns[a], script.turns[b]
                other = {one: two, two: one}
                script = set_turn(script, a, text=second.text, person=second.person, move=second.move)
                script = set_turn(script, b, text=first.text, person=first.person, move=first.move)
                return plan, replace(
                    script,
                    spans=tuple(replace(s, turn=other.get(s.turn, s.turn)) for s in script.spans),
                    mentions=tuple(replace(m, turn=other.get(m.turn, m.turn)) for m in script.mentions),
                )
    return None


def obstacle_gone(plan: Plan, script: Script) -> Pair | None:
    for event in events(plan, "hold"):
        return plan, without(script, *spans_of(script, event.id, "obstacle"))
    return None


def hold_that_goes_on(plan: Plan, script: Script) -> Pair | None:
    """Not of a hold that opens a cycle: the words of waiting stand beside its spans and would stay."""
    opening = {cycle.events[0].id for each in plan.trajectories for cycle in each.cycles[1:]}
    for event in (each for each in events(plan, "hold") if each.id not in opening):
        for kind in ("action", "obstacle"):
            for span in spans_of(script, event.id, kind):
                values = spans_of(script, event.id, "value")
                script = edit(script, span.turn, span.start, span.end, "接着往下走")
                if values:
                    # the anaphor stays somewhere in the words
                    script = replace(
                        script,
                        spans=tuple(
                            replace(s, start=span.start, end=span.start + 2)
                            if s.kind == "value" and s.target == event.id
                            else s
                            for s in script.spans
                        ),
                    )
                break
        return plan, script
    return None


def conclusion_gone(plan: Plan, script: Script) -> Pair | None:
    for event in events(plan, "settle"):
        return plan, without(script, *spans_of(script, event.id, "conclusion"))
    return None


def conclusion_left_open(plan: Plan, script: Script) -> Pair | None:
    for event in events(plan, "settle"):
        for span in spans_of(script, event.id, "conclusion"):
            opened = edit(script, span.turn, span.end - 1, span.end - 1, "不过还不能定")
            return plan, opened
    return None


def scope_gone(plan: Plan, script: Script) -> Pair | None:
    for event in events(plan, "settle"):
        return plan, without(script, *spans_of(script, event.id, "scope"))
    return None
