"""`dtbuild scenarios`: what there is to generate from."""

from __future__ import annotations

import click


@click.command("scenarios")
@click.argument("blueprint", required=False)
def command(blueprint: str | None) -> None:
    """List the shipped scenarios, or check one BLUEPRINT by name or path (worked examples included)."""
    from dtbuild.blueprint.load import load
    from dtbuild.resources import names

    for name in [blueprint] if blueprint else names("blueprints"):
        scenario = load(name)
        sizes = sorted({len(cast.roles) for cast in scenario.casts})
        click.echo(
            f"{scenario.id}  {scenario.title}  {len(scenario.fields)} fields, {len(scenario.scopes)} scopes, "
            f"{len(scenario.obstacles)} obstacles, {sizes[0]}–{sizes[-1]} speakers"
        )
