"""The transition table of a chain (spec, section 1).

>>> refusal("active", "start", opens_cycle=False)
'start from active'
>>> refusal("held", "hold", opens_cycle=False) is None     # whether something changed is another rule
True
>>> refusal("settled", "hold", opens_cycle=True) is None   # an explicit reopening
True
"""

from __future__ import annotations

from typing import Literal

from dtbuild.records.plan import Action, State

From = State | Literal["nothing"]

_INSIDE: dict[From, frozenset[Action]] = {
    "active": frozenset({"advance", "hold", "settle"}),
    "held": frozenset({"advance", "hold", "settle"}),
    "settled": frozenset(),
}
_OPENING: dict[From, frozenset[Action]] = {
    "nothing": frozenset({"start", "hold", "settle"}),
    "settled": frozenset({"start", "hold"}),
}


def refusal(before: From, action: Action, *, opens_cycle: bool) -> str | None:
    """Why the action is illegal from this state, None where the table allows it.

    `opens_cycle` says that the action is the first of its cycle: only then may it follow `nothing` or `settled`,
    and a cycle cannot open while the one before is not settled.
    """
    allowed = (_OPENING if opens_cycle else _INSIDE).get(before, frozenset())
    if action in allowed:
        return None
    if opens_cycle and before in ("active", "held"):
        return f"a cycle opens while the one before is {before}"
    return f"{action} from {before}"
