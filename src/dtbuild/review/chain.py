"""Whether the text carries every event: its trigger, by its person, in its order, with the words it needs.

What an event needs by action (spec, sections 1 and 5): a hold an obstacle and words of suspension, a settle its
closing words and its scope, the first event of a later cycle words that open the matter again.
"""

from __future__ import annotations

from collections.abc import Iterator

from dtbuild.records.script import TRIGGER_KINDS
from dtbuild.review.case import Case, Place, Planned
from dtbuild.review.naming import field_names, named_fields, obstacle_words, pairs
from dtbuild.review.rule import Fault

_FOREIGN = 0.3
"""Share of an obstacle's words by which another obstacle may explain them better before they are about that one."""


def triggers(case: Case) -> Iterator[Fault]:
    """Each event and candidate has its words, and an event's trigger spans lie in one turn."""
    for id in case.events:
        turns = list(dict.fromkeys(span.turn for span in case.spans(id, *TRIGGER_KINDS)))
        if not turns:
            yield Fault(id, "no value, action, obstacle or conclusion span carries this event")
        elif len(turns) > 1:
            yield Fault(id, "trigger spans in more than one turn", "one turn", ", ".join(turns))


def trigger_speakers(case: Case) -> Iterator[Fault]:
    """The trigger turn is spoken by the event's person."""
    for id, planned in case.events.items():
        turn = case.trigger(id)
        if turn is not None and turn.person != planned.event.person:
            yield Fault(turn.id, f"event {id} is not said by its person", planned.event.person, turn.person)


def order(case: Case) -> Iterator[Fault]:
    """Events of a chain follow one another in the text, and all beats come in the planned order.

    Beats of distractors may fall anywhere: they belong to no chain.
    """
    for trajectory in case.plan.trajectories:
        yield from _ascending(case, [event.id for event in trajectory.events], f"trajectory {trajectory.id}")
    yield from _ascending(case, [beat.ref for beat in case.plan.beats if beat.kind != "distractor"], "the beats")
    planned = {beat.ref for beat in case.plan.beats}
    for ref in (*case.events, *case.candidates):
        if ref not in planned:
            yield Fault(ref, "stands in no beat of the plan")


def actions(case: Case) -> Iterator[Fault]:
    """An advance or hold that keeps its value is carried by more than the value: an action span."""
    for id, planned in case.events.items():
        if planned.event.action in {"advance", "hold"} and not case.spans(id, "action"):
            yield Fault(id, f"no action span shows this {planned.event.action}")


def obstacles(case: Case) -> Iterator[Fault]:
    """A hold names its obstacle, and its trigger turn says that the matter waits."""
    for id, planned in case.events.items():
        if planned.event.action != "hold":
            continue
        if not case.spans(id, "obstacle"):
            yield Fault(id, "no obstacle span: a hold says what it waits for", planned.event.obstacle)
        yield from _other_obstacle(case, id)
        spans = case.spans(id, "action", "obstacle")
        said = " / ".join(case.said(span) for span in spans)
        trigger = case.trigger(id)
        if planned.opens and trigger is not None:
            # its action words open the matter; where it waits is said beside them
            said = trigger.text
        if spans and not case.words.hold.search(said):
            yield Fault(
                spans[0].turn, f"the words of hold {id} suspend nothing", "words such as 先停一停, 先放着, 等", said
            )


def conclusions(case: Case) -> Iterator[Fault]:
    """A settle is said: closing words that fit its result and leave nothing open, and its scope."""
    for id, planned in case.events.items():
        event = planned.event
        if event.action != "settle" or event.result is None:
            continue
        spans = case.spans(id, "conclusion")
        if not spans:
            yield Fault(id, "no conclusion span: a settle has closing words")
        said = " ".join(case.said(span) for span in spans)
        if spans and not case.words.conclusion[event.result].search(said):
            yield Fault(spans[0].turn, f"the closing words of {id} do not say {event.result}", event.result, said)
        wrong = case.words.conclusion_not[event.result].search(said) or case.words.unsettled.search(said)
        if wrong:
            yield Fault(
                spans[0].turn,
                f"the closing words of {id} leave it open or say another result",
                event.result,
                wrong.group(),
            )
        yield from _scope(case, id)


