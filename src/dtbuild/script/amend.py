"""`amend`: what is said in B where A concludes, when the words that close a matter lose their authority.

A's script is taken up to the turn that concludes, as it stands and however it was edited; then somebody without the
right answers in the decider's place (bank `defer`), and whoever took the conclusion up takes this up (`after.defer`).
All other turns stay as they are. Pure: the words depend on the arguments alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec.structs import replace

from dtbuild import seeds
from dtbuild.address import name_forms, named
from dtbuild.errors import Incomplete
from dtbuild.legality.variant import edited
from dtbuild.records.blueprint import Blueprint
from dtbuild.records.plan import Confirmation, Event, Plan, Trajectory
from dtbuild.records.script import AFTER, CONFIRM, Mention, Script, Span, Turn
from dtbuild.records.values import Value
from dtbuild.script.draft import Draft, DraftMention
from dtbuild.script.situation import Known
from dtbuild.script.talk import Talk


def amend(
    plan: Plan,
    script: Script,
    blueprint: Blueprint,
    *,
    recording: str,
    seed: int,
    observe: Callable[[str, str], None] | None = None,
) -> Script:
    """A's script with the words of B in the turns whose move is `confirm:<event>` or `confirm:<event>:after`.

    `plan` is A's, `recording` the id of B, which gives the words their own stream. Ids of turns stay A's, and the
    settle's own spans and mentions are gone from the turns that are written afresh. Raises Incomplete where the
    plan plans no confirmation change or no turn carries its event. `observe` is told bank and line of each phrase.
    """
    change = plan.change
    if not isinstance(change, Confirmation):
        raise Incomplete(f"variant B of {plan.family}", expected="a confirmation change in the plan", found=str(change))
    trigger = script.trigger(change.event)
    if trigger is None:
        raise Incomplete(
            f"variant B of {plan.family}",
            expected=f"a turn that carries {change.event}, whose words B changes",
            found="none",
            fix="mark its words in the script of A",
        )
    trajectory, settle = next((t, e) for t, _, e in plan.events() if e.id == change.event)
    talk = Talk(plan=edited(plan), blueprint=blueprint, rng=seeds.rng(seed, "amend", recording), goal=0)
    talk.said.extend(_said(script))
    _hear_names(talk, script)
    made: dict[str, Draft] = {}
    for turn in script.turns:
        if turn.id == trigger:
            made[turn.id] = _defer(talk, trajectory, settle, change)
        elif turn.move == f"{CONFIRM}{change.event}{AFTER}":
            made[turn.id] = _take_up(talk, turn, trajectory, settle, change)
        else:
            _replay(talk, script, turn, trajectory)
    if observe is not None:
        for bank, line in talk.drawn:
            observe(bank, line)
    return _with(script, made)


def _replay(talk: Talk, script: Script, turn: Turn, trajectory: Trajectory) -> None:
    """What was said is said: the number in play is the latest one of the matter."""
    draft = Draft(turn.person, turn.move, text=turn.text, closed=True)
    draft.mentions.extend(
        DraftMention(m.id, m.start, m.end, m.role, m.value, m.target) for m in script.mentions if m.turn == turn.id
    )
    talk.turns.append(draft)
    events = {event.id: event for event in trajectory.events}
    for mention in draft.mentions:
        if mention.role in ("event", "echo") and mention.target in events:
            event = events[mention.target]
            talk.known[trajectory.id] = Known(mention.value, mention.id, event.id, event.person)
    talk.topic = trajectory.id
    talk.seen.add(trajectory.id)


def _defer(talk: Talk, trajectory: Trajectory, settle: Event, change: Confirmation) -> Draft:
    before = next(event for event in trajectory.events if event.id == settle.predecessor)
    known = talk.known.get(trajectory.id)
    if before.value is not None and known is not None:
        # its event is the one that the chain ends with in B, whoever said the number last
        talk.known[trajectory.id] = Known(before.value, known.mention, before.id, before.person)
    else:
        talk.known.pop(trajectory.id, None)
    return _say(talk, "defer", change.person, talk.last_person, trajectory, settle, change)


def _take_up(talk: Talk, turn: Turn, trajectory: Trajectory, settle: Event, change: Confirmation) -> Draft:
    return _say(talk, "after.defer", turn.person, change.person, trajectory, settle, change)


def _say(
    talk: Talk, bank: str, who: str, to: str | None, trajectory: Trajectory, settle: Event, change: Confirmation
) -> Draft:
    person, decider = talk.person(who), talk.plan.person(settle.person)
    spec = talk.fields[trajectory.key]
    tags = [settle.result or "approved", *(["limited"] if settle.scope != spec.scope else [])]
    words = {"scope": talk.rng.choice(talk.scopes[settle.scope].said)}
    if who != decider.id:
        words["decider"] = talk.called[who, decider.id]
    heard = talk.person(to) if to is not None and to not in (who, decider.id) else None
    talk.say(person, bank, to=heard, about=trajectory, tags=tags, words=words, alone=True)
    return talk.turns[-1]


def _said(script: Script) -> list[tuple[str, Value]]:
    """As many numbers as A has said, so that an id that follows is one that A does not have."""
    said = [(mention.id, mention.value) for mention in script.mentions]
    last = max((int(id[1:]) for id, _ in said if re.fullmatch(r"m\d+", id)), default=0)
    return said + said[:1] * max(0, last - len(said))


def _hear_names(talk: Talk, script: Script) -> None:
    """Everybody is called as A calls him."""
    for speaker in talk.plan.cast:
        said = [turn.text for turn in script.turns if turn.person == speaker.id]
        for other in talk.plan.cast:
            if other.id == speaker.id:
                continue
            forms = name_forms(other, talk.blueprint.role(other.role).address)
            heard = [form for text in said for _, form in named(text, forms)]
            if heard:
                talk.called[speaker.id, other.id] = heard[0]


def _with(script: Script, made: dict[str, Draft]) -> Script:
    turns = tuple(
        replace(turn, person=made[turn.id].person, text=made[turn.id].finish()) if turn.id in made else turn
        for turn in script.turns
    )
    spans = [span for span in script.spans if span.turn not in made]
    mentions = [mention for mention in script.mentions if mention.turn not in made]
    for id, draft in made.items():
        spans += [
            Span(turn=id, kind=s.kind, start=s.start, end=s.end, target=s.target, antecedent=s.antecedent)
            for s in draft.spans
        ]
        mentions += [
            Mention(id=m.id, turn=id, start=m.start, end=m.end, role=m.role, value=m.value, target=m.target)
            for m in draft.mentions
        ]
    number = {turn.id: at for at, turn in enumerate(script.turns)}
    # in the order of the text, as the writer leaves them; those of one turn stay as they are
    return replace(
        script,
        turns=turns,
        spans=tuple(sorted(spans, key=lambda span: number.get(span.turn, -1))),
        mentions=tuple(sorted(mentions, key=lambda mention: number.get(mention.turn, -1))),
    )
