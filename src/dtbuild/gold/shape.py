"""The bare form of the chains: which kind of step follows which, before anybody says anything.

A step is one event to be. Kinds: `start`, `revise` (advance with a changed value), `condition` (advance that
meets a named condition), `hold`, `hold_again` (hold on held with another obstacle), `resume` (advance from
held), `settle`. A cycle's steps are legal by construction (spec, section 1).
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Literal, NamedTuple

from dtbuild.gold.draw import pick

Kind = Literal["start", "revise", "condition", "hold", "hold_again", "resume", "settle"]
Cycle = list[Kind]
Chain = list[Cycle]
Host = frozenset[str]
"""What one chain has to show: phenomena, and `CONCLUDED`."""
CONCLUDED = "concluded"
"""Its last step is a settle in the positive that nothing held up, which variant B may leave out."""

_SETTLED = 0.8
_SETTLED_FROM_HELD = 0.14
_MOST_STEPS = 6
_CHANGED_FIRST = 0.8
"""How often a value is haggled over or counted again before anything holds it up: what was let go on stays."""
_STUCK = 16
"""Vain attempts to make a chain longer before the dialogue stays shorter than drawn."""
_BARE, _THIN = 2, 3.0
"""Steps of a cycle with nothing between its first and its last, and how much rather such a one is made longer."""
_CHECKED: frozenset[Kind] = frozenset({"condition", "hold", "resume"})
_SURE = frozenset({"scope_limited_settle", "reopening", CONCLUDED})
"""What a chain can show only if it is settled."""


class Ability(NamedTuple):
    """What the people present can make of one chain: settle it in the positive, find so many obstacles, change its
    value in one cycle and meet conditions so many times."""

    closable: bool
    obstacles: int
    changes: int
    conditions: int


class DeadEnd(Exception):
    """A choice made on the way leaves no legal plan; the planner starts over with other choices."""


def chains(
    rng: random.Random,
    hosts: Sequence[Host],
    abilities: Sequence[Ability],
    wanted: frozenset[str],
    events: tuple[int, int],
) -> list[Chain]:
    """One chain for every host, together within `events`. Raises DeadEnd where the people cannot make so many."""
    result = [_bare(rng, host, able, wanted) for host, able in zip(hosts, abilities, strict=True)]
    total = rng.randint(*events)
    fixed = [_fixed(host) for host in hosts]
    stuck = 0
    while _size(result) < total and stuck < _STUCK:
        at = pick(rng, range(len(result)), [_THIN if len(chain[0]) <= _BARE else 1.0 for chain in result])
        room = min(total - _size(result), _MOST_STEPS - sum(map(len, result[at])))
        twice = any("hold_again" in cycle for chain in result for cycle in chain)
        if (fixed[at] and len(result[at]) == 1) or not _extend(
            rng, pick(rng, result[at]), wanted, room, abilities[at], twice
        ):
            stuck += 1
    if not events[0] <= _size(result) <= events[1]:
        raise DeadEnd
    return result


def _bare(rng: random.Random, host: Host, able: Ability, wanted: frozenset[str]) -> Chain:
    if "first_event_settle" in host:
        cycle: Cycle = ["settle"]
        settled = True
    else:
        settled = able.closable and (bool(_SURE & host) or rng.random() < _SETTLED)
        cycle = ["hold"] if "first_event_hold" in host else ["start"]
        # what opens held goes on before its value changes
        if "resumption" in host or {"first_event_hold", "revision"} <= host:
            if "resumption" not in wanted:
                raise DeadEnd
            cycle += ["resume"] if cycle == ["hold"] else ["hold", "resume"]
        elif "suspension" in host and cycle == ["start"]:
            cycle += ["hold"]
        if "revision" in host:
            # a value can change before a suspension or after it, never in the middle of one
            cycle.insert(1 if cycle[0] == "start" and rng.random() < _CHANGED_FIRST else len(cycle), "revise")
            if "hold" in cycle and cycle[-2:] == ["hold", "revise"]:
                cycle[-2:] = ["revise", "hold"]
            if cycle[0] == "revise":
                raise DeadEnd
        if cycle == ["start"] and not settled:
            cycle += [_progress(able, wanted)]
        if CONCLUDED in host and cycle[-1] == "hold":
            if "resumption" not in wanted:
                raise DeadEnd
            cycle += ["resume"]
        if cycle[-1] == "hold" and settled and not _SURE & host:
            # what is cleared and concluded in one breath leaves no room for the clearing
            settled = rng.random() < _SETTLED_FROM_HELD
        if cycle[-1] == "hold" and settled and "resumption" in wanted and rng.random() > _SETTLED_FROM_HELD:
            cycle += ["resume"]
        if settled:
            cycle += ["settle"]
    chain = [cycle]
    if "reopening" in host:
        if not settled:
            raise DeadEnd
        sure = CONCLUDED in host
        resumable = "resumption" in wanted
        opening: Kind = "hold" if "suspension" in wanted and (resumable or not sure) and rng.random() < 0.3 else "start"
        if opening == "start":
            chain.append([opening, "settle"] if sure or rng.random() < 0.75 else [opening])
        else:
            resumed: Cycle = [opening, "resume", "settle"]
            chain.append(resumed if resumable and (sure or rng.random() < 0.75) else [opening])
    return chain


def _progress(able: Ability, wanted: frozenset[str]) -> Kind:
    """What a chain goes on with that nobody present concludes."""
    if able.conditions:
        return "condition"
    if able.changes and "revision" in wanted:
        return "revise"
    if able.obstacles and "suspension" in wanted:
        return "hold"
    raise DeadEnd


def _fixed(host: Host) -> bool:
    """Whether the first cycle is a bare settle that must stay so."""
    return "first_event_settle" in host


def _extend(rng: random.Random, cycle: Cycle, wanted: frozenset[str], room: int, able: Ability, twice: bool) -> bool:
    """Put one more block into a cycle; False when nothing fits. `twice`: something is held up by two things already."""
    if cycle == ["settle"] or room < 1:
        return False
    last = len(cycle) - 1 if cycle[-1] == "settle" else len(cycle)
    # places between two steps where the chain is active
    active = [at for at in range(1, last + 1) if cycle[at - 1] in ("start", "revise", "condition", "resume")]
    # people agree on a number before they check it
    early = [at for at in active if not _CHECKED & set(cycle[:at])] or active
    checked = [at for at in active if "revise" not in cycle[at:]] or active
    held_end = cycle[last - 1] in ("hold", "hold_again")
    options: list[tuple[str, float]] = []
    if active and "revision" in wanted and cycle.count("revise") < able.changes:
        options.append(("revise", 3.0))
    met = cycle.count("condition")
    if active and met < able.conditions:
        options.append(("condition", 0.2 if met else 1.5))
    holds = cycle.count("hold")
    more = holds + cycle.count("hold_again") < able.obstacles
    if "resumption" in wanted and active and more and holds < 2 and room >= 2:
        options.append(("pause", 3.0))
    if "suspension" in wanted and more and not held_end and active and holds < 2 and cycle[-1] != "settle":
        options.append(("halt", 1.0))
    if "resumption" in wanted and cycle[last - 1] == "hold":
        options.append(("resume", 6.0 if cycle[-1] == "settle" else 1.0))
    if "suspension" in wanted and more and cycle[-1] == "hold" and not twice:
        # who waits for two things is not helped by one of them: what is held up twice stays so
        options.append(("hold_again", 0.2))
    if not options:
        return False
    block = pick(rng, [name for name, _ in options], [weight for _, weight in options])
    if block == "pause":
        at = pick(rng, checked)
        cycle[at:at] = ["hold", "resume"]
    elif block == "halt":
        cycle.append("hold")
    elif block == "resume":
        cycle.insert(last, "resume")
    elif block == "hold_again":
        cycle.append("hold_again")
    elif block == "revise":
        cycle.insert(pick(rng, early), "revise")
    else:
        cycle.insert(pick(rng, checked), "condition")
    return True


def _size(result: list[Chain]) -> int:
    return sum(len(cycle) for chain in result for cycle in chain)
