"""`dtbuild generate`: the main job."""

from __future__ import annotations

from pathlib import Path

import click

from dtbuild.cli.progress import Progress
from dtbuild.pipeline import STAGES, generate, plan_run, resolve


@click.command("generate")
@click.option("--scenario", help="A shipped scenario's name, or the path of a blueprint.")
@click.option("--config", "config_name", help="A shipped config's name, or the path of a config.")
@click.option("--seed", type=click.IntRange(0), help="Seed of the cohort.")
@click.option(
    "--groups", type=click.IntRange(1, 9999), help="Number of families; the config says how many of them are A/B pairs."
)
@click.option(
    "--adapt", is_flag=True, help="Train the aligner on the cohort's own turns (another cohort than without)."
)
@click.option("--until", type=click.Choice(STAGES), help="End after this stage.")
@click.option(
    "--jobs", type=click.IntRange(1), help="Worker processes (default: one a core). Never changes the result."
)
@click.option("--out", type=click.Path(path_type=Path), help="Cohort folder (default: cohorts/<scenario>-s<seed>).")
@click.option("--retry-quarantined", is_flag=True, help="Make takes and alignments that were quarantined again.")
@click.option("--dry-run", is_flag=True, help="Say what would be made; write nothing.")
def command(
    scenario: str | None,
    config_name: str | None,
    seed: int | None,
    groups: int | None,
    adapt: bool,
    until: str | None,
    jobs: int | None,
    out: Path | None,
    retry_quarantined: bool,
    dry_run: bool,
) -> None:
    """Build a cohort: gold, scripts, review, variants, speech, alignment, evidence, release.

    A run can be stopped at any time; the same command resumes it. A complete cohort is left as it is.
    """

    config = resolve(scenario=scenario, config=config_name, seed=seed, groups=groups, adapt=adapt)
    if dry_run:
        click.echo(plan_run(config, out=out, until=until))
        return
    report = generate(config, out=out, until=until, jobs=jobs, retry_quarantined=retry_quarantined, progress=Progress())
    click.echo(report.text())
    report.raise_if_incomplete()
