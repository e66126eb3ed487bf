"""What a phrase is chosen for: the speaker, the addressee, the matter, the numbers and words it may use."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from dtbuild.records.plan import Person
from dtbuild.records.values import Value


@dataclass(slots=True)
class Number:
    """A value a phrase may say, and what its mention stands for."""

    value: Value
    role: Literal["event", "echo", "premise", "unauthorised", "distractor"]
    target: str | None
    near: Value | None = None


@dataclass(slots=True)
class Frame:
    """The situation in which a phrase is chosen and rendered."""

    speaker: Person
    to: Person | None
    tags: frozenset[str]
    words: dict[str, str]
    numbers: dict[str, Number]
    target: str = ""
    authority: tuple[str, ...] = ()
    spaces: tuple[str, ...] = ()
    """Prefixes of banks of the matter at hand (`field:…:`, `obstacle:…:`), looked at before the general ones."""
    anaphor: str | None = None
    antecedent: str | None = None
    settle: bool = False
    field: str | None = None
    has: frozenset[str] = frozenset()


@dataclass(slots=True)
class Known:
    """The number of a trajectory as it stands in the talk."""

    value: Value
    mention: str
    event: str
    person: str
