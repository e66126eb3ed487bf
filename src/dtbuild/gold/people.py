"""Fills a cast with persons: surnames that differ, given names by gender."""

from __future__ import annotations

import random

from dtbuild.gold.draw import pick
from dtbuild.records.blueprint import Blueprint, CastSpec
from dtbuild.records.plan import Person


def people(rng: random.Random, blueprint: Blueprint, cast: CastSpec) -> tuple[Person, ...]:
    """One person for every role of the cast, `p1` first."""
    names = blueprint.names
    surnames = rng.sample(names.surnames, len(cast.roles))
    taken: set[str] = set()
    result = []
    for number, (role, surname) in enumerate(zip(cast.roles, surnames, strict=True), 1):
        female = rng.random() < 0.5
        pool = [given for given in (names.given_female if female else names.given_male) if given not in taken]
        given = pick(rng, pool)
        taken.add(given)
        result.append(
            Person(
                id=f"p{number}",
                name=surname + given,
                gender="female" if female else "male",
                role=role,
                title=blueprint.role(role).title,
            )
        )
    return tuple(result)


def particulars(rng: random.Random, blueprint: Blueprint) -> dict[str, str]:
    """One entry of every pool of facts; a mapping's first part goes by the pool's name, the others by `pool.part`."""
    facts: dict[str, str] = {}
    for name, pool in blueprint.facts.items():
        entry = pick(rng, pool)
        if isinstance(entry, str):
            facts[name] = entry
            continue
        for number, (part, text) in enumerate(entry.items()):
            facts[name if number == 0 else f"{name}.{part}"] = text
    return facts
