"""A range of the wrong length was named with a stray backtick and a repeat of the path: gold.events`: …"""

from __future__ import annotations

from pathlib import Path

import pytest

from dtbuild.errors import SettingsError
from dtbuild.pipeline.config import load_config


def test_a_range_of_the_wrong_length_is_named_by_its_key(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("scenario: supply_chain\ngold: {events: [1, 2, 3]}\n", "utf-8")
    with pytest.raises(SettingsError, match=r"line 2, gold\.events: Expected `array` of length 2, got 3;"):
        load_config(path)
