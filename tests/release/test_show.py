from __future__ import annotations

from pathlib import Path

import pytest

from dtbuild.errors import UnknownName
from dtbuild.records.cohort import Manifest
from dtbuild.release.show import show
from dtbuild.release.terminal import cells


@pytest.mark.parametrize("width", [60, 80, 120])
def test_fits(released: tuple[Path, Manifest], width: int) -> None:
    root, manifest = released
    for entry in manifest.recordings:
        text = show(root, entry.recording, width=width)
        print(text)
        assert max(map(cells, text.splitlines())) <= width
        assert "\x1b" not in text
