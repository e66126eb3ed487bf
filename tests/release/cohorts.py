"""Small cohorts made by hand: the sample dialogue as a pair, and a two-speaker family of its own.

Each 汉字 as it is spoken lasts 0.2 s of a sine at −23 LUFS, each turn is followed by 0.3 s of nothing.
"""

from __future__ import annotations

import math
import struct
import wave
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pyloudnorm

from dtbuild.align.textgrid import Label, Tier, speaker_tiers, write_textgrid
from dtbuild.lexicon import spoken
from dtbuild.records.bundle import Bundle
from dtbuild.records.evidence import EventEvidence
from dtbuild.records.ids import family_id
from dtbuild.records.plan import Candidate, Cycle, Event, Person, Plan, Swap, Trajectory
from dtbuild.records.script import TRIGGER_KINDS, Mention, Script, Span, Turn, speakers
from dtbuild.records.sound import Placement, Timeline
from dtbuild.records.values import Money, Status
from dtbuild.records.verdict import Finding, Verdict
from dtbuild.timebase import RATE, Interval

DATA = Path(__file__).parents[1] / "data"
CHAR = RATE // 5
PAUSE = RATE * 3 // 10
SAMPLE_FAMILY = family_id("sc", 7)
OTHER_FAMILY = family_id("sc", 8)


def sample_plan() -> Plan:
    plan = msgspec.json.decode((DATA / "sample_dialogue.plan.json").read_bytes(), type=Plan)
    return msgspec.structs.replace(plan, family=SAMPLE_FAMILY, change=Swap(events=("B1",), giver="p2", taker="p1"))


def sample_script(variant: str = "a") -> Script:
    text = (DATA / "sample_dialogue.script.json").read_text("utf-8")
    old = msgspec.json.decode(text, type=Script)
    text = text.replace(old.recording, f"{SAMPLE_FAMILY}-{variant}").replace(old.family, SAMPLE_FAMILY)
    return msgspec.json.decode(text, type=Script)


def swapped(plan: Plan, script: Script) -> tuple[Plan, Script]:
    """Variant B of the sample: the client manager puts the term forward instead of the accountant (B1)."""

    def moved(event: Event) -> Event:
        return msgspec.structs.replace(event, person="p1") if event.id == "B1" else event

    trajectories = tuple(
        msgspec.structs.replace(
            trajectory,
            cycles=tuple(
                msgspec.structs.replace(cycle, events=tuple(map(moved, cycle.events))) for cycle in trajectory.cycles
            ),
        )
        for trajectory in plan.trajectories
    )
    turn = script.trigger("B1")
    turns = tuple(msgspec.structs.replace(one, person="p1") if one.id == turn else one for one in script.turns)
    plan = msgspec.structs.replace(plan, trajectories=trajectories, change=None)
    return plan, msgspec.structs.replace(script, turns=turns)


def other_plan() -> Plan:
    """Two speakers; a chain that opens with a hold, is settled, and a status that never had a value."""
    money = Money(amount=Decimal(3_000_000), currency="CNY")
    events = (
        Event(id="e1", action="hold", value=money, person="p1", scope="credit", obstacle="stamp_missing"),
        Event(id="e2", action="settle", value=money, person="p2", scope="credit", predecessor="e1", result="confirmed",
              clears="stamp_missing", value_said="carried"),
    )  # fmt: skip
    open_ = (Event(id="e3", action="start", value=None, person="p1", scope="papers"),)
    return Plan(
        family=OTHER_FAMILY,
        scenario="supply_chain",
        index=8,
        attempt=0,
        anchor_date="2026-01-31",
        cast=(
            Person(id="p1", name="陈默", gender="male", role="client_manager", title="客户经理"),
            Person(id="p2", name="许晴", gender="female", role="risk_manager", title="风控经理"),
        ),
        facts={},
        trajectories=(
            Trajectory(
                id="T1", entity="equipment", field="value", instance="甲批", cycles=(Cycle(id="c1", events=events),)
            ),
            Trajectory(id="T2", entity="papers", field="state", cycles=(Cycle(id="c1", events=open_),)),
        ),
        candidates=(Candidate(id="u1", trajectory="T2", person="p2", value=Status(code="complete", text="齐了")),),
        beats=(),
        phenomena=("first_event_hold",),
    )


def other_script() -> Script:
    recording = f"{OTHER_FAMILY}-a"
    said = [
        ("p1", "甲批那三百万的章还没盖，先停一停。"),
        ("p2", "章刚补上了，那我这边就确认了，LPR照旧。"),
        ("p1", "材料我现在开始收。"),
        ("p2", "要我说这就算齐了，不过这个不归我管。"),
    ]
    turns = tuple(
        Turn(id=f"{recording}-t{number:03d}", person=person, text=text) for number, (person, text) in enumerate(said, 1)
    )

    def span(turn: int, kind: str, words: str, target: str, antecedent: str | None = None) -> Span:
        start = turns[turn - 1].text.index(words)
        return msgspec.convert(
            {"turn": turns[turn - 1].id, "kind": kind, "start": start, "end": start + len(words), "target": target,
             "antecedent": antecedent},
            Span,
        )  # fmt: skip

    money = Money(amount=Decimal(3_000_000), currency="CNY")
    return Script(
        recording=recording,
        family=OTHER_FAMILY,
        scenario="supply_chain",
        anchor_date="2026-01-31",
        cast=other_plan().cast,
        turns=turns,
        spans=(
            span(1, "value", "三百万", "e1"),
            span(1, "obstacle", "章还没盖", "e1"),
            span(1, "action", "停一停", "e1"),
            span(2, "conclusion", "确认了", "e2"),
            span(3, "action", "开始收", "e3"),
            span(4, "authority", "不归我管", "u1"),
        ),
        mentions=(
            Mention(id="m1", turn=turns[0].id, start=3, end=6, role="event", value=money, target="e1"),
            Mention(id="m2", turn=turns[3].id, start=6, end=8, role="unauthorised",
                    value=Status(code="complete", text="齐了"), target="u1"),
        ),
    )  # fmt: skip


