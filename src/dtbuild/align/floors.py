"""Floors of the gate "align", as calibrated on takes that are known to be right.

`scripts/calibrate_aligner.py` writes them beside the model: for every figure the value that a share `quantile` of
right takes would miss, after voices that took no part in making the tables. `dtbuild.align.plausibility` uses them.
"""

from __future__ import annotations

import functools
import math
from pathlib import Path

import msgspec

from dtbuild.align.tables import load_table

FORMAT = "dtbuild.floors/1"
TABLES = Path(__file__).parent / "model" / "mandarin.viter"
"""The model whose neighbours are score table, reading table and floors."""
WINDOW = 3
"""Characters of a window of `fits`."""


class Floors(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A turn of n characters scores at least score − slack / √n, and so does any `WINDOW` of it at least `window`;
    a slip gains at most `skipped` or `repeated`."""

    format: str = FORMAT
    quantile: float
    takes: int
    score: float
    slack: float
    window: float
    skipped: float
    repeated: float

    def least_score(self, characters: int) -> float:
        """Least score of a turn of so many characters: the mean of few phones may fall lower."""
        return self.score - self.slack / math.sqrt(max(1, characters))


@functools.cache
def floors(path: Path | None = None) -> Floors:
    """The floors of a file, ours by default; raises `AssetError` if it is missing, broken or of another format."""
    path = path or TABLES.with_suffix(".floors.json")
    return load_table("floors", path, Floors, FORMAT, script="scripts/calibrate_aligner.py")[0]
