"""Finds the data dtbuild ships: blueprints, voices, configs and schemas, in a checkout and in a wheel alike.

>>> "supply_chain" in names("blueprints")
True
"""

from __future__ import annotations

from pathlib import Path

from dtbuild.errors import UnknownName, closest

_PACKAGE = Path(__file__).parent
_CHECKOUT = _PACKAGE.parents[1]


def folder(kind: str) -> Path:
    """The folder of one kind of data (blueprints, voices, configs)."""
    shipped = _PACKAGE / "_data" / kind
    return shipped if shipped.is_dir() else _CHECKOUT / kind


def names(kind: str) -> tuple[str, ...]:
    """Names of the YAML files of a kind, sorted."""
    return tuple(sorted(path.stem for path in folder(kind).glob("*.yaml")))


def find(kind: str, name_or_path: str | Path) -> Path:
    """The YAML file of a shipped name, or the path itself when it names a file.

    Raises UnknownName with the closest names.
    """
    path = Path(name_or_path)
    if path.suffix in {".yaml", ".yml"}:
        if path.is_file():
            return path
        raise UnknownName(f"{kind[:-1]} file {str(path)!r}", found="no such file", fix="check the path")
    if str(name_or_path) in names(kind):
        return folder(kind) / f"{name_or_path}.yaml"
    raise UnknownName(
        f"{kind[:-1]} {str(name_or_path)!r}",
        expected=closest(str(name_or_path), names(kind)),
        fix="name one of these, or give the path of a .yaml file",
    )


def text(name: str) -> str:
    """A single shipped text file by its name at the top level, such as `data_card.md`."""
    shipped = _PACKAGE / "_data" / name
    return (shipped if shipped.is_file() else _CHECKOUT / name).read_text("utf-8")
