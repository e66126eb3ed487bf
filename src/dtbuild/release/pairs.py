"""A/B pairs: what differs between the gold of two variants of one family, times and ids left out.

Differences are told by person, since a label (S1, S2) may move when somebody else speaks first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from dtbuild.records.cohort import Gold, GoldCandidate, GoldChange, GoldEvent, GoldTrajectory, PairEntry
from dtbuild.records.plan import carried
from dtbuild.records.script import Script
from dtbuild.records.values import Value
from dtbuild.records.variant import VariantKind
from dtbuild.release.naming import Place


def pair_of(a: Gold, b: Gold, script_a: Script, script_b: Script, factor: VariantKind | None) -> PairEntry:
    """The manifest's entry of a pair; `factor` is what variant B declares to have changed."""
    return PairEntry(
        family=a.family,
        a=a.recording,
        b=b.recording,
        factor=factor,
        changes=changes(a, b),
        turns_changed=_turns_changed(script_a, script_b),
    )


def changes(a: Gold, b: Gold) -> tuple[GoldChange, ...]:
    """Every difference, in the order of A's trajectories, then those only B has; then candidates, roles, phenomena.

    Events are matched by their id inside a trajectory: a variant keeps the ids of the plan it was made from. What
    one of the two does not have (the settle of a confirmation change) is `present` in the one, `absent` in the other.
    """
    first, second = _by_place(a), _by_place(b)
    found: list[GoldChange] = []
    for place in dict.fromkeys([*first, *second]):
        name = _name(*place)
        one, two = first.get(place), second.get(place)
        if one is None or two is None:
            found.append(GoldChange(trajectory=name, event=None, what="trajectory", a=_present(one), b=_present(two)))
            continue
        mine, other = _events(one, a), _events(two, b)
        for event in dict.fromkeys([*mine, *other]):
            left, right = mine.get(event), other.get(event)
            if left is None or right is None:
                found.append(
                    GoldChange(trajectory=name, event=event, what="event", a=_present(left), b=_present(right))
                )
                continue
            found += [
                GoldChange(trajectory=name, event=event, what=what, a=left[what], b=right[what])
                for what in left
                if left[what] != right[what]
            ]
    found += _candidates(a, b)
    found += _roles(a, b)
    if a.phenomena != b.phenomena:
        shown = [", ".join(gold.phenomena) for gold in (a, b)]
        found.append(GoldChange(trajectory="", event=None, what="phenomena", a=shown[0], b=shown[1]))
    return tuple(found)


def _candidates(a: Gold, b: Gold) -> Iterator[GoldChange]:
    """Candidates that another person names, with another value, or that only one of the two has."""
    first, second = ({each.candidate_id: each for each in gold.candidates} for gold in (a, b))
    for id in dict.fromkeys([*first, *second]):
        one, two = first.get(id), second.get(id)
        each = one or second[id]
        name = _name(each.entity, each.field, each.instance)
        if one is None or two is None:
            told = [(f"candidate {id}", _present(one), _present(two))]
        else:
            told = [
                (f"person of {id}", _named_by(one, a), _named_by(two, b)),
                (f"value of {id}", _bare(one.value), _bare(two.value)),
            ]
        for what, mine, other in told:
            if mine != other:
                yield GoldChange(trajectory=name, event=None, what=what, a=mine, b=other)


def _named_by(candidate: GoldCandidate, gold: Gold) -> str:
    return next((each.person for each in gold.speakers if each.speaker == candidate.speaker), candidate.speaker)


def _roles(a: Gold, b: Gold) -> Iterator[GoldChange]:
    """The role that a person has, or his title where the role stays."""
    after = {each.person: each for each in b.speakers}
    for each in a.speakers:
        other = after.get(each.person, each)
        what = "role" if each.role != other.role else "title"
        one, two = getattr(each, what), getattr(other, what)
        if one != two:
            yield GoldChange(trajectory="", event=None, what=f"{what} of {each.person}", a=one, b=two)


def _by_place(gold: Gold) -> dict[Place, GoldTrajectory]:
    return {(each.entity, each.field, each.instance): each for each in gold.trajectories}


def _events(trajectory: GoldTrajectory, gold: Gold) -> dict[str, Mapping[str, Any]]:
    persons = {each.speaker: each.person for each in gold.speakers}
    return {
        event.event_id: _parts(event, persons, number)
        for number, cycle in enumerate(trajectory.cycles, 1)
        for event in cycle.events
    }


def _parts(event: GoldEvent, persons: dict[str, str], cycle: int) -> dict[str, Any]:
    place = {
        "person": persons.get(event.speaker, event.speaker),
        "cycle": cycle,
        "predecessor": event.predecessor,
    }
    return {**carried(event), "value": _bare(event.value), **place}


def _bare(value: Value | None) -> Any:
    """A value as plain data, without the words it was said in."""
    bare: Any = msgspec.to_builtins(value)
    if bare is not None:
        bare.pop("text", None)
    return bare


def _name(entity: str, field: str, instance: str | None) -> str:
    return "/".join(part for part in (entity, field, instance) if part)


def _present(item: object) -> str:
    return "absent" if item is None else "present"


def _turns_changed(a: Script, b: Script) -> int:
    # turns whose text or person differs, by position, and those that only one variant has
    said = [[(turn.person, turn.text) for turn in script.turns] for script in (a, b)]
    same = len([one for one, two in zip(*said, strict=False) if one == two])
    return max(len(said[0]), len(said[1])) - same
