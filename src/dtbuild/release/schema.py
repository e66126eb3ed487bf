"""What a system under test may see: the answer space of a scenario, and one question for each recording.

Both are made from the blueprint and the recording's id alone, never from a plan or script, so nothing of an
answer can leak into them (spec, section 1: the public schema never carries a sample's own fields or roles).

>>> query_of("sc0007u-a").audio
'audio/sc0007u-a.wav'
"""

from __future__ import annotations

import typing
from typing import Any

import msgspec

from dtbuild.records.blueprint import Blueprint, ValueSpec
from dtbuild.records.cohort import PublicField, PublicSchema, Query
from dtbuild.records.plan import Action, Result
from dtbuild.records.values import Value


def query_of(recording: str) -> Query:
    """The question for a recording; paths are relative to `public/`."""
    return Query(recording=recording, audio=f"audio/{recording}.wav")


def public_schema(blueprint: Blueprint) -> PublicSchema:
    """Every entity–field combination, scope and result of a scenario, and the structures of its value types.

    `range` stands beside every type that can be approximate, since a speaker may say about where the gold is
    exact; instances are named because an answer may name them, though they are not scored.
    """
    return PublicSchema(
        scenario=blueprint.id,
        title=blueprint.title,
        fields=tuple(
            PublicField(
                entity=field.entity,
                field=field.field,
                label=f"{blueprint.entity(field.entity).said[0]} · {field.said[0]}",
                values=_types(field.value),
                units=_units(field.value),
                per=field.value.per,
                base=field.value.base,
                bound=field.value.bound,
                codes={code: words[0] for code, words in field.codes.items()},
                scopes=field.scopes,
                instances=blueprint.entity(field.entity).instances,
            )
            for field in blueprint.fields
        ),
        scopes={scope.id: scope.said[0] for scope in blueprint.scopes},
        actions=typing.get_args(Action),
        results=typing.get_args(Result),
        value_structures=_structures(),
    )


_APPROXIMATE = {"money", "rate", "change", "term", "count", "factor", "date"}


def _types(spec: ValueSpec) -> tuple[str, ...]:
    return (spec.type, "range") if spec.type in _APPROXIMATE else (spec.type,)


def _units(spec: ValueSpec) -> tuple[str, ...]:
    specs = [spec, *spec.parts.values()]
    named = [each.unit or each.currency for each in specs]
    return tuple(dict.fromkeys(unit for unit in named if unit))


def _structures() -> dict[str, Any]:
    # one definition a type, by the name that `type` carries in a value, so that a reader finds it without a record name
    (_,), components = msgspec.json.schema_components([Value], ref_template="#/value_structures/{name}")
    names = {
        name: each.get("properties", {}).get("type", {}).get("enum", [name])[0] for name, each in components.items()
    }
    names["Of"] = "range_of"
    return {names[name]: _renamed(each, names) for name, each in components.items()}


def _renamed(value: Any, names: dict[str, str]) -> Any:
    if isinstance(value, dict):
        return {key: _short(inner) if key == "description" else _renamed(inner, names) for key, inner in value.items()}
    if isinstance(value, list):
        return [_renamed(inner, names) for inner in value]
    if isinstance(value, str) and value.startswith("#/value_structures/"):
        return _reference(value, names)
    return value


def _short(description: str) -> str:
    # the first paragraph of a record's docstring; what follows is for programmers
    return " ".join(description.split("\n\n")[0].split())


def _reference(reference: str, names: dict[str, str]) -> str:
    head, _, name = reference.rpartition("/")
    return f"{head}/{names[name]}"
