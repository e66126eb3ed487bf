"""Whether the talk still holds together when turns have moved to another person.

In B the taker says the giver's words. Then nobody may have called on the giver to say them or answer him by
name, the taker may not speak of himself or answer himself, nobody may later ascribe the words to the giver, and
words of a side (我们, 您) must still be true of who says them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from dtbuild.address import named, vocative
from dtbuild.records.blueprint import Blueprint
from dtbuild.records.plan import Plan, Swap
from dtbuild.records.script import Script
from dtbuild.records.verdict import Finding
from dtbuild.variants.coherence import ASCRIBED, OWN_PAST, THIRD, called, own_answers, own_name, own_title
from dtbuild.variants.names import forms
from dtbuild.variants.turns import fault, numbered

_SIDE = re.compile(r"我们|你们|您|你|贵")
_NEAR = 2
"""Turns after a moved one in which 他 or 她 may still mean its speaker."""


def swapped_talk(
    plan: Plan, a: Script, b: Script, blueprint: Blueprint, declared: Swap, moved: frozenset[int]
) -> Iterator[Finding]:
    """Findings about B; `moved` are numbers of turns from 1. Names, titles, pronouns, thanks, later answers."""
    if not moved:
        yield Finding(code="swap-turns", where=b.recording, message="no turn moves")
        return
    giver, taker = plan.person(declared.giver), plan.person(declared.taker)
    giver_forms, taker_forms = forms(giver, blueprint), forms(taker, blueprint)
    only_giver, only_taker = giver_forms - taker_forms, taker_forms - giver_forms
    for number, turn in numbered(b):
        if number in moved:
            yield from own_name(turn, only_taker, "swap-self")
            if giver.title != taker.title:
                yield from own_title(turn, giver.title, "swap-self")
    yield from _called_by_name(b, only_giver, only_taker, moved)
    yield from own_answers(a, b, "swap-adjacent")
    yield from _ascriptions(plan, b, only_giver, declared, moved)
    if blueprint.role(giver.role).side != blueprint.role(taker.role).side:
        yield from _sides(b, moved)
    if giver.gender != taker.gender:
        yield from _pronouns(b, moved)


def _called_by_name(
    b: Script, giver: frozenset[str], taker: frozenset[str], moved: frozenset[int]
) -> Iterator[Finding]:
    """The turns next to a moved one that are not moved themselves: a call for it before, an answer to it after."""
    for number, turn in numbered(b):
        if number in moved or not {number - 1, number + 1} & moved:
            continue
        calls = called(turn.text, giver)
        if calls and not named(turn.text, taker):
            what = "answers" if number - 1 in moved else "calls on"
            yield fault("swap-address", turn, f"{what} the giver by name, but the taker speaks", calls[0])


def _ascriptions(
    plan: Plan, b: Script, giver: frozenset[str], declared: Swap, moved: frozenset[int]
) -> Iterator[Finding]:
    """刚才林岚说的 about a moved event; 我刚才说的 by who said it in A only, or in a moved turn by who did not."""
    first = min(moved)
    about = _matters(plan, b, declared)
    for number, turn in numbered(b):
        if number in moved:
            if match := OWN_PAST.search(turn.text):
                yield fault("swap-past", turn, "the taker speaks of what the giver said before", match.group())
            continue
        if number <= first or turn.id not in about:
            continue
        for at, form in named(turn.text, giver):
            if not vocative(turn.text, at, form) and ASCRIBED.match(turn.text, at + len(form)):
                yield fault("swap-ascribed", turn, "ascribes the taker's words to the giver", form)
        if turn.person == declared.giver and (match := OWN_PAST.search(turn.text)):
            yield fault("swap-past", turn, "the giver claims what the taker said", match.group())


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
    for number, turn in numbered(b):
        if number in moved and (match := _SIDE.search(turn.text)):
            yield fault("swap-side", turn, "a word of the giver's side, and the taker is of another", match.group())


def _pronouns(b: Script, moved: frozenset[int]) -> Iterator[Finding]:
    for number, turn in numbered(b):
        if number not in moved and any(number - back in moved for back in range(1, _NEAR + 1)):
            match = THIRD.search(turn.text)
            if match and ASCRIBED.match(turn.text, match.end()):
                yield fault("swap-pronoun", turn, "他 or 她 may mean a speaker of the other gender", match.group())
