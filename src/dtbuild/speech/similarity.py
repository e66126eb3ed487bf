"""How alike the voices of a population are: the stored table that casting reads.

Likeness is the mean cosine of speaker embeddings over pairs of different sentences, in thousandths: of two voices with
one sentence by each, of a voice to itself with both by it. So two voices are told apart as surely as likeness(a, b)
lies under what each has to itself. `scripts/choose_voices.py` measures and writes the table; nothing here embeds.

>>> table = Similarity({("f01", "f01"): 930, ("f01", "f02"): 900, ("f02", "f02"): 950})
>>> table.margin("f02", "f01"), table.apart("f01", "f02")
(30, True)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations_with_replacement
from pathlib import Path

from dtbuild.errors import AssetError
from dtbuild.fingerprint import sha256_file

FORMAT = "dtbuild.similarity/1"
MARGIN = 30
"""Thousandths by which two voices of one cast are less alike than each is to itself."""

_FIX = "restore the file, or measure it again: scripts/choose_voices.py"


class Similarity:
    """Likeness of every pair of voices, by ids in either order; thousandths of a cosine."""

    def __init__(self, pairs: Mapping[tuple[str, str], int]) -> None:
        self._pairs = {**pairs, **{(b, a): value for (a, b), value in pairs.items()}}

    def likeness(self, one: str, other: str) -> int:
        """Raises KeyError for a voice that was not measured."""
        return self._pairs[one, other]

    def margin(self, one: str, other: str) -> int:
        """How much less alike two voices are than each is to itself; negative where they are more alike."""
        return min(self._pairs[one, one], self._pairs[other, other]) - self._pairs[one, other]

    def apart(self, one: str, other: str) -> bool:
        return self.margin(one, other) >= MARGIN

    def missing(self, ids: Iterable[str]) -> list[tuple[str, str]]:
        """Pairs of these voices that the table lacks."""
        return [pair for pair in combinations_with_replacement(list(ids), 2) if pair not in self._pairs]


def load_similarity(path: Path, sha256: str) -> Similarity:
    """The table of a file: lines of `one other likeness` parted by tabs, comments with #, the format first.

    Raises `AssetError` when it is missing, is not the one its population was chosen by, or cannot be read.
    """
    require_whole(path, sha256)
    first, *rest = path.read_text("utf-8").splitlines() or [""]
    if first != f"# {FORMAT}":
        raise AssetError(f"table {path}", expected=f"# {FORMAT} in line 1", found=repr(first[:40]), fix=_FIX)
    pairs: dict[tuple[str, str], int] = {}
    for number, line in enumerate(rest, start=2):
        if line.startswith("#"):
            continue
        try:
            one, other, likeness = line.split("\t")
            pairs[one, other] = round(float(likeness) * 1000)
        except ValueError as error:
            raise AssetError(
                f"table {path}", expected="two ids and a number, parted by tabs", found=f"line {number}: {line[:40]!r}",
                fix=_FIX,
            ) from error  # fmt: skip
    return Similarity(pairs)


def require_whole(path: Path, sha256: str) -> None:
    """Raises `AssetError` unless the file is there and is the one its population was written with."""
    found = f"sha256 {sha256_file(path)[:12]}…" if path.is_file() else "no file"
    if found != (expected := f"sha256 {sha256[:12]}…"):
        raise AssetError(f"file {path}", expected=expected, found=found, fix=_FIX)
