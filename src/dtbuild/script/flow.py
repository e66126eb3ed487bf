"""What stands around an event: a sentence before or after it, asides, talking it over, time that passes."""

from __future__ import annotations

from collections.abc import Sequence

from dtbuild.records.plan import Event, Person, Trajectory
from dtbuild.script import people
from dtbuild.script.talk import Talk


def around(
    talk: Talk,
    where: str,
    event: Event,
    actor: Person,
    to: Person,
    trajectory: Trajectory,
    tags: Sequence[str],
) -> bool:
    """A sentence before or after the one that carries the event, in the same turn; says whether there is one."""
    share = 0.3 if where == "head" else 0.2
    if event.action == "settle":
        # another value than was talked of is not concluded without a word
        share = 1.0 if where == "head" and "same" not in tags else 0.2
    if where == "tail" and talk.turns[-1].parts > 1:
        return False
    if event.id in talk.apart or not talk.chance(share):
        return False
    if where == "head" and talk.last_person == actor.id and talk.turns[-1].text:
        return False
    said = talk.say(actor, f"{where}.{event.action}", to=to, about=trajectory, event=event, tags=tags, optional=True)
    return said is not None


def aside(talk: Talk, *people: Person, tags: Sequence[str] = ()) -> None:
    """A third person puts in a word, more readily when something is in the way."""
    others = talk.others(*(person.id for person in people), talk.last_person or "")
    if others and talk.chance(0.3 if tags else 0.08):
        talk.say(talk.rng.choice(others), "aside", to=people[0], tags=tags, optional=True)


def weigh(
    talk: Talk,
    done: float,
    one: Person,
    two: Person,
    trajectory: Trajectory,
    share: float,
    tags: Sequence[str] = (),
) -> None:
    """They talk over what has just happened."""
    if talk.slack(done) and talk.chance(share):
        talk.exchange(one, two, "weigh", about=trajectory, tags=tags)


def time_passes(talk: Talk, owner: Person) -> None:
    """What has just been promised does not arrive in the same breath: others talk of something else first."""
    if any(draft.move in {"talk", "hold", "hold.self", "talk.wait"} for draft in talk.turns[-3:]):
        interlude(talk, owner, waiting=True)


def interlude(talk: Talk, owner: Person, waiting: bool = False) -> None:
    """Something else is talked of, by others than `owner` where there are such; `waiting` where it has to be."""
    one = people.partner(talk, owner)
    others = talk.others(one.id)
    two = next((p for p in others if p.id != owner.id), others[0])
    for bank in ("talk.matter", "talk.case"):
        leeway, talk.leeway = talk.leeway, 1.0 if waiting else talk.leeway
        said = talk.exchange(one, two, bank, call=True)
        talk.leeway = leeway
        if said:
            talk.topic = ""
            return


def cue(talk: Talk, actor: Person, other: Person, event: Event) -> None:
    """Something makes a person come back to what was concluded."""
    if event.id not in talk.apart and talk.chance(0.7):
        spaces = (f"cause:{event.cause}:",) if event.cause else ()
        talk.exchange(actor, other, "reopen.cue", odd=False, spaces=spaces)
