"""What a family's texts are read from: the scripts of A and B with their chains, told by person, and nothing heard.

A released cohort gives a reading here; the folder of a run that has got no further than its texts gives one in
`dtbuild.pipeline.reading`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from dtbuild.boundary import load
from dtbuild.errors import UnknownName, closest
from dtbuild.records.cohort import Gold, Manifest, PublicSchema
from dtbuild.records.ids import family_of, recording_id
from dtbuild.records.plan import Plan, Trajectory
from dtbuild.records.script import Script
from dtbuild.records.values import Value
from dtbuild.records.variant import VariantKind
from dtbuild.release.chains import trajectory_of
from dtbuild.release.folder import gold_path, manifest_of, script_path
from dtbuild.release.terminal import pad, plain, render, wrap


class Named(NamedTuple):
    """A value named by somebody without the right to."""

    id: str
    entity: str
    field: str
    instance: str | None
    person: str
    value: Value


class Text(NamedTuple):
    """One recording: what is said, and the chains it carries. Events name persons (`p1`), not S1, S2, …"""

    script: Script
    trajectories: tuple[Trajectory, ...]
    named: tuple[Named, ...]
    phenomena: tuple[str, ...]


class Reading(NamedTuple):
    """A family to read. `b` and `kind` are None where there is one recording; `labels` name fields by entity and
    field; `notes` are what a reader must know first."""

    family: str
    title: str
    labels: dict[tuple[str, str], str]
    a: Text
    b: Text | None = None
    kind: VariantKind | None = None
    notes: tuple[str, ...] = ()


class Entry(NamedTuple):
    """A line of the list of families: the kind of its variant and its turns, one number a recording."""

    family: str
    kind: VariantKind | None
    turns: tuple[int, ...]
    note: str = ""


def text_of_plan(plan: Plan, script: Script) -> Text:
    places = {each.id: each for each in plan.trajectories}
    named = tuple(
        Named(each.id, of.entity, of.field, of.instance, each.person, each.value)
        for each in plan.candidates
        for of in [places[each.trajectory]]
    )
    return Text(script, plan.trajectories, named, plan.phenomena)


def text_of_gold(gold: Gold, script: Script) -> Text:
    person = {each.speaker: each.person for each in gold.speakers}
    named = tuple(
        Named(each.candidate_id, each.entity, each.field, each.instance, person[each.speaker], each.value)
        for each in gold.candidates
    )
    trajectories = tuple(trajectory_of(each, person) for each in gold.trajectories)
    return Text(script, trajectories, named, gold.phenomena)


def released_reading(root: Path, family: str) -> Reading:
    """The texts of a released family, which `root` (a release folder) must have. Raises FormatError."""
    manifest = manifest_of(root)
    schema = load(root / "public" / "schema.json", PublicSchema)
    members = sorted(each.recording for each in manifest.recordings if each.family == family)
    a, *b = (text_of_gold(load(gold_path(root, each), Gold), load(script_path(root, each), Script)) for each in members)
    return Reading(
        family=family,
        title=schema.title,
        labels=labels_of(schema),
        a=a,
        b=b[0] if b else None,
        kind=_kind(manifest, family) if b else None,
    )


def released_entries(root: Path) -> list[Entry]:
    """Every family of a release folder, in the order of the manifest."""
    manifest = manifest_of(root)
    turns: dict[str, tuple[int, ...]] = {}
    for each in manifest.recordings:
        said = len(load(script_path(root, each.recording), Script).turns)
        turns[each.family] = (*turns.get(each.family, ()), said)
    return [Entry(family, _kind(manifest, family), counts) for family, counts in turns.items()]


def labels_of(schema: PublicSchema) -> dict[tuple[str, str], str]:
    return {(each.entity, each.field): each.label for each in schema.fields}


def names(entries: Iterable[Entry]) -> list[str]:
    """What may be named: every family and its recordings."""
    return [
        name
        for entry in entries
        for name in (entry.family, *(recording_id(entry.family, "ab"[at]) for at in range(len(entry.turns))))
    ]


def family_named(name: str, entries: Sequence[Entry], where: Path) -> str:
    """The family that `name`, a family or one of its recordings, belongs to. Raises UnknownName with the closest."""
    known = names(entries)
    if name in known:
        return family_of(name)
    raise UnknownName(
        f"family or recording {name!r} in {where}",
        expected=closest(name, known),
        fix="name one of these; without a name, --text lists them",
    )


def listing(entries: Sequence[Entry], folder: Path, *, width: int) -> str:
    """The families that can be read, a line each, and how."""
    head = f"{folder}: {len(entries)} {'family' if len(entries) == 1 else 'families'} to read"
    lines = [*wrap(plain(head), width), []]
    kinds = [(each.kind or "standalone").replace("_", " ") for each in entries]
    for each, kind in zip(entries, kinds, strict=True):
        turns = " | ".join(map(str, each.turns))
        row = f"{each.family}  {pad(kind, max(map(len, kinds)))}  {turns} turns" + (
            f"  {each.note}" if each.note else ""
        )
        lines += wrap(plain(row), width)
    lines += [[], *wrap(plain(f"dtbuild show {folder} {entries[0].family} --text"), width)] if entries else []
    return "\n".join(render(line, color=False) for line in lines)


def _kind(manifest: Manifest, family: str) -> VariantKind | None:
    return next((pair.factor for pair in manifest.pairs if pair.family == family), None)
