"""Findings and verdicts: what a check saw, and what a reviewer or gate decided.

They are records of their own; admission is folded from them last.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import msgspec


class Finding(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One fault. `where` is a readable place: `sc0007q-a-t012`, `e3`, `roles[2].id`, `line 14`.

    `turn` is the id of the turn to speak again, where the fault is one turn's sound.
    """

    code: str
    where: str
    message: str
    level: Literal["error", "warning"] = "error"
    expected: str | None = None
    found: str | None = None
    turn: str | None = None


def finding(code: str, where: str, message: str, expected: object = None, found: object = None) -> Finding:
    """An error-level finding; what was expected and found may be any value and is written as text.

    >>> finding("length", "sc0007u-a", "汉字", 430, 12).found
    '12'
    """
    return Finding(
        code=code,
        where=where,
        message=message,
        expected=None if expected is None else str(expected),
        found=None if found is None else str(found),
    )


def outcome_of(findings: Iterable[Finding]) -> Literal["pass", "fail"]:
    """What findings come to: warnings fail nothing."""
    return "fail" if any(each.level == "error" for each in findings) else "pass"


class Verdict(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What one reviewer decided about one subject at one gate.

    `no_verdict` is neither pass nor fail: a reviewer that could not decide never passes anything.
    `inputs` is the fingerprint of what was judged, so that a changed subject is seen to need review again.
    """

    gate: str
    subject: str
    reviewer: str
    outcome: Literal["pass", "fail", "no_verdict"]
    inputs: str
    findings: tuple[Finding, ...] = ()
