"""Items are done while their inputs are unchanged; edits are seen; a folder belongs to one config."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from dtbuild.errors import FolderError, FormatError
from dtbuild.pipeline.config import Config
from dtbuild.pipeline.folder import Folder
from dtbuild.records.spoken import SpokenChar

CHAR = SpokenChar("好", "hao3", 0, 0, 1)
CONFIG = Config(scenario="supply_chain")


def test_an_item_is_done_for_its_inputs_alone(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    assert folder.read("script", "k", SpokenChar, "i1") is None
    folder.write("script", "k", CHAR, "i1")
    item = folder.read("script", "k", SpokenChar, "i1")
    assert item is not None and item.record == CHAR and not item.edited
    assert folder.read("script", "k", SpokenChar, "i2") is None


def test_an_edited_item_is_kept_and_seen(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    folder.write("script", "k", CHAR, "i1")
    path = folder.path("script", "k")
    stored = json.loads(path.read_bytes())
    stored["record"]["hanzi"] = "行"
    path.write_text(json.dumps(stored, ensure_ascii=False), "utf-8")
    for inputs in ("i1", "i2"):
        item = folder.read("script", "k", SpokenChar, inputs)
        assert item is not None and item.edited and item.record.hanzi == "行"


@pytest.mark.parametrize("damage", [b"", b"{", b'{"format": "dtbuild.item/1"}', b'{"format": "dtbuild.item/9"}'])
def test_a_damaged_item_is_named(tmp_path: Path, damage: bytes) -> None:
    folder = Folder(tmp_path)
    folder.write("script", "k", CHAR, "i")
    folder.path("script", "k").write_bytes(damage)
    with pytest.raises(FormatError, match=r"script/k\.json"):
        folder.read("script", "k", SpokenChar, "i")


def test_a_folder_belongs_to_one_config(tmp_path: Path) -> None:
    folder = Folder(tmp_path / "c")
    folder.claim(CONFIG, "f" * 64)
    folder.claim(msgspec.structs.replace(CONFIG, groups=9), "f" * 64)
    with pytest.raises(FolderError, match=r"seed: 20260131 there, 7 here"):
        folder.claim(msgspec.structs.replace(CONFIG, seed=7), "0" * 64)


def test_a_folder_with_other_files_is_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.doc").write_text("x")
    with pytest.raises(FolderError, match="other files"):
        Folder(tmp_path).claim(CONFIG, "f" * 64)
    assert (tmp_path / "thesis.doc").read_text() == "x"
