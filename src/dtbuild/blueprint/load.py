"""Reads a scenario by name or path.

Strict: every fault of the file is reported at once, with its line; a loaded blueprint is one the planner can use.

>>> load("supply_chain").code
'sc'
"""

from __future__ import annotations

from pathlib import Path

from dtbuild import resources
from dtbuild.errors import BlueprintError
from dtbuild.records.blueprint import Blueprint
from dtbuild.settings import decode, load_yaml


def load(name_or_path: str | Path) -> Blueprint:
    """The scenario's blueprint. Raises UnknownName with the closest names, or BlueprintError listing every fault."""
    path = resources.find("blueprints", name_or_path)
    return decode(load_yaml(path, error=BlueprintError), Blueprint, error=BlueprintError)
