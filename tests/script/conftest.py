"""Plans and scripts of the shipped scenario, written once for all tests of the room."""

from __future__ import annotations

import pytest

from dtbuild.blueprint.load import load
from dtbuild.gold.planner import plan
from dtbuild.gold.settings import GoldSettings
from dtbuild.records.blueprint import Blueprint
from dtbuild.records.plan import Plan
from dtbuild.records.script import Script
from dtbuild.script.writer import write

CHARS = (430, 1090)
FAMILIES = 200


@pytest.fixture(scope="session")
def blueprint() -> Blueprint:
    return load("supply_chain")


@pytest.fixture(scope="session")
def plans(blueprint: Blueprint) -> list[Plan]:
    return [
        plan(blueprint, GoldSettings(), seed=20260131, index=index, change="speaker_swap" if index % 2 == 0 else None)
        for index in range(1, FAMILIES + 1)
    ]


@pytest.fixture(scope="session")
def scripts(blueprint: Blueprint, plans: list[Plan]) -> list[Script]:
    return [write(each, blueprint, recording=f"{each.family}-a", seed=20260131, chars=CHARS) for each in plans]
