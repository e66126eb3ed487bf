"""Who is told how a run goes, and the count of what it made.

>>> watcher = Counting(Silent())
>>> with watcher.stage("gold", 2, "families") as step:
...     step(made=True)
...     step(made=False)
>>> watcher.made
1
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol


class Progress(Protocol):
    """Told what happens; `dtbuild.cli.progress` draws it."""

    def begin(self, stage: str, total: int, unit: str) -> None: ...
    def step(self, *, made: bool) -> None: ...
    def end(self) -> None: ...


class Silent:
    """Progress that nobody watches."""

    def begin(self, stage: str, total: int, unit: str) -> None:
        pass

    def step(self, *, made: bool) -> None:
        pass

    def end(self) -> None:
        pass


class Step(Protocol):
    """Called for each item that is done; `made` says how much of it was not there already (a bool: all or nothing)."""

    def __call__(self, *, made: int) -> None: ...


class Counting:
    """Passes on to a watcher and counts, in `made`, the items that were not there before."""

    def __init__(self, watcher: Progress) -> None:
        self.made = 0
        self._watcher = watcher

    @contextmanager
    def stage(self, name: str, total: int, unit: str) -> Iterator[Step]:
        """One stage: the watcher sees its end however it ends, so that no bar is left open."""
        self._watcher.begin(name, total, unit)
        try:
            yield self._step
        finally:
            self._watcher.end()

    def _step(self, *, made: int) -> None:
        self.made += made
        self._watcher.step(made=made > 0)
