"""Who may do what, and whether a listener can tell (spec, section 5, Authority).

The table of the blueprint decides who may; an `authority` span must let the ear know it: before or in each
settle that this speaker may conclude, before an unauthorised candidate that its speaker may not.
"""

from __future__ import annotations

from collections.abc import Iterator

from dtbuild.address import name_forms, named
from dtbuild.records.plan import Candidate, Person
from dtbuild.records.script import Span
from dtbuild.review.case import Case, Place
from dtbuild.review.rule import Fault


def event_rights(case: Case) -> Iterator[Fault]:
    """The person of each event has the right to its action in its scope, and a settle's result is theirs to give."""
    for planned in case.events.values():
        event = planned.event
        person = case.people.get(event.person)
        if person is None:
            yield Fault(event.id, f"person {event.person!r} is not in the cast")
        elif not case.may(event.person, event.scope, event.action):
            yield Fault(
                event.id,
                f"{person.name} ({person.role}) may not {event.action} in scope {event.scope}",
                "a person with that right in the blueprint's authority table",
            )
        elif event.action == "settle" and event.result not in case.blueprint.gives(person.role, event.scope):
            gives = ", ".join(case.blueprint.gives(person.role, event.scope))
            yield Fault(
                event.id,
                f"{person.role} may not give this result in scope {event.scope}",
                gives,
                event.result,
            )


def candidate_rights(case: Case) -> Iterator[Fault]:
    """Who names an unauthorised candidate may neither start nor advance in any scope of the field."""
    for candidate in case.plan.candidates:
        for scope in _scopes(case, candidate):
            if any(case.may(candidate.person, scope, action) for action in ("start", "advance")):
                yield Fault(
                    candidate.id,
                    f"{candidate.person} may start or advance in scope {scope}: this is an event",
                )


def authority_heard(case: Case) -> Iterator[Fault]:
    """Before or in each settle, words let a listener know that this speaker may conclude this scope."""
    for planned in case.events.values():
        event = planned.event
        person, at = case.people.get(event.person), case.event_place(event.id)
        if event.action != "settle" or person is None or at is None:
            continue
        spans = case.spans(event.id, "authority")
        # in the settle: anywhere in its trigger turn
        good = [span for span in spans if case.number.get(span.turn, at[0] + 1) <= at[0]]
        if not good:
            yield Fault(event.id, "nothing says beforehand that this speaker may conclude it", "an authority span")
        elif not any(_gives_authority(case, span, person) for span in good):
            yield Fault(
                good[0].turn,
                f"the authority words for {event.id} do not show that {person.name} may conclude it",
                "first person, or the name or 您/你 of who may, with words of deciding",
                case.said(good[0]),
            )


def limits_heard(case: Case) -> Iterator[Fault]:
    """Before an unauthorised candidate, words let a listener know that its speaker may not decide."""
    for candidate in case.plan.candidates:
        person, at = case.people.get(candidate.person), _first_said(case, candidate.id)
        if person is None or at is None:
            continue
        good = [span for span in case.spans(candidate.id, "authority") if (-1, 0) < case.place(span) < at]
        if not good:
            yield Fault(
                candidate.id,
                "nothing says beforehand that this speaker may not decide it",
                "an authority span",
            )
        elif not any(_denies_authority(case, span, person) for span in good):
            yield Fault(
                good[0].turn,
                f"the authority words for {candidate.id} do not show that {person.name} may not decide it",
                "words such as 做不了主, or that another person decides",
                case.said(good[0]),
            )


def _gives_authority(case: Case, span: Span, person: Person) -> bool:
    said, turn = case.said(span), case.turns[span.turn]
    if not case.words.authority.search(case.words.no_authority.sub("", said)):
        return False
    others = [each for each in case.plan.cast if each.id != person.id and named(said, name_forms(each))]
    if others and not named(said, name_forms(person)) and not set("我您你") & set(said):
        return False
    if turn.person == person.id:
        return not case.words.no_authority.search(said)
    return _points_at(turn.text, person)


def _denies_authority(case: Case, span: Span, person: Person) -> bool:
    said, turn = case.said(span), case.turns[span.turn]
    if case.words.no_authority.search(said):
        return turn.person == person.id or _points_at(turn.text, person)
    decides = case.words.authority.search(said) or case.words.quoting.search(said)
    if not decides:
        return False
    if turn.person != person.id:
        # 费率我先按一个点给您报: who quotes the matter decides it, and so the person quoted to does not
        others = any(named(said, name_forms(other)) for other in case.plan.cast if other.id != person.id)
        return "我" in said or others
    return any(named(said, name_forms(other)) for other in case.plan.cast if other.id != person.id) or bool(
        set("您你") & set(said)
    )


def _points_at(text: str, person: Person) -> bool:
    return bool(set("您你") & set(text)) or bool(named(text, name_forms(person)))


def _scopes(case: Case, candidate: Candidate) -> tuple[str, ...]:
    trajectory = case.trajectories.get(candidate.trajectory)
    field = case.field(trajectory) if trajectory else None
    return field.scopes if field else ()


def _first_said(case: Case, candidate: str) -> Place | None:
    places = [
        case.place(mention)
        for mention in case.script.mentions
        if mention.role == "unauthorised" and mention.target == candidate and mention.turn in case.number
    ]
    return min(places) if places else None
