"""The voice population and who gets which voice.

A population is a file of `voices/`: entries with an id, gender, engine, recipe of styles, licence and its
numbers: the engine's rate factor, a level offset and the measured speaking rate. A cast is drawn from it by gender,
every voice at most once in a dialogue, and no two whose recipes share a dominant style as long as the population
allows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, islice
from pathlib import Path
from random import Random
from typing import Literal

import msgspec

from dtbuild import resources
from dtbuild.errors import SettingsError
from dtbuild.records.sound import Voice
from dtbuild.settings import decode, load_yaml

DOMINANT = 0.4
"""A style with at least this share decides how a voice is recognised."""


TRIES = 20_000
"""Choices of voices looked at before the best so far is taken."""


class Population(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`voices/<name>.yaml`."""

    format: Literal["dtbuild.voices/1"]
    voices: tuple[Voice, ...]


def load_voices(name: str | Path = "kokoro") -> tuple[Voice, ...]:
    """The population of a shipped name or a .yaml path, in file order.

    Raises `UnknownName` with the closest names, `SettingsError` with all faults of the file.
    """
    path = resources.find("voices", name)
    population = decode(load_yaml(path), Population)
    faults = [
        f"voice id {id!r} stands {n} times" for id, n in Counter(v.id for v in population.voices).items() if n > 1
    ]
    for voice in population.voices:
        if not voice.recipe or any(part.weight <= 0 for part in voice.recipe):
            faults.append(f"voice {voice.id}: a recipe needs styles with weights over 0")
        if not 0.5 <= voice.rate <= 2.0:
            faults.append(f"voice {voice.id}: rate {voice.rate} is not in 0.5-2")
        if abs(voice.gain_db) > 6.0:
            faults.append(f"voice {voice.id}: gain_db {voice.gain_db} is not in -6 to 6")
        if voice.chars_per_second <= 0:
            faults.append(f"voice {voice.id}: chars_per_second is missing; measure it with scripts/bench_speech.py")
    if faults:
        raise SettingsError(f"file {path}", found="; ".join(faults), fix="mend these entries")
    return population.voices


def cast(
    voices: Sequence[Voice],
    persons: Sequence[tuple[str, str]],
    *,
    seed: int,
    taken: frozenset[str] = frozenset(),
) -> dict[str, Voice]:
    """A voice for each (person id, gender), drawn by seed; voices whose ids are in `taken` are left out.

    Raises `SettingsError` when a gender has fewer free voices than persons.
    """
    free = [voice for voice in voices if voice.id not in taken]
    stream = Random(seed)
    stream.shuffle(free)
    for gender, wanted in Counter(gender for _, gender in persons).items():
        have = sum(voice.gender == gender for voice in free)
        if have < wanted:
            raise SettingsError(
                f"the cast of {', '.join(person for person, _ in persons)}",
                expected=f"at least {wanted} free {gender} voices",
                found=str(have),
                fix="add voices to the population, or make the cast smaller",
            )
    chosen: dict[str, list[Voice]] = {}
    for gender in sorted({gender for _, gender in persons}):
        wanted = sum(each == gender for _, each in persons)
        chosen[gender] = _apart([voice for voice in free if voice.gender == gender], wanted)
    return {person: chosen[gender].pop() for person, gender in persons}


def dominant(voice: Voice) -> frozenset[str]:
    """Styles with a share of at least DOMINANT, or the largest one where none has."""
    total = sum(part.weight for part in voice.recipe)
    shares = {part.style: part.weight / total for part in voice.recipe}
    found = {style for style, share in shares.items() if share >= DOMINANT}
    return frozenset(found or {max(shares, key=lambda style: shares[style])})


def _apart(voices: list[Voice], wanted: int) -> list[Voice]:
    """The first choice, in shuffled order, with the fewest pairs that share a dominant style."""
    best: list[Voice] = voices[:wanted]
    fewest = len(voices) ** 2
    for choice in islice(combinations(voices, wanted), TRIES):
        shared = sum(_alike(one, other) for one, other in combinations(choice, 2))
        if shared < fewest:
            best, fewest = list(choice), shared
        if not shared:
            break
    return best


def _alike(one: Voice, other: Voice) -> bool:
    return one.engine == other.engine and bool(dominant(one) & dominant(other))
