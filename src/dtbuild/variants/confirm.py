"""Confirmation change: the words that close a matter lose their authority (spec, section 5, Variants).

In B somebody who may not conclude answers in the decider's place, and those who took the conclusion up take this up.
Both are written afresh by the writer (`amend`, handed in); here the rest of the script follows: nothing points at the
event any more, and later echoes of its value are echoes of the event before it, which has the same value.
"""

from __future__ import annotations

from msgspec.structs import replace

from dtbuild.records.plan import Confirmation, Plan
from dtbuild.records.script import CONFIRM, Mention, Script, Span
from dtbuild.variants.difference import Expected
from dtbuild.variants.turns import follows, numbered, tied


def unconfirmed(plan: Plan, amended: Script, change: Confirmation) -> Script:
    """The turns of B under the ids of A, where `amended` is A with B's words in the turns of the change."""
    before = plan.event(change.event).predecessor
    return replace(
        amended,
        spans=tuple(span for span in amended.spans if span.target != change.event),
        mentions=tuple(
            replace(mention, target=before) if mention.target == change.event else mention
            for mention in amended.mentions
        ),
    )


def expected(plan: Plan, script: Script, change: Confirmation) -> Expected:
    """What B is to differ in."""
    trigger, after = changed_turns(script, change)
    number = {turn.id: at for at, turn in numbered(script)}
    parts: tuple[Span | Mention, ...] = (*script.spans, *script.mentions)
    return Expected(
        persons=dict.fromkeys(trigger, (plan.event(change.event).person, change.person)),
        events={},
        missing=frozenset({change.event}),
        reworded=trigger,
        words=after,
        marks=frozenset(number[part.turn] for part in parts if part.target == change.event and part.turn in number),
        parts=frozenset({"plan.beats", "plan.phenomena"}),
    )


def changed_turns(script: Script, change: Confirmation) -> tuple[frozenset[int], frozenset[int]]:
    """Numbers, from 1, of the turn that carries the event, and of those that take it up and say something else in B."""
    trigger = script.trigger(change.event)
    tied_to = [(number, turn) for number, turn in numbered(script) if tied(turn.move, CONFIRM) == change.event]
    after = frozenset(number for number, turn in tied_to if follows(turn.move) and turn.id != trigger)
    return frozenset(number for number, turn in numbered(script) if turn.id == trigger), after
