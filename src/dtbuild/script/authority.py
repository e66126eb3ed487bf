"""Before a settle, words that let a listener know that its speaker may conclude the matter (spec, section 5)."""

from __future__ import annotations

from dtbuild.records.plan import Event, Person, Trajectory
from dtbuild.script.talk import Talk


def make_heard(
    talk: Talk, event: Event, actor: Person, other: Person, trajectory: Trajectory, far: bool = False
) -> bool:
    """Before a settle, make it audible who may conclude this scope, unless the settle itself will; says whether it was.

    Where the number was said `far` back, the turn before is needed for the number.
    """
    if heard(talk, event):
        return False
    if event.id in talk.swapped:
        one, two = (talk.person(id) for id in sorted(talk.bound))
        words = {"one": talk.called[other.id, one.id], "two": talk.called[other.id, two.id]}
        _say(talk, other, "authority.both", actor, event, trajectory, words)
        return True
    if event.id == talk.left_open:
        if far or not talk.chance(0.5) or full(talk, other):
            return False
        _say(talk, other, "authority.by", actor, event, trajectory, {"decider": talk.called[other.id, actor.id]})
        return True
    last = talk.last
    if last is not None and last.person == other.id and last.move == "bridge":
        # he has just asked
        return False
    if not far and talk.chance(0.45) and not full(talk, other):
        _say(talk, other, "authority.to", actor, event, trajectory, {})
        return True
    return False


def heard(talk: Talk, event: Event) -> bool:
    return any(span.kind == "authority" and span.target == event.id for d in talk.turns for span in d.spans)


def full(talk: Talk, who: Person) -> bool:
    """Whether the turn that `who` would go on with is full of other things."""
    last = talk.last
    return last is not None and last.person == who.id and last.parts >= 3


def _say(
    talk: Talk,
    who: Person,
    bank: str,
    actor: Person,
    event: Event,
    trajectory: Trajectory,
    words: dict[str, str],
) -> None:
    apart = event.id in talk.apart
    spec = talk.fields[trajectory.key]
    named = talk.last is not None and talk.last.person == who.id and talk.last.move == "bridge"
    words["scope"] = talk.rng.choice(talk.scopes[event.scope].said)
    talk.say(
        who, bank, to=None if apart else actor, about=trajectory, words=words,
        target=event.id, authority=(event.id,), call=True, tags=["limited"] if event.scope != spec.scope else [],
        without=("field",) if named else (),
    )  # fmt: skip
