"""Figures as the bench prints them: what was reached, what is wanted, and whether it holds."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Figure(NamedTuple):
    """`holds` is None for what is printed and promises nothing; `small` counts show what a `small` figure claims too."""

    name: str
    reached: str
    wanted: str
    holds: bool | None = None
    small: bool = False


def table(figures: Iterable[Figure]) -> str:
    """
    >>> print(table([Figure("kinds", "7", ">= 20", False)]).splitlines()[-1])
    | kinds | 7 | >= 20 | SHORT |
    """
    lines = ["| figure | reached | wanted | |", "|---|---|---|---|"]
    words = {True: "ok", False: "SHORT", None: ""}
    return "\n".join([*lines, *(f"| {f.name} | {f.reached} | {f.wanted} | {words[f.holds]} |" for f in figures)])


def status(figures: Iterable[Figure]) -> int:
    """The exit code: 1 when a figure falls short."""
    return int(any(figure.holds is False for figure in figures))
