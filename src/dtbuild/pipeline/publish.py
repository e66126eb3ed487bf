"""Where the pipeline meets the release: building it from bundles, and checking or counting a released cohort."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec

from dtbuild.align.make import fingerprint_of as aligner_fingerprint
from dtbuild.align.textgrid import read_textgrid
from dtbuild.blueprint.load import load as load_blueprint
from dtbuild.boundary import load
from dtbuild.errors import FormatError, SettingsError
from dtbuild.fingerprint import digest, sha256_file
from dtbuild.gold.rules import check as check_chains
from dtbuild.pipeline.adapting import KEY, MODEL, STAGE
from dtbuild.pipeline.config import Config, identity, placeless
from dtbuild.pipeline.folder import Folder, RunFile
from dtbuild.records.blueprint import Blueprint
from dtbuild.records.bundle import Bundle, RunInfo
from dtbuild.records.cohort import EngineNote, Manifest, Stats, Withheld
from dtbuild.records.evidence import NO_ALIGNER
from dtbuild.records.plan import Plan
from dtbuild.records.script import Script
from dtbuild.records.verdict import Finding
from dtbuild.release.build import build
from dtbuild.release.folder import MANIFEST, manifest_of, release_of
from dtbuild.release.schema import public_schema
from dtbuild.release.stats import stats as stats_of
from dtbuild.release.validate import Checkers
from dtbuild.release.validate import validate as check_release
from dtbuild.review.rules import review
from dtbuild.speech.assets import asset_notes
from dtbuild.speech.casting import load_voices
from dtbuild.speech.engine import fingerprint_of as engine_fingerprint
from dtbuild.variants.change import undeclared_in


class Built(msgspec.Struct, frozen=True, kw_only=True):
    """What a release came to; `manifest` is the sha256 of its manifest file."""

    content_hash: str
    audio_hash: str
    manifest: str


def release(
    config: Config,
    folder: Folder,
    blueprint: Blueprint,
    bundles: list[Bundle],
    withheld: tuple[Withheld, ...],
) -> tuple[Built, bool]:
    """Build the release unless it stands already for the same bundles; the second value says whether it was built."""
    parts = [
        (
            each.plan,
            each.script,
            each.verdicts,
            each.timeline,
            each.evidence,
            sha256_file(each.wav),
            sha256_file(each.textgrid),
        )
        for each in bundles
    ]
    name = config.align.aligner
    model = folder.path(STAGE, KEY, MODEL) if config.align.adapt else None
    aligner = None if name == NO_ALIGNER else EngineNote(name=name, fingerprint=aligner_fingerprint(name, model))
    inputs = digest([identity(config), aligner, parts, withheld])
    stored = folder.derived("release", "built", Built, inputs)
    if stored and _stands(folder.release, stored.manifest):
        return stored, False
    run = RunInfo(
        config=msgspec.to_builtins(placeless(config)),
        seed=config.seed,
        engine=EngineNote(name=config.speech.engine, fingerprint=engine_fingerprint(config.speech.engine)),
        aligner=aligner,
        assets=asset_notes(config.speech.engine),
        voices=load_voices(config.speech.voices),
        withheld=withheld,
        kind=config.kind,
    )
    made: Manifest = build(bundles, out=folder.release, blueprint=blueprint, run=run)
    manifest = sha256_file(folder.release / MANIFEST)
    built = Built(content_hash=made.content_hash, audio_hash=made.audio_hash, manifest=manifest)
    folder.write("release", "built", built, inputs)
    return built, True


def validate(cohort: Path, *, blueprint: str | Path | None = None) -> list[Finding]:
    """Every fault of a released cohort, its chains and scripts judged by the rules that admitted them.

    The rules are those of its scenario: of `blueprint` where given, else as the run beside the release named it,
    else the shipped one of the manifest's name. Raises FolderError when there is no release, FormatError when its
    manifest cannot be read, UnknownName when its scenario is not at hand.
    """
    root = release_of(cohort)
    manifest = manifest_of(root)
    try:
        config = msgspec.convert(manifest.config, Config)
    except (msgspec.ValidationError, SettingsError) as error:
        raise FormatError(
            f"file {root / MANIFEST}",
            expected="the config of a cohort",
            found=str(error),
            fix="read it with the dtbuild version that wrote it",
        ) from error
    scenario = load_blueprint(blueprint or _scenario_of(root, config))

    def chains(plan: Plan) -> Iterable[Finding]:
        return check_chains(plan, scenario)

    def texts(plan: Plan, script: Script) -> Iterable[Finding]:
        return review(plan, script, scenario, chars=config.script.chars, turns=config.script.turns).findings

    def undeclared(plan: Plan, script: Script, plan_b: Plan, script_b: Script) -> Iterable[Finding]:
        return undeclared_in(plan, script, plan_b, script_b, scenario)

    schema = public_schema(scenario)
    checkers = Checkers(chains=chains, review=texts, undeclared=undeclared, tiers=read_textgrid, schema=schema)
    return check_release(cohort, checkers=checkers)


def stats(cohort: Path) -> Stats:
    """The figures of a released cohort. Raises FolderError when there is no release."""
    return stats_of(cohort)


def _scenario_of(root: Path, config: Config) -> str:
    run = root.parent / "run.json"
    return load(run, RunFile).config.scenario if run.is_file() else config.scenario


def _stands(root: Path, manifest: str) -> bool:
    """Whether the release has this manifest and every file as the manifest names it."""
    path = root / MANIFEST
    if not path.is_file() or sha256_file(path) != manifest:
        return False
    found = manifest_of(root)
    entries = [*found.files, *(file for each in found.recordings for file in each.files)]
    return all((root / each.path).is_file() and sha256_file(root / each.path) == each.sha256 for each in entries)
