"""`dtbuild validate`: check a released cohort."""

from __future__ import annotations

from pathlib import Path

import click

from dtbuild.errors import Incomplete


@click.command("validate")
@click.argument("cohort", type=click.Path(path_type=Path))
@click.option("--blueprint", help="Blueprint whose rules hold, where the cohort's own is no shipped scenario.")
def command(cohort: Path, blueprint: str | None) -> None:
    """Check schemas, hashes, WAV headers, chains, spans, windows, pairs and mentions of COHORT."""
    from dtbuild.blueprint.load import told
    from dtbuild.pipeline import validate

    findings = validate(cohort, blueprint=blueprint)
    for finding in findings:
        click.echo(f"{finding.level} {finding.code} {told(finding)}")
    errors = sum(finding.level == "error" for finding in findings)
    if errors:
        raise Incomplete(f"cohort {cohort}", expected="no faults", found=f"{errors} faults", fix="run generate again")
    click.echo(f"{cohort}: no faults")
