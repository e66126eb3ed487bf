"""Shipped data is found by name, files by path; whatever else is asked for is refused with the closest names."""

from __future__ import annotations

from pathlib import Path

import pytest

from dtbuild.errors import UnknownName
from dtbuild.resources import find, names, text
from dtbuild.speech.casting import load_voices


def test_every_name_of_a_population_is_one() -> None:
    assert "kokoro" in names("voices")
    assert all(load_voices(name) for name in names("voices"))


def test_names_and_paths(tmp_path: Path) -> None:
    assert find("blueprints", "supply_chain").name == "supply_chain.yaml"
    own = tmp_path / "own.yml"
    own.write_text("a: 1")
    assert find("blueprints", own) == own
    assert "{" in text("data_card.md")


@pytest.mark.parametrize("name", ["", ".", "..", "../voices/kokoro", "supply_chain.yml", "/etc/passwd", "供应链"])
def test_what_is_not_there(name: str) -> None:
    with pytest.raises(UnknownName, match="next: "):
        find("blueprints", name)
