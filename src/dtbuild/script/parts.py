"""Parts of scenes: the words that carry an event, how it is taken, bridges between fields, what comes in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from dtbuild.records.plan import Event, Person, Trajectory
from dtbuild.records.script import AFTER
from dtbuild.records.values import Composite, Value
from dtbuild.script import authority, flow, framing, people
from dtbuild.script.situation import Frame, Known, Number
from dtbuild.script.talk import Talk


@dataclass(slots=True)
class Errand:
    """What a hold waits for, and who is to bring it."""

    obstacle: str
    trajectory: Trajectory
    event: Event
    owner: Person | None


@dataclass
class Parts:
    """What scenes are made of, and what they remember from beat to beat."""

    talk: Talk
    done: float = 0.0
    """Share of the beats that are through."""
    errands: dict[str, Errand] = field(default_factory=dict)
    settled: dict[str, Event] = field(default_factory=dict)
    wished: dict[str, dict[str, Value]] = field(default_factory=dict)
    """What a side has wished for, by trajectory and side: who was refused is not glad."""
    unsaid: str | None = None
    """The trajectory that A has settled and B leaves open."""
    upcoming: Event | None = None
    """The event of the next beat: who is about to stop a matter does not welcome it first."""

    next_topic: str | None = None
    """The trajectory of the next beat."""
    next_person: tuple[Person, ...] = ()
    """Who has the next beat to say."""

    def _trigger(
        self,
        bank: str,
        trajectory: Trajectory,
        event: Event,
        actor: Person,
        to: Person,
        tags: Sequence[str],
        spaces: tuple[str, ...] = (),
        without: tuple[str, ...] = (),
    ) -> None:
        talk = self.talk
        known = talk.known.get(trajectory.id)
        numbers = people.premises(talk, event)
        if event.cause:
            spaces = (*spaces, f"cause:{event.cause}:")
        goes_on = talk.last_person == actor.id and not talk.turns[-1].closed and event.id not in talk.apart
        elsewhere = talk.topic != trajectory.id and not without
        if goes_on and not elsewhere and talk.turns[-1].move in {"wish.reply", "basis", "aside", "wish"}:
            # nobody doubts in the breath of an answer
            talk.turns[-1].closed = True
            goes_on = False
        if (
            goes_on
            and elsewhere
            and talk.say(actor, "shift", to=to, about=trajectory, tags=[self._place(trajectory)], optional=True)
        ):
            # one goes on speaking, but of something else
            without = ("field",)
        held = [*tags, event.reason] if event.reason else list(tags)
        if elsewhere and not without and not self._just_named(trajectory):
            held.append("must_name")
        if without:
            held.append("named")
        antecedent = None
        if event.value_said != "explicit" and event.value is not None:
            antecedent = known.mention if known and known.value == event.value else None
        carried = event.value_said == "carried" and antecedent is not None
        if event.value is None or carried:
            held += ["carried"] if event.value is not None else ["carried", "null"]
        else:
            numbers["value"] = Number(event.value, "event", event.id)
            held.append("need_value")
        if known is not None and known.value != event.value:
            numbers["old"] = Number(known.value, "echo", known.event)
        if event.obstacle:
            spaces = (f"obstacle:{event.obstacle}:", *spaces)
        if event.action == "settle" and not authority.heard(talk, event):
            held.append("unknown_authority")
        frame = talk.frame(actor, to, trajectory, event, held, numbers, {}, spaces, event.id, (event.id,))
        full = frame.has
        frame.has -= set(without)
        if event.value_said == "elliptical" and antecedent is not None:
            frame.anaphor, frame.antecedent = talk.anaphor(trajectory), antecedent
            frame.tags |= {"anaphor"}
        reopens = bank.startswith("reopen")
        if not reopens and flow.around(talk, "head", event, actor, to, trajectory, [*tags, event.reason or ""]):
            frame.tags |= {"headed"}
        if not talk.pick(bank, frame, event, optional=True):
            frame.has = full
            talk.pick(bank, frame, event)
        draft = talk.turns[-1]
        draft.closed = False
        if not reopens:
            null = ["null"] if event.value is None else []
            flow.around(talk, "tail", event, actor, to, trajectory, [*tags, *null, event.reason or ""])
        draft.move = talk.tie(event) or event.action
        draft.closed = True
        if carried and antecedent is not None:
            action = next(s for s in draft.spans if s.kind == "action" and s.target == event.id)
            draft.span("value", action.start, action.end, event.id, antecedent)
        self._keep(trajectory, event, frame)

    def _far(self, trajectory: Trajectory, known: Known) -> bool:
        """Whether the value was last said so long ago that it has to be said again before it is concluded."""
        return not framing.at_hand(self.talk, trajectory, 3)

    def _just_named(self, trajectory: Trajectory) -> bool:
        """Whether the last turns have said what the field is called, or a part of it (押多少保证金 for 保证金比例)."""
        parts = self.talk.parts_of(trajectory.key)
        return any(part in draft.text for draft in self.talk.turns[-2:] for part in parts)

    def _aside(self, *people: Person, tags: Sequence[str] = ()) -> None:
        """A third person's word, but not of whoever has the next event to say, and none of content before a doubt."""
        if not tags and self.upcoming is not None and self.upcoming.reason:
            return
        flow.aside(self.talk, *people, *self.next_person, tags=tags)

    def _echoed(self, trajectory: Trajectory, who: Person) -> bool:
        """Whether `who` has just said the number."""
        last = self.talk.last
        events = {event.id for event in trajectory.events}
        return last is not None and last.person == who.id and any(m.target in events for m in last.mentions)

    def _keep(self, trajectory: Trajectory, event: Event, frame: Frame) -> None:
        if event.value is not None and frame.antecedent is not None:
            self.talk.known[trajectory.id] = Known(event.value, frame.antecedent, event.id, event.person)
        elif event.value is not None and trajectory.id in self.talk.known:
            known = self.talk.known[trajectory.id]
            self.talk.known[trajectory.id] = Known(event.value, known.mention, event.id, event.person)

    def _take(
        self,
        trajectory: Trajectory,
        event: Event,
        actor: Person,
        other: Person,
        bank: str,
        tags: Sequence[str] = (),
    ) -> None:
        """How somebody takes an event: an echo, a note, a doubt."""
        coming = self.upcoming
        turns_down = coming is not None and (
            coming.action == "hold"
            or coming.reason in ("counter", "concession", "recount")
            or coming.result == "rejected"
        )
        turns_down = turns_down and self.next_topic == trajectory.id
        if coming is not None and turns_down and coming.person == other.id:
            tags = [tag for tag in tags if tag != "sore"]
            bound = self.talk.bound if event.id in self.talk.apart else frozenset()
            others = self.talk.others(actor.id, other.id, *bound)
            if not others and event.id not in self.talk.apart:
                return
            other = self.talk.rng.choice(others) if others else other
        wants = self.talk.fields[trajectory.key].wants.get(self.talk.side[other.id])
        if self.talk.side[actor.id] == self.talk.side[other.id]:
            # a colleague's number is nothing to be glad or sorry about before others
            wants = None
        felt = [] if wants is None else ["pleased"] if wants in tags else ["displeased"] if "same" not in tags else []
        if bank == "take.start":
            felt = [] if wants is None else ["displeased"]
        if coming is not None and coming.reason == "concession":
            # what is about to be objected to pleases nobody
            felt = [each for each in felt if each != "pleased"]
        # two numbers in one are not parroted
        composite = isinstance(event.value, Composite)
        without = ("echo",) if composite and trajectory.id in self.talk.seen else ()
        # B takes something else up, so in A it may be said to whoever concluded
        of = None if event.id == self.talk.left_open else event
        if event.id not in self.talk.apart:
            if coming is not None and coming.reason is not None and self.next_topic == trajectory.id:
                # what is about to be argued about is not taken first
                return
            nods = self.next_person and self.next_person[0].id == actor.id
            if bank in ("take.start", "take.advance") and not nods and self.talk.chance(0.3):
                # not every number is answered
                return
            self.talk.say(
                other, bank, to=actor, about=trajectory, event=of, tags=[*tags, *felt], without=without, optional=True
            )
            return
        self.talk.say(other, bank, to=actor, about=trajectory, event=of, tags=[*tags, *felt], without=without)
        if event.id in self.talk.apart:
            self.talk.turns[-1].closed = True
        if event.id == self.talk.left_open:
            self.talk.turns[-1].move = f"{self.talk.tie(event)}{AFTER}"

    def _bridge(
        self, who: Person, to: Person, trajectory: Trajectory, must: bool = False, himself: bool = False
    ) -> bool:
        """Words that turn to another field, or back to one; `must` where what follows does not name it, `himself` where
        the same person goes on and so asks nobody."""
        talk = self.talk
        place = self._place(trajectory)
        if talk.topic is None and must:
            return talk.say(who, "bridge.first", to=to, about=trajectory, optional=True) is not None
        if place == "on" or talk.topic is None or (place == "back" and not must and not talk.chance(0.4)):
            return False
        if not must and talk.last_person == who.id and talk.turns[-1].closed:
            # nobody nods only to let him go on
            return False
        tags = [place, "himself"] if himself else [place]
        if self.errands:
            tags.append("waiting")
        if talk.last_person == who.id and talk.turns[-1].text and not talk.turns[-1].closed:
            tags.append("cont")
        # who may be somebody else in variant B is not called
        call = to.id not in talk.bound and not himself
        return talk.say(who, "bridge", to=to, about=trajectory, tags=tags, optional=True, call=call) is not None

    def _asked(self, who: Person) -> bool:
        """Whether `who` has just asked something: he does not ask twice in a breath."""
        last = self.talk.last
        return last is not None and last.person == who.id and last.text.endswith("？")

    def _place(self, trajectory: Trajectory) -> str:
        """Whether the talk is on this field, goes back to it, or has not touched it."""
        if self.talk.topic == trajectory.id:
            return "on"
        return "back" if trajectory.id in self.talk.seen else "fresh"

    def _arrive(
        self,
        trajectory: Trajectory,
        event: Event,
        actor: Person,
        errand: Errand | None,
        obstacle: str,
        tags: Sequence[str],
        told: bool = False,
    ) -> None:
        """What was waited for comes in; `told` where whoever concludes has just been asked to."""
        talk = self.talk
        space = (f"obstacle:{obstacle}:",)
        owner = errand.owner if errand else None
        if owner is None or owner.id == actor.id or (event.id in talk.apart and owner.id in talk.bound):
            owner = None
        place = self._place(trajectory)
        numbers = people.premises(talk, event)
        if owner is not None:
            if not told:
                flow.time_passes(talk, owner)
            if talk.last_person == owner.id and talk.turns[-1].move != "talk.wait":
                # he does not answer one thing and bring the other in a breath
                asker = people.partner(talk, owner)
                talk.turns[-1].closed = True
                talk.say(
                    asker,
                    "chase",
                    to=owner,
                    about=trajectory,
                    event=None if event.id in talk.apart else event,
                    tags=[place, *tags],
                    spaces=space,
                )
            talk.say(
                owner, "arrive", to=actor, about=trajectory, event=event, tags=[place, *tags], spaces=space,
                numbers=numbers,
            )  # fmt: skip
            return
        if told:
            return
        other = people.partner(self.talk, actor, event, trajectory)
        flow.time_passes(talk, actor)
        talk.say(
            other, "chase", to=actor, about=trajectory, event=event, tags=[place, *tags], call=True, spaces=space,
        )  # fmt: skip

    def _held(self, trajectory: Trajectory) -> bool:
        return trajectory.id in self.errands
