"""Configs: pairs depend on the index alone, the size is no part of the identity, faults are named."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dtbuild.errors import SettingsError, UnknownName, UserError
from dtbuild.gold.settings import GoldSettings
from dtbuild.pipeline.config import Config, identity, load_config
from dtbuild.pipeline.run import resolve


@given(st.integers(1, 300), st.floats(0, 1))
def test_the_share_of_pairs_is_kept(groups: int, share: float) -> None:
    config = Config(scenario="x", pairs=share)
    pairs = sum(config.is_pair(index) for index in range(1, groups + 1))
    assert abs(pairs - share * groups) <= 1


def test_half_of_four_families_are_pairs() -> None:
    assert [Config(scenario="x").is_pair(index) for index in range(1, 5)] == [False, True, False, True]


@given(st.integers(1, 300), st.floats(0, 1))
def test_a_family_has_a_change_where_it_is_a_pair(groups: int, share: float) -> None:
    config = Config(scenario="x", pairs=share, gold=GoldSettings(variants={"speaker_swap": 2, "role_reassignment": 1}))
    kinds = [config.change(index) for index in range(1, groups + 1)]
    assert [kind is not None for kind in kinds] == [config.is_pair(index) for index in range(1, groups + 1)]
    pairs = [kind for kind in kinds if kind]
    assert pairs == [config.gold.variant(number) for number in range(1, len(pairs) + 1)]


def test_identity_leaves_out_the_size_and_nothing_else() -> None:
    config = Config(scenario="supply_chain")
    assert identity(config) == identity(msgspec.structs.replace(config, groups=50))
    for change in ({"seed": 1}, {"pairs": 0.25}):
        assert identity(config) != identity(msgspec.structs.replace(config, **change))


def test_unknown_scenario_names_the_closest() -> None:
    with pytest.raises(UnknownName, match="perhaps supply_chain"):
        resolve(scenario="suply_chain")


@pytest.mark.parametrize("names", [{}, {"scenario": "supply_chain", "config": "supply_chain"}])
def test_scenario_or_config_not_both(names: dict[str, str]) -> None:
    with pytest.raises(UserError, match="either --scenario or --config"):
        resolve(**names)


def test_all_faults_of_a_config_at_once(tmp_path: Path) -> None:
    path = tmp_path / "c.yaml"
    path.write_text("format: dtbuild.config/1\nscenario: supply_chain\ngroups: 0\npairs: 2.0\nscript: {rate: 99.0}\n")
    with pytest.raises(SettingsError) as caught:
        load_config(path)
    for part in ("groups: expected", "pairs: expected", "script.rate: expected"):
        assert part in str(caught.value)
    path.write_text("scenario: supply_chain\npairs: 0.9\n")
    assert load_config(path).pairs == 0.9
    path.write_text('scenario: supply_chain\npairs: 0.9\ngold: {speakers: {"2": 1, "3": 1}}\n')
    with pytest.raises(SettingsError, match=r"gold.speakers: .*at most 0.10 .*found 0.50"):
        load_config(path)
    path.write_text("scenario: supply_chain\nseeds: 3\ngroup: 4\n")
    with pytest.raises(SettingsError, match=r"line 2, seeds: unknown key; perhaps 'seed'.*line 3, group: .*'groups'"):
        load_config(path)
