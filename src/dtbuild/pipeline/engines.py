"""Every engine and aligner, and whether it can run on this machine."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator

from dtbuild.align.make import fingerprint_of
from dtbuild.errors import UserError
from dtbuild.speech.doctor import EngineReport, doctor


def reports() -> Iterator[tuple[str, EngineReport]]:
    """(kind, report) of each; loads no model."""
    for report in doctor():
        yield "speech", report
    yield "aligner", _viter()
    yield "aligner", EngineReport(name="even", can_run=True, why_not="a stand-in for tests: equal shares, no alignment")
    yield "aligner", EngineReport(name="mfa", can_run=False, why_not="no adapter in this version")


def _viter() -> EngineReport:
    missing = [name for name in ("viter", "praatio", "soundfile", "numpy") if importlib.util.find_spec(name) is None]
    if missing:
        why = f"packages not installed: {', '.join(missing)}"
        return EngineReport(name="viter", can_run=False, why_not=why, install="pip install 'dtbuild[align]'")
    try:
        fingerprint_of("viter")
    except UserError as error:
        return EngineReport(name="viter", can_run=False, why_not=str(error), install="reinstall dtbuild")
    return EngineReport(name="viter", can_run=True)
