"""What a trial tells the writer of a scenario, and settings that make no sense."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from dtbuild.blueprint.load import load
from dtbuild.errors import SettingsError
from dtbuild.gold.settings import GoldSettings
from dtbuild.gold.trial import trial

CLAIMS = load(Path(__file__).parents[1] / "blueprint" / "claims.yaml")
SMALL = GoldSettings(trajectories=(1, 3), events=(4, 9))


def test_a_sound_scenario_uses_everything() -> None:
    assert trial(CLAIMS, SMALL, families=80) == []


def test_what_stays_unused_is_a_warning() -> None:
    quiet = GoldSettings(trajectories=(1, 3), events=(4, 9), rates={"suspension": 0.0})
    found = trial(CLAIMS, quiet, families=30)
    assert {(each.code, each.level) for each in found} == {("unused", "warning")}
    assert {"photos_missing", "police_report", "parts_on_order"} <= {each.where for each in found}


def test_families_without_a_plan_are_errors() -> None:
    found = trial(CLAIMS, msgspec.structs.replace(SMALL, events=(40, 40)), families=2)
    assert [each.where for each in found if each.code == "no_plan"] == ["family 1", "family 2"]


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"events": (9, 5)}, "lowest"),
        ({"trajectories": (0, 2)}, "lowest"),
        ({"rates": {"reopenning": 0.5}}, "reopening"),
        ({"rates": {"reopening": 1.5}}, "0 to 1"),
        ({"speakers": {"5": 1.0}}, "2, 3 or 4"),
        ({"speakers": {"2": -1.0}}, "2, 3 or 4"),
        ({"speakers": {}}, "2, 3 or 4"),
        ({"variants": {"role_swap": 1.0}}, "gold.variants"),
        ({"variants": {"speaker_swap": -1.0}}, "0 or more"),
        ({"variants": {"speaker_swap": float("inf")}}, "0 or more"),
        ({"variants": {"speaker_swap": 0.0}}, "above 0"),
    ],
)
def test_settings_without_sense_are_refused(given: dict[str, Any], told: str) -> None:
    with pytest.raises(SettingsError, match=told):
        GoldSettings(**given)
