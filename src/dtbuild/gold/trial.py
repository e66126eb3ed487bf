"""Plans a scenario for trial, for whoever writes one: is every plan legal, and can everything be shown?"""

from __future__ import annotations

from collections import Counter

from dtbuild.errors import BlueprintError
from dtbuild.gold.phenomena import PHENOMENA
from dtbuild.gold.planner import plan
from dtbuild.gold.rules import check
from dtbuild.gold.settings import GoldSettings
from dtbuild.records.blueprint import Blueprint
from dtbuild.records.verdict import Finding


def trial(blueprint: Blueprint, settings: GoldSettings, *, seed: int = 1, families: int = 40) -> list[Finding]:
    """Findings of `families` plans, every other one a pair; warnings name what no plan used or showed.

    What stays unused is a hint, not a fault: a rare obstacle may wait for its cast.
    """
    found: list[Finding] = []
    used: Counter[str] = Counter()
    for index in range(1, families + 1):
        change = settings.variant(index // 2) if index % 2 == 0 else None
        try:
            made = plan(blueprint, settings, seed=seed, index=index, change=change)
        except BlueprintError as error:
            found.append(Finding(code="no_plan", where=f"family {index}", message=str(error)))
            continue
        found += check(made, blueprint)
        used.update(made.phenomena)
        used.update(trajectory.key for trajectory in made.trajectories)
        used.update(event.obstacle for _, _, event in made.events() if event.obstacle is not None)
    for what, names in (
        ("phenomenon", [name for name in PHENOMENA if settings.rate(name) > 0]),
        ("field", [field.key for field in blueprint.fields]),
        ("obstacle", [obstacle.id for obstacle in blueprint.obstacles]),
    ):
        found += [
            Finding(code="unused", where=name, message=f"this {what} is in none of {families} plans", level="warning")
            for name in names
            if name not in used
        ]
    return found
