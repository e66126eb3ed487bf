"""Files that cross a boundary: their format and version, their JSON Schema (draft 2020-12), then the record.

Schemas are made from the records (`schema_of`) and published in `dtbuild/schemas`; a test holds the two equal.
Every fault of a file is reported at once, each with its path inside the file.
"""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any, TypeVar, cast

import msgspec

from dtbuild.errors import FormatError

T = TypeVar("T")
DRAFT = "https://json-schema.org/draft/2020-12/schema"


def load(path: Path, kind: type[T]) -> T:
    """Read a JSON file as a record. Raises FormatError naming the file and every fault in it."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise FormatError(f"file {path}", found=error.strerror or "unreadable", fix="check the path") from error
    return parse(data, kind, str(path))


def parse(data: bytes, kind: type[T], name: str) -> T:
    """Read JSON bytes as a record; `name` says in messages where they came from."""
    try:
        # The record decoder is far faster than a schema walk and accepts nothing the schema refuses;
        # the schema is walked to name all faults when the decoder has found one.
        record = msgspec.json.decode(data, type=kind)
    except msgspec.ValidationError as error:
        raise _explain(data, kind, name, str(error)) from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise FormatError(f"file {name}", expected="JSON in UTF-8", found=str(error), fix="restore the file") from error
    wanted = _format_of(kind)
    found = msgspec.json.decode(data, type=_Head).format if wanted else None
    if wanted and found != wanted:
        raise _other_format(name, wanted, repr(found))
    return record


def schema_of(kind: type[Any]) -> dict[str, Any]:
    """The JSON Schema of a record, with its format pinned."""
    schema = {"$schema": DRAFT, **msgspec.json.schema(kind)}
    wanted = _format_of(kind)
    if wanted:
        definition = schema["$defs"][kind.__name__]
        definition["properties"]["format"] = {"const": wanted}
        definition["required"] = sorted({*definition.get("required", []), "format"})
    return schema


def faults(value: Any, kind: type[Any]) -> list[str]:
    """Every breach of the record's schema: `trajectories[0].entity: 3 is not of type 'string'`."""
    errors = sorted(
        _validator(cast(Any, kind)).iter_errors(value), key=lambda error: list(map(str, error.absolute_path))
    )
    return [f"{_path(error.absolute_path)}: {error.message}" for error in errors]


class _Head(msgspec.Struct, frozen=True):
    # A record's default would hide that the file does not name its format.
    format: str | None = None


def _explain(data: bytes, kind: type[Any], name: str, first: str) -> FormatError:
    try:
        value = json.loads(data)
    except (
        ValueError,
        RecursionError,
    ) as error:  # the decoder stopped at a value before it came to the place where JSON ends
        return FormatError(f"file {name}", expected="JSON in UTF-8", found=str(error), fix="restore the file")
    wanted = _format_of(kind)
    found = value.get("format") if isinstance(value, dict) else None
    if wanted and found != wanted:
        return _other_format(name, wanted, repr(found))
    listed = faults(value, kind) or [first]
    more = f" (and {len(listed) - 20} more)" if len(listed) > 20 else ""
    return FormatError(
        f"file {name}", expected=wanted or kind.__name__, found="; ".join(listed[:20]) + more, fix="mend these places"
    )


def _other_format(name: str, wanted: str, found: str) -> FormatError:
    return FormatError(
        f"file {name}",
        expected=f"format {wanted}",
        found=f"format {found}",
        fix="read it with the dtbuild version that wrote it, or build the cohort again",
    )


def _format_of(kind: Any) -> str | None:
    return _stated(kind)  # a function that is cached takes what is Hashable, and a type variable is not known to be


@functools.cache
def _stated(kind: Any) -> str | None:
    for field in msgspec.structs.fields(kind):
        if field.name == "format" and isinstance(field.default, str):
            return field.default
    return None


@functools.cache
def _validator(kind: Any) -> Any:
    import jsonschema

    return jsonschema.Draft202012Validator(schema_of(kind))


def _path(parts: Any) -> str:
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in parts)
    return text.lstrip(".") or "(top)"
