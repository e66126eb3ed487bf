"""How each person talks: fillers, 您 or 你, favourite ways of addressing others and of saying numbers.

A manner is drawn once per person and dialogue and kept to; people of one side say 你 to each other and 您 to
the other side (design: colleagues say 你, clients are 您).
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from dtbuild.address import surname
from dtbuild.records.blueprint import Blueprint
from dtbuild.records.plan import Person

_FILLERS = (
    "嗯，",
    "那个，",
    "呃，",
    "这个嘛，",
    "嗯……",
    "怎么说呢，",
    "哎，",
)
TONES = ("brisk", "careful", "warm", "plain")
"""Ways of talking, as phrase tags: short and blunt, exact and a little formal, friendly and roundabout, none of these."""
_FIRST = ("行", "好", "成", "嗯", "好的", "好嘞")


@dataclass(frozen=True, slots=True)
class Manner:
    """`fill` is the chance of a filler where a phrase leaves room for one; `yes` the person's words of assent."""

    fillers: tuple[str, ...]
    fill: float
    yes: tuple[str, ...]
    short: float
    """How readily numbers are cut short (七百二)."""
    tone: str
    """One of `TONES`."""
    exact: float
    """How readily numbers are said in full (八百万元, 百分之四), beside other forms."""


def manners(cast: Sequence[Person], rng: random.Random) -> dict[str, Manner]:
    """Manners that differ between the people of one dialogue."""
    pool = list(_FILLERS)
    rng.shuffle(pool)
    tones = list(TONES)
    rng.shuffle(tones)
    drawn: dict[str, Manner] = {}
    for at, person in enumerate(cast):
        tone = tones[at % len(tones)]
        drawn[person.id] = Manner(
            fillers=tuple(pool[2 * at % len(pool) :][:2]),
            fill={"brisk": 0.05, "careful": 0.2, "warm": 0.45, "plain": 0.3}[tone],
            yes=tuple(rng.sample(_FIRST, 4)),
            short={"brisk": 0.85, "careful": 0.05}.get(tone, rng.choice((0.3, 0.6))),
            tone=tone,
            exact={"brisk": 0.2, "careful": 4.0}.get(tone, 1.0),
        )
    return drawn


def addresses(cast: Sequence[Person], blueprint: Blueprint, rng: random.Random) -> dict[tuple[str, str], str]:
    """(speaker, addressee) → what the one calls the other, all through the dialogue.

    Forms that two members of the cast share are avoided; full names are for colleagues.
    """
    forms: dict[str, tuple[str, ...]] = {}
    for person in cast:
        family, given = surname(person.name), person.name[len(surname(person.name)) :]
        forms[person.id] = tuple(
            form.format(surname=family, given=given) for form in blueprint.role(person.role).address
        )
    sides = {person.id: blueprint.role(person.role).side for person in cast}
    called: dict[tuple[str, str], str] = {}
    for speaker in cast:
        for other in cast:
            if speaker.id == other.id:
                continue
            taken = {form for person in cast if person.id != other.id for form in forms[person.id]}
            good = [form for form in forms[other.id] if form not in taken]
            polite = [form for form in good if form.startswith(surname(other.name)) and form != other.name]
            if sides[speaker.id] == sides[other.id]:
                # a name of two 汉字 is said in full among colleagues, a longer one seldom
                full = [other.name] if len(other.name) == 2 or not good else []
                called[speaker.id, other.id] = rng.choice([*good, *full])
            else:
                called[speaker.id, other.id] = rng.choice(polite or good or [other.name])
    return called
