"""Families of the tests: which of them are pairs, and of which kind."""

from __future__ import annotations

from dtbuild.gold.settings import GoldSettings
from dtbuild.records import variant
from dtbuild.records.plan import Plan
from dtbuild.records.variant import VariantKind

ALL_KINDS = GoldSettings(variants={"speaker_swap": 2.0, "confirmation_change": 2.0, "role_reassignment": 1.0})


def kind(index: int) -> VariantKind | None:
    """Every other family is a pair, and pairs are of all kinds."""
    return ALL_KINDS.variant(index // 2) if index % 2 == 0 else None


def kind_of(plan: Plan) -> VariantKind | None:
    """The kind of the change that a plan names."""
    return None if plan.change is None else variant.kind_of(plan.change)
