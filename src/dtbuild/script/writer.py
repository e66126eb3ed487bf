"""`write`: a plan becomes a script. Pure: the script depends on its arguments alone.

The length is steered, not cut: each optional move is made only while the talk is behind its goal, and a talk
that ends outside the window is written again with a moved goal (spec, section 2: 95–272 s a recording; the caller
turns seconds into 汉字).
"""

from __future__ import annotations

import random
from collections.abc import Callable

from dtbuild import seeds
from dtbuild.errors import Incomplete
from dtbuild.records import ids
from dtbuild.records.blueprint import Blueprint
from dtbuild.records.plan import Confirmation, Plan, Reassignment
from dtbuild.records.script import Mention, Script, Span, Turn
from dtbuild.script.edges import close, fill, open_talk
from dtbuild.script.scenes import Scenes
from dtbuild.script.talk import Talk

_TRIES = 12
_PER_BEAT = (38, 58)
"""汉字 a beat takes with what leads to it and follows it."""
_FRAME = 110
"""汉字 of opening and goodbye."""

_ROOM = 30
"""汉字 by which a pair keeps away from the ends of the window, so that its B lies in it as well."""


def write(
    plan: Plan,
    blueprint: Blueprint,
    *,
    recording: str,
    seed: int,
    chars: tuple[int, int],
    turns: tuple[int, int] = (1, 1000),
    observe: Callable[[str, str], None] | None = None,
) -> Script:
    """The script of one recording of the plan; `chars` is the inclusive window of its 汉字, `turns` that of its turns.

    Turns of a planned swap have the move `swap:<event id>`; variant B gives exactly these to the other person.
    `observe` is told bank and line of each phrase that stands in the script.
    Raises Incomplete where no try falls into the window.
    """
    base = seeds.rng(seed, "script", plan.family, plan.attempt)
    low, high = chars
    if isinstance(plan.change, Confirmation | Reassignment):
        # the words of B, or its names, are a few 汉字 longer or shorter
        room = min(_ROOM, (high - low) // 10)
        low, high = low + room, high - room
    margin = (high - low) // 12
    wanted = base.randint(_PER_BEAT[0], _PER_BEAT[1]) * len(plan.beats) + _FRAME
    goal = max(low + margin, min(high - margin, wanted))
    counts: list[tuple[int, int]] = []
    for number in range(_TRIES):
        talk = _talk(
            plan, blueprint, seeds.derive(seed, "script", plan.family, plan.attempt, number), goal, _leeway(number)
        )
        if low <= talk.count <= high and turns[0] <= len(talk.turns) <= turns[1]:
            if observe is not None:
                for bank, line in talk.drawn:
                    observe(bank, line)
            return _script(plan, talk, recording)
        counts.append((talk.count, len(talk.turns)))
        if low <= talk.count <= high:
            # as many 汉字 as wanted in too few or too many turns
            goal += margin if len(talk.turns) < turns[0] else -margin
            continue
        goal = (
            goal + (low + margin - talk.count)
            if talk.count < low
            else max(low // 2, goal - (talk.count - high) - margin)
        )
    raise Incomplete(
        f"script of {recording}",
        expected=f"{low} to {high} 汉字 in {turns[0]} to {turns[1]} turns",
        found=", ".join(f"{count} in {number}" for count, number in counts),
        fix="plan fewer or more events, or widen the duration",
    )


def _leeway(number: int) -> float:
    """Share of the turns that may be talk beside the matter in try `number`: more where the talk came out too short."""
    return 0.08 + 0.03 * max(0, number - 2)


def _talk(plan: Plan, blueprint: Blueprint, seed: int, goal: int, leeway: float) -> Talk:
    talk = Talk(plan=plan, blueprint=blueprint, rng=random.Random(seed), goal=goal, leeway=leeway)
    scenes = Scenes(talk)
    events = {event.id: (trajectory, cycle, event) for trajectory, cycle, event in plan.events()}
    candidates = {candidate.id: candidate for candidate in plan.candidates}
    distractors = {distractor.id: distractor for distractor in plan.distractors}
    trajectories = {trajectory.id: trajectory for trajectory in plan.trajectories}
    open_talk(scenes)
    for at, beat in enumerate(plan.beats):
        scenes.done = at / len(plan.beats)
        after = plan.beats[at + 1] if at + 1 < len(plan.beats) else None
        scenes.upcoming = events[after.ref][2] if after is not None and after.kind == "event" else None
        coming = (events[after.ref][2] if after.ref in events else candidates.get(after.ref)) if after else None
        matter = events[after.ref][0].id if after is not None and after.ref in events else None
        if after is not None and after.ref in candidates:
            matter = candidates[after.ref].trajectory
        scenes.next_topic = matter
        scenes.next_person = (plan.person(coming.person),) if coming is not None else ()
        if beat.kind == "event":
            scenes.event(*events[beat.ref])
        elif beat.kind == "candidate":
            candidate = candidates[beat.ref]
            scenes.candidate(trajectories[candidate.trajectory], candidate)
        else:
            scenes.distractor(distractors[beat.ref])
        if at + 1 < len(plan.beats):
            fill(scenes, (at + 1) / len(plan.beats))
    fill(scenes, 1.0)
    close(scenes)
    return talk


def _script(plan: Plan, talk: Talk, recording: str) -> Script:
    turns: list[Turn] = []
    spans: list[Span] = []
    mentions: list[Mention] = []
    for number, draft in enumerate(talk.turns, 1):
        id = ids.turn_id(recording, number)
        turns.append(Turn(id=id, person=draft.person, text=draft.finish(), move=draft.move))
        for span in sorted(draft.spans, key=lambda s: (s.start, s.end, s.kind, s.target)):
            spans.append(
                Span(
                    turn=id, kind=span.kind, start=span.start, end=span.end, target=span.target,
                    antecedent=span.antecedent,
                )
            )  # fmt: skip
        for mention in draft.mentions:
            mentions.append(
                Mention(
                    id=mention.id, turn=id, start=mention.start, end=mention.end, role=mention.role,
                    value=mention.value, target=mention.target,
                )
            )  # fmt: skip
    return Script(
        recording=recording,
        family=plan.family,
        scenario=plan.scenario,
        anchor_date=plan.anchor_date,
        cast=plan.cast,
        turns=tuple(turns),
        spans=tuple(spans),
        mentions=tuple(mentions),
    )
