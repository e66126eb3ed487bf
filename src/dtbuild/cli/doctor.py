"""`dtbuild doctor`: which engines can run here."""

from __future__ import annotations

import click


@click.command("doctor")
def command() -> None:
    """List every speech engine and aligner, whether it can run here, and what to install if not."""
    from dtbuild.pipeline.engines import reports

    for kind, report in reports():
        state = "runs here" if report.can_run else "cannot run"
        notes = "; ".join(part for part in (report.why_not, report.install and f"next: {report.install}") if part)
        click.echo(f"{kind:<8} {report.name:<10} {state:<11} {notes}".rstrip())
