"""Who does what in a scene: whom one talks with, who brings what is missing, who objects, who may decide."""

from __future__ import annotations

from dtbuild.errors import BlueprintError
from dtbuild.records.plan import Event, Person, Trajectory
from dtbuild.script.compare import direction, less
from dtbuild.script.situation import Number
from dtbuild.script.talk import Talk


def partner(talk: Talk, actor: Person, event: Event | None = None, about: Trajectory | None = None) -> Person:
    """Whom `actor` talks with: the last speaker, or somebody of another side; mostly one whom the matter concerns."""
    bound = talk.bound if event is not None and event.id in talk.apart else frozenset()
    people = talk.others(actor.id, *bound)
    if not people:
        raise BlueprintError(
            f"plan {talk.plan.family}, swap of {event.id if event else ''}",
            expected="a third person, so that nobody answers himself in A or B",
            found=f"{len(talk.plan.cast)} in the cast",
            fix="plan a pair with three or more people",
        )
    if about is not None and talk.chance(0.9):
        spec = talk.fields[about.key]
        rights = [
            p
            for p in people
            if talk.side[p.id] in spec.wants
            or any(talk.blueprint.may(p.role, spec.scope, action) for action in ("start", "advance", "hold"))
        ]
        people = rights or people
    last = talk.last_person
    if last is not None and talk.stuck(talk.person(last), about.key if about else None):
        # who has just spoken of something else does not turn to this in the same breath
        people = [p for p in people if p.id != last] or people
    if last is not None and any(p.id == last for p in people) and talk.chance(0.6):
        return talk.person(last)
    across = [p for p in people if talk.side[p.id] != talk.side[actor.id]]
    return talk.rng.choice(across if across and talk.chance(0.7) else people)


def owner(talk: Talk, obstacle: str, actor: Person, event: Event) -> Person | None:
    """Somebody present who can bring what clears the obstacle."""
    roles = talk.blueprint.obstacle(obstacle).cleared_by
    bound = talk.bound if event.id in talk.apart else frozenset()
    people = [p for p in talk.others(actor.id, *bound) if p.role in roles]
    people.sort(key=lambda person: roles.index(person.role))
    return people[0] if people else None


def objector(talk: Talk, trajectory: Trajectory, event: Event, actor: Person, way: str) -> Person | None:
    """Somebody whose side would want the change; None where it can only be the actor's own wish."""
    bound = talk.bound if event.id in talk.apart else frozenset()
    people = talk.others(actor.id, *bound)
    wants = talk.fields[trajectory.key].wants
    keen = [p for p in people if wants.get(talk.side[p.id]) == way and talk.side[p.id] != talk.side[actor.id]]
    if keen:
        return talk.rng.choice(keen)
    known = talk.known.get(trajectory.id)
    # nobody objects to a number that he named or let pass, and whom the matter does not touch has nothing to object
    own = {e.person for e in trajectory.events if known is not None and e.value == known.value}
    colleagues = [p for p in people if wants.get(talk.side[p.id]) == way and p.id not in own]
    if colleagues:
        return talk.rng.choice(colleagues)
    others = [p for p in people if not wants and p.id not in own]
    if way == "lower":
        # a supplier does not talk his own receivables or goods down
        others = [p for p in others if talk.side[p.id] != "supplier"]
    return talk.rng.choice(others) if others else None


def concerned(talk: Talk, trajectory: Trajectory, event: Event, actor: Person) -> Person | None:
    """Somebody of another side whom the matter touches, so that joy and grief come from the right mouth."""
    bound = talk.bound if event.id in talk.apart else frozenset()
    wants = talk.fields[trajectory.key].wants
    found = [
        p for p in talk.others(actor.id, *bound) if talk.side[p.id] in wants and talk.side[p.id] != talk.side[actor.id]
    ]
    return talk.rng.choice(found) if found else None


def gave_way(talk: Talk, trajectory: Trajectory, event: Event, who: Person) -> bool:
    """Whether the value concluded lies worse for `who` than the first one named: he is not glad of it."""
    wants = talk.fields[trajectory.key].wants.get(talk.side[who.id])
    values = [e.value for cycle in trajectory.cycles if event in cycle.events for e in cycle.events if e.value]
    way = direction(values[0], event.value)[0] if values else "same"
    return wants is not None and way in ("lower", "raise") and way != wants


def decider(talk: Talk, trajectory: Trajectory, without: str) -> Person | None:
    scope = talk.fields[trajectory.key].scope
    people = [p for p in talk.others(without) if talk.blueprint.may(p.role, scope, "settle")]
    return people[0] if people else None


def premises(talk: Talk, event: Event) -> dict[str, Number]:
    """Numbers that a reason for the event may name: the case's quantities, what was taken off."""
    found: dict[str, Number] = {}
    for name, value in talk.plan.quantities.items():
        head, _, tail = name.rpartition(".")
        if not head or head in (event.obstacle, event.clears):
            found[tail] = Number(value, "premise", event.id)
    known = next((k for k in talk.known.values() if k.event == event.predecessor), None)
    off = less(known.value, event.value) if known and event.value is not None else None
    if off is not None:
        found["diff"] = Number(off, "premise", event.id)
    return found
