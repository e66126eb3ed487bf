"""Gold made from a bundle and read back: labels, times, candidates, and when two answers are equal."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import msgspec

from dtbuild.boundary import load
from dtbuild.records.blueprint import ExampleEvent
from dtbuild.records.bundle import Bundle
from dtbuild.records.cohort import Gold, GoldEvent, Manifest
from dtbuild.records.plan import CARRIED, Event
from dtbuild.records.values import Rate
from dtbuild.release.chains import answer, gold_of, plan_of, without_evidence
from dtbuild.release.pairs import changes, pair_of

OTHER = Rate(value=Decimal("0.1"), unit="percent")


def test_speakers_are_numbered_by_first_speech(bundles: tuple[Bundle, ...]) -> None:
    gold = gold_of(bundles[0])
    assert [(each.speaker, each.name) for each in gold.speakers] == [("S1", "周航"), ("S2", "何洁"), ("S3", "林岚")]
    assert {event.speaker for each in gold.trajectories for event in each.events if event.action == "settle"} == {"S3"}


def test_first_speech_decides_not_the_cast(bundles: tuple[Bundle, ...]) -> None:
    bundle = bundles[0]
    turns = bundle.script.turns
    script = msgspec.structs.replace(bundle.script, turns=(turns[1], turns[0], *turns[2:]))
    gold = gold_of(msgspec.structs.replace(bundle, script=script))
    assert [each.name for each in gold.speakers] == ["何洁", "周航", "林岚"]
    assert gold.trajectories[0].events[0].speaker == "S1"


def test_times_are_whole_microseconds(bundles: tuple[Bundle, ...]) -> None:
    evidence = gold_of(bundles[2]).trajectories[0].events[0].evidence
    # 0.3 s of nothing, 甲批那 at 0.2 s each; 三百万, then 章还没盖 after 的, then 停一停 after 先 and a comma
    assert [(each.start_us, each.end_us) for each in evidence.anchor] == [
        (900_000, 1_500_000),
        (1_700_000, 2_500_000),
        (2_700_000, 3_300_000),
    ]
    assert (evidence.utterance.start_us, evidence.utterance.end_us) == (300_000, 3_300_000)


def test_unauthorised_candidates_stand_apart(bundles: tuple[Bundle, ...]) -> None:
    gold = gold_of(bundles[0])
    (candidate,) = gold.candidates
    assert (candidate.entity, candidate.field, candidate.speaker) == ("service_fee", "rate", "S2")
    # said in two turns; the first counts
    assert candidate.turn.endswith("t016")
    assert "u1" not in {event.event_id for each in gold.trajectories for event in each.events}


def test_null_value_and_missing_predecessor_are_written(
    released: tuple[Path, Manifest], bundles: tuple[Bundle, ...]
) -> None:
    raw = msgspec.json.decode((released[0] / "gold" / f"{bundles[2].recording}.json").read_bytes())
    event = raw["trajectories"][1]["cycles"][0]["events"][0]
    assert event["value"] is None and event["predecessor"] is None
    assert "result" not in event and "obstacle" not in event


def test_gold_read_back_is_the_gold_written(released: tuple[Path, Manifest], bundles: tuple[Bundle, ...]) -> None:
    for bundle in bundles:
        assert load(released[0] / "gold" / f"{bundle.recording}.json", Gold) == gold_of(bundle)


def test_plan_of_gold_is_the_plan(bundles: tuple[Bundle, ...]) -> None:
    for bundle in bundles:
        assert plan_of(gold_of(bundle), bundles[0].plan if "7" in bundle.plan.family else bundle.plan) == bundle.plan


def test_answer_forgets_times_and_ids(bundles: tuple[Bundle, ...]) -> None:
    bundle = bundles[0]
    gold = gold_of(bundle)
    moved = gold_of(msgspec.structs.replace(bundle, evidence=tuple(
        msgspec.structs.replace(each, score=0.0, utterance=each.utterance.shift(9)) for each in bundle.evidence)))  # fmt: skip
    assert gold != moved and without_evidence(gold) == without_evidence(moved)
    text = msgspec.json.encode(gold).decode()
    for event in (event.event_id for each in gold.trajectories for event in each.events):
        text = text.replace(f'"{event}"', f'"x{event}"')
    renamed = msgspec.json.decode(text, type=Gold)
    assert renamed != gold and answer(renamed) == answer(gold)


def test_answer_sees_speaker_order_and_value(bundles: tuple[Bundle, ...]) -> None:
    a, b = gold_of(bundles[0]), gold_of(bundles[1])
    assert answer(a) != answer(b)
    for old, other in (('"8000000"', '"8000001"'), ('"hold"', '"advance"'), ('"approved"', '"confirmed"')):
        changed = msgspec.json.decode(msgspec.json.encode(a).decode().replace(old, other), type=Gold)
        assert answer(changed) != answer(a)


def test_a_pair_says_what_changed(bundles: tuple[Bundle, ...]) -> None:
    a, b = bundles[0], bundles[1]
    pair = pair_of(gold_of(a), gold_of(b), a.script, b.script, b.factor)
    assert pair.factor == "speaker_swap" and pair.turns_changed == 1
    (change,) = pair.changes
    assert (change.trajectory, change.event, change.what) == ("receivable_pool/financing_term", "B1", "person")
    assert (change.a, change.b) == ("p2", "p1")


def test_changes_name_what_one_variant_lacks(bundles: tuple[Bundle, ...]) -> None:
    a = gold_of(bundles[0])
    short = msgspec.structs.replace(a, trajectories=a.trajectories[1:])
    assert [(each.what, each.a, each.b) for each in changes(a, short)] == [("trajectory", "present", "absent")]
    cycle = a.trajectories[0].cycles[0]
    unsettled = msgspec.structs.replace(
        a.trajectories[0], cycles=(msgspec.structs.replace(cycle, events=cycle.events[:-1]),)
    )
    open_ = msgspec.structs.replace(a, trajectories=(unsettled, *a.trajectories[1:]))
    assert [(each.event, each.what, each.b) for each in changes(a, open_)] == [("A4", "event", "absent")]
    titled = msgspec.structs.replace(
        a, speakers=(msgspec.structs.replace(a.speakers[0], role="auditor", title="审计"), *a.speakers[1:])
    )
    assert [(each.what, each.b) for each in changes(a, titled)] == [("role of p1", "auditor")]
    assert changes(a, a) == ()


def test_changes_name_what_becomes_of_candidates_and_phenomena(bundles: tuple[Bundle, ...]) -> None:
    a = gold_of(bundles[0])
    (candidate,) = a.candidates
    said = msgspec.structs.replace(candidate.value, text="按老规矩")
    assert changes(a, msgspec.structs.replace(a, candidates=(msgspec.structs.replace(candidate, value=said),))) == ()
    for other, expected in (
        ((), [(f"candidate {candidate.candidate_id}", "present", "absent")]),
        ((msgspec.structs.replace(candidate, speaker="S1"),), [(f"person of {candidate.candidate_id}", "p2", "p1")]),
    ):
        found = changes(a, msgspec.structs.replace(a, candidates=other))
        assert [(each.what, each.a, each.b) for each in found] == expected
        assert {each.trajectory for each in found} == {"service_fee/rate"}
    (more,) = changes(msgspec.structs.replace(a, candidates=()), a)
    assert (more.what, more.a, more.b) == (f"candidate {candidate.candidate_id}", "absent", "present")
    (value,) = changes(a, msgspec.structs.replace(a, candidates=(msgspec.structs.replace(candidate, value=OTHER),)))
    assert (value.what, value.b) == (f"value of {candidate.candidate_id}", msgspec.to_builtins(OTHER))
    (shown,) = changes(a, msgspec.structs.replace(a, phenomena=()))
    assert (shown.what, shown.a, shown.b) == ("phenomena", ", ".join(a.phenomena), "")


def test_every_part_of_an_event_is_carried_or_told_another_way() -> None:
    assert {*Event.__struct_fields__} - {*CARRIED} == {"id", "person", "predecessor", "value_said"}
    assert {*GoldEvent.__struct_fields__} - {*CARRIED} == {"event_id", "speaker", "predecessor", "evidence"}
    assert {*ExampleEvent.__struct_fields__} - {*CARRIED} == {"by"}
