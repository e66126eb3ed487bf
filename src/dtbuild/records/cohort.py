"""What a released cohort holds: gold, queries, the public schema, reviews, statistics, the manifest.

Each record with a `format` is one kind of file of the release (`docs/formats.md`); unknown keys are refused
on reading. Times are integer microseconds from the start of the recording, windows half open.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from dtbuild.records.plan import Action, Reason, Result
from dtbuild.records.sound import Voice
from dtbuild.records.values import Value
from dtbuild.records.variant import VariantKind
from dtbuild.records.verdict import Verdict

SPEAKER_CONVENTION = "S1, S2, … are the speakers in the order of their first speech in the recording."


class _Part(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    pass


class _File(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    # defaults are written, so that every file carries its format
    pass


# --- gold -----------------------------------------------------------------------------------------------


class Window(_Part, frozen=True, kw_only=True):
    """A half-open stretch of the recording.

    >>> Window(start_us=1_000, end_us=4_000).length_us
    3000
    """

    start_us: int
    end_us: int

    @property
    def length_us(self) -> int:
        return self.end_us - self.start_us

    def inside(self, outer: Window) -> bool:
        return outer.start_us <= self.start_us and self.end_us <= outer.end_us


class Evidence(_Part, frozen=True, kw_only=True):
    """Where an event is heard: the trigger turn, its spans' characters, the whole turn, the scoring window.

    `anchor` and the scores are left out where the cohort has no alignment; `anchor_score` (mean) and `anchor_lowest`
    also where the aligner has no score for a character.
    """

    turn: str
    anchor: tuple[Window, ...] = ()
    utterance: Window
    coarse: Window
    score: float | None = None
    anchor_score: float | None = None
    anchor_lowest: float | None = None


class GoldEvent(_Part, frozen=True, kw_only=True):
    """One event of a chain. `obstacle`, `clears`, `condition`, `reason` and `cause` are carried, never scored."""

    event_id: str
    action: Action
    value: Value | None
    speaker: str
    scope: str
    predecessor: str | None
    evidence: Evidence
    result: Result | None = None
    obstacle: str | None = None
    clears: str | None = None
    condition: str | None = None
    reason: Reason | None = None
    cause: str | None = None


class GoldCycle(_Part, frozen=True, kw_only=True):
    cycle_id: str
    events: tuple[GoldEvent, ...]


class GoldTrajectory(_Part, frozen=True, kw_only=True):
    entity: str
    field: str
    cycles: tuple[GoldCycle, ...]
    instance: str | None = None

    @property
    def key(self) -> str:
        return f"{self.entity}/{self.field}"

    @property
    def events(self) -> tuple[GoldEvent, ...]:
        return tuple(event for cycle in self.cycles for event in cycle.events)


class GoldSpeaker(_Part, frozen=True, kw_only=True):
    """Who is behind a speaker label: the cast's attributes, and the voice that speaks them."""

    speaker: str
    person: str
    name: str
    role: str
    title: str
    gender: Literal["female", "male"]
    voice: str


class GoldTurn(_Part, frozen=True, kw_only=True):
    """When a turn is heard, and from whom."""

    turn: str
    speaker: str
    window: Window


class GoldCandidate(_Part, frozen=True, kw_only=True):
    """A value named by somebody without the right to start or advance there: part of no chain."""

    candidate_id: str
    entity: str
    field: str
    speaker: str
    value: Value
    turn: str
    instance: str | None = None


class Gold(_File, frozen=True, kw_only=True):
    """The answer for one recording: `gold/<recording>.json`."""

    format: str = "dtbuild.gold/1"
    recording: str
    family: str
    variant: str
    scenario: str
    duration_us: int
    speakers: tuple[GoldSpeaker, ...]
    turns: tuple[GoldTurn, ...]
    trajectories: tuple[GoldTrajectory, ...]
    candidates: tuple[GoldCandidate, ...] = ()
    phenomena: tuple[str, ...] = ()


# --- what a system under test may see -------------------------------------------------------------------


class Query(_File, frozen=True, kw_only=True):
    """The question for one recording: `public/queries/<recording>.json`. It tells nothing of the recording."""

    format: str = "dtbuild.query/1"
    recording: str
    audio: str
    schema: str = "schema.json"
    speakers: str = SPEAKER_CONVENTION


class PublicField(_Part, frozen=True, kw_only=True):
    """One entity–field combination of a scenario, with the types its values may have.

    `units`, `per`, `base`, `bound` and `codes` narrow a type where the scenario does: currency, unit or measure word;
    the period and base that every rate of the field has, said or not; codes of a status with their words. `scopes` are
    those the field may be treated in, `instances` the names of two of a kind.
    """

    entity: str
    field: str
    label: str
    values: tuple[str, ...]
    units: tuple[str, ...] = ()
    per: str | None = None
    base: str | None = None
    bound: str | None = None
    codes: dict[str, str] = {}
    scopes: tuple[str, ...] = ()
    instances: tuple[str, ...] = ()


