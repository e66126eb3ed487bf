"""Edits of plans and scripts that keep every range true, and other values to put in place of those said.

Nothing here knows the rules of review. Randomness is handed in.
"""

from __future__ import annotations

import datetime
import random
from collections.abc import Sequence
from decimal import Decimal
from typing import TypeVar

from msgspec.structs import replace

from dtbuild.errors import Unspeakable
from dtbuild.lexicon import say as words_of
from dtbuild.lexicon.compare import same
from dtbuild.records.ids import turn_id
from dtbuild.records.plan import Event, Plan, Trajectory
from dtbuild.records.script import Mention, Script, Span, SpanKind, Turn
from dtbuild.records.values import Change, Count, Date, Factor, Money, Rate, Term, Value

T = TypeVar("T")
P = TypeVar("P", Span, Mention)


def edit(script: Script, turn: str, start: int, end: int, words: str) -> Script:
    """Replace characters of a turn; spans and mentions after them move, those around them stretch.

    A part whose words are replaced, or in part so, keeps what is left of it.
    """
    shift = len(words) - (end - start)

    def moved(at: int, is_end: bool) -> int:
        if at <= start:
            return at
        if at >= end:
            return at + shift
        return start + len(words) if is_end else start

    turns = tuple(
        replace(each, text=each.text[:start] + words + each.text[end:]) if each.id == turn else each
        for each in script.turns
    )
    return replace(
        script,
        turns=turns,
        spans=tuple(
            replace(part, start=moved(part.start, False), end=moved(part.end, True)) if part.turn == turn else part
            for part in script.spans
        ),
        mentions=tuple(
            replace(part, start=moved(part.start, False), end=moved(part.end, True)) if part.turn == turn else part
            for part in script.mentions
        ),
    )


def add(script: Script, at: int, words: str) -> Script:
    """Add a sentence to the end of a turn."""
    turn = script.turns[at]
    return edit(script, turn.id, len(turn.text), len(turn.text), words)


def put_before(script: Script, at: int, words: str) -> Script:
    """Put words before the text of a turn; no range stretches over them."""
    turn = script.turns[at]
    size = len(words)
    script = set_turn(script, at, text=words + turn.text)
    return replace(
        script,
        spans=tuple(_along(part, size) if part.turn == turn.id else part for part in script.spans),
        mentions=tuple(_along(part, size) if part.turn == turn.id else part for part in script.mentions),
    )


def declare(script: Script, at: int, words: str, like: Mention, **change: object) -> Script:
    """Add a sentence to a turn in which `{}` is the words of a mention, declared as `like` with what changes."""
    turn = script.turns[at]
    said = script.turn(like.turn).text[like.start : like.end]
    start = len(turn.text) + words.index("{}")
    mention = replace(like, id="added", turn=turn.id, start=start, end=start + len(said), **change)
    script = add(script, at, words.replace("{}", said))
    return replace(script, mentions=(*script.mentions, mention))


def set_event(plan: Plan, id: str, **change: object) -> Plan:
    def changed(event: Event) -> Event:
        return replace(event, **change) if event.id == id else event

    trajectories = tuple(
        replace(each, cycles=tuple(replace(c, events=tuple(changed(event) for event in c.events)) for c in each.cycles))
        for each in plan.trajectories
    )
    return replace(plan, trajectories=trajectories)


def without_event(plan: Plan, id: str) -> Plan:
    trajectories = tuple(
        replace(each, cycles=tuple(replace(c, events=tuple(e for e in c.events if e.id != id)) for c in each.cycles))
        for each in plan.trajectories
    )
    return replace(plan, trajectories=trajectories)


def trajectory_of(plan: Plan, event: str) -> Trajectory:
    return next(trajectory for trajectory, _, each in plan.events() if each.id == event)


def spans_of(script: Script, target: str, *kinds: SpanKind) -> list[Span]:
    return [span for span in script.spans if span.target == target and span.kind in kinds]


def without(script: Script, *gone: Span) -> Script:
    return replace(script, spans=tuple(span for span in script.spans if span not in gone))


def reworded(script: Script, target: str, kind: SpanKind, words: str) -> Script:
    """Other words in place of a target's spans of one kind; the spans stay on them."""
    for number in range(len(spans_of(script, target, kind))):
        now = spans_of(script, target, kind)[number]
        script = edit(script, now.turn, now.start, now.end, words)
    return script