def make_bundle(folder: Path, plan: Plan, script: Script) -> Bundle:
    """A recording with audio and TextGrid in `folder`, its times as the head of this module says."""
    now, placements, labelled = PAUSE, [], []
    times: dict[str, list[tuple[range, Interval]]] = {}
    labels = speakers(script)
    for turn in script.turns:
        at, own, chars = now, [], []
        for char in spoken(turn.text).chars:
            own.append((range(char.start, char.end), Interval(now, now + CHAR)))
            chars.append(Label(now, now + CHAR, char.hanzi))
            now += CHAR
        times[turn.id] = own
        placements.append(Placement(turn=turn.id, take="0" * 64, start=at, samples=now - at))
        labelled.append((labels[turn.person], Label(at, now, turn.text), chars))
        now += PAUSE
    wav, grid = folder / f"{script.recording}.wav", folder / f"{script.recording}.TextGrid"
    write_speech(wav, now, [interval for own in times.values() for _, interval in own])
    places = {each.turn: Interval(each.start, each.start + each.samples) for each in placements}
    evidence = []
    for _, _, event in plan.events():
        turn_id = script.trigger(event.id)
        assert turn_id is not None
        where = {
            index
            for span in script.spans
            if span.target == event.id and span.kind in TRIGGER_KINDS
            for index in range(span.start, span.end)
        }
        evidence.append(
            EventEvidence(
                event=event.id,
                turn=turn_id,
                anchor=_joined(interval for shown, interval in times[turn_id] if where & {*shown}),
                utterance=places[turn_id],
                coarse=places[turn_id],
                score=-1.25,
            )
        )
    anchors = [
        Tier(f"event {each.event}", tuple(Label(part.start, part.end, each.event) for part in each.anchor))
        for each in evidence
    ]
    write_textgrid(grid, [*speaker_tiers(labelled), *anchors], samples=now)
    return Bundle(
        recording=script.recording,
        plan=plan,
        script=script,
        verdicts=(Verdict(gate="review", subject=script.recording, reviewer="rules", outcome="pass", inputs="0" * 64),),
        timeline=Timeline(
            recording=script.recording, samples=now, gain_db=-1.5, loudness=-23.0, placements=tuple(placements)
        ),
        evidence=tuple(evidence),
        voices={person.id: f"{person.gender}_{person.id}" for person in plan.cast},
        wav=wav,
        textgrid=grid,
        factor="speaker_swap" if script.recording.endswith("-b") else None,
    )


def write_speech(path: Path, samples: int, sounding: Sequence[Interval], *, target: float = -23.0) -> None:
    """A sine where somebody speaks, at the loudness of a release."""
    audio = np.zeros(samples)
    for each in sounding:
        audio[each.start : each.end] = np.sin(2 * np.pi * 240 * np.arange(each.length) / RATE)
    audio *= 10 ** ((target - pyloudnorm.Meter(RATE).integrated_loudness(audio)) / 20)
    write_samples(path, audio)


def write_samples(path: Path, audio: np.ndarray[Any, Any]) -> None:
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, RATE, 0, "NONE", ""))
        file.writeframes(np.rint(np.clip(audio, -1, 1) * 32_767).astype("<i2").tobytes())


def write_wav(path: Path, samples: int, *, rate: int = RATE, channels: int = 1, width: int = 2) -> None:
    period = b"".join(struct.pack("<h", round(8000 * math.sin(2 * math.pi * index / 100))) for index in range(100))
    with wave.open(str(path), "wb") as file:
        file.setparams((channels, width, rate, 0, "NONE", ""))
        file.writeframes((period * (samples * channels * width // len(period) + 1))[: samples * channels * width])


def _joined(intervals: Sequence[Interval] | object) -> tuple[Interval, ...]:
    joined: list[Interval] = []
    for each in intervals:  # type: ignore[attr-defined]
        if joined and joined[-1].end == each.start:
            joined[-1] = Interval(joined[-1].start, each.end)
        else:
            joined.append(each)
    return tuple(joined)


def legal_steps(plan: Plan) -> list[Finding]:
    legal = {None: {"start", "hold", "settle"}, "start": {"advance", "hold", "settle"},
             "advance": {"advance", "hold", "settle"}, "hold": {"advance", "settle"}, "settle": set[str]()}  # fmt: skip
    found = []
    for trajectory, cycle, event in plan.events():
        before = next((each.action for each in cycle.events if each.id == event.predecessor), None)
        if event.action not in legal[before]:
            found.append(
                Finding(code="transition", where=f"{trajectory.key} {event.id}", message="no legal step",
                        expected=" or ".join(sorted(legal[before])), found=event.action)
            )  # fmt: skip
    return found


def same_opening(plan: Plan, script: Script, plan_b: Plan, script_b: Script) -> list[Finding]:
    one, other = script.turns[0].text, script_b.turns[0].text
    return (
        [] if one == other else [Finding(code="opening", where="turn 1", message="differs", expected=one, found=other)]
    )


def declared(plan: Plan, script: Script) -> list[Finding]:
    found = []
    for turn in script.turns:
        held = {index for mention in script.mentions if mention.turn == turn.id
                for index in range(mention.start, mention.end)}  # fmt: skip
        found += [
            Finding(code="undeclared", where=turn.id, message="a number nobody declared", found=turn.text)
            for index, char in enumerate(turn.text)
            if char == "万" and index not in held
        ]
    return found
