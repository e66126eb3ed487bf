"""Says which engines can run on this machine, and what to install for those that cannot."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable

import msgspec

from dtbuild.errors import UserError
from dtbuild.speech.assets import kokoro_files
from dtbuild.speech.kokoro import fingerprint

PACKAGES = ("onnxruntime", "pypinyin", "jieba", "numpy", "soundfile", "pyloudnorm", "scipy", "soxr")


class EngineReport(msgspec.Struct, frozen=True, kw_only=True):
    """One engine: whether it can run here, why not, and what to do about it."""

    name: str
    can_run: bool
    why_not: str = ""
    install: str = ""


def doctor() -> tuple[EngineReport, ...]:
    """A report for each engine; loads no model and raises nothing a user could mend.

    >>> [report.name for report in doctor()]
    ['kokoro', 'tone', 'cosyvoice']
    """
    return (
        _report("kokoro", _kokoro),
        EngineReport(name="tone", can_run=True, why_not="a stand-in for tests: tones, no speech"),
        EngineReport(
            name="cosyvoice",
            can_run=False,
            why_not="no adapter in this version",
            install="nothing to install: use kokoro",
        ),
    )


def _kokoro() -> None:
    fingerprint()
    kokoro_files()


def _report(name: str, probe: Callable[[], None]) -> EngineReport:
    missing = [package for package in PACKAGES if importlib.util.find_spec(package) is None]
    if missing:
        return EngineReport(
            name=name,
            can_run=False,
            why_not=f"packages not installed: {', '.join(missing)}",
            install="pip install 'dtbuild[speech]', then dtbuild assets",
        )
    try:
        probe()
    except UserError as error:
        return EngineReport(name=name, can_run=False, why_not=str(error), install="dtbuild assets")
    return EngineReport(name=name, can_run=True)
