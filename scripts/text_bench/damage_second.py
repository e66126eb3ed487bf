"""Words that are true in A and false in B: who decided, who is asked, what is closed, which side somebody is on.

They are put into A's script, whose B follows from it. What is true in B is told from the planned change (`second`).
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from dtbuild.records.plan import Confirmation, Event, Person, Reassignment, Swap
from dtbuild.records.script import KEEP, Mention
from text_bench import claims
from text_bench import claims_second as who
from text_bench.damage_names import title_of
from text_bench.edits import add, declare, drawn, plain_turns, trajectory_of, turn_index
from text_bench.kind import Damaged, Subject


def leak_ascribed(subject: Subject, rng: random.Random) -> Damaged | None:
    """Somebody later says who did the moved event: true in A, false in B."""
    plan, script, _, _ = subject
    for event, giver, taker, at, said in _only_part(subject, rng):
        for late in plain_turns(script, rng):
            if late > at and script.turns[late].person not in {giver.id, taker.id}:
                name = rng.choice((giver.name, giver.name[0] + title_of(giver, subject)))
                words = rng.choice((f"刚才{name}说的那个{{}}，我记下了。", f"{{}}是刚才{name}定的吧，我写上。"))
                damaged = declare(script, late, words, said, role="echo")
                return Damaged(plan, damaged, who.done_by(event.id, giver.id))
    return None


def leak_called(subject: Subject, rng: random.Random) -> Damaged | None:
    """Somebody calls on A's speaker by name, and in B another answers."""
    plan, script, _, _ = subject
    for event, giver, taker in _moved(subject, rng, Swap, Confirmation):
        at = turn_index(script, script.trigger(event.id) or "") - 1
        if at >= 0 and script.turns[at].person not in {giver.id, taker.id}:
            words = f"{giver.name[0]}{title_of(giver, subject)}，您看呢？"
            return Damaged(plan, add(script, at, words), who.spoken_by(at + 1, giver.id))
    return None


def leak_self(subject: Subject, rng: random.Random) -> Damaged | None:
    """A's speaker names the one who says it in B."""
    plan, script, _, _ = subject
    for event, _, taker in _moved(subject, rng, Swap):
        at = turn_index(script, script.trigger(event.id) or "")
        words = rng.choice((f"{taker.name}也看过。", f"这个{taker.name}也知道。"))
        return Damaged(plan, add(script, at, words), who.not_spoken_by(at, taker.id))
    return None


def leak_past(subject: Subject, rng: random.Random) -> Damaged | None:
    """A's speaker speaks later of what he has said himself, and in B another has said it."""
    plan, script, _, _ = subject
    for event, giver, _, at, said in _only_part(subject, rng):
        for late in drawn(range(at + 1, len(script.turns)), rng):
            if script.turns[late].person == giver.id:
                words = rng.choice(("{}是我刚才说的。", "我刚才说的那个{}，您再看看。", "{}，我刚才报的就是这个。"))
                damaged = declare(script, late, words, said, role="echo")
                return Damaged(plan, damaged, who.own_event(event.id, late))
    return None


def leak_pronoun(subject: Subject, rng: random.Random) -> Damaged | None:
    """他刚才说的, right after a man has spoken, who in B is a woman."""
    plan, script, _, _ = subject
    for event, giver, taker in _moved(subject, rng, Swap):
        at = turn_index(script, script.trigger(event.id) or "") + 1
        if giver.gender != taker.gender and at < len(script.turns) and script.turns[at].person != taker.id:
            words = f"{'他' if giver.gender == 'male' else '她'}刚才说的我听明白了。"
            return Damaged(
                plan,
                add(script, at, words),
                who.gender_of(at, giver.gender),
            )
    return None


def leak_closed(subject: Subject, rng: random.Random) -> Damaged | None:
    """Somebody says later that a matter is closed which only A closes."""
    plan, script, _, _ = subject
    for late, chain, name, _ in _long_after(subject, rng):
        words = rng.choice((f"{name}就这么定了。", f"{name}定下来了。", f"{name}批下来了。"))
        return Damaged(plan, add(script, late, words), claims.open_unclosed(late, chain, words))
    return None


