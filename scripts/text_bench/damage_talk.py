"""Damage to closing words and to the words that show who may decide."""

from __future__ import annotations

import random

from dtbuild.records.plan import Event
from dtbuild.records.script import Script
from text_bench import claims
from text_bench.edits import (
    add,
    declare,
    drawn,
    plain_turns,
    reworded,
    spans_of,
    turn_index,
    without,
)
from text_bench.kind import Damaged, Subject


def settled_early(subject: Subject, rng: random.Random) -> Damaged | None:
    """Somebody closes a matter where gold has it open: right after an event that settles nothing."""
    words = rng.choice(("那就这么定了。", "好，说定了。", "行，定下来了。", "那就这么办了。"))
    for event in _events(subject, rng, "start", "advance", "hold"):
        return _closed(subject, event, words)
    return None


def settled_never(subject: Subject, rng: random.Random) -> Damaged | None:
    """A chain that ends held or active is closed in passing, right after its last event."""
    words = rng.choice(("好，说定了。", "这条定了。", "那就这么定了。"))
    last = [t.events[-1] for t in subject.plan.trajectories if t.events[-1].action != "settle"]
    for event in drawn([event for event in last if subject.script.trigger(event.id)], rng):
        return _closed(subject, event, words)
    return None


def amount_settled(subject: Subject, rng: random.Random) -> Damaged | None:
    """An amount gold never settles is settled later in the talk, by name and with its number: an extra settle."""
    plan, script, blueprint, _ = subject
    for trajectory in drawn([t for t in plan.trajectories if t.events[-1].action != "settle"], rng):
        last = trajectory.events[-1]
        said = [m for m in script.mentions if m.target == last.id and m.role == "event"]
        name = blueprint.field(trajectory.key).said[-1]
        trigger = script.trigger(last.id)
        if not said or trigger is None:
            continue
        for at in (each for each in plain_turns(script, rng) if each > turn_index(script, trigger)):
            words = rng.choice((f"{name}{{}}就这么定了。", f"{name}就按{{}}，定下来了。", f"{name}{{}}，说定了。"))
            damaged = declare(script, at, words, said[0], role="echo")
            text = damaged.turns[at].text[len(script.turns[at].text) :]
            return Damaged(plan, damaged, claims.open_unclosed(at, trajectory.id, text))
    return None


def settled_by_longer_name(subject: Subject, rng: random.Random) -> Damaged | None:
    """A field whose name holds another's (额度带期限 and 期限) is closed by name while only the other is settled."""
    plan, script, blueprint, _ = subject
    for trajectory in drawn(plan.trajectories, rng):
        field = blueprint.field(trajectory.key)
        names = [
            name
            for name in field.said
            if any(short in name for other in blueprint.fields if other.key != field.key for short in other.said)
        ]
        if not names or trajectory.events[-1].action == "settle":
            continue
        words = f"{rng.choice(names)}就这么定了。"
        for at in plain_turns(script, rng):
            return Damaged(plan, add(script, at, words), claims.open_unclosed(at, trajectory.id, words))
    return None


def authority_words_gone(subject: Subject, rng: random.Random) -> Damaged | None:
    """Nothing in the words tells that the speaker of a settle may conclude it."""
    plan, script, _, _ = subject
    for event in _events(subject, rng, "settle"):
        damaged = reworded(script, event.id, "authority", rng.choice(("我也在听", "说到这条", "我看了好几遍")))
        may = "定|批|签|做主|说了算|归|权|管|手里|负责|这一?关|审|点头|算数"
        return Damaged(plan, damaged, claims.words_like(event.id, "authority", may))
    return None


def authority_unmarked(subject: Subject, rng: random.Random) -> Damaged | None:
    """The words are cut, and their span with them."""
    plan, script, _, _ = subject
    for event in _events(subject, rng, "settle"):
        if spans_of(script, event.id, "authority"):
            damaged = _unmarked(reworded(script, event.id, "authority", "嗯"), event.id)
            return Damaged(plan, damaged, claims.has(event.id, "authority"))
    return None


def authority_of_another(subject: Subject, rng: random.Random) -> Damaged | None:
    """The words let a listener know that somebody else decides."""
    plan, script, _, _ = subject
    for event in _events(subject, rng, "settle"):
        spans = spans_of(script, event.id, "authority")
        speakers = {script.turn(span.turn).person for span in spans}
        for other in drawn([p for p in plan.cast if p.id not in {event.person, *speakers}], rng):
            words = other.name + rng.choice(("说了算", "定就行", "签字就行"))
            damaged = reworded(script, event.id, "authority", words)
            return Damaged(plan, damaged, claims.not_like(event.id, "authority", words))
    return None


def limit_words_gone(subject: Subject, rng: random.Random) -> Damaged | None:
    """Nothing tells that whoever names an unauthorised number may not decide."""
    plan, script, _, _ = subject
    for candidate in drawn(plan.candidates, rng):
        damaged = reworded(script, candidate.id, "authority", rng.choice(("说句心里话", "我看了好几遍", "我多一句嘴")))
        may_not = "不|没|请示|归|听|定|批|签|权|决定|拍板|轮"
        return Damaged(plan, damaged, claims.words_like(candidate.id, "authority", may_not))
    return None


def limit_unmarked(subject: Subject, rng: random.Random) -> Damaged | None:
    """The words are cut, and their span with them."""
    plan, script, _, _ = subject
    for candidate in drawn(plan.candidates, rng):
        damaged = _unmarked(reworded(script, candidate.id, "authority", "嗯"), candidate.id)
        return Damaged(plan, damaged, claims.has(candidate.id, "authority"))
    return None


def _events(subject: Subject, rng: random.Random, *actions: str) -> list[Event]:
    events = [event for _, _, event in subject.plan.events() if event.action in actions]
    return drawn([event for event in events if subject.script.trigger(event.id)], rng)


def _closed(subject: Subject, event: Event, words: str) -> Damaged:
    plan, script, _, _ = subject
    at = turn_index(script, script.trigger(event.id) or "")
    trajectory = next(each.id for each, _, other in plan.events() if other.id == event.id)
    return Damaged(plan, add(script, at, words), claims.open_unclosed(at, trajectory, words))


def _unmarked(script: Script, target: str) -> Script:
    return without(script, *spans_of(script, target, "authority"))