def openings(case: Case) -> Iterator[Fault]:
    """A cycle after the first is opened in words (spec: reopening is said, not inferred)."""
    for id, planned in case.events.items():
        if not planned.opens:
            continue
        spans = case.spans(id, "action")
        if not spans:
            yield Fault(id, "no action span shows that the closed matter is opened again")
        elif not any(case.words.reopening.search(case.said(span)) for span in spans):
            yield Fault(
                spans[0].turn,
                f"the action words of {id} do not open the matter again",
                "words such as 重新看, 再议, 刚才定的要改",
                " / ".join(case.said(span) for span in spans),
            )


def resumptions(case: Case) -> Iterator[Fault]:
    """What clears an obstacle is said after the hold that named it, by then or in the trigger itself."""
    for id, planned in case.events.items():
        event = planned.event
        if event.action != "advance" or event.clears is None:
            continue
        hold = next(
            (each for each in planned.cycle.events if each.action == "hold" and each.obstacle == event.clears),
            None,
        )
        before, after = (case.event_place(hold.id) if hold else None), case.event_place(id)
        if before is not None and after is not None and after[0] <= before[0]:
            yield Fault(id, f"resumes in the turn of the hold {hold.id if hold else ''}: nothing can have cleared it")


def _other_obstacle(case: Case, id: str) -> Iterator[Fault]:
    """The words of an obstacle are about it: they share some with what the scenario says of it, and not far more with
    what it says of another. Obstacles that the scenario has no words for are not judged.
    """
    known = obstacle_words(case.blueprint)
    planned = case.events[id].event.obstacle or ""
    spans = case.spans(id, "obstacle")
    said = frozenset(pair for span in spans for pair in pairs(case.said(span)))
    if not said or not known.get(planned):
        return
    own = len(said & known[planned])
    best = max(known, key=lambda other: len(said & known[other]))
    if own == 0 or len(said & known[best]) - own > _FOREIGN * len(said):
        yield Fault(
            spans[0].turn,
            f"the words for the obstacle of {id} are not about {planned}",
            planned,
            " / ".join(case.said(span) for span in spans),
        )


def _scope(case: Case, id: str) -> Iterator[Fault]:
    """A settle says in its trigger turn what it settles, and names no other field there."""
    planned = case.events[id]
    turn = case.trigger(id)
    if turn is None:
        return
    spans = [span for span in case.spans(id, "scope") if span.turn == turn.id]
    if not spans:
        yield Fault(id, "no scope span in the trigger turn: a settle says what it settles", planned.event.scope)
    names = field_names(case.blueprint)
    for span in spans:
        said = case.said(span)
        named = named_fields(said, names)
        if named and planned.trajectory.key not in named and not _scope_named(case, planned, said):
            yield Fault(turn.id, f"settle {id} names another field", planned.trajectory.key, said)


def _scope_named(case: Case, planned: Planned, said: str) -> bool:
    """押品评估 is a scope, and the field 评估价 lies in it."""
    field = case.field(planned.trajectory)
    scopes = {planned.event.scope, *(field.scopes if field else ())}
    return any(name in said for scope in case.blueprint.scopes if scope.id in scopes for name in scope.said)


def _ascending(case: Case, ids: list[str], what: str) -> Iterator[Fault]:
    last: tuple[Place, str] | None = None
    for id in ids:
        place = case.event_place(id)
        if place is None:
            continue
        if last is not None and place <= last[0]:
            yield Fault(id, f"out of order in {what}: said before {last[1]}")
        last = (place, id) if last is None else max(last, (place, id))
