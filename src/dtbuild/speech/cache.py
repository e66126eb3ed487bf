"""Where fetched files live, and the proof that they are whole.

A file is trusted when its size and modification time are those of the moment its sha256 was last checked (the
stamp beside it); otherwise it is hashed again. So a check costs microseconds in every run and a truncated,
changed or replaced file is still seen.
"""

from __future__ import annotations

import os
from pathlib import Path

import msgspec

from dtbuild.errors import AssetError
from dtbuild.fingerprint import sha256_file
from dtbuild.store import write_json

FIX = "run: dtbuild assets"
STAMP = "stamp.json"


class FileStamp(msgspec.Struct, frozen=True):
    """What a file was when its sha256 was checked."""

    sha256: str
    size: int
    mtime_ns: int


Stamp = dict[str, FileStamp]


def cache_folder() -> Path:
    """`$DTBUILD_CACHE`, else `$XDG_CACHE_HOME/dtbuild`, else `~/.cache/dtbuild`; it need not exist."""
    if own := os.environ.get("DTBUILD_CACHE"):
        return Path(own).expanduser()
    if shared := os.environ.get("XDG_CACHE_HOME"):
        return Path(shared).expanduser() / "dtbuild"
    return Path.home() / ".cache" / "dtbuild"


def read_stamp(folder: Path) -> Stamp:
    """The stamp of a folder; empty when there is none or it cannot be read."""
    try:
        return msgspec.json.decode((folder / STAMP).read_bytes(), type=Stamp)
    except (OSError, msgspec.DecodeError):
        return {}


def stamp_files(folder: Path, sums: dict[str, str]) -> None:
    """Record that the named files of a folder have these sha256 sums now; other entries stay."""
    stamp = read_stamp(folder)
    for name, sha256 in sums.items():
        state = (folder / name).stat()
        stamp[name] = FileStamp(sha256, state.st_size, state.st_mtime_ns)
    write_json(folder / STAMP, stamp)


def trouble(folder: Path, name: str, sha256: str | None) -> str | None:
    """What is wrong with a file, or None; `sha256` None stands for the sum its stamp recorded when it was made.

    A file that proves whole after its times changed gets a fresh stamp, where the folder can be written.
    """
    path = folder / name
    known = read_stamp(folder).get(name)
    wanted = sha256 or (known.sha256 if known else None)
    try:
        state = path.stat()
    except OSError:
        return "missing"
    if wanted is None:
        return "without a record of its sha256"
    if known and known.sha256 == wanted and (state.st_size, state.st_mtime_ns) == (known.size, known.mtime_ns):
        return None
    found = sha256_file(path)
    if found != wanted:
        return f"corrupt ({state.st_size} bytes, sha256 {found[:12]}…, not {wanted[:12]}…)"
    if os.access(folder, os.W_OK):
        stamp_files(folder, {name: wanted})
    return None


def require(folder: Path, name: str, sha256: str | None = None) -> Path:
    """Path of a whole file. Raises `AssetError` naming what is wrong and the command that mends it."""
    if (what := trouble(folder, name, sha256)) is not None:
        raise AssetError(f"file {folder / name}", expected="a whole file", found=what, fix=FIX)
    return folder / name