def cut(script: Script, target: str, kind: SpanKind) -> Script:
    """A target's words of one kind are gone, and whatever was marked in them."""
    script = reworded(script, target, kind, "")
    return replace(
        script,
        spans=tuple(each for each in script.spans if each.start < each.end),
        mentions=tuple(each for each in script.mentions if each.start < each.end),
    )


def emptied(script: Script, at: int, words: str) -> Script:
    """Other words in place of a whole turn; its spans and mentions go with it."""
    turn = script.turns[at].id
    script = set_turn(script, at, text=words)
    return replace(
        script,
        spans=tuple(span for span in script.spans if span.turn != turn),
        mentions=tuple(mention for mention in script.mentions if mention.turn != turn),
    )


def turn_index(script: Script, id: str) -> int:
    return next(at for at, turn in enumerate(script.turns) if turn.id == id)


def trigger_index(script: Script, event: Event) -> int:
    """Where the turn of an event stands, which the script has."""
    return turn_index(script, script.trigger(event.id) or "")


def set_turn(script: Script, at: int, **change: object) -> Script:
    turns: list[Turn] = list(script.turns)
    turns[at] = replace(turns[at], **change)
    return replace(script, turns=tuple(turns))


def renumbered(script: Script, turns: list[Turn]) -> Script:
    """The script with these turns, numbered anew; parts go with their turns, by the old ids."""
    ids = {turn.id: turn_id(script.recording, number) for number, turn in enumerate(turns, 1)}
    return replace(
        script,
        turns=tuple(replace(turn, id=ids[turn.id]) for turn in turns),
        spans=tuple(replace(each, turn=ids[each.turn]) for each in script.spans),
        mentions=tuple(replace(each, turn=ids[each.turn]) for each in script.mentions),
    )


def plain_turns(script: Script, rng: random.Random) -> list[int]:
    """Turns after the first that carry nothing, in a drawn order."""
    busy = {span.turn for span in script.spans} | {mention.turn for mention in script.mentions}
    free = [at for at, turn in enumerate(script.turns) if turn.id not in busy and at > 0]
    return drawn(free, rng)


def drawn(items: Sequence[T], rng: random.Random) -> list[T]:
    """The items in a drawn order."""
    return rng.sample(items, len(items))


def restate(script: Script, mention: Mention, words: str, value: Value) -> Script:
    """Another value, said and declared alike."""
    script = edit(script, mention.turn, mention.start, mention.end, words)
    return replace(
        script,
        mentions=tuple(replace(each, value=value) if each.id == mention.id else each for each in script.mentions),
    )


def other(value: Value, plan: Plan, rng: random.Random) -> tuple[str, Value] | None:
    """Another value of the same type that the plan knows nowhere, with its words; None for types not listed."""
    known = [event.value for _, _, event in plan.events() if event.value is not None]
    known += [*plan.quantities.values(), value]
    known += [*(each.value for each in plan.candidates), *(each.value for each in plan.distractors)]
    for _ in range(40):
        found = _near(value, rng)
        if found is None:
            return None
        if any(same(found, each) for each in known):
            continue
        try:
            return words_of(found, anchor=datetime.date.fromisoformat(plan.anchor_date)), found
        except Unspeakable:
            continue
    return None


def _near(value: Value, rng: random.Random) -> Value | None:
    step = rng.choice((-3, -2, -1, 1, 2, 3, 4, 5))
    match value:
        case Money():
            unit = Decimal(10) ** max(value.amount.adjusted() - 1, 0)
            return replace(value, amount=abs(value.amount + step * unit) or unit, text=None)
        case Rate() | Change() | Factor():
            scale = Decimal(1) if isinstance(value, Rate) and value.value >= 10 else Decimal("0.1")
            number = abs(value.value + step * (scale if isinstance(value, Rate | Change) else Decimal("0.05")))
            return replace(value, value=number or scale, text=None)
        case Term() | Count():
            return replace(value, value=abs(value.value + step) or Decimal(7), text=None)
        case Date():
            day = datetime.date.fromisoformat(value.iso) + datetime.timedelta(days=step)
            return replace(value, iso=day.isoformat(), text=None)
    return None


def _along(part: P, size: int) -> P:
    return replace(part, start=part.start + size, end=part.end + size)
