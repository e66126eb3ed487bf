"""Numbers in the text and values in the plan, checked both ways (spec, section 5, Spans; situations 8).

Every amount, rate, term, date and count that the lexicon reads is declared and reads as its declared value; every
event's value is said in its trigger, or stands in for a mention named earlier.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from dtbuild.records.plan import Event
from dtbuild.records.script import TRIGGER_KINDS, Mention, Span
from dtbuild.records.values import Composite, Count, Money, Rate, Status, Term, Value
from dtbuild.review.case import Case, Planned
from dtbuild.review.readings import declared, equal, readings, says
from dtbuild.review.rule import Fault


def undeclared(case: Case) -> Iterator[Fault]:
    """Every mention the lexicon finds is covered by declared ones."""
    for turn in case.script.turns:
        for reading in readings(case, turn):
            if not declared(case, turn, reading):
                yield Fault(turn.id, "a number that no mention declares", "a mention", reading.text)


def mention_values(case: Case) -> Iterator[Fault]:
    """Every declared mention reads as its value there."""
    for mention in case.script.mentions:
        turn = case.turns.get(mention.turn)
        if turn is not None and not says(case, turn, mention):
            yield Fault(
                mention.turn,
                f"mention {mention.id} does not read as its value",
                show(mention.value),
                turn.text[mention.start : mention.end],
            )


def mention_roles(case: Case) -> Iterator[Fault]:
    """A mention's value is what its role and target say, and an echo follows what it echoes."""
    for mention in case.script.mentions:
        expected = _target_value(case, mention)
        if expected is not None and not _part_of(mention.value, expected):
            yield Fault(
                mention.turn,
                f"mention {mention.id} ({mention.role} of {mention.target}) has another value than its target",
                show(expected),
                show(mention.value),
            )
        if mention.role == "premise" and not _given(case, mention):
            yield Fault(mention.turn, f"premise {mention.id} is no number of the case", found=show(mention.value))
        if mention.target not in case.events or mention.turn not in case.number:
            continue
        trigger, at = case.trigger(mention.target), case.event_place(mention.target)
        if mention.role == "event" and trigger is not None and mention.turn != trigger.id:
            yield Fault(mention.turn, f"event mention {mention.id} is not in the trigger turn", trigger.id)
        if mention.role == "echo" and at is not None and case.place(mention)[0] < at[0]:
            yield Fault(mention.turn, f"mention {mention.id} echoes {mention.target} before it happened")


def event_values(case: Case) -> Iterator[Fault]:
    """Each event's value is said in its trigger, or an earlier mention of equal value is named as antecedent."""
    for planned in case.events.values():
        event = planned.event
        if event.value is None or case.trigger(event.id) is None:
            continue
        parts = event.value.parts if isinstance(event.value, Composite) else (event.value,)
        for part in parts:
            if not _carried(case, planned, part):
                yield Fault(
                    event.id,
                    "the trigger neither says the value nor names an earlier mention of it",
                    show(part),
                    " / ".join(case.said(span) for span in case.spans(event.id, *TRIGGER_KINDS)),
                )


def antecedents(case: Case) -> Iterator[Fault]:
    """An antecedent is an earlier mention of the same chain."""
    for span in case.script.spans:
        mention = case.mentions.get(span.antecedent) if span.antecedent is not None else None
        if mention is None or span.turn not in case.number or mention.turn not in case.number:
            continue
        if case.place(mention) >= case.place(span):
            yield Fault(span.turn, f"antecedent {mention.id} of {span.target} stands after it")
        chain, other = _chain(case, span.target), _chain(case, mention.target)
        if chain is not None and chain != other:
            yield Fault(span.turn, f"antecedent {mention.id} of {span.target} is about something else", chain, other)


def planned_numbers(case: Case) -> Iterator[Fault]:
    """Each planned candidate and distractor is said, first by its person."""
    for what, role, planned in (
        ("candidate", "unauthorised", case.candidates),
        ("distractor", "distractor", case.distractors),
    ):
        for id, item in planned.items():
            said = [each for each in case.script.mentions if each.role == role and each.target == id]
            said = sorted((each for each in said if each.turn in case.number), key=case.place)
            if not said:
                yield Fault(id, f"planned {what} is never said", show(item.value))
            elif case.turns[said[0].turn].person != item.person:
                yield Fault(
                    said[0].turn, f"{what} {id} is first said by another", item.person, case.turns[said[0].turn].person
                )


def show(value: Value) -> str:
    """A value for a message."""
    parts = (f"{name}={getattr(value, name)}" for name in value.__struct_fields__ if getattr(value, name) is not None)
    return f"{type(value).__name__.lower()} {' '.join(parts)}"


def _carried(case: Case, planned: Planned, value: Value) -> bool:
    event = planned.event
    spans = case.spans(event.id, *TRIGGER_KINDS)
    if isinstance(value, Status) and any(_words_of(case, planned, value, span) for span in spans):
        return True
    for span in spans:
        antecedent = case.mentions.get(span.antecedent) if span.antecedent is not None else None
        if antecedent is not None and case.place(antecedent) < case.place(span) and _part_of(value, antecedent.value):
            return True
        if span.kind == "value" and any(
            (_inside(mention, span) and equal(mention.value, value))
            or (_part_of(value, mention.value) and _inside(mention, span))
            for mention in case.mentions_in(span.turn)
        ):
            return True
    return False


def _words_of(case: Case, planned: Planned, value: Status, span: Span) -> bool:
    field = case.field(planned.trajectory)
    words = field.codes.get(value.code, ()) if field else ()
    return span.kind == "value" and any(word in case.said(span) for word in words)


def _inside(mention: Mention, span: Span) -> bool:
    return span.start <= mention.start and mention.end <= span.end


def _part_of(part: Value, whole: Value) -> bool:
    return equal(part, whole) or (isinstance(whole, Composite) and any(equal(part, each) for each in whole.parts))


def _target_value(case: Case, mention: Mention) -> Value | None:
    """The value a mention must have; None where its role leaves it open."""
    if mention.role in {"event", "echo"} and mention.target in case.events:
        event: Event = case.events[mention.target].event
        return event.value
    if mention.role == "unauthorised" and mention.target in case.candidates:
        return case.candidates[mention.target].value
    if mention.role == "distractor" and mention.target in case.distractors:
        return case.distractors[mention.target].value
    return None


def _given(case: Case, mention: Mention) -> bool:
    """Whether a premise is a number of the case, of its event's obstacle, or the step by which its event changes.

    A plan without quantities says nothing about its premises.
    """
    planned = case.events.get(mention.target or "")
    if not case.plan.quantities or planned is None:
        return True
    event = planned.event
    of = {event.obstacle, event.clears}
    # `invoice_unconfirmed.missing` belongs to its obstacle, `buyer_term` to the case
    known = [value for name, value in case.plan.quantities.items() if "." not in name or name.split(".")[0] in of]
    before = case.events.get(event.predecessor or "")
    if before is not None and before.event.value is not None and event.value is not None:
        step = _step(before.event.value, event.value)
        known += [step] if step is not None else []
    return any(_part_of(mention.value, each) for each in known)


def _step(one: Value, two: Value) -> Value | None:
    if isinstance(one, Money) and isinstance(two, Money):
        return replace(one, amount=abs(one.amount - two.amount), text=None)
    if isinstance(one, Count | Term | Rate) and type(one) is type(two):
        return replace(one, value=abs(one.value - two.value), text=None)
    return None


def _chain(case: Case, target: str | None) -> str | None:
    if target in case.events:
        return case.events[target].trajectory.id
    if target in case.candidates:
        return case.candidates[target].trajectory
    return None