class PublicSchema(_File, frozen=True, kw_only=True):
    """The answer space of a scenario: `public/schema.json`; equal for every recording of it."""

    format: str = "dtbuild.public-schema/1"
    scenario: str
    title: str
    fields: tuple[PublicField, ...]
    scopes: dict[str, str]
    actions: tuple[str, ...]
    results: tuple[str, ...]
    value_structures: dict[str, Any]
    """JSON Schema (draft 2020-12) definitions of the value types."""


# --- beside gold ----------------------------------------------------------------------------------------


class Review(_File, frozen=True, kw_only=True):
    """Every verdict on one recording's script: `reviews/<recording>.json`."""

    format: str = "dtbuild.review/1"
    recording: str
    verdicts: tuple[Verdict, ...]


class FileEntry(_Part, frozen=True, kw_only=True):
    """One file of the release; `path` is relative to the release folder, with forward slashes."""

    path: str
    sha256: str
    bytes: int


class EngineNote(_Part, frozen=True, kw_only=True):
    """A speech engine or aligner: `fingerprint` covers its model files and settings."""

    name: str
    fingerprint: str


class AssetNote(_Part, frozen=True, kw_only=True):
    """One fetched file that the cohort stands on."""

    kind: str
    package: str
    version: str
    file: str
    sha256: str
    licence: str
    attribution: str
    derived_from: str | None = None


class Withheld(_Part, frozen=True, kw_only=True):
    """A family that was made and not released, whole, with the reason."""

    family: str
    reason: str


class RecordingEntry(_Part, frozen=True, kw_only=True):
    """One recording: `gain_db` is the one gain of its mix, `loudness` what it reached with it in LUFS, `edited` says
    that a person changed its script."""

    recording: str
    family: str
    variant: str
    speakers: int
    duration_us: int
    gain_db: float
    loudness: float | None = None
    files: tuple[FileEntry, ...]
    edited: bool = False


class GoldChange(_Part, frozen=True, kw_only=True):
    """One difference between the gold of variant A and B. `event` is None where a whole trajectory differs."""

    trajectory: str
    event: str | None
    what: str
    a: Any
    b: Any


class PairEntry(_Part, frozen=True, kw_only=True):
    """The two recordings of one family: the one declared factor, and what differs in their gold for it.

    Differences leave out times and ids and are told by person; `turns_changed` counts turns of other words or
    another person.
    """

    family: str
    a: str
    b: str
    factor: VariantKind | None
    changes: tuple[GoldChange, ...]
    turns_changed: int


class Manifest(_File, frozen=True, kw_only=True):
    """The list of everything released, with hashes: `manifest.json`.

    `content_hash` covers config, plans, chains without evidence, scripts and verdicts, and is equal on any
    machine; `audio_hash` covers the WAV files, and is equal on one machine with the same engine files. `alignment` is
    `none` where events have coarse windows only; then there is no `aligner`.
    """

    format: str = "dtbuild.manifest/2"
    kind: str
    scenario: str
    seed: int
    dtbuild: str
    config: dict[str, Any]
    config_fingerprint: str
    engine: EngineNote
    alignment: Literal["forced", "none"]
    aligner: EngineNote | None
    voices: tuple[Voice, ...]
    assets: tuple[AssetNote, ...]
    recordings: tuple[RecordingEntry, ...]
    pairs: tuple[PairEntry, ...]
    files: tuple[FileEntry, ...]
    content_hash: str
    audio_hash: str
    withheld: tuple[Withheld, ...] = ()


class Spread(_Part, frozen=True, kw_only=True):
    """A distribution of lengths in microseconds; all zero where there is none."""

    count: int
    total_us: int
    min_us: int
    median_us: int
    max_us: int


class Said(_Part, frozen=True, kw_only=True):
    """What one voice says in a cohort: turns, 汉字, and the time its turns last, pauses inside included."""

    turns: int
    characters: int
    speech_us: int


class Scores(_Part, frozen=True, kw_only=True):
    """A distribution of alignment scores; all zero where there is none."""

    count: int
    total: float
    min: float
    median: float
    max: float


class Stats(_File, frozen=True, kw_only=True):
    """Figures of a cohort: `stats.json`. Counts only; rates are derived where they are printed.

    `speakers`, `chain_length` and `cycles` map a number (as a string) to how many recordings or trajectories
    have it; `phenomena` counts recordings; `values` counts events by the type of their value (`null` for none);
    `verdicts` counts outcomes by gate and reviewer; `voices` goes by voice id; `scores` of events by what was scored
    (`turn`, `anchor`, `anchor_lowest`), without those that the cohort does not have.
    """

    format: str = "dtbuild.stats/2"
    recordings: int
    families: int
    pairs: int
    duration: Spread
    turns: int
    characters: int
    trajectories: int
    events: int
    candidates: int
    speakers: dict[str, int]
    actions: dict[str, int]
    results: dict[str, int]
    terminal_states: dict[str, int]
    chain_length: dict[str, int]
    cycles: dict[str, int]
    phenomena: dict[str, int]
    values: dict[str, int]
    mentions: dict[str, int]
    windows: dict[str, Spread]
    fields: dict[str, int]
    verdicts: dict[str, dict[str, int]]
    voices: dict[str, Said]
    scores: dict[str, Scores]
