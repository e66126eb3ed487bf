"""Files are whole or absent, folders belong to one run, and a full disk is named."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from dtbuild.errors import FolderError, StorageError
from dtbuild.store import locked, placing, sweep, write_bytes, write_json


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "a" / "x.json"
    write_json(path, {"b": 1, "a": "二"})
    assert path.read_text("utf-8") == '{\n "a": "二",\n "b": 1\n}\n'
    with pytest.raises(RuntimeError), placing(path) as temporary:
        temporary.write_text("half")
        raise RuntimeError
    assert "二" in path.read_text("utf-8") and list(path.parent.iterdir()) == [path]


def test_a_killed_writer_leaves_no_half_file(tmp_path: Path) -> None:
    code = (
        "import sys, time, pathlib; from dtbuild.store import placing\n"
        "with placing(pathlib.Path(sys.argv[1])) as t:\n t.write_text('half'); print('in', flush=True); time.sleep(60)"
    )
    path = tmp_path / "x.wav"
    process = subprocess.Popen([sys.executable, "-c", code, str(path)], stdout=subprocess.PIPE)
    assert process.stdout and process.stdout.readline() == b"in\n"
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert not path.exists() and len(list(tmp_path.iterdir())) == 1
    sweep(tmp_path)
    assert not list(tmp_path.iterdir())


def test_one_run_a_folder(tmp_path: Path) -> None:
    with locked(tmp_path), pytest.raises(FolderError, match="another run"), locked(tmp_path):
        pass
    with locked(tmp_path):
        pass


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_named(tmp_path: Path) -> None:
    target = tmp_path / "x"
    with pytest.raises(StorageError, match="full disk"), placing(target), open("/dev/full", "wb", buffering=0) as full:
        full.write(b"x")
    assert not target.exists()


def test_a_place_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(StorageError, match="cannot write"):
        write_bytes(tmp_path / "file" / "x", b"")


def test_files_are_readable_by_others(tmp_path: Path) -> None:
    write_bytes(tmp_path / "x", b"1")
    assert (tmp_path / "x").stat().st_mode & 0o777 == 0o644


def test_a_folder_that_cannot_be_written_is_the_users_fault(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    for folder in (tmp_path / "file", tmp_path / "file" / "c"):
        with pytest.raises(FolderError, match=r"expected one that can be written.*--out"), locked(folder):
            pass
