"""`dtbuild validate`: check a released cohort."""

from __future__ import annotations

from pathlib import Path

import click

from dtbuild.errors import Incomplete


@click.command("validate")
@click.argument("cohort", type=click.Path(path_type=Path))
@click.option("--blueprint", help="Blueprint whose rules hold, where the cohort's own is no shipped scenario.")
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON, one a line.")
def command(cohort: Path, blueprint: str | None, as_json: bool) -> None:
    """Check schemas, hashes, sound, chains, spans, windows, pairs and mentions of COHORT.

    Exit code 0 without faults, 1 with some, each named with its file and what to do.
    """
    import msgspec

    from dtbuild.blueprint.load import told
    from dtbuild.pipeline import validate
    from dtbuild.release.advice import advice

    findings = validate(cohort, blueprint=blueprint)
    for finding in findings:
        if as_json:
            click.echo(msgspec.json.encode({**msgspec.to_builtins(finding), "next": advice(finding.code)}).decode())
        else:
            click.echo(f"{finding.level} {finding.code} {told(finding)}; next: {advice(finding.code)}")
    errors = sum(finding.level == "error" for finding in findings)
    if errors:
        raise Incomplete(f"cohort {cohort}", expected="no faults", found=f"{errors} faults", fix="the steps above")
    if not as_json:
        click.echo(f"{cohort}: no faults")
