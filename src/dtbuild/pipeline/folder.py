"""A cohort folder: what lies where, and when a piece of work counts as done.

    run.json                     what this folder is: the resolved config and its fingerprint
    work/<stage>/<key>.json      one item a unit of work (plus .wav and .TextGrid files beside them)
    release/                     the released cohort

An item file holds the record, the digest of the inputs it was made from (`inputs`), the digest of the record as
made (`made`) and the sha256 of the files beside it (`files`). The item is done while all of them hold. Plans and
scripts may be edited by a person: a record that no longer has the digest it was made with is kept, and everything
made from it is made again. Everything else is derived, and made again when anything about it does not hold.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec

from dtbuild.boundary import load, parse
from dtbuild.errors import FolderError, FormatError
from dtbuild.fingerprint import digest, sha256_file
from dtbuild.pipeline.config import Config
from dtbuild.store import LOCK, is_temporary, readable, write_bytes, write_json

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
        """A text item, or None when it is not there or its inputs have changed and nobody edited it.

        Raises FormatError naming the file and its faults when it cannot be read.
        """
        found = self._stored(stage, key, kind)
        if found is None or (found[1] != inputs and not found[0].edited):
            return None
        return found[0]

    def stored(self, stage: str, key: str, kind: type[T]) -> Item[T] | None:
        """An item as it lies there, whatever it was made from: for reading, not for going on. Raises as `read` does."""
        found = self._stored(stage, key, kind)
        return found[0] if found else None

    def derived(self, stage: str, key: str, kind: type[T], inputs: str) -> T | None:
        """A derived item with all its files, or None when it is to be made (again): absent, stale or damaged."""
        path = self.path(stage, key)
        try:
            stored = load(path, _Stored)
            record = parse(bytes(stored.record), kind, str(path))
        except FormatError:
            return None
        whole = stored.inputs == inputs and digest(record) == stored.made
        return record if whole and all(self._holds(stage, key, *file) for file in stored.files.items()) else None

    def write(self, stage: str, key: str, record: Any, inputs: str, *, beside: Sequence[str] = ()) -> None:
        """Store a record as done for these inputs; whole or not at all.

        `beside`: suffixes of the files that belong to it and lie at `path(stage, key, suffix)` already.
        """
        files = {suffix: sha256_file(self.path(stage, key, suffix)) for suffix in beside}
        self.place(stage, key, self.packed(record, inputs, files))

    def packed(self, record: Any, inputs: str, files: Mapping[str, str] = {}) -> bytes:
        """The item file of a record made for these inputs; `files`: sha256 by suffix of what lies beside it."""
        body = msgspec.Raw(msgspec.json.encode(record))
        return readable(_Stored(inputs=inputs, made=digest(record), files=dict(files), record=body))

    def place(self, stage: str, key: str, item: bytes) -> None:
        """Store an item file; whole or not at all."""
        write_bytes(self.path(stage, key), item)

    def _stored(self, stage: str, key: str, kind: type[T]) -> tuple[Item[T], str] | None:
        """An item with the digest of the inputs it was made from."""
        path = self.path(stage, key)
        if not path.is_file():
            return None
        try:
            stored = load(path, _Stored)
            record = parse(bytes(stored.record), kind, str(path))
        except FormatError as error:
            fix = "restore the file, or delete it: it is made again"
            raise FormatError(error.what, expected=error.expected, found=error.found, fix=fix) from error
        return Item(record, digest(record) != stored.made), stored.inputs

    def _holds(self, stage: str, key: str, suffix: str, sha256: str) -> bool:
        path = self.path(stage, key, suffix)
        return path.is_file() and sha256_file(path) == sha256

    def check(self, config: Config, fingerprint: str) -> bool:
        """Whether the folder holds this config's cohort already; False for one to be made. Writes nothing.

        Raises FolderError when it is no folder, another config's, or holds something else.
        """
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
            return True
        if self.root.exists() and not self.root.is_dir():
            raise FolderError(
                f"folder {self.root}", expected="a folder", found="a file", fix="choose another with --out"
            )
        # a run that was killed before its first file was in place leaves a lock and perhaps a temporary file
        entries = [entry.name for entry in self.root.iterdir()] if self.root.is_dir() else []
        foreign = sorted(name for name in entries if name != LOCK and not (LOCK in entries and is_temporary(name)))
        if foreign:
            raise FolderError(
                f"folder {self.root}",
                expected="an empty folder or a cohort",
                found=f"other files: {', '.join(foreign[:3])}{', …' if len(foreign) > 3 else ''}",
                fix="choose another with --out",
            )
        return False

    def claim(self, config: Config, fingerprint: str) -> None:
        """Make the folder this config's; raises as `check` does. Remembers the number of groups last asked for."""
        path = self.root / "run.json"
        if not self.check(config, fingerprint) or load(path, RunFile).config != config:
            write_json(path, RunFile(kind=config.kind, fingerprint=fingerprint, config=config))


class _Stored(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    format: str = "dtbuild.item/1"
    inputs: str
    made: str
    files: dict[str, str] = {}
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
