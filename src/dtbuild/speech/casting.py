"""The voice population and who gets which voice.

A population is a file of `voices/`: entries with an id, gender, engine, recipe of styles, licence, the hash of recipe
and styles, and numbers: the engine's rate and pitch factors, a level offset and the measured speaking rate. No entry
states an age: nobody's age is known of a mix.

A cast is drawn from it by gender and seed, every voice at most once in a dialogue. Where the population names a table
of likeness (`dtbuild.speech.similarity`), any two voices of a cast are at least `similarity.MARGIN` less alike than
each is to itself. Without one (a population of your own) voices are distinct, and no two have a dominant style in
common as long as the population allows.
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
from dtbuild.speech.similarity import MARGIN, Similarity, load_similarity, require_whole

DOMINANT = 0.4
"""A style with at least this share decides how a voice is recognised."""


TRIES = 20_000
"""Choices of voices looked at before the best so far is taken, or the cast given up."""

PITCH = (0.85, 1.15)
"""Bounds of `Voice.pitch`: beyond them a voice sounds made."""


class FileNote(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A file beside a population, measured with it."""

    file: str
    sha256: str


class Population(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`voices/<name>.yaml`, with the table that casting reads and the profiles that `dtbuild.speech.likeness` reads."""

    format: Literal["dtbuild.voices/1"]
    similarity: FileNote | None = None
    profiles: FileNote | None = None
    voices: tuple[Voice, ...]


def load_voices(name: str | Path = "kokoro") -> tuple[Voice, ...]:
    """The population of a shipped name or a .yaml path, in file order.

    Raises `UnknownName` with the closest names, `SettingsError` with all faults of the file, `AssetError` when a file
    that it names is missing, changed or lacks a pair.
    """
    return _load(name)[0].voices


def load_table(name: str | Path = "kokoro") -> Similarity | None:
    """The table that a population names, None where it names none; raises what `load_voices` raises."""
    return _load(name)[1]


def cast(
    voices: Sequence[Voice],
    persons: Sequence[tuple[str, str]],
    *,
    seed: int,
    taken: frozenset[str] = frozenset(),
    table: Similarity | None = None,
) -> dict[str, Voice]:
    """A voice for each (person id, gender), drawn by seed; voices whose ids are in `taken` are left out.

    Raises `SettingsError` when a gender has fewer free voices than persons, or too few that `table` tells apart.
    """
    free = [voice for voice in voices if voice.id not in taken]
    stream = Random(seed)
    stream.shuffle(free)
    for gender, wanted in Counter(gender for _, gender in persons).items():
        have = sum(voice.gender == gender for voice in free)
        if have < wanted:
            raise _too_few(persons, f"at least {wanted} free {gender} voices", str(have))
    if table is not None:
        return _told_apart(free, persons, table)
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


def _told_apart(free: Sequence[Voice], persons: Sequence[tuple[str, str]], table: Similarity) -> dict[str, Voice]:
    """The first cast in shuffled order, person by person, whose voices are all told apart."""
    chosen: list[Voice] = []
    places = [0]
    most = 0
    for _ in range(TRIES):
        if len(chosen) == len(persons):
            return {person: voice for (person, _), voice in zip(persons, chosen, strict=True)}
        gender = persons[len(chosen)][1]
        for place in range(places[-1], len(free)):
            voice = free[place]
            if voice.gender == gender and all(one != voice and table.apart(one.id, voice.id) for one in chosen):
                chosen.append(voice)
                places[-1] = place + 1
                places.append(0)
                most = max(most, len(chosen))
                break
        else:
            places.pop()
            if not chosen:
                break
            chosen.pop()
    raise _too_few(
        persons, f"{len(persons)} voices, any two {MARGIN / 1000} less alike than each is to itself", f"{most}"
    )


def _too_few(persons: Sequence[tuple[str, str]], expected: str, found: str) -> SettingsError:
    return SettingsError(
        f"the cast of {', '.join(person for person, _ in persons)}",
        expected=expected,
        found=found,
        fix="add voices to the population, or make the cast smaller",
    )


def _load(name: str | Path) -> tuple[Population, Similarity | None]:
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
        if not PITCH[0] <= voice.pitch <= PITCH[1] or abs(voice.pitch * 100 - round(voice.pitch * 100)) > 1e-6:
            faults.append(f"voice {voice.id}: pitch {voice.pitch} is not in {PITCH[0]}-{PITCH[1]} by hundredths")
        if abs(voice.gain_db) > 6.0:
            faults.append(f"voice {voice.id}: gain_db {voice.gain_db} is not in -6 to 6")
        if voice.chars_per_second <= 0:
            faults.append(f"voice {voice.id}: chars_per_second is missing; measure it with scripts/bench_speech.py")
    if faults:
        raise SettingsError(f"file {path}", found="; ".join(faults), fix="mend these entries")
    if population.profiles:
        require_whole(path.parent / population.profiles.file, population.profiles.sha256)
    if population.similarity is None:
        return population, None
    beside = path.parent / population.similarity.file
    table = load_similarity(beside, population.similarity.sha256)
    if missing := table.missing(voice.id for voice in population.voices):
        raise SettingsError(
            f"file {beside}",
            expected="every pair of voices",
            found=f"{len(missing)} missing, such as {' and '.join(missing[0])}",
            fix="measure them: scripts/choose_voices.py; or take the key similarity out of the population",
        )
    return population, table


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
