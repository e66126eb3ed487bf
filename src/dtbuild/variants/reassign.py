"""Role reassignment: two persons exchange roles and titles, and with them what they say (spec, section 5, Variants).

Every turn of the one becomes the other's, but for the opening turns with the move `keep`, which show no role and
stay with their persons: so S1 stays S1, and what S1 decided in A S2 decides in B. In the words that change hands, and
in those of third persons, the names of the two are exchanged (`names`).
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from dtbuild.legality.variant import edited
from dtbuild.records.blueprint import Blueprint
from dtbuild.records.plan import Candidate, Distractor, Plan, Reassignment
from dtbuild.records.script import KEEP, Script, Turn
from dtbuild.records.variant import PersonChange
from dtbuild.variants.difference import Expected
from dtbuild.variants.names import applied, edits, exchange, moved
from dtbuild.variants.turns import numbered


def reassigned(plan: Plan, script: Script, change: Reassignment, blueprint: Blueprint) -> Script:
    """The turns of B under the ids of A; the cast is that of B's plan."""
    names, heirs = _names(plan, change, blueprint), _heirs(change)
    made = {turn.id: () if turn.move == KEEP else edits(turn.text, names) for turn in script.turns}
    return replace(
        script,
        cast=edited(plan).cast,
        turns=tuple(
            turn
            if turn.move == KEEP
            else replace(turn, person=heirs.get(turn.person, turn.person), text=applied(turn.text, made[turn.id]))
            for turn in script.turns
        ),
        spans=tuple(moved(span, made.get(span.turn, ())) for span in script.spans),
        mentions=tuple(moved(mention, made.get(mention.turn, ())) for mention in script.mentions),
    )


def expected(plan: Plan, script: Script, change: Reassignment, blueprint: Blueprint) -> Expected:
    """What B is to differ in."""
    names, heirs = _names(plan, change, blueprint), _heirs(change)
    one, other = plan.person(change.one), plan.person(change.other)
    extras: dict[str, tuple[Candidate | Distractor, ...]] = {
        "plan.candidates": plan.candidates,
        "plan.distractors": plan.distractors,
    }
    return Expected(
        persons={n: (t.person, heirs[t.person]) for n, t in numbered(script) if t.person in heirs and t.move != KEEP},
        events={e.id: (e.person, heirs[e.person]) for _, _, e in plan.events() if e.person in heirs},
        reworded=frozenset(n for n, t in numbered(script) if t.move != KEEP and _renamed(t, names)),
        cast=tuple(
            PersonChange(
                person=person.id,
                role=(person.role, heir.role) if person.role != heir.role else None,
                title=(person.title, heir.title) if person.title != heir.title else None,
            )
            for person, heir in sorted(((one, other), (other, one)), key=lambda pair: plan.cast.index(pair[0]))
        ),
        parts=frozenset(name for name, said in extras.items() if any(each.person in heirs for each in said)),
    )


def _renamed(turn: Turn, names: Mapping[str, str]) -> bool:
    return any(edit.text != turn.text[edit.start : edit.end] for edit in edits(turn.text, names))


def _names(plan: Plan, change: Reassignment, blueprint: Blueprint) -> Mapping[str, str]:
    return exchange(plan.person(change.one), plan.person(change.other), plan.cast, blueprint)


def _heirs(change: Reassignment) -> dict[str, str]:
    return {change.one: change.other, change.other: change.one}
