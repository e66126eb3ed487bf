"""The choices at the head of a plan: phenomena, cast, fields, and which chain shows what.

Phenomena are drawn first and for themselves, so that their rates are those of the settings; cast and fields
are then drawn among those that can show them.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from dtbuild.errors import BlueprintError
from dtbuild.gold.draw import pick
from dtbuild.gold.index import Index
from dtbuild.gold.phenomena import PHENOMENA
from dtbuild.gold.settings import GoldSettings
from dtbuild.gold.shape import CONCLUDED, DeadEnd, Host
from dtbuild.gold.troupe import Troupe
from dtbuild.records.blueprint import Field
from dtbuild.records.variant import VariantKind

Chosen = tuple[Field, str | None]
"""A field, and the instance where two of a kind occur."""

IMPLIES = {"resumption": "suspension", "first_event_hold": "suspension"}
"""Phenomena that cannot be shown without another."""

_COUNTS = {1: 5.0, 2: 6.0, 3: 3.5, 4: 1.2}
_TWO_OF_A_KIND = 0.3
_UNDECIDED = 0.3
"""How much less often a matter comes up that nobody present may conclude."""
_ONE_VOICE = 0.03
"""How much less often a matter comes up in which only one person present has a say."""
_NO_CLIENT = 0.1
"""How much less often a number is wished where only colleagues could wish it."""
_FILE_ORDER = 0.75
"""How often matters come up in the order of the blueprint, which is that of the work."""


def wanted(rng: random.Random, settings: GoldSettings) -> set[str]:
    """Phenomena to plan, each at its rate; one that implies another is drawn within the other's share."""
    drawn = {name: rng.random() for name in PHENOMENA}
    result = {name for name in PHENOMENA if name not in IMPLIES and drawn[name] < settings.rate(name)}
    for name, needed in IMPLIES.items():
        share = settings.rate(needed)
        if needed in result and share and drawn[name] < settings.rate(name) / share:
            result.add(name)
    return result


def size(rng: random.Random, settings: GoldSettings, index: Index, pair: bool) -> int:
    """How many persons. Raises BlueprintError when the scenario has no cast of a wanted size.

    Two people cannot trade a turn (one of them would answer himself in B), so a pair needs three. Half of a
    cohort's families are pairs: two-person casts get twice their weight among the others, and over the cohort the
    shares are those of the settings.
    """
    weights = {int(each): weight for each, weight in settings.speakers.items() if weight > 0}
    total = sum(weights.values())
    two = weights.pop(2, 0.0) / total
    if not pair and two:
        rest = sum(weights.values())
        scaled = {each: (1 - min(1.0, 2 * two)) * weight / rest for each, weight in weights.items()}
        weights = {2: min(1.0, 2 * two), **scaled}
    sizes = sorted(each for each, weight in weights.items() if weight > 0 and each in index.troupes)
    if not sizes:
        raise BlueprintError(
            f"blueprint {index.blueprint.id!r}",
            expected=f"a cast of {' or '.join(map(str, sorted(weights) or (3, 4)))} persons"
            + (" (a pair needs three)" if pair else ""),
            found=f"casts of {', '.join(map(str, sorted(index.troupes)))}; speakers {settings.speakers}",
            fix="add such a cast, or change the weights of speakers",
        )
    return pick(rng, sizes, [weights[each] for each in sizes])


def count(rng: random.Random, settings: GoldSettings, phenomena: frozenset[str]) -> int:
    """How many trajectories."""
    low, high = settings.trajectories
    if "interleaving" in phenomena and high >= 2:
        low = max(low, 2)
    options = list(range(low, high + 1))
    return pick(rng, options, [_COUNTS.get(each, 1.0) for each in options])


def troupe(
    rng: random.Random, troupes: Sequence[Troupe], phenomena: frozenset[str], change: VariantKind | None
) -> Troupe:
    """A cast by weight among those that can show what is wanted. Raises DeadEnd where none can."""
    able = [each for each in troupes if all(any(map(test, each.usable)) for test in _tests(each, phenomena, change))]
    if not able:
        raise DeadEnd
    return pick(rng, able, [float(each.spec.weight) * _wishing(each, phenomena) for each in able])


