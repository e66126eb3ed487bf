"""The main job: ordered stages over one cohort folder, resumable at any point.

What is on disk decides what is left to do, so a run that was stopped, killed or out of disk goes on where it
was; a complete cohort is left as it is. One run at a time works in a folder.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import msgspec

from dtbuild import resources
from dtbuild.blueprint.load import load as load_blueprint
from dtbuild.errors import UnknownName, UserError
from dtbuild.gold.settings import RATES
from dtbuild.pipeline.admission import Outcome, write_texts
from dtbuild.pipeline.config import Config, checked, identity, load_config
from dtbuild.pipeline.desk import Desk, Quarantine
from dtbuild.pipeline.engines import require
from dtbuild.pipeline.folder import Folder
from dtbuild.pipeline.progress import Counting, Progress, Silent
from dtbuild.pipeline.publish import Built, release
from dtbuild.pipeline.report import RunReport
from dtbuild.pipeline.sound import sound
from dtbuild.pipeline.text import TextStages
from dtbuild.records.blueprint import Blueprint
from dtbuild.records.bundle import Bundle
from dtbuild.records.cohort import Withheld
from dtbuild.speech.casting import load_voices
from dtbuild.store import locked, sweep

STAGES = ("gold", "script", "review", "variants", "speech", "align", "evidence", "release")
"""In order. A stage needs every one before it."""

TEXT, SOUND = STAGES[:4], STAGES[4:]

_WORKER_MEMORY = 700 * 2**20


def resolve(
    *,
    scenario: str | None = None,
    config: str | Path | None = None,
    seed: int | None = None,
    groups: int | None = None,
    adapt: bool = False,
) -> Config:
    """The config of a run from what the user named: a scenario, or a config; seed, groups and adapt override it.

    Raises UserError when neither or both are named, UnknownName for a name that is not there.
    """
    if (scenario is None) == (config is None):
        raise UserError(
            "what to generate",
            expected="either --scenario or --config",
            found="both" if scenario else "neither",
            fix=f"--scenario {resources.names('blueprints')[0]}",
        )
    if config is not None:
        base = load_config(config)
    else:
        resources.find("blueprints", scenario or "")
        base = load_config(scenario) if scenario in resources.names("configs") else Config(scenario=scenario or "")
    changes = {key: value for key, value in {"seed": seed, "groups": groups}.items() if value is not None}
    rates = {name: base.gold.rate(name) for name in RATES}
    gold = msgspec.structs.replace(base.gold, rates=rates)
    align = msgspec.structs.replace(base.align, adapt=adapt or base.align.adapt)
    return checked(msgspec.structs.replace(base, gold=gold, align=align, **changes))


def default_out(config: Config) -> Path:
    return Path("cohorts") / f"{Path(config.scenario).stem}-s{config.seed}"


def default_jobs() -> int:
    """One worker a core this process may use, as far as memory reaches."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return max(1, min(cores, memory // _WORKER_MEMORY - 1))


def plan_run(config: Config, *, out: Path | None = None, until: str | None = None) -> str:
    """What a run would do, in words. Reads and checks what a run needs, raises as `generate` does; writes nothing."""
    stages, root = stages_to(until), out or default_out(config)
    there = Folder(root).check(config, identity(config))
    blueprint = _ready(config, stages)
    pairs = sum(config.is_pair(index) for index in range(1, config.groups + 1))
    lines = [
        f"scenario  {blueprint.id} ({blueprint.title})",
        f"config    {identity(config)[:16]}, seed {config.seed}",
        f"cohort    {config.groups} families, {pairs} of them pairs: {config.groups + pairs} recordings",
        f"stages    {', '.join(stages)}",
        f"folder    {root} ({'there: would resume' if there else 'would be made'})",
        "",
        msgspec.json.format(msgspec.json.encode(config), indent=1).decode(),
    ]
    return "\n".join(lines)


