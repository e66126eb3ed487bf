"""Where the pipeline meets the release: building it from bundles, and checking or counting a released cohort."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec

from dtbuild.align.make import fingerprint_of as aligner_fingerprint
from dtbuild.align.textgrid import read_textgrid
from dtbuild.blueprint.load import load as load_blueprint
from dtbuild.boundary import load
from dtbuild.errors import FormatError
from dtbuild.fingerprint import digest, sha256_file
from dtbuild.gold.rules import check as check_chains
from dtbuild.pipeline.config import Config, identity
from dtbuild.pipeline.folder import Folder, RunFile
from dtbuild.records.blueprint import Blueprint
from dtbuild.records.cohort import Bundle, EngineNote, Manifest, RunInfo, Withheld
from dtbuild.records.plan import Plan
from dtbuild.records.script import Script
from dtbuild.records.verdict import Finding
from dtbuild.release.build import build
from dtbuild.release.stats import stats, stats_text
from dtbuild.release.validate import Checkers, validate
from dtbuild.review.rules import review
from dtbuild.speech.assets import asset_notes
from dtbuild.speech.casting import load_voices
from dtbuild.speech.engine import fingerprint_of as engine_fingerprint


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
        (each.recording, each.plan, each.script, each.verdicts, each.timeline, each.evidence, sha256_file(each.wav))
        for each in bundles
    ]
    inputs = digest([identity(config), parts, withheld])
    stored = folder.read("release", "built", Built, inputs)
    manifest = folder.release / "manifest.json"
    if stored and manifest.is_file() and sha256_file(manifest) == stored.record.manifest:
        return stored.record, False
    run = RunInfo(
        config=msgspec.to_builtins(config),
        seed=config.seed,
        engine=EngineNote(name=config.speech.engine, fingerprint=engine_fingerprint(config.speech.engine)),
        aligner=EngineNote(name=config.align.aligner, fingerprint=aligner_fingerprint(config.align.aligner)),
        assets=asset_notes(config.speech.engine),
        voices=load_voices(config.speech.voices),
        withheld=withheld,
        kind=config.kind,
    )
    made: Manifest = build(bundles, out=folder.release, blueprint=blueprint, run=run)
    built = Built(content_hash=made.content_hash, audio_hash=made.audio_hash, manifest=sha256_file(manifest))
    folder.write("release", "built", built, inputs)
    return built, True


def validate_cohort(cohort: Path) -> list[Finding]:
    """Every fault of a released cohort, its chains and scripts judged by the rules that admitted them.

    Raises FormatError when there is no release, UnknownName when its scenario is not at hand.
    """
    manifest = _manifest(cohort)
    config = msgspec.convert(manifest.config, Config)
    blueprint = load_blueprint(config.scenario)

    def chains(plan: Plan) -> Iterable[Finding]:
        return check_chains(plan, blueprint)

    def texts(plan: Plan, script: Script) -> Iterable[Finding]:
        return review(plan, script, blueprint, chars=config.script.chars).findings

    return validate(cohort, checkers=Checkers(chains=chains, review=texts, tiers=read_textgrid))


def stats_of(cohort: Path, *, as_json: bool) -> str:
    """The figures of a released cohort as a table or as JSON."""
    figures = stats(cohort)
    if as_json:
        return msgspec.json.format(msgspec.json.encode(figures), indent=1).decode()
    return stats_text(figures)


def _manifest(cohort: Path) -> Manifest:
    for path in (cohort / "release" / "manifest.json", cohort / "manifest.json"):
        if path.is_file():
            return load(path, Manifest)
    if (cohort / "run.json").is_file():
        load(cohort / "run.json", RunFile)
        raise FormatError(f"cohort {cohort}", expected="a release", found="an unfinished run", fix="run generate again")
    raise FormatError(
        f"folder {cohort}", expected="a cohort", found="no manifest.json or run.json", fix="check the path"
    )
