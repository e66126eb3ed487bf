"""Names of a blueprint that must be there, once, and the banks that must not be empty."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

from dtbuild.blueprint.faults import Faults, Place
from dtbuild.errors import closest
from dtbuild.records.blueprint import Blueprint, Lines


def check_references(blueprint: Blueprint, faults: Faults) -> None:
    """Every name that something else of the file must define, and every bank."""
    _head(blueprint, faults)
    _unique(blueprint, faults)
    roles = [role.id for role in blueprint.roles]
    scopes = [scope.id for scope in blueprint.scopes]
    sides = [role.side for role in blueprint.roles]
    obstacles = [obstacle.id for obstacle in blueprint.obstacles]
    fields = [field.key for field in blueprint.fields]
    for at, right in enumerate(blueprint.authority):
        _known("role", right.role, roles, ("authority", at, "role"), faults)
        _known("scope", right.scope, scopes, ("authority", at, "scope"), faults)
        if ("settle" in right.may) != bool(right.gives):
            faults.add("authority", ("authority", at), "settle and the results it gives belong together")
    entities = [entity.id for entity in blueprint.entities]
    for at, field in enumerate(blueprint.fields):
        _known("entity", field.entity, entities, ("fields", at, "entity"), faults)
        _known("scope", field.scope, scopes, ("fields", at, "scope"), faults)
        _known_all("side", tuple(field.wants), sides, ("fields", at, "wants"), faults)
        _known_all("role", field.proposed_by, roles, ("fields", at, "proposed_by"), faults)
        _known_all("scope", field.limited, scopes, ("fields", at, "limited"), faults)
        if field.scope in field.limited:
            faults.add("scope", ("fields", at, "limited"), "a limited scope is another than the deciding one")
    for at, obstacle in enumerate(blueprint.obstacles):
        _known_all("field", obstacle.fields, fields, ("obstacles", at, "fields"), faults)
        _known_all("role", obstacle.found_by, roles, ("obstacles", at, "found_by"), faults)
        _known_all("role", obstacle.cleared_by, roles, ("obstacles", at, "cleared_by"), faults)
    for at, condition in enumerate(blueprint.conditions):
        _known_all("field", condition.fields, fields, ("conditions", at, "fields"), faults)
        _known_all("role", condition.by, roles, ("conditions", at, "by"), faults)
        _known_all("obstacle", condition.excludes, obstacles, ("conditions", at, "excludes"), faults)
    for at, cause in enumerate(blueprint.causes):
        _known_all("field", cause.fields, fields, ("causes", at, "fields"), faults)
        _known_all("role", cause.by, roles, ("causes", at, "by"), faults)
    for at, kind in enumerate(blueprint.distractors):
        _known_all("role", kind.instead, roles, ("distractors", at, "instead"), faults)
        _known_all("role", kind.asked_by, roles, ("distractors", at, "asked_by"), faults)
        _known_all("role", kind.by, roles, ("distractors", at, "by"), faults)
    for at, cast in enumerate(blueprint.casts):
        _known_all("role", cast.roles, roles, ("casts", at, "roles"), faults)
    _banks(blueprint, faults)


def _head(blueprint: Blueprint, faults: Faults) -> None:
    if not re.fullmatch(r"[a-z]{2}", blueprint.code):
        faults.add("head", ("code",), "the scenario's letters in ids", expected="two letters a–z", found=blueprint.code)
    try:
        date.fromisoformat(blueprint.anchor_date)
    except ValueError:
        faults.add("head", ("anchor_date",), "not a date", expected="YYYY-MM-DD in quotes", found=blueprint.anchor_date)
    for at, span in enumerate(blueprint.closed):
        try:
            first, last = (date.fromisoformat(each) for each in span.split("/"))
            ordered = first <= last
        except ValueError:
            ordered = False
        if not ordered:
            faults.add("head", ("closed", at), "not a span of days", expected="2026-02-15/2026-02-23", found=span)


def _unique(blueprint: Blueprint, faults: Faults) -> None:
    for name, ids in (
        ("roles", [each.id for each in blueprint.roles]),
        ("scopes", [each.id for each in blueprint.scopes]),
        ("entities", [each.id for each in blueprint.entities]),
        ("fields", [each.key for each in blueprint.fields]),
        ("obstacles", [each.id for each in blueprint.obstacles]),
        ("conditions", [each.id for each in blueprint.conditions]),
        ("causes", [each.id for each in blueprint.causes]),
        ("distractors", [each.id for each in blueprint.distractors]),
        ("authority", [f"{each.role} in {each.scope}" for each in blueprint.authority]),
        ("examples", [each.name for each in blueprint.examples]),
    ):
        if not ids and name != "causes":
            faults.add("empty", (name,), "stands empty", expected="at least one entry")
        for at, id in enumerate(ids):
            if id in ids[:at]:
                faults.add("duplicate", (name, at), f"{id!r} stands twice")


def _known(what: str, name: str, known: Sequence[str], place: Place, faults: Faults) -> None:
    if name not in known:
        faults.add("unknown", place, f"no such {what}", expected=closest(name, known), found=name)


def _known_all(what: str, names: Sequence[str], known: Sequence[str], place: Place, faults: Faults) -> None:
    for at, name in enumerate(names):
        _known(what, name, known, (*place, at), faults)


def _banks(blueprint: Blueprint, faults: Faults) -> None:
    for name, bank in (("phrases", blueprint.phrases), ("small_talk", blueprint.small_talk)):
        if not bank:
            faults.add("empty_bank", (name,), "no phrases at all", expected="phrases by move")
        _bank(bank, (name,), faults)
    banks = [("roles", at, role.lines) for at, role in enumerate(blueprint.roles)]
    banks += [("fields", at, field.lines) for at, field in enumerate(blueprint.fields)]
    banks += [("obstacles", at, obstacle.lines) for at, obstacle in enumerate(blueprint.obstacles)]
    banks += [("conditions", at, condition.lines) for at, condition in enumerate(blueprint.conditions)]
    banks += [("distractors", at, kind.lines) for at, kind in enumerate(blueprint.distractors)]
    banks += [("causes", at, cause.lines) for at, cause in enumerate(blueprint.causes)]
    for group, at, lines in banks:
        _bank(lines, (group, at, "lines"), faults)
    said = [("scopes", at, scope.said) for at, scope in enumerate(blueprint.scopes)]
    said += [("entities", at, entity.said) for at, entity in enumerate(blueprint.entities)]
    said += [("fields", at, field.said) for at, field in enumerate(blueprint.fields)]
    for group, at, labels in said:
        _bank({"said": labels}, (group, at), faults)
    for at, field in enumerate(blueprint.fields):
        _bank(field.codes, ("fields", at, "codes"), faults)
    for at, role in enumerate(blueprint.roles):
        _bank({"address": role.address}, ("roles", at), faults)
    for name, pool in blueprint.facts.items():
        if not pool:
            faults.add("empty_bank", ("facts", name), "an empty pool", expected="at least one entry")
    names = blueprint.names
    for part, given, least in (
        ("surnames", names.surnames, 4),
        ("given_female", names.given_female, 4),
        ("given_male", names.given_male, 4),
    ):
        if len(set(given)) < least:
            faults.add(
                "names",
                ("names", part),
                "too few for a cast",
                expected=f"{least} different",
                found=str(len(set(given))),
            )


def _bank(bank: Lines, place: Place, faults: Faults) -> None:
    for move, texts in bank.items():
        if not texts:
            faults.add("empty_bank", (*place, move), "an empty bank", expected="at least one phrase")
        for at, text in enumerate(texts):
            if not text.strip():
                faults.add("empty_bank", (*place, move, at), "a blank phrase")
