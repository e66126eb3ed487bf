"""The situation of a phrase: which tags hold, which words and numbers it may use, and what a field is called."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from dtbuild.records.plan import Event, Person, Trajectory
from dtbuild.records.values import Count
from dtbuild.script.situation import Frame, Number

if TYPE_CHECKING:
    from dtbuild.script.talk import Talk


def frame(
    talk: Talk,
    who: Person,
    to: Person | None,
    about: Trajectory | None,
    event: Event | None,
    tags: Iterable[str],
    numbers: Mapping[str, Number],
    words: Mapping[str, str],
    spaces: Sequence[str],
    target: str,
    authority: tuple[str, ...],
) -> Frame:
    held = set(tags)
    # what the other person of a swap will say word for word must not show who says it
    neutral = event is not None and event.id in talk.swapped and who.id in talk.bound
    if not neutral or len({talk.side[id] for id in talk.bound}) == 1:
        held.add(talk.side[who.id])
    if len(talk.plan.cast) == 2:
        held.add("two")
    held |= {f"with_{side}" for side in talk.side.values()}
    said: dict[str, str] = dict(talk.plan.facts)
    if neutral:
        held.add("neutral")
    if to is not None:
        cross = talk.side[who.id] != talk.side[to.id]
        if not neutral or len({talk.side[id] for id in talk.bound}) == 1:
            held.add("cross" if cross else "peer")
            held.add("to_" + talk.side[to.id])
            said["you"] = "您" if cross else "你"
        if not neutral:
            said["to"] = talk.called[who.id, to.id]
    elif event is not None and event.id in talk.apart and not neutral:
        sides = {talk.side[id] for id in talk.bound}
        if event.id in talk.swapped or len(sides) == 1:
            # either of two colleagues may be the one: both are spoken to
            said["you"] = "你们"
        held |= {f"to_{side}" for side in sides} if len(sides) == 1 else set()
        held.add("peer" if sides == {talk.side[who.id]} else "cross")
    manner = talk.manner[who.id]
    if not neutral:
        held.add(manner.tone)
    said["yes"] = talk.rng.choice(("行", "好") if neutral else manner.yes)
    said["f"] = "" if neutral or not talk.chance(manner.fill) else talk.rng.choice(manner.fillers)
    all_numbers = dict(numbers)
    if any(isinstance(n.value, Count) and n.value.value == 1 and n.role == "premise" for n in numbers.values()):
        held.add("single")
    prefixes = list(spaces)
    if about is not None:
        spec = talk.fields[about.key]
        held.add("is_" + spec.value.type)
        held.add("of_" + about.entity)
        held.add("fact" if spec.nature == "fact" else "term")
        if talk.side[who.id] in spec.wants and not neutral:
            held.add("keen")
        may = any(talk.blueprint.may(who.role, scope, "settle") for scope in spec.scopes)
        held.add("has_right" if may else "no_right")
        word = name(talk, about)
        said["field"] = f"{about.instance}的{word}" if about.instance else word
        entity = talk.entities[about.entity]
        said["entity"] = about.instance or talk.rng.choice(entity.said)
        if about.instance:
            held.add("instance")
        prefixes.append(f"field:{about.key}:")
        known = talk.known.get(about.id)
        if known is not None:
            held.add("known")
            all_numbers.setdefault("echo", Number(known.value, "echo", known.event, known.value))
        scope = event.scope if event else spec.scope
        said["scope"] = talk.rng.choice(talk.scopes[scope].said)
        if known is not None:
            # with another number between, the matter is named instead
            said["that"] = anaphor(talk, about) if at_hand(talk, about) else said["field"]
            last = talk.last
            if last is not None and last.person == who.id and not last.closed and word in last.text:
                # 金额我再说一句。这个数……
                said["that"] = talk.book.lines(anaphor_bank(talk, about.key))[0].source
    said.update(words)
    frame = Frame(
        speaker=who,
        to=to,
        tags=frozenset(held),
        words=said,
        numbers=all_numbers,
        target=target or (event.id if event else ""),
        authority=authority,
        spaces=tuple(prefixes),
        settle=event is not None and event.action == "settle",
        field=about.key if about is not None else None,
    )
    frame.has = frozenset(said) | frozenset(all_numbers)
    return frame


def anaphor(talk: Talk, about: Trajectory) -> str:
    """Words that take up a value without saying it: 这个数, 刚才那个期限.

    Where another number has been said since, or the value long ago, they say so: 前面说的那个数, of two
    numbers the later one: 后来说的那个数.
    """
    spec = talk.fields[about.key]
    entries = talk.book.lines(anaphor_bank(talk, about.key))
    # 期限就按这个期限定 says one word twice
    entries = tuple(e for e in entries if not any(word in e.source for word in spec.said)) or entries
    if at_hand(talk, about):
        # what has just been said is not 刚才那个 yet
        entries = tuple(e for e in entries if e.source.startswith("这")) or entries
        return talk.rng.choice(entries).source
    far = tuple(e for e in entries if not e.source.startswith("这")) or entries
    found = talk.rng.choice(far).source
    # of two numbers said of a matter the later one is meant
    events = {event.id for event in about.events}
    heard = {mention.value for draft in talk.turns for mention in draft.mentions if mention.target in events}
    return found.replace("前面", "后来") if len(heard) > 1 else found


def at_hand(talk: Talk, about: Trajectory, back: int = 4) -> bool:
    """Whether the last number that was heard is that of `about`, and was said in the last `back` turns."""
    events = {event.id for event in about.events}
    for draft in reversed(talk.turns[-back:]):
        for mention in sorted(draft.mentions, key=lambda m: m.start, reverse=True):
            return mention.role in ("event", "echo") and mention.target in events
    return False


def anaphor_bank(talk: Talk, key: str) -> str:
    """The bank of the words that take up a value of the field."""
    own = f"field:{key}:that"
    return own if talk.book.lines(own) else f"that_{talk.fields[key].value.type}"


def name(talk: Talk, about: Trajectory) -> str:
    """The field's name: in full when it first comes up, short from then on, if the short form means only it."""
    said = talk.fields[about.key].said
    if about.id not in talk.seen:
        return talk.rng.choice(said)
    names = [n for t in talk.plan.trajectories if t.key != about.key for n in talk.fields[t.key].said]
    short = [word for word in said if not any(word in name for name in names)]
    return min(short or said, key=len)
