"""Plans in a few words for tests of legality, on the claims scenario.

A chain is written as cycles of steps: `s(action, person, value, …)`; persons are p1 adjuster, p2 examiner, p3
insured.
"""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

from dtbuild.blueprint.examples import as_plan
from dtbuild.blueprint.load import load
from dtbuild.legality.plan import check
from dtbuild.records.blueprint import Example, ExampleCandidate, ExampleChain, ExampleEvent
from dtbuild.records.plan import Plan
from dtbuild.records.values import Money, Term, Value

BLUEPRINT = load(Path(__file__).parents[1] / "blueprint" / "claims.yaml")
CAST = {"p1": "adjuster", "p2": "examiner", "p3": "insured"}


def yuan(amount: int) -> Money:
    return Money(amount=Decimal(amount), currency="CNY")


def days(number: int) -> Term:
    return Term(value=Decimal(number), unit="day")


def s(action: Any, by: str, value: Value | int | None = 20000, scope: str = "payout", **more: Any) -> ExampleEvent:
    """One step; a plain number is in 元."""
    if action == "settle":
        more.setdefault("result", "approved")
    given = yuan(value) if isinstance(value, int) else value
    return ExampleEvent(action=action, by=by, scope=scope, value=given, **more)


def plan(*chains: Any, candidates: tuple[ExampleCandidate, ...] = ()) -> Plan:
    """A plan; a chain is a list of cycles on vehicle/loss, or an ExampleChain."""
    built = [
        chain
        if isinstance(chain, ExampleChain)
        else ExampleChain(field="vehicle/loss", cycles=tuple(map(tuple, chain)))
        for chain in chains
    ]
    return as_plan(BLUEPRINT, Example(name="t", cast=CAST, chains=tuple(built), candidates=candidates))


def codes(*chains: Any, **more: Any) -> list[str]:
    """The codes of all findings, sorted, each once."""
    return sorted({finding.code for finding in check(plan(*chains, **more), BLUEPRINT)})
