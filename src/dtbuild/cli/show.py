"""`dtbuild show`: read one recording, or the texts of a family, in the terminal."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import click

from dtbuild.errors import UserError


@click.command("show")
@click.argument("cohort", type=click.Path(path_type=Path))
@click.argument("name", required=False, metavar="[RECORDING | FAMILY]")
@click.option(
    "--text", is_flag=True, help="The texts of the family side by side, A | B; a run that has no sound yet will do."
)
@click.option("--events", is_flag=True, help="With --text: what each turn carries for the gold, under it.")
def command(cohort: Path, name: str | None, text: bool, events: bool) -> None:
    """Print the dialogue of RECORDING with the decision chains of its gold.

    With --text, the scripts of a family beside each other: what differs between A and B is marked, and what differs in
    their gold is told below. Without a name, lists what there is to read.
    """
    from dtbuild.release.terminal import wants_color

    width = shutil.get_terminal_size((100, 24)).columns
    color = wants_color(sys.stdout, os.environ)
    if events and not text:
        raise UserError("--events", expected="--text with it", fix="add --text; without it events are always shown")
    if name is None:
        from dtbuild.pipeline.reading import entries
        from dtbuild.release.reading import listing

        click.echo(listing(entries(cohort), cohort, width=width))
    elif text:
        from dtbuild.pipeline.reading import reading
        from dtbuild.release.side_by_side import side_by_side

        click.echo(side_by_side(reading(cohort, name), width=width, color=color, events=events))
    else:
        from dtbuild.release.show import show

        click.echo(show(cohort, name, width=width, color=color))
