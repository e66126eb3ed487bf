"""How a talk begins and ends, and what people say in between when there is time."""

from __future__ import annotations

from dtbuild.errors import BlueprintError
from dtbuild.records.plan import CLOSING, Person
from dtbuild.records.script import KEEP
from dtbuild.script import framing
from dtbuild.script.people import partner
from dtbuild.script.scenes import Scenes
from dtbuild.script.talk import Talk

BEHIND = 60
"""汉字 short of the goal at which twice as much is put in, so that it does not pile up at the end."""


def open_talk(scenes: Scenes) -> None:
    """One of several ways to begin: straight in, with a greeting, or with some talk about the case."""
    talk = scenes.talk
    people, tags = list(talk.plan.cast), ["opening"]
    if talk.heirs is not None and _neutral(talk, *talk.heirs):
        people, tags = talk.others(*talk.heirs), ["opening", "begun"]
    one = talk.rng.choice(people)
    two = partner(talk, one)
    if not talk.exchange(one, two, "open", tags=tags):
        raise BlueprintError("phrase bank 'open'", expected="an exchange for any two people", found="none")
    talk.turns[-1].closed = False


def fill(scenes: Scenes, done: float) -> None:
    """Talk beside the matter, about the case, an errand, waiting: while the talk is behind its goal, and not twice in
    a row. Once everything has been said, people talk of what comes next."""
    talk = scenes.talk
    behind = talk.goal * done - talk.count > BEHIND
    limit = 2 if behind else 1
    for _ in range(limit):
        if done < 1.0 and scenes.next_topic is not None and scenes.next_topic == talk.topic and _reacts(scenes):
            # nothing comes between a number and what is held against it
            return
        if talk.count >= talk.goal * (0.02 + 0.94 * done) or (done < 1.0 and not behind and talk.chance(0.25)):
            return
        if _beside(scenes) if done < 1.0 else _next(scenes):
            continue
        one = _starter(scenes)
        across = [p for p in talk.others(one.id) if talk.side[p.id] != talk.side[one.id]]
        two = talk.rng.choice(across) if across and talk.chance(0.7) else partner(talk, one)
        banks = ["talk.matter", "talk.case"] if talk.chance(0.75) else ["talk.case", "talk.matter"]
        errand = next((e for e in scenes.errands.values() if e.owner is not None), None)
        waited = errand.owner if errand is not None else None
        arriving = scenes.upcoming is not None and bool(scenes.upcoming.clears)
        arriving = arriving or any(draft.move == "talk.wait" for draft in talk.turns[-10:])
        asks = waited is not None and not arriving and waited.id != one.id and talk.chance(0.3)
        # only who is to bring something can say how far it is
        if (
            asks
            and waited is not None
            and talk.exchange(
                one, waited, "talk.wait", call=True, spaces=(f"obstacle:{errand.obstacle if errand else ''}:",)
            )
        ):
            continue
        if scenes.next_topic is not None and scenes.next_topic == talk.topic:
            # talk beside the matter belongs between matters
            return
        if not any(talk.exchange(one, two, bank, call=True) for bank in banks):
            return
        talk.topic = ""


def _reacts(scenes: Scenes) -> bool:
    """Whether the next event answers what has just been said."""
    coming = scenes.upcoming
    return coming is None or coming.action == "hold" or coming.reason is not None


def _beside(scenes: Scenes) -> bool:
    """A few words beside the field at hand, by two whom they fit: colleagues have little else to talk of."""
    talk = scenes.talk
    about = next((t for t in talk.plan.trajectories if t.id == talk.topic), None)
    share = 0.8 if len(talk.plan.cast) == 2 else 0.55
    if about is None or about.id in (*scenes.settled, scenes.unsaid) or not talk.chance(share):
        return False
    pairs = [(one, two) for one in talk.plan.cast for two in talk.plan.cast if one is not two]
    pairs = [pair for pair in pairs if talk.last is None or pair[0].id != talk.last_person or not talk.last.closed]
    taken = talk.last is not None and talk.last.move.startswith("take.")
    pairs = [pair for pair in pairs if taken or pair[0].id != talk.last_person]
    talk.rng.shuffle(pairs)
    if about.id in scenes.errands and talk.chance(0.5):
        return talk.exchange(*pairs[0], "weigh", about=about, tags=["on_hold"])
    return any(talk.exchange(one, two, "side", about=about, call=True) for one, two in pairs)


