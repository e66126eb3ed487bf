"""The tables beside an acoustic model: read once, refused by name when they are missing, broken or of another format."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Protocol, TypeVar

import msgspec

from dtbuild.errors import AssetError


class Table(Protocol):
    @property
    def format(self) -> str: ...


T = TypeVar("T", bound=Table)


def load_table(what: str, path: Path, kind: type[T], format: str, *, script: str) -> tuple[T, str]:
    """The table in a JSON file and the file's sha256; `script` is what makes it. Raises `AssetError`."""
    fix = f"reinstall dtbuild, or run {script}"
    try:
        data = path.read_bytes()
        table = msgspec.json.decode(data, type=kind)
    except (OSError, msgspec.DecodeError) as error:
        raise AssetError(f"{what} {path}", found=str(error), fix=fix) from error
    if table.format != format:
        raise AssetError(f"{what} {path}", expected=format, found=table.format, fix=fix)
    return table, hashlib.sha256(data).hexdigest()
