"""The dialogue while it is written: who spoke last, which numbers are in play, what has been said already.

`Talk.say` is the only way a word gets into a script. It chooses an unused entry that fits the situation
(tags, slots), renders it into the turn of its speaker, and keeps spans and mentions. A person who goes on
speaking goes on in the same turn; where that cannot be, somebody else nods first, so nobody answers himself.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from dtbuild.errors import BlueprintError, Incomplete
from dtbuild.lexicon.characters import hanzi_in
from dtbuild.records.blueprint import Blueprint
from dtbuild.records.plan import Confirmation, Event, Person, Plan, Reassignment, Swap, Trajectory
from dtbuild.records.script import AFTER, CONFIRM, SWAP
from dtbuild.records.values import Value
from dtbuild.script import framing, selection
from dtbuild.script.draft import Draft
from dtbuild.script.figures import Numbers, reads_as_declared
from dtbuild.script.line import Line
from dtbuild.script.manner import Manner, addresses, manners
from dtbuild.script.phrasebook import Phrasebook, opens, turns
from dtbuild.script.situation import Frame, Known, Number
from dtbuild.script.template import Entry, feasible, render
from dtbuild.script.turntaking import SMALL, TRIGGERS, Memory, goes_on

_RETRIES = 12
_CHECK = re.compile("(是吧|对吧|没错吧|没记错吧|没听错吧|是这个吧|是这么说吧|对不对)？$")
"""The end of a question whether a number was heard rightly."""
LONG = 60
"""汉字 after which a turn takes no further phrase."""


@dataclass
class Talk:
    plan: Plan
    blueprint: Blueprint
    rng: random.Random
    goal: int
    """汉字 wanted in all."""
    turns: list[Draft] = field(default_factory=list)
    count: int = 0
    known: dict[str, Known] = field(default_factory=dict)
    topic: str | None = None
    seen: set[str] = field(default_factory=set)
    audible: dict[tuple[str, str], tuple[Draft, int, int]] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)
    said: list[tuple[str, Value]] = field(default_factory=list)
    drawn: list[tuple[str, str]] = field(default_factory=list)
    """Bank and line of each entry that stands in the text."""
    clerk: int = 0
    """How often a number was only written down."""
    small: int = 0
    """Turns of talk beside the matter."""
    leeway: float = 0.08
    """Share of the turns that may be such talk."""

    def __post_init__(self) -> None:
        self.book = Phrasebook.of(self.blueprint)
        self.manner: dict[str, Manner] = manners(self.plan.cast, self.rng)
        self.called = addresses(self.plan.cast, self.blueprint, self.rng)
        self.side = {person.id: self.blueprint.role(person.role).side for person in self.plan.cast}
        self.numbers = Numbers(self.plan.anchor_date, self.rng)
        self.fields = {spec.key: spec for spec in self.blueprint.fields}
        self.entities = {entity.id: entity for entity in self.blueprint.entities}
        self.scopes = {scope.id: scope for scope in self.blueprint.scopes}
        change = self.plan.change
        self.swapped = frozenset(change.events) if isinstance(change, Swap) else frozenset()
        self.left_open = change.event if isinstance(change, Confirmation) else None
        """The settle that variant B does not have: what is said later must be true in both."""
        self.heirs = (change.one, change.other) if isinstance(change, Reassignment) else None
        """Two who exchange roles in B."""
        self.apart = self.swapped | ({self.left_open} if self.left_open else set())
        """Events whose turns stand between those of third persons, who speak to neither of `bound`."""
        self.bound: frozenset[str] = frozenset()
        if isinstance(change, Swap):
            self.bound = frozenset({change.giver, change.taker})
        elif isinstance(change, Confirmation):
            self.bound = frozenset({self.plan.event(change.event).person, change.person})
        self.moving: set[int] = set()
        self.memory = Memory(self.plan, self.blueprint)
        self.parts: dict[str, frozenset[str]] = {}

    def person(self, id: str) -> Person:
        return self.plan.person(id)

    def tie(self, event: Event) -> str | None:
        """The move of a turn that changes in B with this event."""
        if event.id in self.swapped:
            return SWAP + event.id
        return CONFIRM + event.id if event.id == self.left_open else None

    def others(self, *without: str) -> list[Person]:
        return [person for person in self.plan.cast if person.id not in without]

    @property
    def last(self) -> Draft | None:
        return self.turns[-1] if self.turns else None

    @property
    def last_person(self) -> str | None:
        return self.last.person if self.last else None

    def idle(self) -> bool:
        """Whether there is room for two more turns beside the matter."""
        return self.small + 2 <= max(2.0, self.leeway * max(self.goal / 15, len(self.turns)))

    def slack(self, done: float) -> bool:
        """Whether there is room for something optional when `done` (0–1) of the beats are through."""
        return self.count < self.goal * (0.06 + 0.9 * done)

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    def say(
        self,
        who: Person,
        bank: str,
        *,
        to: Person | None = None,
        about: Trajectory | None = None,
        event: Event | None = None,
        tags: Iterable[str] = (),
        numbers: Mapping[str, Number] | None = None,
        words: Mapping[str, str] | None = None,
        spaces: Sequence[str] = (),
        target: str = "",
        authority: tuple[str, ...] = (),
        call: bool = False,
        alone: bool = False,
        optional: bool = False,
        without: tuple[str, ...] = (),
    ) -> Frame | None:
        """Say an entry of a bank. `alone` starts a turn and lets nothing follow in it; `call` names the
        addressee first where that is needed, `without` names slots that may not be used (a field just named). Nobody
        is addressed who may be somebody else in variant B. Returns None when `optional` and no entry fits."""
        if to is not None and event is not None and event.id in self.apart and to.id in self.bound:
            to = None
        frame = self.frame(who, to, about, event, tags, numbers or {}, words or {}, spaces, target, authority)
        full = frame.has
        frame.has -= set(without)
        if without and self.pick(bank, frame, event, call=call, alone=alone, optional=True):
            return frame
        frame.has = full
        return frame if self.pick(bank, frame, event, call=call, alone=alone, optional=optional) else None

    def pick(
        self,
        bank: str,
        frame: Frame,
        event: Event | None,
        *,
        call: bool = False,
        alone: bool = False,
        optional: bool = False,
    ) -> bool:
        """Choose and utter; take another entry where the words around a number would change its reading."""
        full = frame.has
        if selection.named_here(self, frame):
            frame.has -= {"field"}
        for _ in range(_RETRIES):
            entry = self.choose(bank, frame, True)
            if entry is None:
                frame.has, frame.tags = full, frame.tags - {"must_name"}
                entry = self.choose(bank, frame, optional)
            if entry is None:
                return False
            if self.utter(entry, bank, frame, event, call=call, alone=alone):
                return True
        raise BlueprintError(f"phrase bank {bank!r}", found="no entry whose numbers read as declared", fix="lint_banks")

    def draws(self, entry: Entry) -> None:
        """Note that the entry stands in the text."""
        home = self.book.home(entry)
        if home is not None:
            self.drawn.append((home, entry.source))

    def lead(self, who: Person, words: str) -> None:
        """Words that turn to something else where `who` goes on speaking."""
        last = self.last
        if last is not None and last.person == who.id and last.text and not last.closed:
            last.add(words + "，")
            self.count += hanzi_in(words)

    def exchange(
        self,
        one: Person,
        two: Person,
        bank: str,
        *,
        about: Trajectory | None = None,
        event: Event | None = None,
        tags: Iterable[str] = (),
        numbers: Mapping[str, Number] | None = None,
        words: Mapping[str, str] | None = None,
        spaces: Sequence[str] = (),
        call: bool = False,
        odd: bool | None = None,
    ) -> bool:
        """Say a whole exchange (parts joined by `//` in its entry), turn about, from `one`.

        `odd` asks for an odd (the last word is `one`'s) or even number of parts. False when none fits.
        """
        hidden = event is not None and event.id in self.apart
        frames = [
            self.frame(
                who,
                None if hidden and to.id in self.bound else to,
                about,
                event,
                tags,
                numbers or {},
                words or {},
                spaces,
                "",
                (),
            )
            for who, to in ((one, two), (two, one))
        ]
        pools: list[list[tuple[Entry, ...]]] = []
        beside = bank in SMALL or bank in ("side", "talk.next")
        if bank in SMALL and not self.idle():
            return False
        for name in [prefix + bank for prefix in frames[0].spaces] + [bank]:
            pool = [
                parts
                for parts in self.book.exchanges(name)
                if parts[0].source not in self.used
                and (odd is None or len(parts) % 2 == odd)
                and not (beside and self.memory.knows(self.turns, "".join(part.source for part in parts)))
                and all(feasible(part, frames[at % 2].tags, frames[at % 2].has) for at, part in enumerate(parts))
            ]
            if pool:
                pools.append(pool)
        if not pools:
            return False
        pool = pools[0] if len(pools) == 1 or bank in selection.OWN or self.rng.random() < 0.8 else pools[-1]
        parts = pool[int(self.rng.random() * len(pool))]
        self.used.add(parts[0].source)
        self.small += len(parts) if bank in SMALL else 0
        for at, part in enumerate(parts):
            if at:
                self.turns[-1].closed = True
            said = (self.utter(part, bank, frames[at % 2], event, call=call and not at) for _ in range(_RETRIES))
            if not any(said):
                raise BlueprintError(f"exchange {part.source!r}", found="numbers misread")
        return True

    def utter(
        self,
        entry: Entry,
        bank: str,
        frame: Frame,
        event: Event | None,
        *,
        call: bool = False,
        alone: bool = False,
    ) -> bool:
        """Render a chosen entry into its speaker's turn. False, and nothing said, where a number is misread."""
        who, to = frame.speaker, frame.to
        if not goes_on(self.last, who, bank, frame.field):
            self.turns[-1].closed = True
        swapped = event is not None and event.id in self.apart and bank in TRIGGERS
        draft = self._turn(who, bank, alone or swapped, swapped)
        kept = (draft.text, len(draft.spans), len(draft.mentions), len(self.said), len(self.drawn))
        before = hanzi_in(draft.text)
        if draft.text:
            frame.words["f"] = ""
            if draft.text[-1] not in "。！？…，":
                draft.add("。")
        name = self.called.get((who.id, to.id)) if to and call and not swapped else None
        turned_to = not draft.text and turns(entry)
        if to and name and "to" not in self.book.sure(entry) and not turned_to and self._should_call(who, to):
            draft.named = True
            turned = bool(draft.text) and draft.to != to.id and "对了" not in draft.text
            starts = turns(entry)
            draft.add((self.rng.choice(("对了，", "诶，", "")) if turned and not starts else "") + name + "，")
        elif draft.text and draft.parts and bank in ("talk.matter", "talk.case"):
            draft.add("" if turns(entry) else self.rng.choice(("对了，", "哎，对了，")))
        answers = bank in TRIGGERS or bank.startswith("head.")
        if answers and not draft.text and not swapped and self._checked(who.id) and not opens(entry):
            frame.words["f"] = ""
            draft.add("对，")
        self.draws(entry)
        render(entry, Line(self, draft, frame), self.rng)
        if name:
            # of the same length, so that spans stay where they are
            draft.text = draft.text.replace(f"{name}，对了，", f"对了，{name}，")
        if draft.text[-1:] not in "。！？…" and bank != "shift":
            draft.add("。")
        if not reads_as_declared(draft, len(kept[0]), self.numbers.anchor):
            draft.text = kept[0]
            if not draft.text:
                self.moving.discard(len(self.turns) - 1)
                self.turns.pop()
            del draft.spans[kept[1] :], draft.mentions[kept[2] :], self.said[kept[3] :], self.drawn[kept[4] :]
            return False
        draft.to = to.id if to else None
        draft.topic = frame.field or ""
        draft.parts += 1
        draft.closed = draft.closed or alone or swapped or hanzi_in(draft.text) >= LONG
        self.count += hanzi_in(draft.text) - before
        return True

    def frame(
        self,
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
        """The situation of a phrase (`framing.frame`)."""
        return framing.frame(self, who, to, about, event, tags, numbers, words, spaces, target, authority)

    def stuck(self, who: Person, field: str | None) -> bool:
        """Whether `who` has just spoken of something else, so that another person has to speak first."""
        return self.last_person == who.id and (self.turns[-1].closed or not goes_on(self.last, who, "", field))

    def anaphor(self, about: Trajectory) -> str:
        return framing.anaphor(self, about)

    def choose(self, bank: str, frame: Frame, optional: bool = False, nested: bool = False) -> Entry | None:
        """An entry of a bank that fits (`selection.choose`)."""
        return selection.choose(self, bank, frame, optional, nested)

    def parts_of(self, key: str) -> frozenset[str]:
        """Parts of a field's names by which it is known, too (`selection.parts_of`)."""
        return selection.parts_of(self, key)

    def _should_call(self, who: Person, to: Person) -> bool:
        if self.last_person == to.id or len(self.plan.cast) == 2:
            return False
        own = [draft for draft in self.turns if draft.person == who.id and draft is not self.last]
        names = sum(draft.named for draft in own)
        if names > len(own) / 4 or (own and own[-1].named):
            return False
        return self.last is None or self.last.person != who.id or self.last.to != to.id

    def _turn(self, who: Person, move: str, alone: bool, swapped: bool) -> Draft:
        last = self.last
        if last is not None:
            swap_last = len(self.turns) - 1 in self.moving
            if (swap_last or swapped) and who.id in self.bound and last.person in self.bound:
                self._nod(who.id, last.person, *self.bound)
            elif last.person == who.id and (last.closed or alone or swapped):
                self._nod(who.id)
        last = self.last
        if last is None or last.person != who.id:
            last = Draft(who.id, move)
            self.turns.append(last)
            if swapped:
                self.moving.add(len(self.turns) - 1)
        return last

    def _checked(self, who: str) -> bool:
        """Whether somebody else than `who` has just asked whether he heard a number rightly."""
        told = self.turns[:-1] if self.turns and not self.turns[-1].text else self.turns
        return bool(told) and told[-1].person != who and _CHECK.search(told[-1].text) is not None

    def _nod(self, *without: str) -> None:
        people = self.others(*without)
        if self.last is not None and self.last.move == f"{CONFIRM}{self.left_open}{AFTER}":
            # in B the decider has not spoken, and his nod would be his word
            decider = self.plan.event(self.left_open or "").person
            people = [person for person in people if person.id != decider] or people
        if not people:
            raise Incomplete(
                f"script of {self.plan.family}",
                expected="a third person beside the two whom variant B concerns",
                found="a cast of two",
                fix="give the plan another person, or take its change away",
            )
        who = people[int(self.rng.random() * len(people))]
        frame = self.frame(who, None, None, None, (), {}, {}, (), "", ())
        entry = self.choose("nod.checked" if self._checked(who.id) else "nod", frame)
        assert entry is not None
        draft = Draft(who.id, "nod")
        self.turns.append(draft)
        self.draws(entry)
        render(entry, Line(self, draft, frame), self.rng)
        draft.finish()
        draft.closed = True
        self.count += hanzi_in(draft.text)
