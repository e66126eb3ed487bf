"""One scene per beat: what leads to an event, the words that carry it, and how the others take it.

Scenes only choose who does which move to whom; the words come from the banks. No two events share a turn, and
every event's turn is its trigger: value, action, obstacle and conclusion stand in it (spec, section 5).
"""

from __future__ import annotations

from dtbuild.records.plan import CLOSING, Candidate, Cycle, Distractor, Event, Person, Trajectory
from dtbuild.records.values import Composite
from dtbuild.script import authority, flow, people
from dtbuild.script.compare import direction
from dtbuild.script.parts import Errand, Parts
from dtbuild.script.situation import Number


class Scenes(Parts):
    """One method a kind of beat and action."""

    # --- beats ------------------------------------------------------------------------------------------

    def event(self, trajectory: Trajectory, cycle: Cycle, event: Event) -> None:
        talk = self.talk
        first = event.predecessor is None
        reopened = first and trajectory.cycles[0].id != cycle.id
        actor = talk.person(event.person)
        if reopened:
            self.settled.pop(trajectory.id, None)
        if event.id in talk.apart and talk.last is not None and talk.last.to in talk.bound:
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
        if talk.last_person == who.id:
            # nobody takes one thing and wishes for another in a breath
            talk.turns[-1].closed = True
        talk.say(
            who, "wish", to=to, about=trajectory, tags=tags, numbers=numbers, target=candidate.id,
            words={**words, "scope": scope}, authority=(candidate.id,),
        )  # fmt: skip
        talk.turns[-1].closed = True
        self.wished.setdefault(trajectory.id, {})[talk.side[who.id]] = candidate.value
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
        last = talk.last_person
        if asking and to.id == last and len(asking) > 1:
            to = talk.rng.choice([p for p in asking if p.id != last])
        free = last == who.id or (not asking and to.id != last and talk.chance(0.6))
        if (free or (asking and talk.chance(0.8))) and talk.exchange(
            to, who, "talk", numbers=numbers, spaces=space, call=True
        ):
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
        held = talk.stuck(other, trajectory.key)
        if talk.last_person == actor.id or (not held and talk.chance(0.6)):
            # a question that names the field turns to it by itself
            named = talk.chance(0.5) and self._bridge(other, actor, trajectory)
            if not named:
                talk.say(
                    other, "ask", to=actor, about=trajectory, event=event, call=True, without=("field",) if named else (),
                    tags=[self._place(trajectory), "named" if named else "must_name"],
                )  # fmt: skip
            tags, named = ["asked"], True
        elif talk.topic is not None:
            named = self._bridge(actor, other, trajectory, himself=True)
        self._trigger("start", trajectory, event, actor, other, tags, without=("field",) if named else ())
        self._take(trajectory, event, actor, other, "take.start", ["null"] if event.value is None else [])
        if event.value is not None and event.id not in talk.apart and talk.chance(0.5):
            talk.exchange(other, actor, "basis", about=trajectory, event=event, odd=False)
        self._aside(other, actor)

    def _reopen(self, trajectory: Trajectory, event: Event, actor: Person) -> None:
        other = people.partner(self.talk, actor, event, trajectory)
        flow.cue(self.talk, actor, other, event)
        self._trigger("reopen.start", trajectory, event, actor, other, [])
        if event.id not in self.talk.apart and self.talk.chance(0.6):
            self.talk.exchange(other, actor, "reopen.why", about=trajectory, event=event, odd=False)
        self._take(trajectory, event, actor, other, "take.reopen")

    def _hold(self, trajectory: Trajectory, event: Event, actor: Person, *, first: bool, reopened: bool) -> None:
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
            stuck = talk.stuck(other, trajectory.key) and (event.value_said == "explicit" or place == "on")
            asks = place != "on" or talk.last_person == actor.id or (talk.slack(self.done) and talk.chance(0.5))
            if asks and not stuck:
                named = self._bridge(other, actor, trajectory, must=event.value_said != "explicit")
                if not first and "again" not in tags and not self._asked(other) and talk.chance(0.7):
                    here = ["here"] if named or place == "on" else []
                    talk.say(other, "push", to=actor, about=trajectory, event=event, tags=[*tags, *here], call=True)
        self._trigger("reopen.hold" if reopened else "hold", trajectory, event, actor, owner or other, tags)
        space = (f"obstacle:{event.obstacle}:",)
        fixer = owner or other
        numbers = people.premises(talk, event)
        if owner is None and actor.role in talk.blueprint.obstacle(event.obstacle).cleared_by:
            # nobody else can bring it: he looks after it himself
            talk.exchange(other, actor, "hold.self", about=trajectory, event=event)
            owner = actor
        else:
            talk.exchange(fixer, actor, "talk", about=trajectory, event=event, numbers=numbers, spaces=space, odd=True)
            # who has promised it is the one to bring it
            owner = fixer
        self._aside(actor, fixer, tags=["on_hold"])
        if event.id not in talk.apart:
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
            if talk.last_person == actor.id and event.id not in talk.apart:
                # news does not come in the breath that took something else
                flow.interlude(talk, actor)
            if self._place(trajectory) != "on":
                self._bridge(other, actor, trajectory)
            tags = [*tags, "met"]
            spaces = (f"condition:{event.condition}:",)
        else:
            objector = people.objector(talk, trajectory, event, actor, tags[0]) if known is not None else None
            if objector is not None and event.reason != "counter":
                other = objector
            if self._place(trajectory) != "on":
                self._bridge(other, actor, trajectory, himself=other is objector)
            tags = [*tags, "revise"]
            if known is None:
                if talk.topic == trajectory.id:
                    flow.interlude(talk, actor)
                talk.say(other, "ask.again", to=actor, about=trajectory, event=event, call=True)
            elif objector is None or event.reason == "counter":
                # he gives way though nobody has just objected
                tags += ["unasked"] if event.reason == "concession" else []
            else:
                if talk.last_person == objector.id and talk.turns[-1].closed:
                    flow.interlude(talk, objector)
                said = talk.exchange(
                    objector, actor, "object", about=trajectory, event=event, tags=tags, odd=True, call=True,
                    numbers=people.premises(talk, event),
                )  # fmt: skip
                tags += [] if said or event.reason == "recount" else ["unasked"]
            spaces = ()
        self._trigger("advance", trajectory, event, actor, other, tags, spaces)
        self._take(trajectory, event, actor, other, "take.start" if known is None else "take.advance", tags)
        if event.reason == "counter" and known is not None and event.id not in talk.swapped and talk.chance(0.35):
            talk.exchange(other, actor, "basis", about=trajectory, event=event, odd=False)
        self._aside(other, actor)
        if event.id not in talk.apart and ("clears" in tags or "met" in tags):
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
        silent = direct = False
        place = self._place(trajectory)
        if errand is not None and event.clears and event.id in talk.apart:
            flow.time_passes(talk, errand.owner or actor)
        told = (
            bool(event.clears)
            and event.id in talk.apart
            and authority.make_heard(talk, event, actor, other, trajectory, far)
        )
        if errand is not None and event.clears:
            self._arrive(trajectory, event, actor, errand, event.clears, tags, told)
            tags.append("clears")
            spaces = (f"obstacle:{event.clears}:",)
        elif place == "back" and (far or talk.chance(0.6)):
            # a question that names the field goes back to it by itself
            direct = True
        elif place != "on":
            split = talk.last_person == other.id and talk.turns[-1].closed
            named = self._bridge(other, actor, trajectory, must=event.value_said != "explicit" or not split)
            without = ("field",) if named else ()
            silent = not named
        told = told or authority.make_heard(talk, event, actor, other, trajectory, far)
        asked = "clears" in tags or told or silent or authority.full(talk, other) or self._echoed(trajectory, other)
        asked = asked or (bool(without) and self._asked(other))
        if asked and (not far or self._asked(other)):
            pass
        elif (
            known is not None and "same" in tags and event.result in CLOSING
            # two numbers in one are recited only where they were said long ago
            and talk.chance(1.0 if far else 0.15 if isinstance(event.value, Composite) else 0.65)
        ):  # fmt: skip
            talk.say(
                other, "confirm", to=actor, about=trajectory, event=event, call=True,
                tags=[*tags, "must_name"] if direct else tags, without=without,
            )  # fmt: skip
        elif (
            talk.last_person == actor.id
            or direct
            or event.id == talk.left_open
            or (talk.slack(self.done) and talk.chance(0.5))
        ):
            held = ["must_name"] if direct else ["named"] if without or place == "on" else []
            talk.say(
                other, "ask.verdict", to=actor, about=trajectory, event=event, call=True,
                tags=[*tags, place, *held], without=without,
            )  # fmt: skip
        self._trigger("settle", trajectory, event, actor, other, tags, spaces)
        if event.id == talk.left_open:
            self.unsaid = trajectory.id
        else:
            self.settled[trajectory.id] = event
        concerned = people.concerned(talk, trajectory, event, actor) or other
        wished = self.wished.get(trajectory.id, {}).get(talk.side[concerned.id])
        if people.gave_way(talk, trajectory, event, concerned) or wished not in (None, event.value):
            tags.append("sore")
        self._take(trajectory, event, actor, concerned, "take.settle", tags)
