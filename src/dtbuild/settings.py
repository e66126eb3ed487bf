"""Strict YAML 1.2: what is written is what is read, and every fault is named at once, with its line.

`no` and `12:30` stay strings, duplicate keys are faults, unknown keys are faults (found by `decode`), and
numbers that stand for decimals are read from their source text, never through binary floats.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import msgspec

from dtbuild.errors import SettingsError, UserError

T = TypeVar("T")

_PATH_PART = re.compile(r"\.([^.\[\]`]+)|\[(\d+|\.\.\.)\]")


class Document(NamedTuple):
    """A YAML file as plain data, and the line (from 1) of every place in it.

    Places are tuples of keys and indexes: ("roles", 2, "id").
    """

    name: str
    data: Any
    lines: Mapping[tuple[str | int, ...], int]

    def line(self, place: tuple[str | int, ...]) -> int | None:
        """Line of a place, or of its nearest enclosing place."""
        while place and place not in self.lines:
            place = place[:-1]
        return self.lines.get(place)


def load_yaml(path: Path, *, error: type[UserError] = SettingsError) -> Document:
    """Read one YAML file. Raises `error` listing syntax faults and duplicate keys with their lines."""
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as cause:
        raise error(f"file {path}", expected="readable UTF-8 YAML", found=str(cause), fix="check the file") from cause
    return parse_yaml(text, str(path), error=error)


def parse_yaml(text: str, name: str, *, error: type[UserError] = SettingsError) -> Document:
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError, YAMLError

    # the round-trip parser takes half as long again, to keep comments that nobody reads
    yaml = YAML(typ="safe", pure=True)
    yaml.version = (1, 2)
    try:
        node = yaml.compose(text)
    except MarkedYAMLError as cause:
        mark = cause.problem_mark or cause.context_mark
        where = f"line {mark.line + 1}: " if mark else ""
        raise error(f"file {name}", found=f"{where}{cause.problem or cause.context}", fix="mend the YAML") from cause
    except YAMLError as cause:
        raise error(f"file {name}", found=str(cause).splitlines()[0], fix="mend the YAML") from cause
    lines: dict[tuple[str | int, ...], int] = {}
    found: list[str] = []
    aliased = _aliased(node)
    if aliased is not None:
        where = f"line {aliased.start_mark.line + 1}: a value that an alias (*) stands for elsewhere"
        raise error(f"file {name}", found=where, fix="write the value out in each place")
    data = _plain(node, (), lines, found) if node is not None else {}
    if found:
        raise error(f"file {name}", found="; ".join(found), fix="mend these places")
    return Document(name, data, lines)


def decode(document: Document, kind: type[T], *, error: type[UserError] = SettingsError) -> T:
    """The document as a record. Raises `error` with every fault: unknown keys (closest name), missing keys, types."""
    found: list[str] = []
    _walk(document.data, kind, (), document, found)
    if not found:
        try:
            return msgspec.convert(document.data, kind, strict=True)
        except msgspec.ValidationError as cause:
            found.append(_with_line(str(cause), document))
    raise error(f"file {document.name}", found="; ".join(found), fix="mend these places")


def at(document: Document | None, place: tuple[str | int, ...]) -> str:
    """A place as messages name it, with its line where there is a document.

    >>> at(Document("x.yaml", {}, {("roles",): 3}), ("roles", 2, "id")), at(None, ())
    ('line 3, roles[2].id', 'top')
    """
    line = document.line(place) if document else None
    path = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in place).lstrip(".") or "top"
    return f"line {line}, {path}" if line else path


def _aliased(root: Any) -> Any:
    """A node that stands in two places, or inside itself; None where there is none.

    Aliases are refused: a file of a few lines could stand for more values than memory holds, or for no end of them.
    """
    seen: set[int] = set()
    left = [] if root is None else [root]
    while left:
        node = left.pop()
        if id(node) in seen:
            return node
        seen.add(id(node))
        children = node.value if isinstance(node.value, list) else []
        left.extend(part for child in children for part in (child if isinstance(child, tuple) else (child,)))
    return None


def _plain(node: Any, place: tuple[str | int, ...], lines: dict[tuple[str | int, ...], int], found: list[str]) -> Any:
    lines[place] = node.start_mark.line + 1
    kind = type(node).__name__
    if kind == "MappingNode":
        result: dict[str, Any] = {}
        for key_node, value_node in node.value:
            line = key_node.start_mark.line + 1
            if not isinstance(key_node.value, str):
                found.append(f"line {line}: a list or mapping as a key")
                continue
            key = key_node.value
            if key in result:
                found.append(f"line {line}: key {key!r} stands twice (first on line {lines[(*place, key)]})")
                continue
            result[key] = _plain(value_node, (*place, key), lines, found)
            lines[(*place, key)] = line
        return result
    if kind == "SequenceNode":
        return [_plain(item, (*place, index), lines, found) for index, item in enumerate(node.value)]
    return _scalar(node)


_PLAIN_SCALARS: tuple[tuple[re.Pattern[str], Callable[[str], Any]], ...] = (
    (re.compile(r"(~|null|)\Z"), lambda text: None),
    (re.compile(r"true\Z"), lambda text: True),
    (re.compile(r"false\Z"), lambda text: False),
    (re.compile(r"[-+]?(0|[1-9][0-9]*)\Z"), int),
    (re.compile(r"[-+]?(0|[1-9][0-9]*)\.[0-9]+\Z"), Decimal),
)


def _scalar(node: Any) -> Any:
    if node.style in {"'", '"', "|", ">"}:
        return node.value
    for pattern, read in _PLAIN_SCALARS:
        if pattern.match(node.value):
            return read(node.value)
    return node.value


def _walk(data: Any, kind: Any, place: tuple[str | int, ...], document: Document, found: list[str]) -> None:
    """Collect unknown and missing keys and wrong types of every record inside `data`; msgspec stops at the first."""
    info = msgspec.inspect.type_info(kind)
    _walk_info(data, info, place, document, found)


def _walk_info(data: Any, info: Any, place: tuple[str | int, ...], document: Document, found: list[str]) -> None:
    name = type(info).__name__
    if name == "StructType" and isinstance(data, dict):
        fields = {field.encode_name: field for field in info.fields}
        for key, value in data.items():
            if key in fields:
                _walk_info(value, fields[key].type, (*place, key), document, found)
            elif key != info.tag_field:
                near = difflib.get_close_matches(key, fields, n=1)
                hint = f"; perhaps {near[0]!r}" if near else f"; known: {', '.join(fields)}"
                found.append(f"{at(document, (*place, key))}: unknown key{hint}")
        found += [
            f"{at(document, place)}: missing key {key!r}"
            for key, field in fields.items()
            if field.required and key not in data
        ]
    elif name in {"VarTupleType", "ListType"} and isinstance(data, list):
        for index, item in enumerate(data):
            _walk_info(item, info.item_type, (*place, index), document, found)
    elif name == "DictType" and isinstance(data, dict):
        for key, value in data.items():
            _walk_info(value, info.value_type, (*place, key), document, found)
    elif name == "UnionType":
        match = _alternative(data, info)
        if match is not None:
            _walk_info(data, match, place, document, found)
        else:
            _convert(data, info, place, document, found)
    else:
        _convert(data, info, place, document, found)


def _alternative(data: Any, info: Any) -> Any:
    structs = [each for each in info.types if type(each).__name__ == "StructType"]
    if isinstance(data, dict):
        tagged = [each for each in structs if each.tag_field and data.get(each.tag_field) == each.tag]
        return tagged[0] if tagged else structs[0] if len(structs) == 1 else None
    if isinstance(data, list):
        return next((each for each in info.types if type(each).__name__ in {"VarTupleType", "ListType"}), None)
    return None


def _convert(data: Any, info: Any, place: tuple[str | int, ...], document: Document, found: list[str]) -> None:
    kind = _python_type(info)
    if kind is None:
        return
    try:
        msgspec.convert(data, kind, strict=True)
    except msgspec.ValidationError as cause:
        found.append(f"{at(document, place)}: {cause}")


def _python_type(info: Any) -> Any:
    simple = {"StrType": str, "IntType": int, "BoolType": bool, "NoneType": None.__class__, "DecimalType": Decimal}
    name = type(info).__name__
    if name in simple:
        return simple[name]
    if name == "FloatType":
        return float
    if name == "StructType":
        return info.cls
    if name == "LiteralType":
        from typing import Literal

        return Literal[tuple(info.values)]
    if name == "UnionType":
        import functools
        import operator

        parts = [_python_type(each) for each in info.types]
        return None if None in parts else functools.reduce(operator.or_, parts)
    if name in {"VarTupleType", "ListType"}:
        item = _python_type(info.item_type)
        return None if item is None else tuple[item, ...]  # type: ignore[valid-type]
    return None


def _with_line(message: str, document: Document) -> str:
    fault, _, path = message.rpartition(" - at `$")
    place = tuple(int(index) if index.isdigit() else key for key, index in _PATH_PART.findall(path))
    return f"{at(document, place)}: {fault}" if fault and place else message
