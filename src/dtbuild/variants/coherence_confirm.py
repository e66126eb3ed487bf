"""Whether the talk still holds together when a matter is not closed after all.

In B somebody without authority answers in the decider's place. His words must show that he may not conclude, and must
not conclude; nobody called on the decider to speak there or answers him, nobody is glad of what was not granted, and
nobody speaks later as if it had been.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from dtbuild.address import named
from dtbuild.records.blueprint import Blueprint
from dtbuild.records.plan import Confirmation, Plan
from dtbuild.records.script import CONFIRM, Mention, Script, Span, Turn
from dtbuild.records.verdict import Finding
from dtbuild.variants.coherence import OWN_PAST, called, clauses, open_clause, own_answers, own_name
from dtbuild.variants.confirm import changed_turns
from dtbuild.variants.names import forms
from dtbuild.variants.turns import fault, numbered

DEFERS = re.compile(
    r"[做作]不了主|([定批签管拍]|答应)不(了|着|下来)|说了不算|不算数|不归我|轮不[到着]|不是我|没(有)?(这个|那个)?权|[不哪]敢|还没(点头|签|表态|发话)|插不上"
    r"|往上[报递]|[报送递]上去|请示|(得|要|等|看|听|须|归|由).{0,12}(签|批|点头|定|拍板|说了算|发话|开口|松口|表态|过目|主意|说话)"
)
CLOSES = re.compile(
    r"我(就|这儿|这边|也|来)?(签|批|定|同意|确认|核准|通过)|就这么[定办]|[定批签]了|定下来|批下来|通过了|核对无误|拍板"
)
GLAD = re.compile(
    r"太好了|放心|踏实|着落|等的就是|可算|总算|落地|(有|给)(了)?准[话信](就|儿)?[好，]|有底了|够用了|好安排了"
)
THANKS = re.compile(r"谢谢|谢了|多谢|感谢|费心|托.{0,2}福")
_HELP = re.compile(r"催|问|帮|带话|捎|盯|转告|递")
_ALL_DONE = re.compile(
    r"(都|全|样样|条条).{0,2}(定|谈妥|说定|捋顺|有着落|落下来)(下来)?了|(这下|总算)都齐|难得这么利索"
)
_CLOSED = re.compile(r"(定|批|签|确认|核准|敲)(好|下来|过)?了|(定|批)下来")
_DID = re.compile(r"(刚才|刚刚|刚|前面|之前|已经|都)?[^，。！？：、]{0,3}(定|批|签|确认|同意|点头|拍板)[了的过]")
_YOU = re.compile(r"[您你](?!们)")
_NEAR = 2
"""Turns after the changed one in which joy can only be about it."""


def unconfirmed_talk(
    plan: Plan, a: Script, b: Script, blueprint: Blueprint, declared: Confirmation
) -> Iterator[Finding]:
    """Findings about B. Authority, closing words, names, pronouns, joy and thanks, later words."""
    trigger, after = changed_turns(a, declared)
    if not trigger:
        yield Finding(code="confirm-turns", where=b.recording, message=f"no turn carries {declared.event} in A")
        return
    at = min(trigger)
    decider, person = plan.person(plan.event(declared.event).person), plan.person(declared.person)
    names = {each.id: forms(each, blueprint) for each in plan.cast}
    only = {each.id: names[each.id] - _others(names, each.id) for each in plan.cast}
    yield from _authority(b.turns[at - 1])
    for number in sorted({at} | after):
        turn = b.turns[number - 1]
        yield from own_name(turn, only.get(turn.person, frozenset()), "confirm-self")
        yield from _closing(turn)
    yield from _addressed(b, at, only[decider.id], only[person.id])
    yield from _joy(plan, b, at, after)
    yield from _later(plan, b, blueprint, declared, at, only[decider.id])
    yield from own_answers(a, b, "confirm-adjacent")


def _others(names: dict[str, frozenset[str]], id: str) -> frozenset[str]:
    return frozenset().union(*(known for other, known in names.items() if other != id))


def _authority(turn: Turn) -> Iterator[Finding]:
    if not DEFERS.search(turn.text):
        yield fault("confirm-authority", turn, "nothing shows that its speaker may not conclude the matter")


def _closing(turn: Turn) -> Iterator[Finding]:
    """Words that close, where nothing in their clause leaves it open: A's answer leaks."""
    for clause in clauses(turn.text):
        match = CLOSES.search(clause)
        if match and not open_clause(clause):
            yield fault("confirm-leak", turn, "closes the matter, which B leaves open", match.group())


