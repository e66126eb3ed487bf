"""One scene per beat: what leads to an event, the words that carry it, and how the others take it.

Scenes only choose who does which move to whom; the words come from the banks. No two events share a turn, and
every event's turn is its trigger: value, action, obstacle and conclusion stand in it (spec, section 5).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from dtbuild.records.plan import Candidate, Cycle, Distractor, Event, Person, Trajectory
from dtbuild.records.values import Composite
from dtbuild.script import authority, flow, people
from dtbuild.script.compare import direction
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
class Scenes:
    talk: Talk
    done: float = 0.0
    """Share of the beats that are through."""
    errands: dict[str, Errand] = field(default_factory=dict)
    settled: dict[str, Event] = field(default_factory=dict)
    upcoming: Event | None = None
    """The event of the next beat: who is about to stop a matter does not welcome it first."""

    # --- beats ------------------------------------------------------------------------------------------

    def event(self, trajectory: Trajectory, cycle: Cycle, event: Event) -> None:
        talk = self.talk
        first = event.predecessor is None
        reopened = first and trajectory.cycles[0].id != cycle.id
        actor = talk.person(event.person)
        if event.id in talk.swapped and talk.last is not None and talk.last.to in talk.bound:
            # the turn beside a swapped one speaks to neither of the two
            names = {form for (_, id), form in talk.called.items() if id in talk.bound}
            talk.last.closed = talk.last.closed or any(name in talk.last.text for name in names)
        if event.action == "start":
            (self._reopen if reopened else self._start)(trajectory, event, actor)
        elif event.action == "hold":
            self._hold(trajectory, event, actor, first=first and not reopened, reopened=reopened)
        elif event.action == "advance":
            self._advance(trajectory, event, actor)
        else:
            self._settle(trajectory, event, actor, first=first and not reopened)
        talk.topic = trajectory.id
        talk.seen.add(trajectory.id)

    def candidate(self, trajectory: Trajectory, candidate: Candidate) -> None:
        """Someone without the right wishes for a value; we hear that he may not decide."""
        talk = self.talk
        who = talk.person(candidate.person)
        to = people.partner(self.talk, who)
        numbers = {"cand": Number(candidate.value, "unauthorised", candidate.id)}
        spec = talk.fields[trajectory.key]
        tags = [self._place(trajectory)]
        known = talk.known.get(trajectory.id)
        if known is not None:
            tags += direction(known.value, candidate.value)
        decider = people.decider(talk, trajectory, who.id)
        words = {"decider": talk.called[who.id, decider.id]} if decider else {}
        scope = talk.rng.choice(talk.scopes[spec.scope].said)
        if talk.last_person == who.id and talk.turns[-1].text:
            # after an answer he puts in his wish as something else
            talk.turns[-1].closed = talk.turns[-1].closed or talk.turns[-1].parts > 1
            talk.say(who, "lead", to=to)
        talk.say(
            who, "wish", to=to, about=trajectory, tags=tags, numbers=numbers, target=candidate.id,
            words={**words, "scope": scope}, authority=(candidate.id,),
        )  # fmt: skip
        talk.turns[-1].closed = True
        reply = decider or to
        if reply.id != who.id:
            talk.say(reply, "wish.reply", to=who, about=trajectory, tags=["may"] if decider else [])
        talk.topic = trajectory.id
        talk.seen.add(trajectory.id)

    def distractor(self, distractor: Distractor) -> None:
        """A number of the case that no decision is about."""
        talk = self.talk
        who = talk.person(distractor.person)
        askers = talk.blueprint.distractor(distractor.kind).asked_by
        asking = [p for p in talk.others(who.id) if p.role in askers]
        to = talk.rng.choice(asking) if asking else people.partner(self.talk, who)
        numbers = {"num": Number(distractor.value, "distractor", distractor.id)}
        space = (f"distractor:{distractor.kind}:",)
        if asking and talk.exchange(to, who, "talk", numbers=numbers, spaces=space, call=True):
            talk.topic = ""
            return
        talk.say(who, "say", to=to, numbers=numbers, spaces=space)
        talk.turns[-1].closed = True
        talk.say(to, "say.reply", to=who, spaces=space)
        talk.topic = ""

    # --- actions ----------------------------------------------------------------------------------------

    def _start(self, trajectory: Trajectory, event: Event, actor: Person) -> None:
        talk = self.talk
        other = people.partner(self.talk, actor, event, trajectory)
        tags, named = ["free"], False
        if talk.last_person == actor.id or talk.chance(0.6):
            named = self._bridge(other, actor, trajectory)
            talk.say(
                other, "ask", to=actor, about=trajectory, event=event, tags=[self._place(trajectory)], call=True,
                without=("field",) if named else (),
            )  # fmt: skip
            tags, named = ["asked"], True
        elif talk.topic is not None:
            named = self._bridge(actor, other, trajectory)
        self._trigger("start", trajectory, event, actor, other, tags, without=("field",) if named else ())
        self._take(trajectory, event, actor, other, "take.start", ["null"] if event.value is None else [])
        if event.value is not None and event.id not in talk.swapped and talk.chance(0.5):
            talk.exchange(other, actor, "basis", about=trajectory, event=event, odd=False)
        self._aside(other, actor)

    def _reopen(self, trajectory: Trajectory, event: Event, actor: Person) -> None:
        other = people.partner(self.talk, actor, event, trajectory)
        flow.cue(self.talk, actor, other, event)
        self._trigger("reopen.start", trajectory, event, actor, other, [])
        if self.talk.slack(self.done):
            self.talk.exchange(other, actor, "reopen.why", about=trajectory, event=event, odd=False)
        self._take(trajectory, event, actor, other, "take.reopen")

    def _hold(
        self, trajectory: Trajectory, event: Event, actor: Person, *, first: bool, reopened: bool
    ) -> None:
        talk = self.talk
        assert event.obstacle is not None
        other = people.partner(self.talk, actor, event, trajectory)
        owner = people.owner(talk, event.obstacle, actor, event)
        tags = ["again"] if event.predecessor and self._held(trajectory) else []
        known = talk.known.get(trajectory.id)
        if known is not None and known.value != event.value:
            tags.append("changed")
        tags += ["first"] if first else []
        if reopened:
            flow.cue(self.talk, actor, other, event)
        else:
            place = self._place(trajectory)
            if "again" in tags and place == "on":
                flow.interlude(talk, actor)
            if place != "on" or (talk.slack(self.done) and talk.chance(0.5)):
                named = self._bridge(other, actor, trajectory, must=event.value_said != "explicit")
                if not first and "again" not in tags and talk.chance(0.7):
                    here = ["here"] if named or place == "on" else []
                    talk.say(
                        other, "push", to=actor, about=trajectory, event=event, tags=[*tags, *here], call=True
                    )
        self._trigger("reopen.hold" if reopened else "hold", trajectory, event, actor, owner or other, tags)
        space = (f"obstacle:{event.obstacle}:",)
        fixer = owner or other
        numbers = people.premises(talk, event)
        if owner is None and actor.role in talk.blueprint.obstacle(event.obstacle).cleared_by:
            # nobody else can bring it: he looks after it himself
            talk.exchange(other, actor, "hold.self", about=trajectory, event=event)
            owner = actor
        else:
            if not talk.exchange(
                fixer, actor, "talk", about=trajectory, event=event, numbers=numbers, spaces=space, odd=True
            ):
                talk.exchange(fixer, actor, "hold.talk", about=trajectory, event=event, odd=True)
            # who has promised it is the one to bring it
            owner = fixer
        self._aside(actor, fixer, tags=["on_hold"])
        if event.id not in talk.swapped:
            flow.weigh(talk, self.done, other, actor, trajectory, 0.6, ["on_hold"])
        self.errands[trajectory.id] = Errand(event.obstacle, trajectory, event, owner)

    def _advance(self, trajectory: Trajectory, event: Event, actor: Person) -> None:
        talk = self.talk
        other = people.partner(self.talk, actor, event, trajectory)
        known = talk.known.get(trajectory.id)
        tags = direction(known.value if known else None, event.value)
        if known is None and event.value is not None:
            tags.append("first_value")
        errand = self.errands.pop(trajectory.id, None)
        if errand is not None or event.clears:
            obstacle = event.clears or (errand.obstacle if errand else "")
            self._arrive(trajectory, event, actor, errand, obstacle, tags)
            tags = [*tags, "clears"]
            spaces: tuple[str, ...] = (f"obstacle:{obstacle}:",)
        elif event.condition:
            if talk.last_person == actor.id and event.id not in talk.swapped:
                # news does not come in the breath that took something else
                flow.interlude(talk, actor)
            if self._place(trajectory) != "on":
                self._bridge(other, actor, trajectory)
            tags = [*tags, "met"]
            spaces = (f"condition:{event.condition}:",)
        else:
            if self._place(trajectory) != "on":
                self._bridge(other, actor, trajectory)
            objector = people.objector(talk, trajectory, event, actor, tags[0])
            tags = [*tags, "revise"]
            if known is None:
                if talk.topic == trajectory.id:
                    flow.interlude(talk, actor)
                talk.say(other, "ask.again", to=actor, about=trajectory, event=event, call=True)
            elif objector is None or event.reason == "counter":
                tags += [] if event.reason in ("counter", "recount", "concession") else ["own_wish"]
            else:
                other = objector
                if talk.last_person == objector.id and talk.turns[-1].closed:
                    flow.interlude(talk, objector)
                said = talk.exchange(
                    objector, actor, "object", about=trajectory, event=event, tags=tags, odd=True, call=True,
                    numbers=people.premises(talk, event),
                )  # fmt: skip
                tags += [] if said or event.reason in ("counter", "recount") else ["own_wish"]
            spaces = ()
        self._trigger("advance", trajectory, event, actor, other, tags, spaces)
        self._take(trajectory, event, actor, other, "take.start" if known is None else "take.advance", tags)
        self._aside(other, actor)
        if event.id not in talk.swapped:
            flow.weigh(talk, self.done, other, actor, trajectory, 0.35)

    def _settle(self, trajectory: Trajectory, event: Event, actor: Person, *, first: bool) -> None:
        talk = self.talk
        other = people.partner(self.talk, actor, event, trajectory)
        known = talk.known.get(trajectory.id)
        far = known is not None and event.value_said != "explicit" and self._far(trajectory, known)
        tags = direction(known.value if known else None, event.value)
        tags.append(event.result or "approved")
        spec = talk.fields[trajectory.key]
        if event.scope != spec.scope:
            tags.append("limited")
        tags += ["first"] if first else []
        errand = self.errands.pop(trajectory.id, None)
        spaces: tuple[str, ...] = ()
        without: tuple[str, ...] = ()
        told = event.id in talk.swapped and authority.make_heard(talk, event, actor, other, trajectory, far)
        if errand is not None and event.clears:
            self._arrive(trajectory, event, actor, errand, event.clears, tags)
            tags.append("clears")
            spaces = (f"obstacle:{event.clears}:",)
        elif self._place(trajectory) != "on":
            must = event.value_said != "explicit" or talk.topic is None
            named = self._bridge(other, actor, trajectory, must=must)
            without = ("field",) if named else ()
        told = told or authority.make_heard(talk, event, actor, other, trajectory, far)
        asked = "clears" in tags or told or authority.full(talk, other) or self._echoed(trajectory, other)
        if asked and not far:
            pass
        elif (
            known is not None
            and "same" in tags
            and talk.chance(0.65)
            and event.result in ("approved", "confirmed")
        ):
            talk.say(
                other, "confirm", to=actor, about=trajectory, event=event, tags=tags, call=True, without=without
            )
        elif talk.last_person == actor.id or (talk.slack(self.done) and talk.chance(0.5)):
            talk.say(
                other, "ask.verdict", to=actor, about=trajectory, event=event, tags=tags, call=True, without=without
            )
        self._trigger("settle", trajectory, event, actor, other, tags, spaces)
        self.settled[trajectory.id] = event
        concerned = people.concerned(talk, trajectory, event, actor)
        self._take(trajectory, event, actor, concerned or other, "take.settle", tags)

    # --- parts ------------------------------------------------------------------------------------------

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
        goes_on = talk.last_person == actor.id and not talk.turns[-1].closed and event.id not in talk.swapped
        elsewhere = talk.topic != trajectory.id and not without
        if goes_on and not elsewhere and talk.turns[-1].move in {"wish.reply", "basis", "aside", "wish"}:
            talk.say(actor, "go.on", to=to, optional=True)
        if goes_on and elsewhere and talk.say(actor, "shift", to=to, about=trajectory, optional=True):
            # one goes on speaking, but of something else
            without = ("field",)
        held = [*tags, event.reason] if event.reason else list(tags)
        if event.cause:
            held.append("caused")
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
        if not reopens:
            flow.around(talk, "head", event, actor, to, trajectory, tags)
        if not talk.pick(bank, frame, event, optional=True):
            frame.has = full
            talk.pick(bank, frame, event)
        draft = talk.turns[-1]
        draft.closed = False
        if not reopens:
            null = ["null"] if event.value is None else []
            flow.around(talk, "tail", event, actor, to, trajectory, [*tags, *null])
        draft.move = f"swap:{event.id}" if event.id in talk.swapped else event.action
        draft.closed = True
        if carried and antecedent is not None:
            action = next(s for s in draft.spans if s.kind == "action" and s.target == event.id)
            draft.span("value", action.start, action.end, event.id, antecedent)
        self._keep(trajectory, event, frame)

    def _far(self, trajectory: Trajectory, known: Known) -> bool:
        """Whether the value was last said so long ago that it has to be said again before it is concluded."""
        events = {event.id for event in trajectory.events}
        return not any(
            m.target in events and m.value == known.value for d in self.talk.turns[-5:] for m in d.mentions
        )

    def _aside(self, *people: Person, tags: Sequence[str] = ()) -> None:
        """A third person's word, but not of whoever has the next event to say."""
        coming = [self.talk.person(self.upcoming.person)] if self.upcoming is not None else []
        flow.aside(self.talk, *people, *coming, tags=tags)

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
        if coming is not None and turns_down and coming.person == other.id:
            bound = self.talk.bound if event.id in self.talk.swapped else frozenset()
            others = self.talk.others(actor.id, other.id, *bound)
            if not others and event.id not in self.talk.swapped:
                return
            other = self.talk.rng.choice(others) if others else other
        wants = self.talk.fields[trajectory.key].wants.get(self.talk.side[other.id])
        felt = (
            []
            if wants is None
            else ["pleased"]
            if wants in tags
            else ["displeased"]
            if "same" not in tags
            else []
        )
        if bank == "take.start":
            felt = (
                []
                if wants is None or self.talk.side[actor.id] == self.talk.side[other.id]
                else ["displeased"]
            )
        # two numbers in one are not parroted
        composite = isinstance(event.value, Composite)
        without = ("echo",) if composite and trajectory.id in self.talk.seen else ()
        self.talk.say(other, bank, to=actor, about=trajectory, event=event, tags=[*tags, *felt], without=without)
        if event.id in self.talk.swapped:
            self.talk.turns[-1].closed = True

    def _bridge(self, who: Person, to: Person, trajectory: Trajectory, must: bool = False) -> bool:
        """Words that turn to another field, or back to one; `must` where what follows does not name it."""
        talk = self.talk
        place = self._place(trajectory)
        if talk.topic is None and must:
            return talk.say(who, "bridge.first", to=to, about=trajectory, optional=True) is not None
        if place == "on" or talk.topic is None or (place == "back" and not must and not talk.chance(0.8)):
            return False
        if not must and talk.last_person == who.id and talk.turns[-1].closed:
            # nobody nods only to let him go on
            return False
        tags = [place]
        if self.errands:
            tags.append("waiting")
        if talk.last_person == who.id and talk.turns[-1].text and not talk.turns[-1].closed:
            tags.append("cont")
        return talk.say(who, "bridge", to=to, about=trajectory, tags=tags, optional=True) is not None

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
    ) -> None:
        """What was waited for comes in."""
        talk = self.talk
        space = (f"obstacle:{obstacle}:",)
        owner = errand.owner if errand else None
        if owner is None or owner.id == actor.id or (event.id in talk.swapped and owner.id in talk.bound):
            owner = None
        place = self._place(trajectory)
        numbers = people.premises(talk, event)
        if owner is not None:
            flow.time_passes(talk, owner)
            if talk.last_person == owner.id and talk.turns[-1].move != "talk.wait":
                # he does not answer one thing and bring the other in a breath
                asker = people.partner(talk, owner, event)
                talk.turns[-1].closed = True
                talk.say(
                    asker, "chase", to=owner, about=trajectory, event=event, tags=[place, *tags], spaces=space
                )
            talk.say(
                owner, "arrive", to=actor, about=trajectory, event=event, tags=[place, *tags], spaces=space,
                numbers=numbers,
            )  # fmt: skip
            return
        other = people.partner(self.talk, actor, event, trajectory)
        flow.time_passes(talk, actor)
        talk.say(
            other, "chase", to=actor, about=trajectory, event=event, tags=[place, *tags], call=True, spaces=space,
        )  # fmt: skip

    def _held(self, trajectory: Trajectory) -> bool:
        return trajectory.id in self.errands
