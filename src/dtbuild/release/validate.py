"""Checks a released cohort from end to end, and reports every fault it can find in one go.

Nothing is raised for a fault inside the folder: a file that cannot be read is one finding, and what depends on
it is left out. Each finding names the file and item in `where`, and what was expected and found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple, TypeVar

import msgspec

from dtbuild.boundary import load
from dtbuild.errors import FormatError
from dtbuild.fingerprint import digest, sha256_file
from dtbuild.records.cohort import (
    FileEntry,
    Gold,
    Manifest,
    PublicSchema,
    Query,
    RecordingEntry,
    Review,
    Stats,
)
from dtbuild.records.plan import Plan
from dtbuild.records.script import Script
from dtbuild.records.variant import kind_of
from dtbuild.records.verdict import Finding, finding
from dtbuild.release import checks
from dtbuild.release.chains import answer, plan_of
from dtbuild.release.folder import MANIFEST, release_of
from dtbuild.release.hashes import audio_hash, content_hash
from dtbuild.release.pairs import pair_of
from dtbuild.release.schema import query_of
from dtbuild.release.stats import measure

T = TypeVar("T")


class Checkers(NamedTuple):
    """Judgements of other rooms: legality of a plan's chains, a script against its plan, and a TextGrid reader.

    `tiers` gives objects with `name` and `labels`, labels with `start`, `end` (samples) and `text`.
    """

    chains: Callable[[Plan], Iterable[Finding]]
    review: Callable[[Plan, Script], Iterable[Finding]]
    tiers: Callable[[Path], Sequence[Any]]


def validate(folder: Path, *, checkers: Checkers) -> list[Finding]:
    """Every fault of a cohort folder or its release; empty when it is sound.

    Raises FolderError when there is no release at all.
    """
    root = release_of(folder)
    found: list[Finding] = []
    manifest = _read(root, MANIFEST, Manifest, found)
    if manifest is None:
        return found
    found += _files(root, manifest)
    cohort = _Cohort.read(root, manifest, found)
    for entry in manifest.recordings:
        found += _recording(root, entry, cohort, checkers)
    found += _families(manifest, cohort)
    found += _hashes(manifest, cohort)
    return found


class _Cohort(NamedTuple):
    """What could be read, by recording or family."""

    gold: dict[str, Gold]
    scripts: dict[str, Script]
    reviews: dict[str, Review]
    queries: dict[str, Query]
    plans: dict[str, Plan]
    schema: PublicSchema | None
    stats: Stats | None

    @classmethod
    def read(cls, root: Path, manifest: Manifest, found: list[Finding]) -> _Cohort:
        names = [entry.recording for entry in manifest.recordings]
        families = sorted({entry.family for entry in manifest.recordings})

        def each(folder: str, kind: type[T], keys: Iterable[str]) -> dict[str, T]:
            read = ((key, _read(root, f"{folder}/{key}.json", kind, found)) for key in keys)
            return {key: record for key, record in read if record is not None}

        return cls(
            gold=each("gold", Gold, names),
            scripts=each("scripts", Script, names),
            reviews=each("reviews", Review, names),
            queries=each("public/queries", Query, names),
            plans=each("plans", Plan, families),
            schema=_read(root, "public/schema.json", PublicSchema, found),
            stats=_read(root, "stats.json", Stats, found),
        )

    def whole(self, manifest: Manifest) -> bool:
        names = [entry.recording for entry in manifest.recordings]
        held = (self.gold, self.scripts, self.reviews)
        plans = all(entry.family in self.plans for entry in manifest.recordings)
        return plans and all(name in records for name in names for records in held)


def _read(root: Path, path: str, kind: type[T], found: list[Finding]) -> T | None:
    if not (root / path).is_file():
        # a listed file that is missing is reported with the other files; the manifest itself is always there
        return None
    try:
        return load(root / path, kind)
    except FormatError as error:
        found.append(finding("format", path, "cannot be read", error.expected, error.found))
        return None


def _files(root: Path, manifest: Manifest) -> Iterator[Finding]:
    entries = [*manifest.files, *(file for entry in manifest.recordings for file in entry.files)]
    listed = {entry.path for entry in entries}
    for path in sorted(_wanted(manifest) - listed):
        yield finding("unlisted", f"{MANIFEST} {path}", "is not listed", "an entry with sha256 and bytes", "none")
    present = {path.relative_to(root).as_posix() for path in root.rglob("*") if not path.is_dir()}
    for path in sorted(present - listed - {MANIFEST}):
        yield finding("public" if path.startswith("public/") else "unlisted", path, "a file the manifest does not list")
    for entry in entries:
        yield from _file(root, entry)
    for path in sorted(listed):
        if path.startswith("public/") and path not in _wanted(manifest):
            yield finding("public", path, "a system under test may not see this", "audio, queries and schema.json only")


def _file(root: Path, entry: FileEntry) -> Iterator[Finding]:
    parts = PurePosixPath(entry.path)
    if parts.is_absolute() or ".." in parts.parts or "\\" in entry.path:
        yield finding("path", f"{MANIFEST} {entry.path}", "leaves the release", "a path inside it", entry.path)
        return
    path = root / entry.path
    if not path.is_file():
        yield finding("missing", entry.path, "is not there", f"{entry.bytes} bytes", "no file")
        return
    size = path.stat().st_size
    if size != entry.bytes:
        yield finding("bytes", entry.path, "size", entry.bytes, size)
    found = sha256_file(path)
    if found != entry.sha256:
        yield finding("sha256", entry.path, "hash", entry.sha256, found)


def _wanted(manifest: Manifest) -> set[str]:
    wanted = {"public/schema.json", "stats.json", "data_card.md"}
    for entry in manifest.recordings:
        name = entry.recording
        wanted |= {f"public/audio/{name}.wav", f"public/queries/{name}.json", f"textgrids/{name}.TextGrid"}
        wanted |= {f"{folder}/{name}.json" for folder in ("gold", "scripts", "reviews")}
        wanted.add(f"plans/{entry.family}.json")
    return wanted


def _recording(root: Path, entry: RecordingEntry, cohort: _Cohort, checkers: Checkers) -> Iterator[Finding]:
    name = entry.recording
    query, review = cohort.queries.get(name), cohort.reviews.get(name)
    if query is not None and query != query_of(name):
        yield finding("public", f"public/queries/{name}.json", "tells more or less than a query", query_of(name), query)
    gold, script, plan = cohort.gold.get(name), cohort.scripts.get(name), cohort.plans.get(entry.family)
    if review is not None:
        yield from _verdicts(review, name)
    if gold is None or script is None:
        return
    yield from checks.identity(entry, gold, script)
    if (wav := root / "public" / "audio" / f"{name}.wav").is_file():
        yield from checks.audio(wav, gold)
    yield from checks.windows(gold)
    yield from checks.text(gold, script)
    if cohort.schema is not None:
        yield from checks.allowed(gold, cohort.schema)
    yield from _times(root / "textgrids" / f"{name}.TextGrid", gold, script, checkers)
    if plan is not None:
        yield from _design(entry, gold, script, plan, checkers)


def _verdicts(review: Review, name: str) -> Iterator[Finding]:
    where = f"reviews/{name}.json"
    if review.recording != name:
        yield finding("id", where, "is about another recording", name, review.recording)
    if not review.verdicts:
        yield finding("review", where, "no verdict", "at least one", "none")
    for verdict in review.verdicts:
        if verdict.outcome != "pass":
            place = f"{where} {verdict.gate} by {verdict.reviewer}"
            yield finding("review", place, "a released recording did not pass", "pass", verdict.outcome)


def _times(path: Path, gold: Gold, script: Script, checkers: Checkers) -> Iterator[Finding]:
    if not path.is_file():
        return
    try:
        tiers = checkers.tiers(path)
    except FormatError as error:
        yield finding("textgrid", f"textgrids/{path.name}", "cannot be read", "a TextGrid", error.found)
        return
    yield from checks.textgrid(tiers, gold, script)


def _design(entry: RecordingEntry, gold: Gold, script: Script, plan: Plan, checkers: Checkers) -> Iterator[Finding]:
    where = f"gold/{entry.recording}.json"
    released = plan_of(gold, plan)
    if entry.variant == "a" and released != plan:
        places = zip(released.trajectories, plan.trajectories, strict=False)
        differ = [mine.key for mine, other in places if mine != other] or ["number of trajectories, or the cast"]
        yield finding(
            "plan", where, "gold of variant A is not its plan", f"plans/{plan.family}.json", ", ".join(differ)
        )
    for code, each in [
        *(("chain", each) for each in checkers.chains(released)),
        *(("text", each) for each in checkers.review(released, script)),
    ]:
        file = where if code == "chain" else f"scripts/{entry.recording}.json"
        yield msgspec.structs.replace(each, code=f"{code}.{each.code}", where=f"{file} {each.where}")


def _families(manifest: Manifest, cohort: _Cohort) -> Iterator[Finding]:
    families: dict[str, dict[str, str]] = {}
    for entry in manifest.recordings:
        families.setdefault(entry.family, {})[entry.variant] = entry.recording
    stated = {pair.family: pair for pair in manifest.pairs}
    for family, members in families.items():
        where = f"{MANIFEST} {family}"
        if "a" not in members:
            yield finding("family", where, "has no variant A", f"{family}-a", ", ".join(members.values()))
        plan = cohort.plans.get(family)
        if plan is not None and plan.change is not None and "b" not in members:
            yield finding("pair", where, "its plan declares a variant B", f"{family}-b", "none")
        if ("b" in members) != (family in stated):
            yield finding("pair", where, "pairs and recordings disagree", "a pair with both", sorted(members))
        if not {"a", "b"} <= members.keys():
            continue
        a, b = (cohort.gold.get(members[variant]) for variant in "ab")
        script_a, script_b = (cohort.scripts.get(members[variant]) for variant in "ab")
        if a is None or b is None or script_a is None or script_b is None:
            continue
        if answer(a) == answer(b):
            yield finding("pair", where, "both variants have the same answer", "gold that differs", "equal gold")
        if family not in stated:
            continue
        pair = pair_of(a, b, script_a, script_b, stated[family].factor)
        planned = None if plan is None or plan.change is None else kind_of(plan.change)
        if planned is not None and pair.factor != planned:
            yield finding("pair", where, "the stated factor is not the planned one", planned, pair.factor)
        if stated[family] != pair:
            yield finding(
                "pair", where, "the stated difference is not the real one", pair.changes, stated[family].changes
            )
    for family in sorted(stated.keys() - families.keys()):
        yield finding("pair", f"{MANIFEST} {family}", "a pair without recordings", "both variants", "neither")
    for withheld in manifest.withheld:
        if withheld.family in families:
            released = ", ".join(families[withheld.family].values())
            yield finding(
                "family", f"{MANIFEST} {withheld.family}", "is withheld and released", "neither variant", released
            )


def _hashes(manifest: Manifest, cohort: _Cohort) -> Iterator[Finding]:
    if digest(manifest.config) != manifest.config_fingerprint:
        yield finding("hash", f"{MANIFEST} config_fingerprint", "is not of its config", digest(manifest.config),
                    manifest.config_fingerprint)  # fmt: skip
    heard = [file.sha256 for entry in manifest.recordings for file in entry.files if file.path.endswith(".wav")]
    if audio_hash(heard) != manifest.audio_hash:
        yield finding(
            "hash", f"{MANIFEST} audio_hash", "is not of its WAV files", audio_hash(heard), manifest.audio_hash
        )
    if not cohort.whole(manifest):
        return
    gold, scripts = [*cohort.gold.values()], [*cohort.scripts.values()]
    reviews = [*cohort.reviews.values()]
    content = content_hash(manifest.config, cohort.plans.values(), gold, scripts, reviews)
    if content != manifest.content_hash:
        yield finding("hash", f"{MANIFEST} content_hash", "is not of its content", content, manifest.content_hash)
    if cohort.stats is not None:
        figures = measure(gold, scripts, reviews)
        for name in Stats.__struct_fields__:
            if getattr(figures, name) != getattr(cohort.stats, name):
                yield finding(
                    "stats", f"stats.json {name}", "figure", getattr(figures, name), getattr(cohort.stats, name)
                )
