"""A cohort folder: what lies where, and when a piece of work counts as done.

    run.json                     what this folder is: the resolved config and its fingerprint
    work/<stage>/<key>.json      one item a unit of work (plus .wav and .TextGrid files beside them)
    release/                     the released cohort

An item file holds the record, the digest of the inputs it was made from (`inputs`) and the digest of the record
as made (`made`). The item is done while its inputs are unchanged; a record that no longer has the digest it was
made with was edited by a person, is kept, and everything made from it is made again.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec

from dtbuild.boundary import load, parse
from dtbuild.errors import FolderError
from dtbuild.fingerprint import digest
from dtbuild.pipeline.config import Config
from dtbuild.store import write_json

T = TypeVar("T")


class Item(NamedTuple, Generic[T]):
    """A record read from the folder; `edited` says a person changed it after it was made."""

    record: T
    edited: bool


class RunFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`run.json`: `fingerprint` identifies everything but the number of groups."""

    format: str = "dtbuild.run/1"
    kind: str
    fingerprint: str
    config: Config


class Folder:
    """Paths and items of one cohort folder."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.release = root / "release"

    def path(self, stage: str, key: str, suffix: str = ".json") -> Path:
        return self.root / "work" / stage / f"{key}{suffix}"

    def read(self, stage: str, key: str, kind: type[T], inputs: str) -> Item[T] | None:
        """The item, or None when it is not there or its inputs have changed and nobody edited it.

        Raises FormatError naming the file and its faults when it cannot be read.
        """
        path = self.path(stage, key)
        if not path.is_file():
            return None
        stored = load(path, _Stored)
        record = parse(bytes(stored.record), kind, str(path))
        edited = digest(record) != stored.made
        if stored.inputs != inputs and not edited:
            return None
        return Item(record, edited)

    def write(self, stage: str, key: str, record: Any, inputs: str) -> None:
        """Store a record as done for these inputs; whole or not at all."""
        body = msgspec.Raw(msgspec.json.encode(record))
        write_json(self.path(stage, key), _Stored(inputs=inputs, made=digest(record), record=body))

    def claim(self, config: Config, fingerprint: str) -> None:
        """Make the folder this config's, or raise FolderError when it is another's or holds something else."""
        path = self.root / "run.json"
        if path.is_file():
            found = load(path, RunFile)
            if found.fingerprint != fingerprint:
                raise FolderError(
                    f"folder {self.root}",
                    expected=f"config {fingerprint[:12]}",
                    found=f"config {found.fingerprint[:12]} ({_differences(found.config, config)})",
                    fix="choose another folder with --out, or run with the config it was made with",
                )
            if found.config.groups == config.groups:
                return
        elif self.root.is_dir() and any(entry.name != ".lock" for entry in self.root.iterdir()):
            raise FolderError(
                f"folder {self.root}",
                expected="an empty folder or a cohort",
                found="other files",
                fix="choose another with --out",
            )
        write_json(path, RunFile(kind=config.kind, fingerprint=fingerprint, config=config))


class _Stored(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    format: str = "dtbuild.item/1"
    inputs: str
    made: str
    record: msgspec.Raw


def _differences(old: Config, new: Config) -> str:
    before, after = _flat(msgspec.to_builtins(old)), _flat(msgspec.to_builtins(new))
    changed = [
        f"{key}: {before.get(key)} there, {after.get(key)} here"
        for key in sorted(before.keys() | after.keys())
        if before.get(key) != after.get(key) and key != "groups"
    ]
    return ", ".join(changed[:5]) or "the blueprint, the voices or dtbuild itself changed"


def _flat(value: Any, prefix: str = "") -> dict[str, Any]:
    if not isinstance(value, dict):
        return {prefix: value}
    return {
        path: leaf
        for key, inner in value.items()
        for path, leaf in _flat(inner, f"{prefix}.{key}" if prefix else key).items()
    }
