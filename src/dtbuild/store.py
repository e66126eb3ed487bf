"""Durable files: what is there is whole, and what is there is done.

A file is written beside its place under a temporary name, flushed to disk, then renamed; a kill at any moment
leaves the old file or the complete one. Files on disk decide progress (no ledger to disagree with them).
Temporary names start with `.tmp-` and are swept when a run opens its folder.
"""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from dtbuild.errors import FolderError, StorageError

LOCK = ".lock"
_TEMPORARY = ".tmp-"


def is_temporary(name: str) -> bool:
    """Whether a file name is one that only an unfinished write has."""
    return name.startswith(_TEMPORARY)


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file whole or not at all. Raises StorageError naming the file when the disk is full or read-only."""
    with placing(path) as temporary:
        temporary.write_bytes(data)


def write_json(path: Path, value: Any) -> None:
    """Write a record as `readable` JSON."""
    write_bytes(path, readable(value))


def readable(value: Any) -> bytes:
    """A record as indented JSON with sorted keys: made to be read and edited by people."""
    return msgspec.json.format(msgspec.json.encode(value, order="sorted"), indent=1) + b"\n"


@contextmanager
def placing(path: Path) -> Iterator[Path]:
    """A temporary path beside `path` for a writer that needs a file name; moved into place on success."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=_TEMPORARY, suffix=path.suffix, dir=path.parent)
        os.close(handle)
    except OSError as error:
        raise _storage(path, error) from error
    temporary = Path(name)
    try:
        yield temporary
        temporary.chmod(0o644)
        with temporary.open("rb") as file:
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError as error:
        raise _storage(path, error) from error
    finally:
        temporary.unlink(missing_ok=True)


def sweep(folder: Path) -> None:
    """Remove temporary files and folders that a killed run left behind."""
    for path in list(folder.rglob(f"{_TEMPORARY}*")):
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold a folder for one run; the lock falls with the process.

    Raises FolderError when another run has it or it cannot be made or written, StorageError when the disk is full.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = (folder / LOCK).open("a+")
    except OSError as error:
        fault = _storage(folder, error)
        if error.errno in _FULL:
            raise fault from error
        raise FolderError(
            f"folder {folder}", expected="one that can be written", found=fault.found, fix=_ELSEWHERE
        ) from error
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise FolderError(
                f"folder {folder}",
                found="another run is working in it",
                fix="wait for that run, or choose another folder with --out",
            ) from error
        yield


_FULL = {
    errno.ENOSPC: "a full disk",
    errno.EDQUOT: "an exhausted quota",
}
_CLOSED = {
    errno.EROFS: "a read-only file system",
    errno.EACCES: "no permission to write",
    errno.EPERM: "no permission to write",
}
_ELSEWHERE = "choose another folder with --out"


def _storage(path: Path, error: OSError) -> StorageError:
    what, code = f"cannot write {path}", error.errno or 0
    if code in _FULL:
        return StorageError(what, found=_FULL[code], fix="free some space and run the same command again: it resumes")
    if code in _CLOSED:
        return StorageError(what, found=_CLOSED[code], fix=_ELSEWHERE)
    return StorageError(what, found=error.strerror or str(error), fix="mend this and run again: it resumes")
