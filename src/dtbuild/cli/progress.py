"""Progress of a run: a bar a stage on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
from typing import Any

import click


class Progress:
    """Told by the pipeline when a stage begins, when an item is done, and when the stage ends."""

    def __init__(self) -> None:
        self._bar: Any = None
        self._stage, self._unit, self._total, self._done, self._made, self._left = "", "", 0, 0, 0, 0

    def begin(self, stage: str, total: int, unit: str) -> None:
        self._stage, self._unit, self._total, self._done, self._made, self._left = stage, unit, total, 0, 0, 0
        if sys.stderr.isatty():
            from tqdm import tqdm

            self._bar = tqdm(total=total, desc=f"{stage:<9}", unit=f" {unit}", disable=None, dynamic_ncols=True)

    def step(self, *, made: bool) -> None:
        """One item is done; `made` is False when it was there already.

        What there is to do is told when the first one is made: those that are there come before it.
        """
        if made and not self._made:
            self._left = self._total - self._done
            if self._bar is None and self._left > 20:
                kept = f", {self._done} there" if self._done else ""
                click.echo(f"{self._stage}: {self._left} {self._unit} to do{kept}", err=True)
        self._done += 1
        self._made += made
        if self._bar is not None:
            self._bar.update(1)
        elif made and self._left > 20 and self._made * 4 // self._left > (self._made - 1) * 4 // self._left:
            click.echo(f"{self._stage}: {self._made}/{self._left}", err=True)

    def end(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None
        else:
            of = f" of {self._total}" if self._done < self._total else ""
            kept = self._done - self._made
            click.echo(f"{self._stage}: {self._done}{of} done ({self._made} made, {kept} kept)", err=True)