def _addressed(b: Script, at: int, decider: frozenset[str], person: frozenset[str]) -> Iterator[Finding]:
    """The turns beside the changed one: who was to decide is neither called nor answered, since he does not speak."""
    if at > 1:
        before = b.turns[at - 2]
        calls = called(before.text, decider)
        if calls and not named(before.text, person):
            yield fault("confirm-address", before, "calls on the decider, and another answers", calls[0])
        said = re.split(r"[。！？]", before.text.rstrip("。！？…"))[-1]
        match = _YOU.search(said)
        if match and not called(said, person):
            yield fault("confirm-address", before, "asks somebody by pronoun, who in A decides", match.group())
    if at < len(b.turns):
        calls = called(b.turns[at].text, decider)
        if calls and b.turns[at].move.startswith(CONFIRM):
            yield fault("confirm-address", b.turns[at], "answers the decider, who has not spoken", calls[0])


def _joy(plan: Plan, b: Script, at: int, after: frozenset[int]) -> Iterator[Finding]:
    """Nobody is glad or thanks: in the turns that take it up, and in those next to it before another event comes."""
    triggers = {b.trigger(event.id) for _, _, event in plan.events()}
    near = set(after)
    for number, turn in list(numbered(b))[at : at + _NEAR]:
        if turn.id in triggers:
            break
        near.add(number)
    for number in sorted(near):
        turn = b.turns[number - 1]
        match = GLAD.search(turn.text)
        if match:
            yield fault("confirm-glad", turn, "is glad of what was not granted", match.group())
        thanks = THANKS.search(turn.text) if number in after else None
        if thanks and not _HELP.search(turn.text):
            yield fault("confirm-thanks", turn, "thanks for what was not granted", thanks.group())


def _later(
    plan: Plan, b: Script, blueprint: Blueprint, declared: Confirmation, at: int, decider: frozenset[str]
) -> Iterator[Finding]:
    """No later turn says that the matter is closed, that the decider closed it, or that he himself has."""
    trajectory = next(t for t in plan.trajectories if any(e.id == declared.event for e in t.events))
    said = blueprint.field(trajectory.key).said
    events = {event.id for event in trajectory.events}
    parts: tuple[Span | Mention, ...] = (*b.spans, *b.mentions)
    about = {part.turn for part in parts if part.target in events}
    owner = plan.event(declared.event).person
    for _, turn in list(numbered(b))[at:]:
        match = _ALL_DONE.search(turn.text)
        if match:
            yield fault("confirm-presumed", turn, "speaks as if all were settled", match.group())
        for clause in clauses(turn.text):
            names_it = any(word in clause for word in said)
            closed = _CLOSED.search(clause) if names_it else None
            if closed and not open_clause(clause):
                yield fault("confirm-presumed", turn, "speaks as if the matter were closed", closed.group())
            for place, form in named(clause, decider):
                did = _DID.match(clause, place + len(form))
                if did and not open_clause(clause) and (names_it or turn.id in about):
                    yield fault("confirm-ascribed", turn, "says that the decider has closed it", clause)
        past = OWN_PAST.search(turn.text) if turn.person == owner and turn.id in about else None
        if past:
            yield fault("confirm-past", turn, "claims to have closed it", past.group())
