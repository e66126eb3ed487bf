"""Phrase banks: named lists of compiled entries, general ones shipped here, a scenario's own in its blueprint.

In a bank file each key is a bank and each line of its block is one entry of `dtbuild.script.template`:

    note: |
      嗯，[我先记着|记下了]。
      @client 行，{you}先记上。

A scenario's banks of the same name are added to the general ones (`dtbuild.script.phrasebook`).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from dtbuild.errors import BlueprintError
from dtbuild.script.template import Entry, compile_entry
from dtbuild.settings import load_yaml

_FOLDER = Path(__file__).with_name("banks")


def compile_lines(lines: str | Iterable[str]) -> tuple[Entry, ...]:
    """Entries of a block of lines, or of a list of lines."""
    parts = lines.splitlines() if isinstance(lines, str) else lines
    return tuple(compile_entry(line.strip()) for line in parts if line.strip())


@lru_cache(maxsize=1)
def general() -> dict[str, tuple[Entry, ...]]:
    """The banks every scenario shares."""
    banks: dict[str, tuple[Entry, ...]] = {}
    for path in sorted(_FOLDER.glob("*.yaml")):
        for name, lines in load_yaml(path, error=BlueprintError).data.items():
            if name in banks:
                raise BlueprintError(f"phrase bank {name!r}", found=f"a second one in {path.name}")
            banks[name] = compile_lines(lines)
    return banks
