"""Reads a scenario by name or path.

Strict: every fault of the file is reported at once, with its line; a loaded blueprint is one the planner can use.

>>> load("supply_chain").code
'sc'
"""

from __future__ import annotations

from pathlib import Path

from dtbuild import resources
from dtbuild.blueprint.lint import lint
from dtbuild.errors import BlueprintError
from dtbuild.records.blueprint import Blueprint
from dtbuild.records.verdict import Finding
from dtbuild.settings import Document, decode, load_yaml

FORMAT = "dtbuild.blueprint/1"


def load(name_or_path: str | Path) -> Blueprint:
    """The scenario's blueprint. Raises UnknownName with the closest names, or BlueprintError listing every fault."""
    blueprint, document = read(name_or_path)
    wrong = [finding for finding in lint(blueprint, document) if finding.level == "error"]
    if wrong:
        raise BlueprintError(
            f"blueprint {document.name}",
            found=f"{len(wrong)} fault{'s' if len(wrong) > 1 else ''}:\n  " + "\n  ".join(map(told, wrong)) + "\n",
            fix="mend these places; docs/blueprints.md says how a scenario is written",
        )
    return blueprint


def read(name_or_path: str | Path) -> tuple[Blueprint, Document]:
    """The blueprint as written, unchecked but for its shape, with the lines of its places.

    Raises UnknownName, or BlueprintError for broken YAML, unknown or missing keys and wrong types.
    """
    path = resources.find("blueprints", name_or_path)
    document = load_yaml(path, error=BlueprintError)
    given = document.data.get("format") if isinstance(document.data, dict) else None
    if given != FORMAT:
        raise BlueprintError(
            f"blueprint {path}",
            expected=f"format: {FORMAT}",
            found=f"format: {given}" if given else "no format",
            fix="use the dtbuild that reads that version, or rewrite the file after docs/blueprints.md",
        )
    return decode(document, Blueprint, error=BlueprintError), document


def told(finding: Finding) -> str:
    """One finding as a line: where, what, expected, found."""
    parts = [f"{finding.where}: {finding.message}"]
    parts += [f"expected {finding.expected}"] if finding.expected else []
    parts += [f"found {finding.found}"] if finding.found else []
    return "; ".join(parts)