def _next(scenes: Scenes) -> bool:
    """What is to be done once the talk is over."""
    talk = scenes.talk
    one = _starter(scenes)
    return any(talk.exchange(one, two, "talk.next", tags=_outcome(scenes), call=True) for two in talk.others(one.id))


def _outcome(scenes: Scenes) -> list[str]:
    """How the talk has come out, as tags."""
    good = all(event.result in CLOSING for event in scenes.settled.values())
    # a matter that B leaves open is neither done nor open: what is said must be true in both
    unsaid = ["unsaid"] if scenes.unsaid else []
    ended = len(scenes.settled) + len(unsaid) == len(scenes.talk.plan.trajectories)
    tags = ["open_end", *unsaid] if not ended else ["all_done"] if good and not unsaid else unsaid
    return [*tags, "sad"] if scenes.settled and not good else tags


def close(scenes: Scenes) -> None:
    """What is still open is named, then people part."""
    talk = scenes.talk
    last = talk.last_person
    one = talk.rng.choice(talk.others(last) if last else list(talk.plan.cast))
    two = partner(talk, one)
    promised: set[str] = set()
    for errand in list(scenes.errands.values())[:2]:
        owner = errand.owner or talk.person(errand.event.person)
        if owner.id in promised:
            continue
        promised.add(owner.id)
        before = talk.turns[-1]
        if before.person == owner.id:
            # somebody would have to nod first
            continue
        asker = one if one.id != owner.id else two
        talk.say(owner, "wait", to=asker, spaces=(f"obstacle:{errand.obstacle}:",), optional=True)
        one, two = asker, owner
    left = [t for t in talk.plan.trajectories if t.id not in scenes.settled and t.id != scenes.unsaid]
    if left and len(left) <= 2 and talk.last_person != one.id:
        # what stays open is said in plain words
        names = "跟".join(dict.fromkeys(framing.name(talk, t) for t in left))
        if talk.say(one, "close.open", to=two, words={"left": names}, optional=True):
            talk.turns[-1].closed = True
            one, two = two, one
    tags = _outcome(scenes)
    if not talk.exchange(one, two, "close", tags=tags):
        raise BlueprintError("phrase bank 'close'", expected="an exchange for any two people", found="none")


def _neutral(talk: Talk, *heirs: str) -> bool:
    """Words with which two who exchange roles in B begin, and which they keep: nothing in them shows a role."""
    thirds = talk.others(*heirs)
    if not thirds:
        raise BlueprintError(f"plan {talk.plan.family}", expected="a third person beside two who exchange roles")
    pair = [talk.person(id) for id in heirs]
    talk.rng.shuffle(pair)
    options = talk.book.exchanges("open.neutral")
    parts = options[int(talk.rng.random() * len(options))]
    # who asks in an exchange of three is a third person
    people = [talk.rng.choice(thirds), *pair] if len(parts) > 2 else pair
    for who, part in zip(people, parts, strict=True):
        frame = talk.frame(who, None, None, None, (), {}, {}, (), "", ())
        if not talk.utter(part, KEEP, frame, None, alone=True):
            raise BlueprintError(f"exchange {part.source!r}", found="numbers in it")
    return True


def _starter(scenes: Scenes) -> Person:
    talk = scenes.talk
    last = talk.last_person
    people = talk.others(last) if last else list(talk.plan.cast)
    return talk.rng.choice(people)