def generate(
    config: Config,
    *,
    out: Path | None = None,
    until: str | None = None,
    jobs: int | None = None,
    retry_quarantined: bool = False,
    progress: Progress | None = None,
) -> RunReport:
    """Build, or go on building, the cohort of a config in `out`.

    `jobs` never changes what is made. Families that no attempt brought through, or with a turn that no retake saved,
    are withheld whole and named in the report; the others are released. Raises UserError kinds for what cannot
    be used, StorageError when the disk is full; what is made is kept in every case.
    """
    stages, root = stages_to(until), out or default_out(config)
    if jobs is not None and jobs < 1:
        raise UserError("jobs", expected="1 or more", found=str(jobs), fix="leave it out: one a core")
    folder, watcher, quarantine = Folder(root), Counting(progress or Silent()), Quarantine()
    fingerprint = identity(config)
    folder.check(config, fingerprint)
    blueprint = _ready(config, stages)
    with locked(root):
        folder.claim(config, fingerprint)
        sweep(root)
        jobs = jobs or default_jobs()
        passed, rejected = _write_texts(config, folder, blueprint, stages, jobs, watcher)
        report = RunReport(
            out=root,
            until=stages[-1],
            families=config.groups - len(rejected),
            recordings=sum(each.recordings for each in passed),
            made=watcher.made,
            withheld=rejected,
        )
        if stages[-1] in TEXT:
            return report
        desk = Desk(config, folder, jobs, retry_quarantined, watcher, quarantine)
        texts = TextStages(config, folder, blueprint)
        families = [texts.admitted(each.group, each.attempt) for each in passed if each.attempt is not None]
        recordings, bundles = sound(families, stages, desk)
        withheld = rejected + quarantine.withheld
        built = _release(config, folder, blueprint, bundles, withheld, watcher) if stages[-1] == "release" else None
        return msgspec.structs.replace(
            report,
            families=config.groups - len(withheld),
            recordings=len(recordings),
            made=watcher.made,
            withheld=withheld,
            content_hash=built.content_hash if built else None,
            audio_hash=built.audio_hash if built else None,
            older=stages[-1] == "release" and built is None and folder.release.exists(),
        )


def stages_to(until: str | None) -> tuple[str, ...]:
    """The stages up to and with `until`, all for None. Raises UnknownName."""
    if until is None:
        return STAGES
    if until not in STAGES:
        raise UnknownName(f"stage {until!r}", expected=f"one of {', '.join(STAGES)}", fix="name one of these")
    return STAGES[: STAGES.index(until) + 1]


def _ready(config: Config, stages: Sequence[str]) -> Blueprint:
    """The blueprint, once everything that these stages need is at hand."""
    if stages[-1] in SOUND:
        require(config.speech.engine, config.align.aligner)
    load_voices(config.speech.voices)
    return load_blueprint(config.scenario)


def _write_texts(
    config: Config, folder: Folder, blueprint: Blueprint, stages: Sequence[str], jobs: int, watcher: Counting
) -> tuple[list[Outcome], tuple[Withheld, ...]]:
    """Runs the text stages; families that came through, and those that no attempt brought through."""
    until = [stage for stage in stages if stage in TEXT][-1]
    passed, rejected = [], []
    with watcher.stage("text", config.groups, "families") as step:
        for each in write_texts(config, folder, blueprint, until=until, jobs=jobs):
            if each.attempt is None:
                rejected.append(Withheld(family=each.family, reason=each.reason))
            else:
                passed.append(each)
            step(made=each.made)
    return passed, tuple(rejected)


def _release(
    config: Config,
    folder: Folder,
    blueprint: Blueprint,
    bundles: list[Bundle],
    withheld: tuple[Withheld, ...],
    watcher: Counting,
) -> Built | None:
    if not bundles:
        return None
    with watcher.stage("release", 1, "release") as step:
        built, made = release(config, folder, blueprint, bundles, withheld)
        step(made=made)
    return built
