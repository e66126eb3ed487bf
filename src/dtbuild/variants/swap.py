"""Speaker swap: named events move to another person with the same rights (spec, section 5, Variants).

The trigger turns of the moved events, and turns whose move is `swap:<event id>`, go from giver to taker; all else is
byte-equal.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from dtbuild.records.blueprint import Blueprint
from dtbuild.records.plan import Plan, Swap
from dtbuild.records.script import SWAP, Script
from dtbuild.records.verdict import Finding, finding
from dtbuild.variants.difference import Expected
from dtbuild.variants.turns import numbered, tied


def swapped(script: Script, change: Swap) -> Script:
    """The turns of B under the ids of A."""
    moved = moved_turns(script, change)
    return replace(
        script,
        turns=tuple(
            replace(turn, person=change.taker) if number in moved else turn for number, turn in numbered(script)
        ),
    )


def moved_turns(script: Script, change: Swap) -> frozenset[int]:
    """Numbers, from 1, of the turns that the declared swap moves."""
    triggers = {script.trigger(event) for event in change.events}
    return frozenset(
        number for number, turn in numbered(script) if turn.id in triggers or tied(turn.move, SWAP) in change.events
    )


def expected(script: Script, change: Swap) -> Expected:
    """What B is to differ in."""
    hands = (change.giver, change.taker)
    return Expected(
        persons=dict.fromkeys(sorted(moved_turns(script, change)), hands), events=dict.fromkeys(change.events, hands)
    )


def rights(plan: Plan, change: Swap, blueprint: Blueprint) -> Iterator[Finding]:
    """Giver holds the events before, and the taker has the same rights in each event's scope."""
    giver, taker = plan.person(change.giver), plan.person(change.taker)
    for id in change.events:
        event = plan.event(id)
        if event.person != giver.id:
            yield finding("swap-giver", id, "not the giver's event", giver.id, event.person)
        if not blueprint.may(taker.role, event.scope, event.action):
            message = f"{taker.name} ({taker.role}) may not {event.action} in scope {event.scope}"
            yield finding("swap-rights", id, message, f"the rights of {giver.name} ({giver.role})")
