"""Plans are legal, pure, as frequent in their phenomena as asked, and plausible in their numbers."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from collections import Counter
from decimal import Decimal
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dtbuild.blueprint.load import load
from dtbuild.errors import BlueprintError
from dtbuild.gold.phenomena import PHENOMENA, coverage, shown
from dtbuild.gold.planner import plan
from dtbuild.gold.rules import check
from dtbuild.gold.settings import IMPLIES, RATES, VARIANTS, GoldSettings
from dtbuild.records.plan import Plan
from dtbuild.records.values import Composite, Date, Money, Rate, Term
from dtbuild.records.variant import VariantKind

from .families import kind, kind_of

SUPPLY = load("supply_chain")
CLAIMS_PATH = Path(__file__).parents[1] / "blueprint" / "claims.yaml"
CLAIMS = load(CLAIMS_PATH)
DEFAULT = GoldSettings()
KINDS = st.sampled_from([None, *VARIANTS])


@pytest.fixture(scope="module")
def plans() -> list[Plan]:
    return [plan(SUPPLY, DEFAULT, seed=20260131, index=k, change=kind(k)) for k in range(1, 401)]


@given(seed=st.integers(0, 2**63), index=st.integers(1, 9999), attempt=st.integers(0, 9), change=KINDS)
@settings(max_examples=100, deadline=None)
def test_every_plan_is_legal(seed: int, index: int, attempt: int, change: VariantKind | None) -> None:
    made = plan(SUPPLY, DEFAULT, seed=seed, index=index, attempt=attempt, change=change)
    assert check(made, SUPPLY) == []
    assert kind_of(made) == change


@given(seed=st.integers(0, 2**63), change=KINDS)
@settings(max_examples=40, deadline=None)
def test_plans_of_another_scenario_are_legal(seed: int, change: VariantKind | None) -> None:
    made = plan(CLAIMS, GoldSettings(trajectories=(1, 3), events=(4, 9)), seed=seed, index=1, change=change)
    assert kind_of(made) == change
    assert check(made, CLAIMS) == []
    assert made.family.startswith("ic0001")


@given(wanted=st.sets(st.sampled_from(PHENOMENA)), seed=st.integers(0, 999))
@settings(max_examples=60, deadline=None)
def test_any_mix_of_phenomena_gives_a_legal_plan_that_shows_what_it_lists(wanted: set[str], seed: int) -> None:
    wanted = wanted | {IMPLIES[name] for name in wanted if name in IMPLIES}
    asked = GoldSettings(rates={name: float(name in wanted) for name in PHENOMENA})
    made = plan(SUPPLY, asked, seed=seed, index=1, change=kind(seed))
    assert check(made, SUPPLY) == []
    assert shown(made, SUPPLY) == set(made.phenomena)
    assert set(made.phenomena) <= wanted


@pytest.mark.parametrize("name", PHENOMENA)
def test_each_phenomenon_can_be_asked_for_and_left_out(name: str) -> None:
    needs = {"resumption": {"suspension"}, "first_event_hold": {"suspension"}}.get(name, set())
    always = GoldSettings(rates=dict.fromkeys({name, *needs}, 1.0))
    never = GoldSettings(rates={name: 0.0})
    with_it = [plan(SUPPLY, always, seed=5, index=k) for k in range(1, 31)]
    without = [plan(SUPPLY, never, seed=5, index=k) for k in range(1, 31)]
    assert sum(name in shown(made, SUPPLY) for made in with_it) >= 29
    assert not any(name in shown(made, SUPPLY) for made in without)


def test_plans_show_what_they_list_and_nothing_else(plans: list[Plan]) -> None:
    for made in plans:
        assert shown(made, SUPPLY) == set(made.phenomena), made.family


def test_rates_and_sizes_are_those_of_the_settings(plans: list[Plan]) -> None:
    for name, rate in coverage(plans, SUPPLY).items():
        assert rate.planned == rate.realised
        assert abs(rate.share - RATES[name]) < 0.01, (name, rate.share)
    people = Counter(len(made.cast) for made in plans)
    assert people == {2: 80, 3: 240, 4: 80}
    assert min(len(made.cast) for made in plans if made.change) == 3
    events = [sum(1 for _ in made.events()) for made in plans]
    assert min(events) >= 5 and max(events) <= 12
    assert {len(made.trajectories) for made in plans} == {1, 2, 3, 4}


def test_a_plan_depends_on_its_own_index_only() -> None:
    alone = msgspec.json.encode(plan(SUPPLY, DEFAULT, seed=3, index=7, change="speaker_swap"))
    for k in (9, 8, 7):
        made = plan(SUPPLY, DEFAULT, seed=3, index=k, change="speaker_swap")
    assert msgspec.json.encode(made) == alone
    others = {
        msgspec.json.encode(made)
        for made in (
            plan(SUPPLY, DEFAULT, seed=4, index=7, change="speaker_swap"),
            plan(SUPPLY, DEFAULT, seed=3, index=7, attempt=1, change="speaker_swap"),
            plan(SUPPLY, DEFAULT, seed=3, index=7),
        )
    }
    assert alone not in others and len(others) == 3


def test_another_process_plans_the_same_bytes() -> None:
    code = (
        "import sys, hashlib, msgspec\n"
        "from dtbuild.blueprint.load import load\n"
        "from dtbuild.gold.planner import plan\n"
        "from dtbuild.gold.settings import GoldSettings\n"
        "scenario, asked = load(sys.argv[1]), GoldSettings(trajectories=(1, 3), events=(4, 9))\n"
        "made = [plan(scenario, asked, seed=11, index=k, change='speaker_swap') for k in range(1, 41)]\n"
        "print(hashlib.sha256(b''.join(map(msgspec.json.encode, made))).hexdigest())"
    )
    command = [sys.executable, "-c", code, str(CLAIMS_PATH)]
    env = {"PYTHONHASHSEED": "4242"}
    there = subprocess.run(command, capture_output=True, text=True, check=True, env=env)
    asked = GoldSettings(trajectories=(1, 3), events=(4, 9))
    made = [plan(CLAIMS, asked, seed=11, index=k, change="speaker_swap") for k in range(1, 41)]
    assert there.stdout.strip() == hashlib.sha256(b"".join(map(msgspec.json.encode, made))).hexdigest()


def test_a_plan_survives_json(plans: list[Plan]) -> None:
    for made in plans[:50]:
        assert msgspec.json.decode(msgspec.json.encode(made), type=Plan) == made
        assert b"E+" not in msgspec.json.encode(made)


def test_everyone_has_a_part_where_distractors_allow_it(plans: list[Plan]) -> None:
    assert sum(bool(made.distractors) for made in plans) > len(plans) / 2
    for made in plans:
        if made.distractors:
            people = {event.person for _, _, event in made.events()}
            people |= {each.person for each in (*made.candidates, *made.distractors)}  # type: ignore[attr-defined]
            assert people == {person.id for person in made.cast}, made.family


def test_surnames_of_a_cast_differ(plans: list[Plan]) -> None:
    for made in plans:
        assert len({person.name[0] for person in made.cast}) == len(made.cast)


def test_numbers_are_plausible_together(plans: list[Plan]) -> None:
    for made in plans:
        values = {t.key: [e.value for e in t.events if e.value is not None] for t in made.trajectories}
        amounts = {key: [v.amount for v in each if isinstance(v, Money)] for key, each in values.items()}
        if amounts.get("financing/amount") and amounts.get("receivable_pool/eligible_amount"):
            assert max(amounts["financing/amount"]) <= min(amounts["receivable_pool/eligible_amount"]), made.family
        if amounts.get("receivable_pool/eligible_amount") and amounts.get("receivable_pool/total_amount"):
            assert max(amounts["receivable_pool/eligible_amount"]) <= min(amounts["receivable_pool/total_amount"])
        buyer_term = made.quantities["buyer_term"]
        assert isinstance(buyer_term, Term)
        for trajectory in made.trajectories:
            last = trajectory.events[-1]
            if trajectory.key == "financing/term" and last.result == "approved" and last.value is not None:
                assert isinstance(last.value, Term) and last.value.value <= buyer_term.value, made.family
        for value in values.get("financing/rate", []):
            assert isinstance(value, Rate) and Decimal(3) <= value.value <= Decimal(7)
        for value in values.get("financing/disbursement_date", []):
            assert (
                isinstance(value, Date) and value.iso >= "2026-02-02" and not "2026-02-15" <= value.iso <= "2026-02-23"
            )
        for key, each in amounts.items():
            unit = 50 if key == "inventory/unit_price" else 100000
            assert all(amount > 0 and amount % unit == 0 for amount in each), (made.family, key)


def test_an_anaphor_has_its_value_right_before_it(plans: list[Plan]) -> None:
    """Nothing of the same type is named between the event and the value it points at."""
    for made in plans:
        home = {event.id: trajectory.id for trajectory, _, event in made.events()}
        numbers = {each.id: each.value for each in made.candidates} | {each.id: each.value for each in made.distractors}
        last: dict[type, str] = {}
        for beat in made.beats:
            if beat.kind != "event":
                last[type(numbers[beat.ref])] = beat.ref
                continue
            event = made.event(beat.ref)
            if event.value is None:
                continue
            if event.value_said == "elliptical":
                assert last[type(event.value)] == home[event.id], (made.family, event.id)
                assert not isinstance(event.value, Composite)
            last[type(event.value)] = home[event.id]


def test_obstacles_and_conditions_occur_once_in_a_dialogue(plans: list[Plan]) -> None:
    for made in plans:
        for names in (
            [event.obstacle for _, _, event in made.events() if event.obstacle],
            [event.condition for _, _, event in made.events() if event.condition],
        ):
            assert len(set(names)) == len(names)


def test_chains_wait_while_others_are_talked_through(plans: list[Plan]) -> None:
    """Talk leaves a chain at a hold far more often than at another step, and does not hop at every beat."""
    left, stayed, hops, neighbours = 0, 0, 0, 0
    for made in plans:
        if "interleaving" not in made.phenomena:
            continue
        home = {event.id: trajectory for trajectory, _, event in made.events()}
        for one, other in pairwise([beat.ref for beat in made.beats if beat.kind == "event"]):
            hop = home[one].id != home[other].id
            hops, neighbours = hops + hop, neighbours + 1
            if made.event(one).action == "hold":
                left, stayed = left + hop, stayed + (not hop)
    assert left > stayed
    assert hops / neighbours < 0.6


def test_sizes_that_cannot_be_met_are_an_error_with_the_way_out() -> None:
    with pytest.raises(BlueprintError, match="cast of 4 persons"):
        plan(CLAIMS, GoldSettings(speakers={"4": 1.0}), seed=1, index=1)
    with pytest.raises(BlueprintError, match="a pair needs three"):
        plan(CLAIMS, GoldSettings(speakers={"2": 1.0}), seed=1, index=1, change="speaker_swap")
    assert len(plan(SUPPLY, GoldSettings(speakers={"2": 1.0}), seed=1, index=1).cast) == 2
    with pytest.raises(BlueprintError, match="within"):
        plan(CLAIMS, GoldSettings(trajectories=(1, 1), events=(30, 40)), seed=1, index=1)


def test_a_phenomenon_named_but_not_shown_is_a_finding(plans: list[Plan]) -> None:
    made = next(made for made in plans if "reopening" not in made.phenomena)
    claimed = msgspec.structs.replace(made, phenomena=(*made.phenomena, "reopening", "rain"))
    assert [finding.where for finding in check(claimed, SUPPLY)] == ["reopening", "rain"]
    assert [f.code for f in check(msgspec.structs.replace(made, family="sc9999x"), SUPPLY)] == ["family"]
