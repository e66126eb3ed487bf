"""The kind of a variant is the tag under which its change is written in the plan."""

from __future__ import annotations

from typing import get_args

import msgspec
import pytest

from dtbuild.records.plan import Change, Confirmation, Reassignment, Swap
from dtbuild.records.variant import VariantKind, kind_of

CHANGES: tuple[Change, ...] = (
    Swap(events=("e1",), giver="p1", taker="p2"),
    Reassignment(one="p1", other="p2"),
    Confirmation(event="e1", person="p2"),
)


@pytest.mark.parametrize("change", CHANGES, ids=kind_of)
def test_the_kind_is_the_tag(change: Change) -> None:
    assert msgspec.to_builtins(change)["kind"] == kind_of(change)


def test_every_kind_has_its_change() -> None:
    assert {kind_of(change) for change in CHANGES} == set(get_args(VariantKind))
