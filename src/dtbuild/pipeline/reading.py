"""The texts of a cohort folder for people to read: what lies in `work/`, and where nothing does the release.

Reading writes nothing and makes nothing, so it works beside a run, and for a folder that has got no further than
its texts. Of the tries of a family the admitted one is read; where none is, the last, with a note that says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, TypeVar

from msgspec.structs import replace

from dtbuild.blueprint.load import read as read_blueprint
from dtbuild.boundary import load
from dtbuild.errors import FolderError, FormatError, UserError
from dtbuild.pipeline.folder import Folder, Item, RunFile
from dtbuild.records.blueprint import Blueprint
from dtbuild.records.ids import family_of
from dtbuild.records.plan import Plan
from dtbuild.records.script import Script
from dtbuild.records.variant import Variant
from dtbuild.records.verdict import Verdict
from dtbuild.release.folder import MANIFEST, release_of, script_path
from dtbuild.release.reading import (
    Entry,
    Reading,
    family_named,
    labels_of,
    names,
    released_entries,
    released_reading,
    text_of_plan,
)
from dtbuild.release.schema import public_schema
from dtbuild.review.rules import judged
from dtbuild.variants.change import judged as judged_pair

T = TypeVar("T")


def entries(folder: Path) -> list[Entry]:
    """Every family of a cohort, or of a release folder, that has a text. Raises FolderError where none has."""
    work = _Work(folder)
    found = {each.family: each for each in work.entries()}
    there = any((root / MANIFEST).is_file() for root in (folder, folder / "release"))
    if there or not work.begun:
        found = {each.family: each for each in released_entries(release_of(folder))} | found
    if not found:
        raise FolderError(
            f"cohort {folder}",
            expected="scripts",
            found="a run that has written none",
            fix="run generate with --until review (or variants, for the pairs)",
        )
    return [found[family] for family in sorted(found)]


def reading(folder: Path, name: str) -> Reading:
    """The texts of a family, named by its id or that of one of its recordings.

    Raises UnknownName with the closest names, FolderError where the folder has no texts, FormatError for a file
    that cannot be read.
    """
    work = _Work(folder)
    own = [work.entry(family_of(name))] if family_of(name) in work.tries else []
    family = family_named(name, own if name in names(own) else entries(folder), folder)
    return work.reading(family) if family in work.tries else released_reading(release_of(folder), family)


class _Try(NamedTuple):
    plan: Plan
    script: Script
    verdict: Verdict | None
    variant: Variant | None

    @property
    def admitted(self) -> bool:
        verdicts = (self.verdict, *(self.variant.verdicts if self.variant else ()))
        return all(each is not None and each.outcome == "pass" for each in verdicts)

    @property
    def complete(self) -> bool:
        return self.plan.change is None or self.variant is not None

    @property
    def note(self) -> str:
        if self.verdict is None:
            return "not reviewed yet"
        if self.admitted:
            return "" if self.complete else "a pair; its B is not made yet"
        verdicts = (self.verdict, *(self.variant.verdicts if self.variant else ()))
        codes = dict.fromkeys(
            finding.code for each in verdicts for finding in each.findings if finding.level == "error"
        )
        return f"not admitted: {', '.join(codes)}"


class _Work:
    def __init__(self, root: Path) -> None:
        self.folder = Folder(root)
        self.begun = (root / "run.json").is_file()
        self.tries: dict[str, list[int]] = {}
        for path in (root / "work" / "script").glob("*.*.json"):
            family, _, number = path.stem.rpartition(".")
            if number.isdigit():
                self.tries.setdefault(family, []).append(int(number))

    def entries(self) -> Iterator[Entry]:
        return map(self.entry, self.tries)

    def entry(self, family: str) -> Entry:
        found = self._chosen(family)
        turns = (len(found.script.turns), *([len(found.variant.script.turns)] if found.variant else []))
        return Entry(family, found.variant.kind if found.variant else None, turns, found.note)

    def reading(self, family: str) -> Reading:
        found = self._chosen(family)
        plan, script, verdict, variant = found
        blueprint = self._blueprint()
        schema = public_schema(blueprint) if blueprint else None
        notes = [found.note] if found.note else []
        if script.edited and verdict and blueprint and verdict.inputs != judged(plan, script, blueprint):
            notes.append("edited since its review: run generate again")
        if variant and variant.verdicts[0].inputs != judged_pair(plan, script, variant.plan, variant.script):
            notes.append("B was made from an earlier A and is left out: run generate again")
            variant = None
        if self._released_otherwise(script):
            notes.append("the release has another text: run generate to the end")
        return Reading(
            family=family,
            title=schema.title if schema else script.scenario,
            labels=labels_of(schema) if schema else {},
            a=text_of_plan(plan, script),
            b=text_of_plan(variant.plan, variant.script) if variant else None,
            kind=variant.kind if variant else None,
            notes=tuple(notes),
        )

    def _chosen(self, family: str) -> _Try:
        """The first admitted try, as a run chooses, of a pair one with its B if there is; the last where none is."""
        tries = [self._try(f"{family}.{number}") for number in sorted(self.tries[family])]
        admitted = [each for each in tries if each.admitted]
        return next((each for each in admitted if each.complete), admitted[0] if admitted else tries[-1])

    def _try(self, key: str) -> _Try:
        plan, script = self._whole("gold", key, Plan), self._whole("script", key, Script)
        verdict = self.folder.stored("review", key, Verdict)
        variant = self.folder.stored("variants", key, Variant)
        # as a run hands it to the review: marked where a person changed it or what it was written from
        marked = replace(script.record, edited=script.edited or plan.edited)
        return _Try(plan.record, marked, verdict and verdict.record, variant and variant.record)

    def _whole(self, stage: str, key: str, kind: type[T]) -> Item[T]:
        item = self.folder.stored(stage, key, kind)
        if item is None:
            path = self.folder.path(stage, key)
            raise FormatError(
                f"file {path}", found="none beside its script", fix="run generate again: it is made again"
            )
        return item

    def _blueprint(self) -> Blueprint | None:
        """The scenario the run was made with, None where it is no longer at hand: texts can be read without it."""
        try:
            return read_blueprint(load(self.folder.root / "run.json", RunFile).config.scenario)[0]
        except UserError:
            return None

    def _released_otherwise(self, script: Script) -> bool:
        path = script_path(self.folder.release, script.recording)
        return path.is_file() and load(path, Script).turns != script.turns
