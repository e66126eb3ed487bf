"""What families are to be: shares come out as configured at any length, for any seed, and plans then show it."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dtbuild.blueprint.load import load
from dtbuild.errors import SettingsError
from dtbuild.gold.index import Index
from dtbuild.gold.index import index as index_of
from dtbuild.gold.phenomena import PHENOMENA, coverage
from dtbuild.gold.planner import plan
from dtbuild.gold.schedule import BLOCK, Slot, slot
from dtbuild.gold.settings import IMPLIES, RATES, GoldSettings, pairs_to

from .families import ALL_KINDS, kind

SUPPLY = index_of(load("supply_chain"))
CLAIMS = index_of(load(Path(__file__).parents[1] / "blueprint" / "claims.yaml"))


def slots(asked: GoldSettings, families: int, *, seed: int = 1, pairs: float = 0.5) -> list[Slot]:
    return [slot(SUPPLY, asked, seed=seed, pairs=pairs, index=index) for index in range(1, families + 1)]


def evenly(rate: float) -> GoldSettings:
    return GoldSettings(rates=dict.fromkeys(PHENOMENA, rate), variants=ALL_KINDS.variants)


@given(seed=st.integers(0, 2**63 - 1), pairs=st.sampled_from([0.0, 0.25, 0.5, 0.8]), families=st.integers(1, 400))
@settings(max_examples=25, deadline=None)
def test_shares_come_out_at_any_length(seed: int, pairs: float, families: int) -> None:
    dealt = slots(ALL_KINDS, families, seed=seed, pairs=pairs)
    # whole blocks are exact; of the last one any part may be there
    for name, rate in RATES.items():
        assert abs(sum(name in each.phenomena for each in dealt) - rate * families) <= 1 + BLOCK * rate * (1 - rate) * 2
    assert abs(sum(each.size == 2 for each in dealt) - 0.2 * families) <= 1 + BLOCK * 0.2


@pytest.mark.parametrize("rate", [0.05, 0.1, 0.33, 0.5, 0.8])
def test_a_thousand_families_are_dealt_out_exactly(rate: float) -> None:
    dealt = slots(evenly(rate), 1000, seed=7)
    for name in PHENOMENA:
        assert abs(sum(name in each.phenomena for each in dealt) - 1000 * rate) <= 2, name
    assert Counter(each.size for each in dealt) == {2: 200, 3: 600, 4: 200}


@pytest.mark.parametrize(("asked", "seed"), [(ALL_KINDS, 1), (ALL_KINDS, 2), (evenly(0.5), 1), (evenly(0.1), 1)])
def test_plans_show_what_is_dealt_out(asked: GoldSettings, seed: int) -> None:
    families = range(1, 201)
    made = [plan(SUPPLY.blueprint, asked, seed=seed, index=k, change=kind(k)) for k in families]
    given_up = [k for k, each in zip(families, made, strict=True)
                if set(each.phenomena) != slot(SUPPLY, asked, seed=seed, pairs=0.5, index=k).phenomena]  # fmt: skip
    assert len(given_up) <= 1, given_up
    for name, rate in coverage(made, SUPPLY.blueprint).items():
        assert abs(rate.share - asked.rate(name)) <= 0.01, name


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 20260131])
@pytest.mark.parametrize("asked", [ALL_KINDS, evenly(0.5), evenly(0.1)], ids=["default", "half", "tenth"])
def test_a_thousand_plans_realise_their_rates(asked: GoldSettings, seed: int) -> None:
    made = [plan(SUPPLY.blueprint, asked, seed=seed, index=k, change=kind(k)) for k in range(1, 1001)]
    for name, rate in coverage(made, SUPPLY.blueprint).items():
        assert abs(rate.share - asked.rate(name)) <= 0.005, name


def test_every_two_phenomena_occur_together_and_apart() -> None:
    rates = {name: 0.25 if name in IMPLIES else 0.5 for name in PHENOMENA}
    dealt = [each.phenomena for each in slots(GoldSettings(rates=rates), 400)]
    for one, other in combinations(PHENOMENA, 2):
        seen = Counter((one in each, other in each) for each in dealt)
        needs = (
            {(False, True)} if IMPLIES.get(other) == one else {(True, False)} if IMPLIES.get(one) == other else set()
        )
        for both in {(True, True), (True, False), (False, True), (False, False)} - needs:
            # an eighth or more by themselves; what few casts can show together is rarer
            assert seen[both] > 400 / 25, (one, other, both)


def test_what_needs_another_phenomenon_has_it() -> None:
    for each in slots(ALL_KINDS, 400) + slots(evenly(0.1), 400):
        assert all(needed in each.phenomena for name, needed in IMPLIES.items() if name in each.phenomena)


def test_a_family_does_not_depend_on_those_asked_for_before() -> None:
    alone = slot(SUPPLY, ALL_KINDS, seed=5, pairs=0.5, index=333)
    slots(ALL_KINDS, 20, seed=6)
    assert slots(ALL_KINDS, 400, seed=5)[332] == alone


def test_pairs_have_three_people_or_more() -> None:
    for pairs in (0.3, 0.5, 0.8):
        for index, each in enumerate(slots(ALL_KINDS, 200, pairs=pairs), 1):
            assert each.size > 2 or pairs_to(index, pairs) == pairs_to(index - 1, pairs)


def test_what_a_scenario_cannot_show_is_dealt_to_nobody() -> None:
    fields = tuple(msgspec.structs.replace(field, limited=()) for field in CLAIMS.blueprint.fields)
    unlimited = index_of(msgspec.structs.replace(CLAIMS.blueprint, fields=fields))

    def having(index: Index) -> int:
        dealt = [slot(index, GoldSettings(), seed=1, pairs=0.5, index=k) for k in range(1, 101)]
        return sum("scope_limited_settle" in each.phenomena for each in dealt)

    assert having(CLAIMS) == 20 and having(unlimited) == 0
    dealt = [slot(CLAIMS, GoldSettings(), seed=1, pairs=0.5, index=index) for index in range(1, 101)]
    assert {each.size for each in dealt} == {2, 3}


def test_defaults_follow_what_they_need_and_impossible_rates_are_refused() -> None:
    assert GoldSettings(rates={"suspension": 0.0}).rate("resumption") == 0
    assert GoldSettings(trajectories=(1, 1)).rate("interleaving") == 0
    with pytest.raises(SettingsError, match=r"gold.rates.resumption.*at most the rate of suspension.*0.3.*0.8"):
        GoldSettings(rates={"resumption": 0.8, "suspension": 0.3})
    with pytest.raises(SettingsError, match=r"gold\.rates\.interleaving"):
        GoldSettings(trajectories=(1, 1), rates={"interleaving": 0.5})
