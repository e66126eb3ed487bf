"""Aligners by the name a config gives them.

>>> make_aligner("even").name
'even'
"""

from __future__ import annotations

from pathlib import Path

from dtbuild.align.aligner import Aligner
from dtbuild.errors import UnknownName, closest

NAMES = ("viter", "even")
"""`viter` is the aligner; `even` is a stand-in for tests with tones."""


def make_aligner(name: str, model: Path | None = None) -> Aligner:
    """Loads the aligner: `MissingExtra` without its package, `AssetError` without its model, `UnknownName`.

    `model` is an acoustic model in place of ours; `even` has none.
    """
    if name == "viter":
        from dtbuild.align.viter import MODEL, ViterAligner

        return ViterAligner(model or MODEL, threads=1)  # recordings are spread over processes
    if name == "even":
        from dtbuild.align.even import EvenAligner

        return EvenAligner()
    raise _unknown(name)


def fingerprint_of(name: str, model: Path | None = None) -> str:
    """The `fingerprint` that `make_aligner(name, model)` will have, without importing or loading it."""
    if name == "viter":
        from dtbuild.align.viter import MODEL
        from dtbuild.align.viter import fingerprint_of as viter_fingerprint

        return viter_fingerprint(model or MODEL)
    if name == "even":
        from dtbuild.align.even import EvenAligner

        return EvenAligner.fingerprint
    raise _unknown(name)


def check_files(name: str) -> None:
    """Raises `AssetError` where a file that comes with the aligner is not as it was made; loads no model."""
    if name == "viter":
        from dtbuild.align.viter import check_files as check_viter

        check_viter()


def _unknown(name: str) -> UnknownName:
    return UnknownName(f"aligner {name!r}", expected=closest(name, NAMES), fix="correct align.aligner")
