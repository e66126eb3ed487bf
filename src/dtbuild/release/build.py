"""Writes a released cohort: everything into a folder beside, then swapped in by one rename.

Equal bundles give equal bytes: recordings in order of their ids, JSON with sorted keys, UTF-8 and LF, and no
wall-clock time, path or host in any file. Rules: spec, section 5; the layout is described in `docs/formats.md`.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from dtbuild import __version__
from dtbuild.errors import FolderError, Incomplete, StorageError
from dtbuild.fingerprint import digest, sha256_file
from dtbuild.records.blueprint import Blueprint
from dtbuild.records.bundle import Bundle, RunInfo
from dtbuild.records.cohort import (
    FileEntry,
    Gold,
    Manifest,
    PairEntry,
    RecordingEntry,
)
from dtbuild.records.ids import recording_id
from dtbuild.release.card import data_card
from dtbuild.release.chains import gold_of, review_of
from dtbuild.release.folder import CARD, MANIFEST
from dtbuild.release.hashes import audio_hash, content_hash
from dtbuild.release.pairs import pair_of
from dtbuild.release.schema import public_schema, query_of
from dtbuild.release.stats import measure
from dtbuild.store import placing, write_bytes, write_json


def build(bundles: Sequence[Bundle], *, out: Path, blueprint: Blueprint, run: RunInfo) -> Manifest:
    """Release these recordings as the folder `out`, replacing a release that stands there.

    Raises Incomplete naming every recording that cannot be released (twice there, variant B without A, no
    evidence, no audio), FolderError when `out` holds something else, StorageError when it cannot be written.
    A failure leaves what stood at `out` untouched.
    """
    bundles = sorted(bundles, key=lambda bundle: bundle.recording)
    _refuse(bundles)
    if out.exists() and not (out / MANIFEST).is_file() and (not out.is_dir() or any(out.iterdir())):
        raise FolderError(
            f"folder {out}", expected="a release or nothing", found="other files", fix="move them away and run again"
        )
    beside = out.parent / f".tmp-{out.name}"
    shutil.rmtree(beside, ignore_errors=True)
    try:
        manifest = _write(bundles, beside, blueprint, run)
        _swap(beside, out)
    except OSError as error:
        raise StorageError(f"cannot write {out}", found=error.strerror, fix="mend this and run again") from error
    finally:
        shutil.rmtree(beside, ignore_errors=True)
    return manifest


def _write(bundles: Sequence[Bundle], root: Path, blueprint: Blueprint, run: RunInfo) -> Manifest:
    golds = [gold_of(bundle) for bundle in bundles]
    reviews = [review_of(bundle) for bundle in bundles]
    plans = {bundle.plan.family: bundle.plan for bundle in reversed(bundles)}  # variant A's comes last and stays
    schema = public_schema(blueprint)
    figures = measure(golds, [bundle.script for bundle in bundles], reviews)
    folder = _Folder(root)
    recordings = []
    for bundle, gold, review in zip(bundles, golds, reviews, strict=True):
        name = bundle.recording
        files = (
            folder.copy(f"public/audio/{name}.wav", bundle.wav),
            folder.json(f"public/queries/{name}.json", query_of(name)),
            folder.json(f"gold/{name}.json", gold),
            folder.json(f"scripts/{name}.json", bundle.script),
            folder.json(f"reviews/{name}.json", review),
            folder.copy(f"textgrids/{name}.TextGrid", bundle.textgrid),
        )
        recordings.append(
            RecordingEntry(
                recording=name,
                family=gold.family,
                variant=gold.variant,
                speakers=len(gold.speakers),
                duration_us=gold.duration_us,
                gain_db=bundle.timeline.gain_db,
                loudness=bundle.timeline.loudness,
                files=files,
                edited=bundle.script.edited,
            )
        )
    shared = [
        folder.json("public/schema.json", schema),
        *(folder.json(f"plans/{family}.json", plans[family]) for family in sorted(plans)),
        folder.json("stats.json", figures),
    ]
    cast = {voice for bundle in bundles for voice in bundle.voices.values()}
    manifest = Manifest(
        kind=run.kind,
        scenario=blueprint.id,
        seed=run.seed,
        dtbuild=__version__,
        config=run.config,
        config_fingerprint=digest(run.config),
        engine=run.engine,
        alignment="none" if run.aligner is None else "forced",
        aligner=run.aligner,
        voices=tuple(sorted((voice for voice in run.voices if voice.id in cast), key=lambda voice: voice.id)),
        assets=tuple(sorted(run.assets, key=lambda asset: (asset.kind, asset.package, asset.file))),
        recordings=tuple(recordings),
        pairs=_pairs(bundles, golds),
        files=tuple(shared),
        content_hash=content_hash(run.config, plans.values(), golds, [bundle.script for bundle in bundles], reviews),
        audio_hash=audio_hash(
            [file.sha256 for each in recordings for file in each.files if file.path.endswith(".wav")]
        ),
        withheld=tuple(sorted(run.withheld, key=lambda each: each.family)),
    )
    card = folder.text(CARD, data_card(manifest, figures, schema))
    manifest = msgspec.structs.replace(manifest, files=(*shared, card))
    folder.json(MANIFEST, manifest)
    return manifest


def _pairs(bundles: Sequence[Bundle], golds: Sequence[Gold]) -> tuple[PairEntry, ...]:
    families: dict[str, list[tuple[Gold, Bundle]]] = {}
    for gold, bundle in zip(golds, bundles, strict=True):
        families.setdefault(gold.family, []).append((gold, bundle))
    return tuple(
        pair_of(a, b, bundle_a.script, bundle_b.script, bundle_b.factor)
        for (a, bundle_a), (b, bundle_b) in (each for each in families.values() if len(each) == 2)
    )


def _refuse(bundles: Iterable[Bundle]) -> None:
    seen: dict[str, Bundle] = {}
    faults = []
    for bundle in bundles:
        name = bundle.recording
        faults += [f"{name} stands twice"] if name in seen else []
        faults += [f"{name} has no file {path.name}" for path in (bundle.wav, bundle.textgrid) if not path.is_file()]
        if name != recording_id(bundle.plan.family, bundle.variant) or bundle.variant not in ("a", "b"):
            faults.append(f"{name} is no variant of family {bundle.plan.family}")
        seen[name] = bundle
    for name, bundle in seen.items():
        other = recording_id(bundle.plan.family, "a" if bundle.variant == "b" else "b")
        if other not in seen and (bundle.variant == "b" or bundle.plan.change is not None):
            faults.append(f"{name} has no {other} beside it")
    if not seen:
        faults.append("no recordings at all")
    if faults:
        raise Incomplete(
            "the release",
            expected="each recording once, with audio and TextGrid, and pairs whole",
            found="; ".join(faults),
            fix="run the stages before again, or withhold these families",
        )


def _swap(beside: Path, out: Path) -> None:
    # a kill between the two renames leaves no release at `out`, and the next build makes it again
    old = out.parent / f".tmp-old-{out.name}"
    shutil.rmtree(old, ignore_errors=True)
    if out.exists():
        out.rename(old)
    beside.rename(out)
    shutil.rmtree(old, ignore_errors=True)


class _Folder:
    """Writes files under a root and says what was written."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def json(self, path: str, record: Any) -> FileEntry:
        write_json(self._root / path, record)
        return self._entry(path)

    def text(self, path: str, text: str) -> FileEntry:
        write_bytes(self._root / path, text.encode())
        return self._entry(path)

    def copy(self, path: str, source: Path) -> FileEntry:
        with placing(self._root / path) as temporary:
            shutil.copyfile(source, temporary)
        return self._entry(path)

    def _entry(self, path: str) -> FileEntry:
        file = self._root / path
        return FileEntry(path=path, sha256=sha256_file(file), bytes=file.stat().st_size)
