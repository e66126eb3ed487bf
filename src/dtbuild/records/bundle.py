"""What a release is built from: everything about each recording, and how the cohort was made.

Never written as they are; `dtbuild.records.cohort` has the files of a release.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from dtbuild.records.cohort import AssetNote, EngineNote, Withheld
from dtbuild.records.evidence import EventEvidence
from dtbuild.records.plan import Plan
from dtbuild.records.script import Script
from dtbuild.records.sound import Timeline, Voice
from dtbuild.records.variant import VariantKind
from dtbuild.records.verdict import Verdict


class Bundle(msgspec.Struct, frozen=True, kw_only=True):
    """Everything about one recording. `plan` is that of its own variant, `verdicts` are about its text.

    `voices` maps person id to voice id; `factor` is the declared change of a variant B.
    """

    recording: str
    plan: Plan
    script: Script
    verdicts: tuple[Verdict, ...]
    timeline: Timeline
    evidence: tuple[EventEvidence, ...]
    voices: dict[str, str]
    wav: Path
    textgrid: Path
    factor: VariantKind | None = None

    @property
    def variant(self) -> str:
        return self.recording.rsplit("-", 1)[1]


class RunInfo(msgspec.Struct, frozen=True, kw_only=True):
    """How a cohort was made. `config` is resolved: every setting that decides content, none that does not
    (job count, folders). `voices` are the population; the manifest keeps those that were cast. `aligner` is None
    where nothing was aligned."""

    config: dict[str, Any]
    seed: int
    engine: EngineNote
    aligner: EngineNote | None
    assets: tuple[AssetNote, ...]
    voices: tuple[Voice, ...]
    withheld: tuple[Withheld, ...] = ()
    kind: str = "decision_trace"
