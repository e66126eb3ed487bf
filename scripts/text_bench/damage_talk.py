"""Damage to what the talk closes."""

from __future__ import annotations

import random

from dtbuild.records.plan import Event
from text_bench import claims
from text_bench.edits import (
    add,
    declare,
    drawn,
    plain_turns,
    turn_index,
)
from text_bench.kind import Damaged, Subject, told


def settled_early(subject: Subject, rng: random.Random) -> Damaged | None:
    """Somebody closes a matter where gold has it open: right after an event that settles nothing."""
    words = rng.choice(("那就这么定了。", "好，说定了。", "行，定下来了。", "那就这么办了。"))
    for event in told(subject, rng, "start", "advance", "hold"):
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


def _closed(subject: Subject, event: Event, words: str) -> Damaged:
    plan, script, _, _ = subject
    at = turn_index(script, script.trigger(event.id) or "")
    trajectory = next(each.id for each, _, other in plan.events() if other.id == event.id)
    return Damaged(plan, add(script, at, words), claims.open_unclosed(at, trajectory, words))
