"""`dtbuild show`: read one recording in the terminal."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import click


@click.command("show")
@click.argument("cohort", type=click.Path(path_type=Path))
@click.argument("recording")
def command(cohort: Path, recording: str) -> None:
    """Print the dialogue of RECORDING with the decision chains of its gold."""
    from dtbuild.release.show import show
    from dtbuild.release.terminal import wants_color

    width = shutil.get_terminal_size((100, 24)).columns
    click.echo(show(cohort, recording, width=width, color=wants_color(sys.stdout, os.environ)))
