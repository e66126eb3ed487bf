"""`dtbuild stats`: the figures of a cohort."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec


@click.command("stats")
@click.argument("cohort", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--png", metavar="DIR", type=click.Path(path_type=Path), help="Draw them as PNG files into DIR instead.")
def command(cohort: Path, as_json: bool, png: Path | None) -> None:
    """Print the figures of the released COHORT."""
    if png is not None:
        from dtbuild.release.plots import plots

        for path in plots(cohort, png):
            click.echo(path)
        return
    from dtbuild.pipeline import stats
    from dtbuild.release.stats import stats_text

    figures = stats(cohort)
    click.echo(msgspec.json.format(msgspec.json.encode(figures), indent=1).decode() if as_json else stats_text(figures))
