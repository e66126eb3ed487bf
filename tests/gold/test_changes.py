"""The change of a pair: kinds as often as asked, B legal and different in gold, and sense in who takes what over."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dtbuild.blueprint.load import load
from dtbuild.gold.planner import plan
from dtbuild.gold.rules import check
from dtbuild.gold.settings import VARIANTS, GoldSettings
from dtbuild.legality import plan as legality
from dtbuild.legality.variant import edited
from dtbuild.records.plan import CLOSING, Confirmation, Plan, Reassignment, Swap
from dtbuild.records.variant import VariantKind

from .families import ALL_KINDS, kind_of

SUPPLY = load("supply_chain")


@pytest.fixture(scope="module")
def pairs() -> list[Plan]:
    return [plan(SUPPLY, ALL_KINDS, seed=88, index=n, change=ALL_KINDS.variant(n)) for n in range(1, 301)]


def of_kind(pairs: list[Plan], change: type) -> list[Plan]:
    return [made for made in pairs if isinstance(made.change, change)]


def side(made: Plan, person: str) -> str:
    return SUPPLY.role(made.person(person).role).side


def events(made: Plan) -> list[list[tuple[object, ...]]]:
    """What is scored of every chain, times and ids that may be renamed left out.

    Persons stand for speakers: both keep their opening words, so labels follow persons in A and B alike.
    """
    return [
        [
            (e.action, e.value, e.person, e.scope, e.result, number)
            for number, c in enumerate(t.cycles)
            for e in c.events
        ]
        for t in made.trajectories
    ]


weights = st.fixed_dictionaries({kind: st.integers(0, 9).map(float) for kind in VARIANTS}).filter(
    lambda each: any(each.values())
)


@given(weights=weights, pairs=st.integers(1, 2000))
@settings(max_examples=40, deadline=None)
def test_kinds_keep_to_their_weights_at_any_length(weights: dict[str, float], pairs: int) -> None:
    asked = GoldSettings(variants=weights)
    counts = Counter(asked.variant(number) for number in range(1, pairs + 1))
    total = sum(weights.values())
    assert all(abs(counts[kind] - pairs * weights[kind] / total) <= 1 for kind in VARIANTS)


def test_the_first_three_pairs_show_all_kinds() -> None:
    first = [ALL_KINDS.variant(number) for number in (1, 2, 3)]
    assert first == ["speaker_swap", "confirmation_change", "role_reassignment"]


@given(seed=st.integers(0, 2**63), index=st.integers(1, 9999), change=st.sampled_from(list(VARIANTS)))
@settings(max_examples=60, deadline=None)
def test_b_is_legal_and_its_gold_differs(seed: int, index: int, change: VariantKind) -> None:
    made = plan(SUPPLY, GoldSettings(), seed=seed, index=index, change=change)
    other = edited(made)
    assert kind_of(made) == change and check(made, SUPPLY) == []
    assert legality.check(other, SUPPLY) == []
    assert events(made) != events(other)


def test_b_of_many_pairs_is_legal(pairs: list[Plan]) -> None:
    for made in pairs:
        assert legality.check(edited(made), SUPPLY) == [], made.family
        assert events(made) != events(edited(made)), made.family
        assert len(made.cast) > 2


def test_swaps_are_of_a_settle_or_a_hold_mostly(pairs: list[Plan]) -> None:
    swaps = [made.event(made.change.events[0]) for made in pairs if isinstance(made.change, Swap)]
    assert sum(event.action in ("settle", "hold") for event in swaps) / len(swaps) > 0.85


def test_a_colleague_without_the_right_answers_in_the_deciders_place(pairs: list[Plan]) -> None:
    own_side = 0
    changed = of_kind(pairs, Confirmation)
    for made in changed:
        assert isinstance(made.change, Confirmation)
        trajectory = next(t for t in made.trajectories if any(e.id == made.change.event for e in t.events))
        event = trajectory.events[-1]
        assert event.id == made.change.event and event.result in CLOSING and event.clears is None
        assert not SUPPLY.may(made.person(made.change.person).role, event.scope, "settle")
        assert edited(made).trajectories[made.trajectories.index(trajectory)].events[-1].action in ("start", "advance")
        own_side += side(made, made.change.person) == side(made, event.person)
        others = {e.person for _, _, e in made.events() if e is not event}
        others |= {each.person for each in made.candidates} | {each.person for each in made.distractors}
        assert {made.change.person, event.person} <= others, made.family
    assert own_side / len(changed) > 0.9


def test_roles_are_exchanged_by_people_who_mostly_both_decide_something(pairs: list[Plan]) -> None:
    both = 0
    for made in of_kind(pairs, Reassignment):
        assert isinstance(made.change, Reassignment)
        done = Counter(event.person for _, _, event in made.events())
        one, other = made.change.one, made.change.other
        both += bool(done[one] and done[other] and done[one] + done[other] >= 3)
        assert made.person(one).role != made.person(other).role
    assert both / len(of_kind(pairs, Reassignment)) > 0.95
