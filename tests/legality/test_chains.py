"""Rules of chains, each with a chain that keeps it and one that breaks it."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import msgspec
import pytest

from dtbuild.legality.plan import check
from dtbuild.legality.values import misfit, same
from dtbuild.records.blueprint import ExampleCandidate, ExampleChain
from dtbuild.records.plan import Beat, Confirmation, Cycle, Distractor, Plan, Reassignment, Swap
from dtbuild.records.values import Composite, Count, Money, Of, Range, Ratio, Status, Term

from .small import BLUEPRINT, codes, days, plan, s, yuan

START = s("start", "p3")
HOLD = s("hold", "p2", obstacle="photos_missing")
RESUME = s("advance", "p2", clears="photos_missing")
SETTLE = s("settle", "p2")

LEGAL: dict[str, list[Any]] = {
    "start, settle": [[START, SETTLE]],
    "first event hold": [[HOLD, RESUME, SETTLE]],
    "first event settle": [[SETTLE]],
    "hold without a value": [[s("hold", "p2", None, obstacle="police_report")]],
    "start without a value, then the first candidate": [[s("start", "p3", None), s("advance", "p3"), SETTLE]],
    "resumption keeps the value": [[START, HOLD, RESUME, SETTLE]],
    "settle from held": [[START, HOLD, s("settle", "p2", clears="photos_missing")]],
    "rejected while the obstacle stands": [[START, HOLD, s("settle", "p2", result="rejected")]],
    "hold on held, other obstacle": [[START, HOLD, s("hold", "p2", obstacle="police_report")]],
    "hold on held, other value": [[START, HOLD, s("hold", "p2", 18000, obstacle="photos_missing")]],
    "hold on held, other scope": [[START, HOLD, s("hold", "p1", obstacle="photos_missing", scope="survey")]],
    "advance changes the value": [[START, s("advance", "p2", 18000), s("settle", "p2", 18000)]],
    "advance meets a condition": [[START, s("advance", "p2", condition="photos_match"), SETTLE]],
    "settle with a value not said before": [[START, s("settle", "p2", 17000)]],
    "reopened by a start": [[START, SETTLE], [s("start", "p3", 22000), s("settle", "p2", 22000)]],
    "reopened by a hold": [[START, SETTLE], [HOLD]],
    "settled in a limited scope": [[START, s("settle", "p1", scope="survey", result="confirmed")]],
    "left active": [[START]],
}
ILLEGAL: dict[str, tuple[list[Any], list[str]]] = {
    "advance first": ([[s("advance", "p2", 18000)]], ["transition"]),
    "start from active": ([[START, s("start", "p3", 18000)]], ["transition"]),
    "start from held": ([[START, HOLD, s("start", "p3", 18000)]], ["transition"]),
    "settle twice": ([[START, SETTLE, SETTLE]], ["transition"]),
    "advance after settle": ([[START, SETTLE, s("advance", "p2", 18000)]], ["transition"]),
    "hold after settle in the same cycle": ([[START, SETTLE, HOLD]], ["transition"]),
    "reopened by a settle": ([[START, SETTLE], [SETTLE]], ["transition"]),
    "reopened by an advance": ([[START, SETTLE], [s("advance", "p2", 18000)]], ["transition"]),
    "second cycle while active": ([[START], [START, SETTLE]], ["transition"]),
    "second cycle while held": ([[START, HOLD], [START, SETTLE]], ["transition"]),
    "advance without change": ([[START, s("advance", "p2")]], ["advance_unchanged"]),
    "condition met twice": (
        [[START, s("advance", "p2", condition="photos_match"), s("advance", "p1", scope="survey", condition="photos_match")]],
        ["condition"],
    ),
    "condition of another field": ([[START, s("advance", "p2", condition="statement_taken")]], ["condition"]),
    "condition on a settle": ([[START, s("settle", "p2", condition="photos_match")]], ["condition"]),
    "condition by the wrong person": ([[START, s("advance", "p3", condition="photos_match")]], ["condition_person"]),
    "hold unchanged": ([[START, HOLD, HOLD]], ["hold_unchanged"]),
    "hold without obstacle": ([[START, s("hold", "p2")]], ["obstacle"]),
    "obstacle of another field": ([[START, s("hold", "p2", obstacle="parts_on_order")]], ["obstacle"]),
    "unknown obstacle": ([[START, s("hold", "p2", obstacle="rain")]], ["obstacle"]),
    "obstacle on an advance": ([[START, s("advance", "p2", 18000, obstacle="photos_missing")]], ["obstacle"]),
    "resume clears nothing": ([[START, HOLD, s("advance", "p2")]], ["clears"]),
    "resume clears another": ([[START, HOLD, s("advance", "p2", clears="police_report")]], ["clears"]),
    "clears without a hold": ([[START, s("advance", "p2", 18000, clears="photos_missing")]], ["clears"]),
    "approved while the obstacle stands": ([[START, HOLD, SETTLE]], ["clears"]),
    "result on an advance": ([[START, s("advance", "p2", 18000, result="approved")]], ["result"]),
    "settle without result": ([[START, s("settle", "p2", result=None)]], ["result"]),
    "result the field does not have": ([[START, s("settle", "p2", result="withdrawn")]], ["authority_result", "result"]),
    "nobody gave the right": ([[s("start", "p1")]], ["authority"]),
    "settle by the insured": ([[START, s("settle", "p3")]], ["authority"]),
    "settle with another's result": (
        [[START, s("settle", "p2", scope="survey")]],
        ["authority_result"],
    ),
    "unknown person": ([[s("start", "p9")]], ["unknown_person"]),
    "null after a candidate": ([[START, s("hold", "p2", None, obstacle="photos_missing")]], ["value_null"]),
    "null in a later cycle": ([[START, SETTLE], [s("start", "p3", None)]], ["value_null"]),
    "approved without a value": ([[s("settle", "p2", None)]], ["value_null"]),
    "rejected another value": ([[START, s("settle", "p2", 18000, result="rejected")]], ["refused_value"]),
    "wrong type": ([[s("start", "p3", days(3)), ]], ["value_type"]),
    "lifted by the other side": (
        [[START, HOLD, s("advance", "p3", 18000, clears="photos_missing")]],
        ["clears_side"],
    ),
    "a reason without a change": (
        [[START, s("hold", "p2", obstacle="photos_missing", reason="counter")]],
        ["reason"],
    ),
    "standing where a chain starts": ([[s("start", "p2", reason="standing")]], ["reason"]),
    "standing in the middle": ([[START, s("hold", "p2", obstacle="photos_missing", reason="standing")]], ["reason"]),
    "an obstacle as reason and none cleared": ([[START, s("advance", "p2", 18000, reason="obstacle")]], ["reason"]),
    "reopened without a cause": ([[START, SETTLE], [s("start", "p2", 18000, reason="reopening")]], ["cause"]),
    "unknown cause": (
        [[START, SETTLE], [s("start", "p2", 18000, reason="reopening", cause="rain")]],
        ["cause"],
    ),
    "condition beside what denies it": (
        [[START, HOLD, s("advance", "p2", clears="photos_missing"), s("advance", "p2", condition="photos_match")]],
        ["contradiction"],
    ),
    "wrong currency": ([[s("start", "p3", Money(amount=Decimal(2), currency="USD"))]], ["value_type"]),
}  # fmt: skip


@pytest.mark.parametrize("cycles", LEGAL.values(), ids=LEGAL)
def test_legal_chains(cycles: list[Any]) -> None:
    assert codes(cycles) == []


@pytest.mark.parametrize(("cycles", "expected"), ILLEGAL.values(), ids=ILLEGAL)
def test_illegal_chains(cycles: list[Any], expected: list[str]) -> None:
    assert codes(cycles) == expected


def _with(made: Plan, change: dict[str, Any], event: str = "e2") -> Plan:
    """The plan with one event changed."""
    trajectories = tuple(
        msgspec.structs.replace(
            trajectory,
            cycles=tuple(
                Cycle(
                    id=cycle.id,
                    events=tuple(msgspec.structs.replace(e, **change) if e.id == event else e for e in cycle.events),
                )
                for cycle in trajectory.cycles
            ),
        )
        for trajectory in made.trajectories
    )
    return msgspec.structs.replace(made, trajectories=trajectories)


def _codes(made: Plan) -> list[str]:
    return sorted({finding.code for finding in check(made, BLUEPRINT)})


def test_predecessors_stay_in_their_cycle() -> None:
    made = plan([[START, SETTLE], [s("start", "p3", 22000)]])
    assert [event.predecessor for event in made.trajectories[0].events] == [None, "e1", None]
    assert _codes(_with(made, {"predecessor": None})) == ["predecessor"]
    assert _codes(_with(made, {"predecessor": "e2"}, "e3")) == ["predecessor"]


def test_what_is_not_said_must_be_known() -> None:
    made = plan([[START, SETTLE]])
    assert _codes(_with(made, {"value_said": "elliptical"})) == []
    assert _codes(_with(made, {"value_said": "carried"}, "e1")) == ["value_said"]
    changed = plan([[START, s("settle", "p2", 17000)]])
    assert _codes(_with(changed, {"value_said": "elliptical"})) == ["value_said"]


def test_one_trajectory_for_each_field_and_instance() -> None:
    cycles = ((START, SETTLE),)
    front, back = (ExampleChain(field="vehicle/loss", cycles=cycles, instance=each) for each in ("前车", "后车"))
    assert codes(front, back) == []
    assert codes(front, front) == ["duplicate_trajectory"]
    assert codes(front, ExampleChain(field="vehicle/loss", cycles=cycles)) == ["instance"]
    assert codes(ExampleChain(field="vehicle/loss", cycles=cycles, instance="左车")) == ["unknown_instance"]


def test_a_status_settles_at_a_final_code() -> None:
    def chain(last: str) -> ExampleChain:
        steps = (s("start", "p3", Status(code="filed")), s("settle", "p2", Status(code=last)))
        return ExampleChain(field="claim/status", cycles=(steps,))

    assert codes(chain("closed")) == []
    assert codes(chain("surveyed")) == ["status_final"]
    assert codes(chain("gone")) == ["status_code"]


def test_a_candidate_is_from_somebody_without_the_right() -> None:
    term = ExampleChain(field="claim/repair_term", cycles=((s("start", "p1", days(9), scope="survey"),),))
    alone = ExampleCandidate(chain=1, by="p3", value=yuan(9))
    assert codes([[START]], candidates=(alone,)) == ["candidate_authority"]
    # the insured may start a repair term under survey, but nobody is refused who names what he may not decide
    assert codes(term, candidates=(ExampleCandidate(chain=1, by="p3", value=days(7)),)) == ["candidate_authority"]
    offer = Composite(parts=(yuan(5000), Term(value=Decimal(3), unit="workday")))
    chain = ExampleChain(field="claim/offer", cycles=((s("start", "p2", offer),),))
    other = Composite(parts=(yuan(6000), Term(value=Decimal(3), unit="workday")))
    assert codes(chain, candidates=(ExampleCandidate(chain=1, by="p1", value=other),)) == []
    assert codes(chain, candidates=(ExampleCandidate(chain=1, by="p1", value=offer),)) == ["candidate_value"]


def test_beats_cover_everything_once_in_chain_order() -> None:
    made = plan([[START, HOLD, RESUME, SETTLE]])
    beats = made.beats

    def order(*refs: str) -> list[str]:
        return _codes(msgspec.structs.replace(made, beats=tuple(Beat(kind="event", ref=ref) for ref in refs)))

    assert order(*(beat.ref for beat in beats)) == []
    assert order("e1", "e2", "e3") == ["beats"]
    assert order("e1", "e2", "e3", "e4", "e4") == ["beats"]
    assert order("e1", "e2", "e3", "e4", "e9") == ["beats"]
    assert order("e1", "e3", "e2", "e4") == ["beat_order"]


def test_distractors_are_somebodys_and_equal_nothing() -> None:
    made = plan([[START]])

    def said(kind: str, person: str, value: Any) -> list[str]:
        number = Distractor(id="d1", kind=kind, person=person, value=value)
        beats = (*made.beats, Beat(kind="distractor", ref="d1"))
        return _codes(msgspec.structs.replace(made, distractors=(number,), beats=beats))

    assert said("mileage", "p1", Count(value=Decimal(50000), unit="公里")) == []
    assert said("mileage", "p2", Count(value=Decimal(50000), unit="公里")) == ["distractor"]
    assert said("height", "p1", Count(value=Decimal(50000), unit="公里")) == ["distractor"]
    assert said("mileage", "p1", yuan(20000)) == ["distractor_value", "value_type"]


def test_a_swap_keeps_the_chain_legal_and_both_persons_present() -> None:
    made = plan([[START, HOLD, RESUME, SETTLE]], [[s("hold", "p1", 9000, obstacle="police_report", scope="survey")]])
    made = msgspec.structs.replace(
        made,
        trajectories=(
            msgspec.structs.replace(made.trajectories[0], instance="前车"),
            msgspec.structs.replace(made.trajectories[1], instance="后车"),
        ),
    )

    def swapped(events: tuple[str, ...], giver: str, taker: str) -> list[str]:
        return _codes(msgspec.structs.replace(made, change=Swap(events=events, giver=giver, taker=taker)))

    assert _codes(made) == []
    assert swapped(("e2",), "p2", "p1") == []
    assert swapped(("e4",), "p2", "p1") == ["change"]  # the adjuster may not approve
    assert swapped(("e2",), "p1", "p2") == ["change"]  # not the giver's event
    assert swapped(("e5",), "p1", "p2") == ["change"]  # the adjuster would be gone
    assert swapped(("e2",), "p2", "p2") == ["change"]
    assert swapped((), "p2", "p1") == ["change"]


@pytest.mark.parametrize(
    ("cycles", "event", "person", "expected"),
    [
        ([[START, SETTLE]], "e2", "p1", []),
        ([[START, HOLD, RESUME, SETTLE]], "e4", "p3", []),
        ([[START, SETTLE]], "e2", "p2", ["change"]),  # he concludes it already
        ([[START, s("settle", "p1", scope="survey", result="confirmed")]], "e2", "p2", ["change"]),  # he may as well
        ([[START, SETTLE]], "e1", "p1", ["change"]),  # no conclusion
        ([[START, s("settle", "p2", result="rejected")]], "e2", "p1", ["change"]),  # a refusal
        ([[SETTLE]], "e1", "p1", ["change"]),  # nothing would be left
        ([[START, HOLD, s("settle", "p2", clears="photos_missing")]], "e3", "p1", ["change"]),  # it lifts a hold
        ([[START, s("settle", "p2", 17000)]], "e2", "p1", ["change"]),  # its value would be lost
        ([[START, SETTLE], [s("start", "p3", 22000)]], "e2", "p1", ["change"]),  # not the end of the chain
        ([[START, SETTLE]], "e9", "p1", ["change"]),
        ([[START, SETTLE]], "e2", "p9", ["change"]),
    ],
)
def test_a_confirmation_falls_away_where_the_chain_stays_active(
    cycles: list[Any], event: str, person: str, expected: list[str]
) -> None:
    made = plan(cycles)
    assert _codes(made) == []
    assert _codes(msgspec.structs.replace(made, change=Confirmation(event=event, person=person))) == expected


def test_roles_are_exchanged_between_two_of_different_roles_one_of_whom_does_something() -> None:
    made = plan([[START, HOLD, RESUME, SETTLE]])

    def exchanged(one: str, other: str) -> list[str]:
        return _codes(msgspec.structs.replace(made, change=Reassignment(one=one, other=other)))

    assert exchanged("p2", "p3") == exchanged("p1", "p2") == []
    assert exchanged("p2", "p2") == exchanged("p2", "p9") == ["change"]
    twin = msgspec.structs.replace(made.cast[0], id="p4", name="吴静")
    made = msgspec.structs.replace(made, cast=(*made.cast, twin))
    assert exchanged("p1", "p4") == ["change"]  # the same role, and no event


def test_same_ids_and_unknown_fields_are_found() -> None:
    made = plan([[START]])
    assert _codes(msgspec.structs.replace(made, cast=(*made.cast, made.cast[0]))) == ["duplicate_id"]
    other = msgspec.structs.replace(made.trajectories[0], field="mood")
    assert _codes(msgspec.structs.replace(made, trajectories=(other,))) == ["unknown_field"]


def test_values_of_a_plan() -> None:
    assert same(None, None) and not same(None, yuan(1))
    assert same(Money(amount=Decimal("2.0"), currency="CNY", text="两块"), yuan(2))
    one, other = yuan(2), Term(value=Decimal(3), unit="month")
    assert same(Composite(parts=(one, other)), Composite(parts=(other, one)))
    assert not same(Composite(parts=(one, one)), Composite(parts=(one, other)))
    assert not same(Ratio(parts=(Decimal(3), Decimal(7))), Ratio(parts=(Decimal(7), Decimal(3))))


def test_the_shape_a_field_asks_for() -> None:
    loss, offer = (BLUEPRINT.field(key).value for key in ("vehicle/loss", "claim/offer"))
    assert misfit(yuan(5), loss) is None
    about = Range(lo=Decimal(3), hi=Decimal(5), of=Of(type="money", currency="CNY"))
    assert misfit(about, loss) is None
    assert misfit(Money(amount=Decimal(5), currency="CNY", per="天"), loss) is not None
    workdays = Term(value=Decimal(3), unit="workday")
    assert misfit(Composite(parts=(workdays, yuan(5))), offer) is None
    assert misfit(Composite(parts=(yuan(5),)), offer) is not None
    assert misfit(Composite(parts=(yuan(5), yuan(6))), offer) is not None
    assert misfit(yuan(5), offer) is not None
    assert misfit(Composite(parts=(workdays, yuan(5))), loss) is not None
