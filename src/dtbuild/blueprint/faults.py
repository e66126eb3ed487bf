"""Collects what is wrong with a blueprint, each fault with its place in the file."""

from __future__ import annotations

from typing import Literal

from dtbuild.records.verdict import Finding
from dtbuild.settings import Document, at

Place = tuple[str | int, ...]


class Faults:
    """A growing list of findings about one blueprint; places are paths of keys and indexes.

    >>> faults = Faults(None)
    >>> faults.add("unknown", ("roles", 2, "id"), "no such role")
    >>> faults.found[0].where
    'roles[2].id'
    """

    def __init__(self, document: Document | None) -> None:
        self.document = document
        self.found: list[Finding] = []

    def add(
        self,
        code: str,
        place: Place,
        message: str,
        *,
        expected: str | None = None,
        found: str | None = None,
        level: Literal["error", "warning"] = "error",
    ) -> None:
        self.found.append(
            Finding(
                code=code, where=at(self.document, place), message=message, level=level, expected=expected, found=found
            )
        )
