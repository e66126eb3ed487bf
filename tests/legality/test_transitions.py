"""Every row of the transition table (spec, section 1), accepting and refusing."""

from __future__ import annotations

import pytest

from dtbuild.legality.transitions import From, refusal
from dtbuild.records.plan import Action

ACTIONS: tuple[Action, ...] = ("start", "advance", "hold", "settle")
OPENING: dict[From, set[Action]] = {
    "nothing": {"start", "hold", "settle"},
    "active": set(),
    "held": set(),
    "settled": {"start", "hold"},
}
INSIDE: dict[From, set[Action]] = {
    "nothing": set(),
    "active": {"advance", "hold", "settle"},
    "held": {"advance", "hold", "settle"},
    "settled": set(),
}


@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize("before", OPENING)
@pytest.mark.parametrize("opens", [True, False])
def test_the_table(before: From, action: Action, opens: bool) -> None:
    legal = action in (OPENING if opens else INSIDE)[before]
    why = refusal(before, action, opens_cycle=opens)
    assert (why is None) == legal
    if why is not None:
        assert str(before) in why