def leak_closed_by(subject: Subject, rng: random.Random) -> Damaged | None:
    """Somebody says later who concluded a matter, which in B nobody has."""
    plan, script, _, _ = subject
    for late, chain, name, decider in _long_after(subject, rng):
        if script.turns[late].person != decider.id:
            called = rng.choice((decider.name, decider.name[0] + title_of(decider, subject)))
            words = rng.choice((f"{name}{called}刚才签了。", f"{name}是{called}定的。", f"{name}，{called}都批了。"))
            return Damaged(plan, add(script, late, words), claims.open_unclosed(late, chain, words))
    return None


def leak_glad(subject: Subject, rng: random.Random) -> Damaged | None:
    """Somebody is glad of what B does not grant."""
    plan, script, _, _ = subject
    triggers = {script.trigger(event.id) for _, _, event in plan.events()}
    for event, _, _ in _moved(subject, rng, Confirmation):
        at = turn_index(script, script.trigger(event.id) or "") + 2
        if at < len(script.turns) and not {script.turns[n].id for n in (at - 1, at)} & triggers:
            words = rng.choice(("太好了，总算落地了。", "这下踏实了。", "可算有着落了。"))
            chain = trajectory_of(plan, event.id).id
            return Damaged(plan, add(script, at, words), claims.open_unclosed(at, chain, words))
    return None


def leak_side(subject: Subject, rng: random.Random) -> Damaged | None:
    """An opening turn that stays with its person tells the side he is on in A."""
    plan, script, blueprint, _ = subject
    change = plan.change
    if not isinstance(change, Reassignment):
        return None
    for at in drawn([at for at, turn in enumerate(script.turns) if turn.move == KEEP], rng):
        side = blueprint.role(plan.person(script.turns[at].person).role).side
        house = "行里" if side == "bank" else "厂里"
        return Damaged(
            plan,
            add(script, at, f"我们{house}今天事多。"),
            who.side_of(at, side),
        )
    return None


def _only_part(subject: Subject, rng: random.Random) -> Iterator[tuple[Event, Person, Person, int, Mention]]:
    """Moved events that are all of A's speaker in their chain: with giver, taker, number of the turn, and a mention."""
    plan, script, _, _ = subject
    for event, giver, taker in _moved(subject, rng, Swap):
        said = next((mention for mention in script.mentions if mention.target == event.id), None)
        others = [each for each in trajectory_of(plan, event.id).events if each.id != event.id]
        if said is not None and not any(each.person == giver.id for each in others):
            yield event, giver, taker, turn_index(script, script.trigger(event.id) or ""), said


def _long_after(subject: Subject, rng: random.Random) -> Iterator[tuple[int, str, str, Person]]:
    """Plain turns after one that concludes in A alone, not the next: with chain, name of its field, and decider."""
    plan, script, blueprint, _ = subject
    for event, decider, _ in _moved(subject, rng, Confirmation):
        chain = trajectory_of(plan, event.id)
        name = rng.choice(blueprint.field(chain.key).said)
        at = turn_index(script, script.trigger(event.id) or "")
        for late in plain_turns(script, rng):
            if late > at + 1:
                yield late, chain.id, name, decider


def _moved(subject: Subject, rng: random.Random, *kinds: type) -> list[tuple[Event, Person, Person]]:
    """Events that B moves or leaves out, with who says their turn in A and in B."""
    plan, change = subject.plan, subject.plan.change
    if not isinstance(change, kinds):
        return []
    if isinstance(change, Swap):
        found = [(event, change.giver, change.taker) for event in map(plan.event, change.events)]
    elif isinstance(change, Confirmation):
        found = [(plan.event(change.event), plan.event(change.event).person, change.person)]
    else:
        return []
    said = [each for each in found if subject.script.trigger(each[0].id)]
    return [(event, plan.person(one), plan.person(two)) for event, one, two in drawn(said, rng)]
