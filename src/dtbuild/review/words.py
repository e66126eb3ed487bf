"""The wordings that rules look for, read once from `words.yaml` beside this module."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from dtbuild.errors import SettingsError
from dtbuild.settings import decode, load_yaml


class Words:
    """Compiled patterns. `text` patterns are searched anywhere in a turn, clause or span, as each rule says."""

    def __init__(self, source: _File) -> None:
        self.settling = _any("settling", source.settling)
        self.negated_before = _any("negated_before", source.negated_before)
        self.open_before = _any("open_before", source.open_before)
        self.open_after = _any("open_after", source.open_after)
        self.unsettled = _any("unsettled", source.unsettled)
        self.authority = _any("authority", source.authority)
        self.quoting = _any("quoting", source.quoting)
        self.no_authority = _any("no_authority", source.no_authority)
        self.reopening = _any("reopening", source.reopening)
        self.hold = _any("hold", source.hold)
        self.conclusion: Mapping[str, re.Pattern[str]] = {
            result: _any(f"conclusion.{result}", patterns) for result, patterns in source.conclusion.items()
        }
        self.conclusion_not: Mapping[str, re.Pattern[str]] = {
            result: _any(f"conclusion_not.{result}", patterns) for result, patterns in source.conclusion_not.items()
        }
        self.directions = _any("directions", source.directions)
        self.label = _any("label", [source.label])
        self.colon_speech = _any("colon_speech", source.colon_speech)
        self.introduction = _any("introduction", [source.introduction])
        self.personal = _any("personal", source.personal)
        self.institutions = _any("institutions", source.institutions)


@functools.cache
def words() -> Words:
    """The shipped wordings."""
    return Words(decode(load_yaml(Path(__file__).with_name("words.yaml")), _File))


class _File(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    format: str
    settling: tuple[str, ...]
    negated_before: tuple[str, ...]
    open_before: tuple[str, ...]
    open_after: tuple[str, ...]
    unsettled: tuple[str, ...]
    authority: tuple[str, ...]
    quoting: tuple[str, ...]
    no_authority: tuple[str, ...]
    reopening: tuple[str, ...]
    hold: tuple[str, ...]
    conclusion: dict[str, tuple[str, ...]]
    conclusion_not: dict[str, tuple[str, ...]]
    directions: tuple[str, ...]
    label: str
    colon_speech: tuple[str, ...]
    introduction: str
    personal: tuple[str, ...]
    institutions: tuple[str, ...]


def _any(name: str, patterns: Sequence[str]) -> re.Pattern[str]:
    """One pattern that matches where any does; nothing where the list is empty."""
    for pattern in patterns:
        try:
            re.compile(pattern)
        except re.error as cause:
            raise SettingsError(
                f"words.yaml, {name}: {pattern!r}", expected="a regular expression", found=str(cause)
            ) from cause
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns) or r"(?!)")
