"""Gold of one recording: the plan's chains with speakers instead of persons, and evidence on every event.

Speakers are numbered by first speech (spec, section 5), so one plan gives other labels in a variant where
somebody else speaks first; comparisons of two variants therefore go by person where they say *what* changed,
and by label where they ask whether the answer differs at all.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import msgspec

from dtbuild.errors import Incomplete
from dtbuild.legality.variant import edited
from dtbuild.records.bundle import Bundle
from dtbuild.records.cohort import (
    Evidence,
    Gold,
    GoldCandidate,
    GoldCycle,
    GoldEvent,
    GoldSpeaker,
    GoldTrajectory,
    GoldTurn,
    Review,
    Window,
)
from dtbuild.records.evidence import EventEvidence
from dtbuild.records.plan import UNSCORED, Cycle, Event, Plan, Trajectory, ValueSaid, carried
from dtbuild.records.script import speakers
from dtbuild.timebase import Interval, to_microseconds


def gold_of(bundle: Bundle) -> Gold:
    """The gold file of a recording.

    Raises Incomplete naming every event without evidence, every silent person with an event, every candidate
    that no mention carries and every speaker without a voice.
    """
    faults = _faults(bundle)
    if faults:
        raise Incomplete(
            f"recording {bundle.recording}",
            expected="evidence, speaker and voice for everything in the plan",
            found="; ".join(faults),
            fix="review and align this recording again, or withhold its family",
        )
    plan, script = bundle.plan, bundle.script
    labels = speakers(script)
    evidence = {each.event: _evidence(each) for each in bundle.evidence}
    keys = {trajectory.id: trajectory for trajectory in plan.trajectories}
    places = {
        each.turn: _window(Interval(each.start, each.start + each.samples)) for each in bundle.timeline.placements
    }
    # the first time it is said; backwards, so that the first stays
    said = {mention.target: mention.turn for mention in reversed(script.mentions) if mention.role == "unauthorised"}
    return Gold(
        recording=bundle.recording,
        family=plan.family,
        variant=bundle.variant,
        scenario=plan.scenario,
        duration_us=to_microseconds(bundle.timeline.samples),
        speakers=tuple(
            GoldSpeaker(
                speaker=label,
                person=person,
                name=plan.person(person).name,
                role=plan.person(person).role,
                title=plan.person(person).title,
                gender=plan.person(person).gender,
                voice=bundle.voices[person],
            )
            for person, label in labels.items()
        ),
        turns=tuple(
            GoldTurn(turn=turn.id, speaker=labels[turn.person], window=places[turn.id]) for turn in script.turns
        ),
        trajectories=tuple(
            GoldTrajectory(
                entity=trajectory.entity,
                field=trajectory.field,
                instance=trajectory.instance,
                cycles=tuple(
                    GoldCycle(
                        cycle_id=cycle.id,
                        events=tuple(_event(event, labels, evidence[event.id]) for event in cycle.events),
                    )
                    for cycle in trajectory.cycles
                ),
            )
            for trajectory in plan.trajectories
        ),
        candidates=tuple(
            GoldCandidate(
                candidate_id=candidate.id,
                entity=keys[candidate.trajectory].entity,
                field=keys[candidate.trajectory].field,
                instance=keys[candidate.trajectory].instance,
                speaker=labels[candidate.person],
                value=candidate.value,
                turn=said[candidate.id],
            )
            for candidate in plan.candidates
        ),
        phenomena=plan.phenomena,
    )


def review_of(bundle: Bundle) -> Review:
    """The review file of a recording."""
    return Review(recording=bundle.recording, verdicts=bundle.verdicts)


def without_evidence(gold: Gold) -> list[Any]:
    """The chains as plain data, without evidence: the part of gold that is equal on any machine."""
    trajectories: list[Any] = msgspec.to_builtins(gold.trajectories)
    for trajectory in trajectories:
        for cycle in trajectory["cycles"]:
            for event in cycle["events"]:
                del event["evidence"]
    return trajectories


def answer(gold: Gold) -> list[Any]:
    """The chains with times and renamable ids left out: equal exactly when two recordings ask for one answer.

    Cycles and predecessors are kept by position: the cycle is the nesting, the predecessor an index into it.
    """
    found = []
    for trajectory in without_evidence(gold):
        for cycle in trajectory["cycles"]:
            del cycle["cycle_id"]
            place = {event["event_id"]: index for index, event in enumerate(cycle["events"])}
            for event in cycle["events"]:
                del event["event_id"]
                event["predecessor"] = place.get(event["predecessor"])
                for unscored in UNSCORED:
                    event.pop(unscored, None)
                if event["value"] is not None:
                    event["value"].pop("text", None)
        found.append(trajectory)
    return sorted(found, key=lambda each: (each["entity"], each["field"], each.get("instance") or ""))


def plan_of(gold: Gold, plan: Plan) -> Plan:
    """The family's plan with the chains of a released gold file, so that a plan checker judges what is released.

    Works for both variants: persons and phenomena come from the gold, all else from the plan of variant A, edited for B
    by the planned change, which is A's alone.
    """
    plan = plan if gold.variant == "a" else edited(plan)
    persons = {each.speaker: each.person for each in gold.speakers}
    ids = {(each.entity, each.field, each.instance): each.id for each in plan.trajectories}
    cast = {each.person: each for each in gold.speakers}
    said = {event.id: event.value_said for _, _, event in plan.events()}
    trajectories = tuple(
        msgspec.structs.replace(
            trajectory_of(each, persons, said), id=ids.get((each.entity, each.field, each.instance), each.key)
        )
        for each in gold.trajectories
    )
    return msgspec.structs.replace(
        plan,
        phenomena=gold.phenomena,
        trajectories=trajectories,
        cast=tuple(
            msgspec.structs.replace(person, role=cast[person.id].role, title=cast[person.id].title)
            if person.id in cast
            else person
            for person in plan.cast
        ),
    )


def trajectory_of(
    gold: GoldTrajectory, persons: Mapping[str, str], said: Mapping[str, ValueSaid] = MappingProxyType({})
) -> Trajectory:
    """A chain of gold as a plan has it, told by person; its id is its key.

    `persons` maps speaker labels to persons, and one that is not there stays a label. `said` maps events to how their
    value is said, which gold does not tell.
    """
    cycles = tuple(
        Cycle(
            id=cycle.cycle_id,
            events=tuple(
                Event(
                    id=event.event_id,
                    person=persons.get(event.speaker, event.speaker),
                    predecessor=event.predecessor,
                    value_said=said.get(event.event_id, "explicit"),
                    **carried(event),
                )
                for event in cycle.events
            ),
        )
        for cycle in gold.cycles
    )
    return Trajectory(id=gold.key, entity=gold.entity, field=gold.field, instance=gold.instance, cycles=cycles)


def _event(event: Event, labels: dict[str, str], evidence: Evidence) -> GoldEvent:
    return GoldEvent(
        event_id=event.id,
        speaker=labels[event.person],
        predecessor=event.predecessor,
        evidence=evidence,
        **carried(event),
    )


def _evidence(each: EventEvidence) -> Evidence:
    scores = {name: getattr(each, name) for name in ("score", "anchor_score", "anchor_lowest")}
    return Evidence(
        turn=each.turn,
        anchor=tuple(_window(interval) for interval in each.anchor),
        utterance=_window(each.utterance),
        coarse=_window(each.coarse),
        **{name: None if value is None else round(value, 4) for name, value in scores.items()},
    )


def _window(interval: Interval) -> Window:
    start, end = interval.microseconds
    return Window(start_us=start, end_us=end)


def _faults(bundle: Bundle) -> list[str]:
    plan, script = bundle.plan, bundle.script
    labels = speakers(script)
    known = {each.event for each in bundle.evidence}
    keys = {trajectory.id for trajectory in plan.trajectories}
    said = {mention.target for mention in script.mentions if mention.role == "unauthorised"}
    faults = []
    if script.recording != bundle.recording or bundle.timeline.recording != bundle.recording:
        faults.append(f"script is of {script.recording}, timeline of {bundle.timeline.recording}")
    placed = {each.turn for each in bundle.timeline.placements}
    faults += [f"turn {turn.id} has no place in the audio" for turn in script.turns if turn.id not in placed]
    for _, _, event in plan.events():
        faults += [f"event {event.id} has no evidence"] if event.id not in known else []
        faults += [f"{event.person}, who acts in {event.id}, never speaks"] if event.person not in labels else []
    for candidate in plan.candidates:
        if candidate.trajectory not in keys:
            faults.append(f"candidate {candidate.id} is of unknown trajectory {candidate.trajectory}")
        if candidate.id not in said or candidate.person not in labels:
            faults.append(f"candidate {candidate.id} is never said")
    cast = {person.id for person in plan.cast}
    for person in labels:
        faults += [f"{person} speaks and is not in the cast"] if person not in cast else []
        faults += [f"{person} has no voice"] if person not in bundle.voices else []
    return faults
