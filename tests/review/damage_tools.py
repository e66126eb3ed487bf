"""Edits of plans and scripts that keep every range true. Nothing here knows the rules."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

from msgspec.structs import replace

from dtbuild.records.plan import Event, Plan
from dtbuild.records.script import Mention, Script, Span, Turn
from dtbuild.records.values import Money, Rate, Term, Value

Pair = tuple[Plan, Script]
Kind = Callable[[Plan, Script], Pair | None]


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

    def placed(part: Span | Mention) -> Span | Mention:
        if part.turn != turn:
            return part
        return replace(part, start=moved(part.start, False), end=moved(part.end, True))

    turns = tuple(
        replace(each, text=each.text[:start] + words + each.text[end:]) if each.id == turn else each
        for each in script.turns
    )
    return replace(
        script,
        turns=turns,
        spans=tuple(placed(span) for span in script.spans),  # type: ignore[misc]
        mentions=tuple(placed(mention) for mention in script.mentions),  # type: ignore[misc]
    )


def say(script: Script, at: int, words: str) -> Script:
    """Add a sentence to the end of a turn."""
    turn = script.turns[at]
    return edit(script, turn.id, len(turn.text), len(turn.text), words)


def set_event(plan: Plan, id: str, **change: object) -> Plan:
    def changed(event: Event) -> Event:
        return replace(event, **change) if event.id == id else event

    trajectories = tuple(
        replace(each, cycles=tuple(replace(c, events=tuple(changed(event) for event in c.events)) for c in each.cycles))
        for each in plan.trajectories
    )
    return replace(plan, trajectories=trajectories)


def events(plan: Plan, action: str) -> list[Event]:
    return [event for _, _, event in plan.events() if event.action == action]


def spans_of(script: Script, target: str, *kinds: str) -> list[Span]:
    return [span for span in script.spans if span.target == target and span.kind in kinds]


def without(script: Script, *gone: Span) -> Script:
    return replace(script, spans=tuple(span for span in script.spans if span not in gone))


def turn_index(script: Script, id: str) -> int:
    return next(at for at, turn in enumerate(script.turns) if turn.id == id)


def set_turn(script: Script, at: int, **change: object) -> Script:
    turns: list[Turn] = list(script.turns)
    turns[at] = replace(turns[at], **change)
    return replace(script, turns=tuple(turns))


def plain_turn(script: Script) -> int:
    """A turn that carries nothing, in the middle of the talk."""
    busy = {span.turn for span in script.spans} | {mention.turn for mention in script.mentions}
    free = [at for at, turn in enumerate(script.turns) if turn.id not in busy and at > 1]
    return free[len(free) // 2] if free else 0


def restate(script: Script, mention: Mention) -> Script:
    """Another value of the same type (a rate for those not listed), said and declared alike."""
    words, value = next(
        other for other in _OTHERS if other[1] != mention.value and _stands_for(other[1], mention.value)
    )
    script = edit(script, mention.turn, mention.start, mention.end, words)
    return replace(
        script,
        mentions=tuple(replace(each, value=value) if each.id == mention.id else each for each in script.mentions),
    )


def _stands_for(other: Value, value: Value) -> bool:
    return type(other) is type(value) or (isinstance(other, Rate) and not isinstance(value, Money | Term))


_OTHERS: tuple[tuple[str, Value], ...] = (
    ("九百三十万", Money(amount=Decimal(9_300_000), currency="CNY")),
    ("八百七十万", Money(amount=Decimal(8_700_000), currency="CNY")),
    ("七个月", Term(value=Decimal(7), unit="month")),
    ("十一个月", Term(value=Decimal(11), unit="month")),
    ("百分之二点三", Rate(value=Decimal("2.3"), unit="percent")),
)
