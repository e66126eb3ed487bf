"""The table of likeness as a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from dtbuild.errors import AssetError
from dtbuild.fingerprint import sha256_file
from dtbuild.speech.similarity import FORMAT, load_similarity


def written(path: Path, text: str) -> str:
    path.write_text(text, "utf-8")
    return sha256_file(path)


def test_a_table_is_read_in_thousandths_and_either_order(tmp_path: Path) -> None:
    path = tmp_path / "t.tsv"
    table = load_similarity(path, written(path, f"# {FORMAT}\n# how\na\ta\t0.950\na\tb\t0.920\nb\tb\t0.949\n"))
    assert table.likeness("b", "a") == 920 and table.margin("a", "b") == 29
    assert not table.apart("a", "b")
    assert table.missing(["a", "b", "c"]) == [("a", "c"), ("b", "c"), ("c", "c")]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a\tb\t0.9\n", "line 1"),
        ("", "line 1"),
        (f"# {FORMAT}\na\tb\n", "line 2"),
        (f"# {FORMAT}\n# x\na\tb\thigh\n", "line 3"),
    ],
)
def test_what_cannot_be_read_is_named(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "t.tsv"
    with pytest.raises(AssetError, match=said):
        load_similarity(path, written(path, text))


def test_a_missing_or_changed_table_is_named(tmp_path: Path) -> None:
    path = tmp_path / "t.tsv"
    with pytest.raises(AssetError, match=r"t\.tsv.*no file"):
        load_similarity(path, "0" * 64)
    path.write_text(f"# {FORMAT}\n", "utf-8")
    with pytest.raises(AssetError, match="sha256 000000000000"):
        load_similarity(path, "0" * 64)
