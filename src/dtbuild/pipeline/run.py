"""The main job: ordered stages over one cohort folder, resumable at any point.

What is on disk decides what is left to do, so a run that was stopped, killed or out of disk goes on where it
was; a complete cohort is left as it is. One run at a time works in a folder.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Protocol, TypeVar

import msgspec

from dtbuild import resources
from dtbuild.blueprint.load import load as load_blueprint
from dtbuild.errors import UnknownName, UserError
from dtbuild.pipeline.config import Config, checked, identity, load_config
from dtbuild.pipeline.folder import Folder
from dtbuild.pipeline.publish import release
from dtbuild.pipeline.report import RunReport
from dtbuild.pipeline.sound import SoundStages
from dtbuild.pipeline.text import Admitted, Rejected, TextStages, first_tries
from dtbuild.records.cohort import Withheld
from dtbuild.store import locked, sweep

STAGES = ("gold", "script", "review", "variants", "speech", "align", "evidence", "release")
"""In order. A stage needs every one before it."""

_T = TypeVar("_T")
_WORKER_MEMORY = 700 * 2**20


class Progress(Protocol):
    """Told what happens; `dtbuild.cli.progress` draws it."""

    def begin(self, stage: str, total: int, unit: str) -> None: ...
    def step(self, *, made: bool) -> None: ...
    def end(self) -> None: ...


class Silent:
    """Progress that nobody watches."""

    def begin(self, stage: str, total: int, unit: str) -> None:
        pass

    def step(self, *, made: bool) -> None:
        pass

    def end(self) -> None:
        pass


def resolve(
    *, scenario: str | None = None, config: str | Path | None = None, seed: int | None = None, groups: int | None = None
) -> Config:
    """The config of a run from what the user named: a scenario, or a config; seed and groups override it.

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
    return checked(msgspec.structs.replace(base, **changes))


def default_out(config: Config) -> Path:
    return Path("cohorts") / f"{Path(config.scenario).stem}-s{config.seed}"


def default_jobs() -> int:
    """One worker a core this process may use, as far as memory reaches."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return max(1, min(cores, memory // _WORKER_MEMORY - 1))


def plan_run(config: Config, *, out: Path | None = None, until: str | None = None) -> str:
    """What a run would do, in words. Reads and checks everything a run needs; writes nothing."""
    stages = _stages(until)
    blueprint = load_blueprint(config.scenario)
    pairs = sum(config.is_pair(index) for index in range(1, config.groups + 1))
    root = out or default_out(config)
    state = "exists: would resume" if (root / "run.json").is_file() else "would be made"
    lines = [
        f"scenario  {blueprint.id} ({blueprint.title})",
        f"config    {identity(config)[:16]}, seed {config.seed}",
        f"families  {config.groups}, {pairs} of them pairs: {config.groups + pairs} recordings",
        f"stages    {', '.join(stages)}",
        f"folder    {root} ({state})",
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

    `jobs` never changes what is made. Families that no try brought through, or with a turn that no retake saved,
    are withheld whole and named in the report; the others are released. Raises UserError kinds for what cannot
    be used, StorageError when the disk is full; what is made is kept in every case.

    >>> from dtbuild.pipeline import generate, resolve
    >>> report = generate(resolve(scenario="supply_chain", groups=1), out=tmp_path, until="gold")
    >>> report.families
    1
    """
    stages, watcher, root = _stages(until), progress or Silent(), out or default_out(config)
    blueprint = load_blueprint(config.scenario)
    with locked(root):
        sweep(root)
        folder = Folder(root)
        folder.claim(config, identity(config))
        text = TextStages(config, folder, blueprint)
        outcomes: list[Admitted | Rejected] = []
        indexes = range(1, config.groups + 1)
        for stage in stages[:4]:
            if stage in {"gold", "script"}:
                _watched(watcher, stage, text, map(first_tries(text, stage), indexes), config.groups)
            else:
                found = text.admissions(config.groups, variants=stage == "variants")
                outcomes = _watched(watcher, stage, text, found, config.groups)
        admitted = [each for each in outcomes if isinstance(each, Admitted)]
        withheld = [Withheld(family=each.family, reason=each.reason) for each in outcomes if isinstance(each, Rejected)]
        report = RunReport(
            out=root,
            until=stages[-1],
            families=len(admitted) or config.groups - len(withheld),
            recordings=sum(len(each.scripts) for each in admitted),
            made=text.made,
            withheld=tuple(withheld),
        )
        if len(stages) <= 4:
            return report
        sound = SoundStages(config, folder, jobs=jobs or default_jobs(), retry_quarantined=retry_quarantined)
        bundles = sound.run(admitted, stages[4:], watcher)
        withheld += sound.withheld
        kept = {bundle.plan.family for bundle in bundles}
        report = msgspec.structs.replace(
            report,
            families=len(kept),
            recordings=len(bundles),
            made=text.made + sound.made,
            withheld=tuple(withheld),
        )
        if stages[-1] != "release" or not bundles:
            return report
        watcher.begin("release", 1, "release")
        built, made = release(config, folder, blueprint, bundles, tuple(withheld))
        watcher.step(made=made)
        watcher.end()
        return msgspec.structs.replace(
            report, made=report.made + made, content_hash=built.content_hash, audio_hash=built.audio_hash
        )


def _stages(until: str | None) -> tuple[str, ...]:
    if until is None:
        return STAGES
    if until not in STAGES:
        raise UnknownName(f"stage {until!r}", expected=f"one of {', '.join(STAGES)}", fix="name one of these")
    return STAGES[: STAGES.index(until) + 1]


def _watched(watcher: Progress, stage: str, text: TextStages, work: Iterable[_T], total: int) -> list[_T]:
    watcher.begin(stage, total, "families")
    results: list[_T] = []
    before = text.made
    for result in work:
        results.append(result)
        watcher.step(made=text.made > before)
        before = text.made
    watcher.end()
    return results
