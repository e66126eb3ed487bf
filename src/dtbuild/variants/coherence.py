"""Whether the talk still holds together when turns have moved to another person.

In B the taker says the giver's words. Then nobody may have called on the giver to say them or answer him by
name, the taker may not speak of himself or answer himself, nobody may later ascribe the words to the giver, and
words of a side (我们, 您) must still be true of who says them.

Each check yields findings with level "error": a pair that does not hold together is not released.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from dtbuild.address import name_forms, named, vocative
from dtbuild.records.blueprint import Blueprint
from dtbuild.records.plan import Plan, Swap
from dtbuild.records.script import Script, Turn
from dtbuild.records.verdict import Finding

_ASCRIBED = re.compile(r"(刚才|刚刚|前面|之前|上面)?[^，。！？：、]{0,3}(说|讲|提|定|批|签|报|停|放|卡|问|查|核|认|拍)")
_OWN_PAST = re.compile(
    r"我(刚才|刚刚|刚|前面|之前|先前|上面|早先).{0,4}(说|讲|提|定|批|签|报|停|问|查|核)|我说的|我定的|我批的|我报的"
)
_SIDE = re.compile(r"我们|你们|您|你|贵")
_THIRD = re.compile(r"(?<!其)[他她](?!们|人)")
_NEAR = 2
"""Turns after a moved one in which 他 or 她 may still mean its speaker."""


def coherence(
    plan: Plan, a: Script, b: Script, blueprint: Blueprint, declared: Swap, moved: frozenset[int]
) -> Iterator[Finding]:
    """Findings about B; `moved` are numbers of turns from 1. Names, titles, pronouns, thanks, later answers."""
    if not moved:
        yield Finding(code="swap-turns", where=b.recording, message="no turn moves")
        return
    giver, taker = plan.person(declared.giver), plan.person(declared.taker)
    giver_forms = name_forms(giver, blueprint.role(giver.role).address)
    taker_forms = name_forms(taker, blueprint.role(taker.role).address)
    only_giver, only_taker = giver_forms - taker_forms, taker_forms - giver_forms
    yield from _own_name(b, only_taker, moved)
    yield from _called_by_name(b, only_giver, only_taker, moved)
    yield from _own_answers(a, b)
    yield from _ascriptions(plan, b, only_giver, declared, moved)
    if blueprint.role(giver.role).side != blueprint.role(taker.role).side:
        yield from _sides(b, moved)
    if giver.gender != taker.gender:
        yield from _pronouns(b, moved)


def _own_name(b: Script, forms: frozenset[str], moved: frozenset[int]) -> Iterator[Finding]:
    for number, turn in _numbered(b):
        if number in moved:
            for _, form in named(turn.text, forms):
                yield _finding("swap-self", turn, "the taker speaks of himself by name", form)


def _called_by_name(
    b: Script, giver: frozenset[str], taker: frozenset[str], moved: frozenset[int]
) -> Iterator[Finding]:
    """The turns next to a moved one that are not moved themselves: a call for it before, an answer to it after."""
    for number, turn in _numbered(b):
        if number in moved or not {number - 1, number + 1} & moved:
            continue
        calls = [form for at, form in named(turn.text, giver) if vocative(turn.text, at, form)]
        if calls and not named(turn.text, taker):
            what = "answers" if number - 1 in moved else "calls on"
            yield _finding("swap-address", turn, f"{what} the giver by name, but the taker speaks", calls[0])


def _own_answers(a: Script, b: Script) -> Iterator[Finding]:
    for at in range(1, len(b.turns)):
        if b.turns[at].person == b.turns[at - 1].person and a.turns[at].person != a.turns[at - 1].person:
            yield _finding("swap-adjacent", b.turns[at], "speaks right after himself in B, and did not in A")


def _ascriptions(
    plan: Plan, b: Script, giver: frozenset[str], declared: Swap, moved: frozenset[int]
) -> Iterator[Finding]:
    """刚才林岚说的 about a moved event; 我刚才说的 by who said it in A only, or in a moved turn by who did not."""
    first = min(moved)
    about = _matters(plan, b, declared)
    for number, turn in _numbered(b):
        if number in moved:
            if match := _OWN_PAST.search(turn.text):
                yield _finding("swap-past", turn, "the taker speaks of what the giver said before", match.group())
            continue
        if number <= first or turn.id not in about:
            continue
        for at, form in named(turn.text, giver):
            if not vocative(turn.text, at, form) and _ASCRIBED.match(turn.text, at + len(form)):
                yield _finding("swap-ascribed", turn, "ascribes the taker's words to the giver", form)
        if turn.person == declared.giver and (match := _OWN_PAST.search(turn.text)):
            yield _finding("swap-past", turn, "the giver claims what the taker said", match.group())


def _matters(plan: Plan, script: Script, declared: Swap) -> frozenset[str]:
    """Turns that speak of a matter in which the giver's part, by what was heard so far, is a moved event.

    That is: the latest event of the trajectory moved, or one moved and the giver has no other there yet.
    """
    owner = {event.id: trajectory.id for trajectory, _, event in plan.events()}
    matter = owner | {candidate.id: candidate.trajectory for candidate in plan.candidates}
    giver = {event.id for _, _, event in plan.events() if event.person == declared.giver}
    touched: dict[str, set[str]] = {}
    pairs = [(span.turn, span.target) for span in script.spans]
    pairs += [(mention.turn, mention.target or "") for mention in script.mentions]
    for turn_id, target in pairs:
        if target in matter:
            touched.setdefault(turn_id, set()).add(matter[target])
    triggers: dict[str, list[str]] = {}
    for event in owner:
        trigger = script.trigger(event)
        if trigger is not None:
            triggers.setdefault(trigger, []).append(event)
    heard: dict[str, list[str]] = {}
    talked: set[str] = set()
    found: set[str] = set()
    for turn in script.turns:
        # a turn without a mention of its own goes on about what was talked of last
        talked = touched.get(turn.id, talked)
        for events in (heard.get(trajectory, []) for trajectory in talked):
            moved = [event for event in events if event in declared.events]
            own = [event for event in events if event in giver and event not in declared.events]
            if moved and (events[-1] == moved[-1] or not own):
                found.add(turn.id)
        for event in triggers.get(turn.id, ()):
            heard.setdefault(owner[event], []).append(event)
    return frozenset(found)


def _sides(b: Script, moved: frozenset[int]) -> Iterator[Finding]:
    for number, turn in _numbered(b):
        if number in moved and (match := _SIDE.search(turn.text)):
            yield _finding("swap-side", turn, "a word of the giver's side, and the taker is of another", match.group())


def _pronouns(b: Script, moved: frozenset[int]) -> Iterator[Finding]:
    for number, turn in _numbered(b):
        if number not in moved and any(number - back in moved for back in range(1, _NEAR + 1)):
            match = _THIRD.search(turn.text)
            if match and _ASCRIBED.match(turn.text, match.end()):
                yield _finding("swap-pronoun", turn, "他 or 她 may mean a speaker of the other gender", match.group())


def _numbered(script: Script) -> Iterator[tuple[int, Turn]]:
    return iter(enumerate(script.turns, 1))


def _finding(code: str, turn: Turn, message: str, found: str | None = None) -> Finding:
    return Finding(code=code, where=turn.id, message=message, found=found)
