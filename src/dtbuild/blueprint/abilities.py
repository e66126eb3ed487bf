"""Whether people can act a scenario out: somebody decides each field, finds and clears each obstacle, makes pairs."""

from __future__ import annotations

from itertools import combinations

from dtbuild.blueprint.faults import Faults
from dtbuild.records.blueprint import Blueprint, CastSpec, Field
from dtbuild.records.plan import CLOSING, Action


def check_abilities(blueprint: Blueprint, faults: Faults) -> None:
    """What the authority table and the casts must make possible."""
    _fields(blueprint, faults)
    _obstacles(blueprint, faults)
    _conditions(blueprint, faults)
    _casts(blueprint, faults)


def _fields(blueprint: Blueprint, faults: Faults) -> None:
    for at, field in enumerate(blueprint.fields):
        closing = [
            result
            for role in blueprint.roles
            for result in blueprint.gives(role.id, field.scope)
            if result in field.results and result in CLOSING
        ]
        if not closing:
            faults.add(
                "nobody", ("fields", at), f"nobody may settle {field.key} in {field.scope} with one of its results"
            )
        if field.nature == "fact" and (field.wants or set(field.results) - {"confirmed", "rejected"}):
            faults.add(
                "nature", ("fields", at), f"{field.key} is a fact: nobody wants it otherwise, and it is confirmed",
                expected="no `wants`, results [confirmed]",
            )  # fmt: skip
        if field.proposed_by and not _able(blueprint, field.proposed_by, field, "start"):
            faults.add("nobody", ("fields", at), f"nobody of proposed_by may start {field.key}")
        for action in ("start", "advance"):
            if not _able(blueprint, [role.id for role in blueprint.roles], field, action):
                faults.add("nobody", ("fields", at), f"nobody may {action} {field.key}")
        if not any(_treats(blueprint, cast, field) for cast in blueprint.casts):
            faults.add("nobody", ("fields", at), f"no cast can start and advance {field.key}")


def _obstacles(blueprint: Blueprint, faults: Faults) -> None:
    fields = {field.key: field for field in blueprint.fields}
    held = {key for obstacle in blueprint.obstacles for key in obstacle.fields}
    for at, field in enumerate(blueprint.fields):
        if field.key not in held:
            faults.add("nobody", ("fields", at), f"no obstacle applies to {field.key}", level="warning")
    for at, obstacle in enumerate(blueprint.obstacles):
        for key in obstacle.fields:
            if key not in fields:
                continue
            finders = _able(blueprint, obstacle.found_by, fields[key], "hold")
            if not finders:
                faults.add("nobody", ("obstacles", at), f"nobody of found_by may hold {key}")
            elif not any(
                set(finders) & set(cast.roles) and set(obstacle.cleared_by) & set(cast.roles)
                for cast in blueprint.casts
            ):
                faults.add(
                    "nobody", ("obstacles", at), f"no cast has somebody who finds and somebody who clears it for {key}"
                )


def _conditions(blueprint: Blueprint, faults: Faults) -> None:
    fields = {field.key: field for field in blueprint.fields}
    for at, condition in enumerate(blueprint.conditions):
        for key in condition.fields:
            if key in fields and not _able(blueprint, condition.by, fields[key], "advance"):
                faults.add("nobody", ("conditions", at), f"nobody of `by` may advance {key}")


def _casts(blueprint: Blueprint, faults: Faults) -> None:
    talkers = {role for kind in blueprint.distractors for role in kind.by}
    for at, cast in enumerate(blueprint.casts):
        if not 2 <= len(cast.roles) <= 4:
            faults.add("cast", ("casts", at), "two to four persons", found=str(len(cast.roles)))
        if not any(_treats(blueprint, cast, field) for field in blueprint.fields):
            faults.add("cast", ("casts", at), "this cast cannot make any chain")
        for role in sorted(set(cast.roles) - talkers):
            faults.add("cast", ("casts", at), f"no distractor is for {role} to say")
    # a pair needs three persons: of two, one would answer himself
    larger = [cast for cast in blueprint.casts if len(cast.roles) > 2]
    for code, able, what in (
        ("swap", _swaps, "do two persons share a right"),
        ("confirmation", _answers, "does somebody conclude a field beside a person who may not"),
        ("reassignment", _differs, "do two persons have different roles"),
    ):
        sizes = {len(cast.roles) for cast in larger}
        lacking = sizes - {len(cast.roles) for cast in larger if able(blueprint, cast)}
        if lacking == sizes:
            faults.add(
                code,
                ("casts",),
                f"in no cast of three or four {what}: no pair of this kind can be planned",
                level="error" if code == "swap" else "warning",
            )
            continue
        for size in sorted(lacking):
            faults.add(code, ("casts",), f"in no cast of {size} {what}", level="warning")


def _able(blueprint: Blueprint, roles: list[str] | tuple[str, ...], field: Field, action: Action) -> list[str]:
    return [role for role in roles if any(blueprint.may(role, scope, action) for scope in field.scopes)]


def _treats(blueprint: Blueprint, cast: CastSpec, field: Field) -> bool:
    return bool(_able(blueprint, cast.roles, field, "start") and _able(blueprint, cast.roles, field, "advance"))


def _swaps(blueprint: Blueprint, cast: CastSpec) -> bool:
    actions: tuple[Action, ...] = ("settle", "hold", "advance", "start")
    return any(
        blueprint.may(one, scope, action)
        and blueprint.may(other, scope, action)
        and (action != "settle" or set(blueprint.gives(one, scope)) & set(blueprint.gives(other, scope)))
        for field in blueprint.fields
        if _treats(blueprint, cast, field)
        for scope in field.scopes
        for action in actions
        for one, other in combinations(cast.roles, 2)
    )


def _answers(blueprint: Blueprint, cast: CastSpec) -> bool:
    return any(
        any(set(blueprint.gives(role, field.scope)) & set(CLOSING) for role in cast.roles)
        and not all(blueprint.may(role, field.scope, "settle") for role in cast.roles)
        for field in blueprint.fields
        if _treats(blueprint, cast, field)
    )


def _differs(blueprint: Blueprint, cast: CastSpec) -> bool:
    return len(set(cast.roles)) > 1