def fields(
    rng: random.Random,
    index: Index,
    people: Troupe,
    phenomena: frozenset[str],
    change: VariantKind | None,
    number: int,
) -> list[Chosen]:
    """Different fields, among them one for every phenomenon that asks for a kind of field."""
    options = [field for field in people.usable if _fits(field, phenomena)]
    open_tests = _tests(people, phenomena, change)
    result: list[Chosen] = []
    while len(result) < number:
        asked = [test for test in open_tests if not any(test(field) for field, _ in result)]
        pool = [field for field in options if asked[0](field)] if asked else options
        if not pool:
            raise DeadEnd
        weighed = _bare_weight if asked else _weight
        field = pick(rng, pool, [weighed(people, each) for each in pool])
        options.remove(field)
        instances = index.instances.get(field.entity, ())
        if len(instances) > 1 and number - len(result) > 1 and rng.random() < _TWO_OF_A_KIND:
            two = rng.sample(range(len(instances)), 2)
            result += [(field, instances[at]) for at in sorted(two)]
        else:
            result.append((field, None))
    if any(not any(test(field) for field, _ in result) for test in open_tests):
        raise DeadEnd
    if rng.random() < _FILE_ORDER:
        ranks = {key: at for at, key in enumerate(index.fields)}
        result.sort(key=lambda each: ranks[each[0].key])
    return result


def hosts(
    rng: random.Random,
    people: Troupe,
    chosen: Sequence[Chosen],
    phenomena: frozenset[str],
    change: VariantKind | None,
) -> tuple[list[Host], list[str | None]]:
    """For every chain what it has to show, and the limited scope it is treated in, if any."""
    shows: list[set[str]] = [set() for _ in chosen]
    limits: list[str | None] = [None] * len(chosen)
    if "scope_limited_settle" in phenomena:
        fitting = [(at, scope) for at, (field, _) in enumerate(chosen) for scope in people.limited.get(field.key, ())]
        if not fitting:
            raise DeadEnd
        at, limits[at] = pick(rng, fitting)
        shows[at].add("scope_limited_settle")
    if change == "confirmation_change":
        places = [at for at, (field, _) in enumerate(chosen) if field.key in people.answerable and not limits[at]]
        if not places:
            raise DeadEnd
        shows[pick(rng, places)].add(CONCLUDED)
    for name in ("first_event_settle", "first_event_hold", "reopening", "resumption", "suspension", "revision"):
        if name not in phenomena or any(IMPLIES.get(other) == name for show in shows for other in show):
            continue
        stays_held = name in ("suspension", "first_event_hold") and "resumption" not in phenomena
        places = [
            at
            for at, (field, _) in enumerate(chosen)
            if _hosts(name, people, field, limits[at], shows[at]) and not (stays_held and CONCLUDED in shows[at])
        ]
        if not places:
            raise DeadEnd
        shows[pick(rng, places)].add(name)
    return [frozenset(show) for show in shows], limits


def _wishing(people: Troupe, phenomena: frozenset[str]) -> float:
    """Where a number is to be wished, a cast with somebody from across the table is likelier."""
    if "unauthorised_candidate" not in phenomena:
        return 1.0
    return 1.0 if people.wished_across else _NO_CLIENT


def _tests(people: Troupe, phenomena: frozenset[str], change: VariantKind | None) -> list[Callable[[Field], bool]]:
    """What some field of the plan must satisfy, each of them."""
    tests: list[Callable[[Field], bool]] = []
    if "scope_limited_settle" in phenomena:
        tests.append(lambda field: field.key in people.limited)
    if "composite_value" in phenomena:
        tests.append(lambda field: field.value.type == "composite")
    if "unauthorised_candidate" in phenomena:
        tests.append(lambda field: field.key in (people.wished_across or people.wishers))
    if "first_event_settle" in phenomena:
        tests.append(lambda field: field.past and (field.key, field.scope) in people.closable)
    if "reopening" in phenomena:
        tests.append(lambda field: (field.key, field.scope) in people.closable)
    if change == "speaker_swap":
        # a turn goes to somebody who could have said it in the same words, where the scenario has such people
        tests.append(lambda field: field.key in (people.shared if people.index.shares else people.shared_across))
    if change == "confirmation_change":
        tests.append(lambda field: field.key in people.answerable)
    return tests


def _fits(field: Field, phenomena: frozenset[str]) -> bool:
    if field.value.type == "composite":
        return "composite_value" in phenomena
    # a status moves on before it is settled
    return field.value.type != "status" or "revision" in phenomena


def _bare_weight(people: Troupe, field: Field) -> float:
    """What has to be shown may be shown of a matter that nobody present concludes."""
    return float(field.weight)


def _weight(people: Troupe, field: Field) -> float:
    weight = float(field.weight) * (1.0 if (field.key, field.scope) in people.closable else _UNDECIDED)
    heard = people.voices[field.key] > 1 or field.key in people.wishers
    return weight * (1.0 if heard else _ONE_VOICE)


def _hosts(name: str, people: Troupe, field: Field, limit: str | None, shows: set[str]) -> bool:
    if name in ("first_event_settle", "reopening"):
        closable = (field.key, limit or field.scope) in people.closable
        return closable and (name == "reopening" or (field.past and not {"first_event_hold", CONCLUDED} & shows))
    return "first_event_settle" not in shows
