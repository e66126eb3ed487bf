"""Every engine and aligner, whether it can run on this machine, and the check before a run that needs one."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator

from dtbuild.align.make import check_files, fingerprint_of
from dtbuild.errors import AssetError, MissingExtra, UserError
from dtbuild.records.evidence import NO_ALIGNER
from dtbuild.speech.doctor import EngineReport, doctor
from dtbuild.speech.engine import fingerprint_of as engine_fingerprint_of


def reports() -> Iterator[tuple[str, EngineReport]]:
    """(kind, report) of each; loads no model."""
    for report in doctor():
        yield "speech", report
    yield "aligner", _viter()
    yield "aligner", EngineReport(name="even", can_run=True, why_not="a stand-in for tests: equal shares, no alignment")
    yield (
        "aligner",
        EngineReport(
            name="mfa", can_run=False, why_not="no adapter in this version", install="nothing to install: use viter"
        ),
    )


def require(engine: str, aligner: str) -> None:
    """Raises what keeps them from running here: UnknownName, MissingExtra or AssetError; loads no model."""
    engine_fingerprint_of(engine)
    if aligner != NO_ALIGNER:
        fingerprint_of(aligner)
    for kind, report in reports():
        if (kind, report.name) in {("speech", engine), ("aligner", aligner)} and not report.can_run:
            error = MissingExtra if "not installed" in report.why_not else AssetError
            raise error(f"{kind} {report.name}", expected="it to run here", found=report.why_not, fix=report.install)


def _viter() -> EngineReport:
    missing = [name for name in ("viter", "praatio", "soundfile", "numpy") if importlib.util.find_spec(name) is None]
    if missing:
        why = f"packages not installed: {', '.join(missing)}"
        return EngineReport(name="viter", can_run=False, why_not=why, install="pip install 'dtbuild[align]'")
    try:
        fingerprint_of("viter")
        check_files("viter")
    except UserError as error:
        return EngineReport(name="viter", can_run=False, why_not=str(error), install="see above")
    return EngineReport(name="viter", can_run=True)
