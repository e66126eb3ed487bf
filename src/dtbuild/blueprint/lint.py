"""Checks a blueprint: everything a planner, a writer or a reader of its gold would stumble over.

A check only reports; `dtbuild.blueprint.load.load` is what raises.
"""

from __future__ import annotations

from dtbuild.blueprint.abilities import check_abilities
from dtbuild.blueprint.examples import check_examples
from dtbuild.blueprint.faults import Faults
from dtbuild.blueprint.priors import check_priors
from dtbuild.blueprint.references import check_references
from dtbuild.records.blueprint import Blueprint
from dtbuild.records.verdict import Finding
from dtbuild.settings import Document


def lint(blueprint: Blueprint, document: Document | None = None) -> list[Finding]:
    """All faults of a blueprint, in the order of the checks; `document` gives their lines.

    Findings of level "warning" do not keep a blueprint from being used.
    """
    faults = Faults(document)
    check_references(blueprint, faults)
    check_priors(blueprint, faults)
    check_abilities(blueprint, faults)
    # examples stand on everything before them: their faults would only repeat it
    if not any(finding.level == "error" and finding.code != "empty_bank" for finding in faults.found):
        check_examples(blueprint, faults)
    return faults.found
