"""`dtbuild stats`: the figures of a cohort."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("stats")
@click.argument("cohort", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(cohort: Path, as_json: bool) -> None:
    """Print the figures of the released COHORT."""
    from dtbuild.pipeline.publish import stats_of

    click.echo(stats_of(cohort, as_json=as_json))
