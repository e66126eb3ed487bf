"""What a rule of review is: a code, one line of what it holds, the place in the spec that asks for it, a check."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal, NamedTuple

from dtbuild.records.verdict import Finding
from dtbuild.review.case import Case


class Fault(NamedTuple):
    """What a check saw; the rule adds its code and level."""

    where: str
    message: str
    expected: str | None = None
    found: str | None = None


class Rule(NamedTuple):
    """`check` is pure: the same case gives the same faults in the same order."""

    code: str
    line: str
    spec: str
    check: Callable[[Case], Iterable[Fault]]
    level: Literal["error", "warning"] = "error"

    def findings(self, case: Case) -> tuple[Finding, ...]:
        return tuple(self.finding(fault) for fault in self.check(case))

    def finding(self, fault: Fault) -> Finding:
        return Finding(
            code=self.code,
            where=fault.where,
            message=fault.message,
            level=self.level,
            expected=fault.expected,
            found=fault.found,
        )
