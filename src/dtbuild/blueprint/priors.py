"""Whether every typed value can be drawn and changed: units, priors, bounds, revisions, references."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from dtbuild.blueprint.faults import Faults, Place
from dtbuild.errors import closest
from dtbuild.records.blueprint import Blueprint, Draw, Field, Obstacle, Prior, Revision, ValueSpec

_NUMERIC = ("money", "rate", "change", "term", "date", "count", "ordinal", "factor")
_MAY_BE_NEGATIVE = ("change", "date")
_UNITS: dict[str, dict[str, tuple[str, ...] | None]] = {
    "money": {"currency": None},
    "rate": {"unit": ("percent",)},
    "change": {"unit": ("pp",)},
    "term": {"unit": ("month", "day", "workday")},
    "date": {"bound": ("on", "by")},
    "count": {"unit": None},
    "ordinal": {"unit": None},
}
_OPTIONAL = {"money": {"per"}, "rate": {"per", "base"}}


def check_priors(blueprint: Blueprint, faults: Faults) -> None:
    """Every value of quantities, fields, distractors and premises, and every effect of an obstacle."""
    specs = {**blueprint.quantities, **{field.key: field.value for field in blueprint.fields}}
    for name, spec in blueprint.quantities.items():
        _spec(spec, ("quantities", name), specs, faults)
        if spec.type not in _NUMERIC:
            faults.add("prior", ("quantities", name), "a quantity is a number", found=spec.type)
    for at, field in enumerate(blueprint.fields):
        _field(field, ("fields", at), specs, faults)
    for at, kind in enumerate(blueprint.distractors):
        _spec(kind.value, ("distractors", at, "value"), specs, faults)
    for at, obstacle in enumerate(blueprint.obstacles):
        for name, premise in obstacle.premises.items():
            _spec(premise, ("obstacles", at, "premises", name), specs, faults)
        _effects(obstacle, ("obstacles", at), specs, faults)
    _sides(blueprint, faults)
    _one_of_a_kind(specs, blueprint, faults)
    _no_circle(specs, blueprint, faults)


def _field(field: Field, place: Place, specs: dict[str, ValueSpec], faults: Faults) -> None:
    _spec(field.value, (*place, "value"), specs, faults)
    if not field.results:
        faults.add("results", place, "no result that a settle may have")
    for part in field.value.parts.values() or (field.value,):
        if part.type in _NUMERIC and not part.revise:
            faults.add("revise", (*place, "value"), "no way to change the value", expected="revise")
    if field.value.type != "status":
        return
    spec = field.value
    named = {*spec.prior.codes, *spec.next, *(code for codes in spec.next.values() for code in codes), *spec.final}
    for code in sorted(named - set(field.codes)):
        faults.add("codes", (*place, "codes"), "no words for a code", expected=closest(code, field.codes), found=code)
    for code in spec.prior.codes:
        if not spec.next.get(code):
            faults.add("codes", (*place, "value", "next"), "a code that leads nowhere", found=code)
    if not spec.final:
        faults.add("codes", (*place, "value", "final"), "no code to settle at")


def _spec(spec: ValueSpec, place: Place, specs: dict[str, ValueSpec], faults: Faults) -> None:
    if spec.type == "composite":
        if len(spec.parts) < 2:
            faults.add("prior", place, "a composite has two parts or more")
        for name, part in spec.parts.items():
            if part.type == "composite":
                faults.add("prior", (*place, "parts", name), "a composite inside a composite")
            _spec(part, (*place, "parts", name), specs, faults)
        return
    if spec.parts:
        faults.add("prior", (*place, "parts"), f"parts of a {spec.type}", expected="only in a composite")
    _units(spec, place, faults)
    prior_place = (*place, "prior")
    if spec.type == "status":
        if not spec.prior.codes:
            faults.add("prior", prior_place, "a status draws from codes", expected="codes: […]")
        return
    if spec.type == "ratio":
        if len(set(spec.prior.ratios)) < 2 or any(len(ratio) < 2 for ratio in spec.prior.ratios):
            faults.add("prior", prior_place, "a ratio draws from two ratios or more", expected="ratios: [[3, 7], …]")
        return
    if spec.prior.codes or spec.prior.ratios:
        faults.add("prior", prior_place, f"codes or ratios for a {spec.type}", expected="numbers")
        return
    _numeric(spec, place, specs, faults)


def _units(spec: ValueSpec, place: Place, faults: Faults) -> None:
    needed = _UNITS.get(spec.type, {})
    for name in ("currency", "unit", "bound", "per", "base"):
        given = getattr(spec, name)
        if name in needed:
            allowed = needed[name]
            if given is None or (allowed is not None and given not in allowed):
                expected = " or ".join(allowed) if allowed else f"a {name}"
                faults.add("unit", (*place, name), f"a {spec.type} needs its {name}", expected=expected, found=given)
        elif given is not None and name not in _OPTIONAL.get(spec.type, ()):
            faults.add("unit", (*place, name), f"a {spec.type} has no {name}", found=given)


def _numeric(spec: ValueSpec, place: Place, specs: dict[str, ValueSpec], faults: Faults) -> None:
    prior, at = spec.prior, (*place, "prior")
    if prior.of is None:
        _draw(prior, at, faults)
        if prior.share is not None or prior.plus is not None:
            faults.add("prior", at, "share and plus need what they are of", expected="of")
    else:
        _reference(prior.of, (*at, "of"), spec if prior.share is None else None, specs, faults)
        if prior.share is None and prior.plus is None:
            faults.add("prior", at, "a prior of something takes a share of it or adds to it", expected="share or plus")
        if prior.lo is not None or prior.choice:
            faults.add("prior", at, "numbers of its own beside a reference", expected="either")
    for name, draw in (("share", prior.share), ("plus", prior.plus)):
        if draw is not None:
            _draw(draw, (*at, name), faults)
    for bound in ("at_most", "at_least"):
        for number, ref in enumerate(getattr(spec, bound)):
            _reference(ref, (*place, bound, number), spec, specs, faults)
    if spec.floor is not None and spec.ceiling is not None and spec.floor >= spec.ceiling:
        faults.add("bounds", place, "the floor is not under the ceiling", found=f"{spec.floor}, {spec.ceiling}")
    if spec.round is not None and spec.round <= 0:
        faults.add("prior", (*place, "round"), "not a multiple to round to", expected="above 0", found=str(spec.round))
    if spec.type not in _MAY_BE_NEGATIVE and any(number <= 0 for number in _numbers(prior)):
        faults.add("prior", at, f"a {spec.type} is above 0")
    for number, way in enumerate(spec.revise):
        _revision(way, (*place, "revise", number), faults)


def _revision(way: Revision, place: Place, faults: Faults) -> None:
    if (way.share is None) == (way.plus is None):
        faults.add("revise", place, "a revision takes a share or adds", expected="share or plus, not both")
    for name, draw, still in (("share", way.share, Decimal(100)), ("plus", way.plus, Decimal(0))):
        if draw is None:
            continue
        _draw(draw, (*place, name), faults)
        wrong = [number for number in _numbers(draw) if number == still or (number < still) != (way.toward == "lower")]
        if wrong:
            faults.add("revise", (*place, name), f"does not {way.toward} the number", found=str(wrong[0]))


def _draw(draw: Draw | Prior, place: Place, faults: Faults) -> None:
    grid = (draw.lo, draw.hi, draw.step)
    if bool(draw.choice) == (None not in grid) or (draw.choice and grid != (None, None, None)):
        faults.add("prior", place, "numbers to draw from", expected="either choice, or lo, hi and step")
        return
    if draw.lo is None or draw.hi is None or draw.step is None:
        return
    if draw.step <= 0 or draw.lo > draw.hi or (draw.hi - draw.lo) % draw.step:
        faults.add(
            "prior", place, "not a grid", expected="lo + n·step = hi", found=f"{draw.lo}, {draw.hi}, {draw.step}"
        )


def _reference(
    ref: str, place: Place, like: ValueSpec | None, specs: dict[str, ValueSpec], faults: Faults
) -> ValueSpec | None:
    target = specs.get(ref)
    if target is None:
        faults.add("unknown", place, "no such quantity or field", expected=closest(ref, specs), found=ref)
    elif target.type not in _NUMERIC:
        faults.add("reference", place, "refers to something that is no number", found=f"{ref}: {target.type}")
    elif like is not None and (target.type, target.unit, target.per) != (like.type, like.unit, like.per):
        faults.add("reference", place, "refers to another type or unit", expected=_shape(like), found=_shape(target))
    return target


def _shape(spec: ValueSpec) -> str:
    return " ".join(each for each in (spec.type, spec.unit, spec.per) if each)


def _effects(obstacle: Obstacle, place: Place, specs: dict[str, ValueSpec], faults: Faults) -> None:
    if not obstacle.effect:
        faults.add("effect", place, "no effect of clearing", expected="keep, lower, raise, other or cap")
    if ("cap" in obstacle.effect) != (obstacle.cap is not None and obstacle.over is not None):
        faults.add("effect", place, "the effect cap, cap and over belong together")
    if obstacle.over is not None:
        _draw(obstacle.over, (*place, "over"), faults)
        if any(number <= 0 for number in _numbers(obstacle.over)):
            faults.add("effect", (*place, "over"), "stands above the cap", expected="above 0")
    for key in obstacle.fields:
        spec = specs.get(key)
        if spec is None:
            continue
        if obstacle.cap is not None:
            _reference(obstacle.cap, (*place, "cap"), spec, specs, faults)
        for effect in obstacle.effect:
            ways = {way.toward for part in (spec, *spec.parts.values()) for way in part.revise}
            if effect in ("lower", "raise") and spec.type not in ("status", "ratio") and effect not in ways:
                faults.add("effect", place, f"{key} has no revision that would {effect} it")


def _sides(blueprint: Blueprint, faults: Faults) -> None:
    """The sides that revisions name are those of the roles."""
    sides = {role.side for role in blueprint.roles}
    for at, field in enumerate(blueprint.fields):
        for spec in (field.value, *field.value.parts.values()):
            for side in sorted({side for way in spec.revise for side in way.by} - sides):
                place = ("fields", at, "value")
                faults.add("unknown", place, "no role has this side", expected=closest(side, sides), found=side)


def _one_of_a_kind(specs: dict[str, ValueSpec], blueprint: Blueprint, faults: Faults) -> None:
    """A number may not hang on a field of which two can occur in one dialogue: it would not be clear on which."""
    twofold = {entity.id for entity in blueprint.entities if entity.instances}
    for name, spec in specs.items():
        for ref in _references(spec):
            if ref.partition("/")[0] in twofold:
                faults.add("reference", (), f"{name} hangs on {ref}, of which two can occur")


def _no_circle(specs: dict[str, ValueSpec], blueprint: Blueprint, faults: Faults) -> None:
    """References must not lead back; fields that others hang on stand before them in the file."""
    places: dict[str, Place] = {name: ("quantities", name) for name in blueprint.quantities}
    ranks = {field.key: at for at, field in enumerate(blueprint.fields)}
    places |= {key: ("fields", at) for key, at in ranks.items()}
    hangs = {name: [ref for ref in _references(spec) if ref in specs] for name, spec in specs.items()}
    for name in specs:
        reached: set[str] = set()
        waiting = list(hangs[name])
        while waiting:
            ref = waiting.pop()
            if ref not in reached:
                reached.add(ref)
                waiting += hangs[ref]
        if name in reached:
            faults.add("circle", places[name], f"{name} hangs on itself", found=" → ".join([name, *hangs[name]]))
        for ref in sorted(reached & set(ranks)):
            if name in ranks and ref != name and ranks[ref] > ranks[name]:
                faults.add("order", places[name], f"stands before {ref}, on which it hangs", expected="after it")


def _references(spec: ValueSpec) -> Iterator[str]:
    if spec.prior.of is not None:
        yield spec.prior.of
    yield from (*spec.at_most, *spec.at_least)
    for part in spec.parts.values():
        yield from _references(part)


def _numbers(draw: Draw | Prior) -> list[Decimal]:
    ends = [each for each in (draw.lo, draw.hi) if each is not None]
    return [*draw.choice, *ends]
