"""Checks a released cohort from end to end, and reports every fault it can find in one go.

Nothing is raised for a fault inside the folder: a file that cannot be read is one finding, and what depends on
it is left out. Each finding names the file and item in `where`, and what was expected and found; what to do about it is
in `advice`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple, TypeVar

import msgspec

from dtbuild import __version__
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
from dtbuild.records.evidence import NO_ALIGNER
from dtbuild.records.plan import Plan
from dtbuild.records.script import Script
from dtbuild.records.verdict import Finding, finding
from dtbuild.release import checks, listen, timing
from dtbuild.release.card import data_card
from dtbuild.release.chains import plan_of
from dtbuild.release.folder import CARD, MANIFEST, release_of
from dtbuild.release.hashes import audio_hash, content_hash
from dtbuild.release.pairing import Undeclared, families
from dtbuild.release.schema import query_of
from dtbuild.release.stats import measure

T = TypeVar("T")


class Checkers(NamedTuple):
    """Judgements of other rooms: legality of a plan's chains, a script against its plan, variant B against A, and a
    TextGrid reader.

    `tiers` gives objects with `name` and `labels`, labels with `start`, `end` (samples) and `text`. `schema` is what
    the scenario's public schema must be, None where nobody knows.
    """

    chains: Callable[[Plan], Iterable[Finding]]
    review: Callable[[Plan, Script], Iterable[Finding]]
    undeclared: Undeclared
    tiers: Callable[[Path], Sequence[Any]]
    schema: PublicSchema | None = None


def validate(folder: Path, *, checkers: Checkers) -> list[Finding]:
    """Every fault of a cohort folder or its release; empty when it is sound.

    Raises FolderError when there is no release at all, MissingExtra without the packages that read sound and TextGrids.
    """
    root = release_of(folder)
    found: list[Finding] = []
    manifest = _read(root, MANIFEST, Manifest, found)
    if manifest is None:
        return found
    found += _files(root, manifest)
    found += _manifest(manifest)
    cohort = _Cohort.read(root, manifest, found)
    rules = _rules(manifest)
    for entry in manifest.recordings:
        found += _recording(root, entry, cohort, checkers, rules)
        if (gold := cohort.gold.get(entry.recording)) is not None:
            found += checks.voices(gold, {voice.id: voice for voice in manifest.voices})
            if gold.scenario != manifest.scenario:
                where = f"gold/{entry.recording}.json"
                found.append(finding("manifest", where, "scenario", manifest.scenario, gold.scenario))
    found += families(manifest, cohort.gold, cohort.scripts, cohort.plans, checkers.undeclared)
    if cohort.schema is not None and checkers.schema is not None and cohort.schema != checkers.schema:
        found.append(finding("schema", "public/schema.json", "is not that of the scenario", checkers.schema.scenario))
    found += _derived(root, manifest, cohort)
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
        record = load(root / path, kind)
    except FormatError as error:
        found.append(finding("format", path, "cannot be read", error.expected, error.found))
        return None
    for key in _doubled(root / path):
        found.append(finding("format", path, f"key {key!r} stands twice in one object", "once", "twice"))
    return record


def _doubled(path: Path) -> list[str]:
    """Keys that an object of the file has more than once: a reader would keep one value and lose the other."""
    twice: list[str] = []

    def keep(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made: dict[str, Any] = {}
        for key, value in pairs:
            if key in made:
                twice.append(key)
            made[key] = value
        return made

    json.loads(path.read_bytes(), object_pairs_hook=keep)
    return twice


def _manifest(manifest: Manifest) -> Iterator[Finding]:
    """What the manifest says against itself: ids and paths once and in order, engine and aligner as its config has."""
    names = [entry.recording for entry in manifest.recordings]
    yield from checks.twice(MANIFEST, "recording", names)
    entries = [*manifest.files, *(file for entry in manifest.recordings for file in entry.files)]
    yield from checks.twice(MANIFEST, "file", [entry.path for entry in entries])
    yield from checks.twice(MANIFEST, "pair", [pair.family for pair in manifest.pairs])
    yield from checks.twice(MANIFEST, "voice", [voice.id for voice in manifest.voices])
    if names != sorted(names):
        yield finding("order", f"{MANIFEST} recordings", "are not sorted", "by id", ", ".join(names[:5]))
    if (manifest.alignment == "none") != (manifest.aligner is None):
        aligner = manifest.aligner.name if manifest.aligner else "none"
        yield finding("alignment", MANIFEST, "alignment and aligner disagree", manifest.alignment, aligner)
    config = manifest.config
    aligner = manifest.aligner.name if manifest.aligner else NO_ALIGNER
    for what, stated, found in (
        ("scenario", config.get("scenario"), manifest.scenario),
        ("seed", config.get("seed"), manifest.seed),
        ("kind", config.get("kind"), manifest.kind),
        ("engine", _section(config, "speech").get("engine"), manifest.engine.name),
        ("aligner", _section(config, "align").get("aligner"), aligner),
    ):
        if stated is not None and stated != found:
            yield finding("manifest", f"{MANIFEST} {what}", "is not that of its config", stated, found)


def _rules(manifest: Manifest) -> timing.Rules:
    coarse = _section(manifest.config, "evidence").get("coarse_turns", 0)
    overlap = _section(manifest.config, "mix").get("overlap", 0)
    return timing.Rules(aligned=manifest.alignment == "forced", coarse_turns=int(coarse), overlap=bool(overlap))


def _section(config: dict[str, Any], name: str) -> dict[str, Any]:
    section = config.get(name)
    return section if isinstance(section, dict) else {}


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
    if path.is_symlink():
        yield finding("path", entry.path, "is a link: it may show another file elsewhere", "a file", "a link")
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
    wanted = {"public/schema.json", "stats.json", CARD}
    for entry in manifest.recordings:
        name = entry.recording
        wanted |= {f"public/audio/{name}.wav", f"public/queries/{name}.json", f"textgrids/{name}.TextGrid"}
        wanted |= {f"{folder}/{name}.json" for folder in ("gold", "scripts", "reviews")}
        wanted.add(f"plans/{entry.family}.json")
    return wanted


def _recording(
    root: Path, entry: RecordingEntry, cohort: _Cohort, checkers: Checkers, rules: timing.Rules
) -> Iterator[Finding]:
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
    yield from checks.ids(gold, script)
    yield from timing.windows(gold, rules)
    yield from checks.text(gold, script)
    if cohort.schema is not None:
        yield from checks.allowed(gold, cohort.schema)
    yield from _heard(root, entry, gold, script, checkers, rules)
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


def _heard(
    root: Path, entry: RecordingEntry, gold: Gold, script: Script, checkers: Checkers, rules: timing.Rules
) -> Iterator[Finding]:
    """TextGrid and audio of a recording; its sound is looked at where its header is what it must be."""
    grid, wav = root / "textgrids" / f"{gold.recording}.TextGrid", root / "public" / "audio" / f"{gold.recording}.wav"
    tiers: Sequence[Any] = ()
    if grid.is_file():
        try:
            tiers = checkers.tiers(grid)
            yield from timing.textgrid(tiers, gold, script, rules)
        except FormatError as error:
            yield finding("textgrid", f"textgrids/{grid.name}", "cannot be read", "a TextGrid", error.found)
    if not wav.is_file():
        return
    faults = listen.header(wav, gold)
    yield from faults
    if not faults:
        timed = timing.characters(tiers, gold)
        characters = [(turn, window) for turn, own in timed.items() for _, window in own]
        yield from listen.sound(wav, gold, characters, stated=entry.loudness)


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


def _derived(root: Path, manifest: Manifest, cohort: _Cohort) -> Iterator[Finding]:
    """Hashes, figures and card, which follow from the rest."""
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
        # another version of dtbuild may word its cards otherwise
        if cohort.schema is not None and manifest.dtbuild == __version__ and (root / CARD).is_file():
            card = data_card(manifest, figures, cohort.schema)
            if (root / CARD).read_bytes() != card.encode():
                yield finding("card", CARD, "does not follow from manifest and figures", f"{len(card)} characters")
