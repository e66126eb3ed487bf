"""Finding one's way in a released folder. Readers accept the cohort folder or the `release` folder in it."""

from __future__ import annotations

from pathlib import Path

from dtbuild.boundary import load
from dtbuild.errors import FolderError, UnknownName, closest
from dtbuild.records.cohort import Gold, Manifest, Review
from dtbuild.records.script import Script

MANIFEST = "manifest.json"
CARD = "data_card.md"


def release_of(folder: Path) -> Path:
    """The release folder itself. Raises FolderError when there is none."""
    for root in (folder, folder / "release"):
        if (root / MANIFEST).is_file():
            return root
    found = "no such folder" if not folder.exists() else "no manifest.json in it or in its release folder"
    fix = "check the path, or run generate to the end"
    if (folder / "run.json").is_file():
        found += "; this run has not reached its release"
        fix += "; dtbuild show --text reads what is written"
    raise FolderError(f"cohort {folder}", expected="a released cohort", found=found, fix=fix)


def manifest_of(root: Path) -> Manifest:
    return load(root / MANIFEST, Manifest)


def golds(root: Path) -> list[Gold]:
    """Every gold file the manifest names, in its order. Raises FormatError for one that cannot be read."""
    return [load(gold_path(root, each.recording), Gold) for each in manifest_of(root).recordings]


def scripts(root: Path) -> list[Script]:
    return [load(script_path(root, each.recording), Script) for each in manifest_of(root).recordings]


def reviews(root: Path) -> list[Review]:
    return [load(root / "reviews" / f"{each.recording}.json", Review) for each in manifest_of(root).recordings]


def gold_path(root: Path, recording: str) -> Path:
    return root / "gold" / f"{recording}.json"


def script_path(root: Path, recording: str) -> Path:
    return root / "scripts" / f"{recording}.json"


def known(root: Path, recording: str) -> str:
    """The recording itself when the cohort has it. Raises UnknownName with the closest names."""
    names = [each.recording for each in manifest_of(root).recordings]
    if recording in names:
        return recording
    raise UnknownName(f"recording {recording!r} in {root}", expected=closest(recording, names), fix="name one of these")
