"""Reads a page of side-by-side texts back, by the layout alone, so that tests see what a reader sees."""

from __future__ import annotations

import re
from typing import NamedTuple

from dtbuild.release.terminal import cells

ESCAPES = re.compile(r"\x1b\[[0-9;]*m")
_NAME = re.compile(r"(S\d+ \S+|– \S+)  +")


class Line(NamedTuple):
    """A turn as printed: its sign, and (name, text) of A and B; None for a side that is not there."""

    number: str
    sign: str
    a: tuple[str, str] | None
    b: tuple[str, str] | None


def turns(page: str) -> list[Line]:
    """The turns of a page without event notes; brackets stay in the text."""
    lines = ESCAPES.sub("", page).splitlines()
    rules = [at for at, line in enumerate(lines) if set(line) <= set("═─╤┼┴") and line]
    body = lines[rules[1] + 1 : rules[2] if len(rules) > 2 else len(lines)]
    gutter = lines[rules[0]].find("╤")
    head = lines[rules[0] + 1]
    indent = len(head) - len(head.lstrip())
    return _columns(body, indent, gutter) if gutter >= 0 else _single(body)


def split(line: str, at: int) -> tuple[str, str]:
    """The line cut after `at` cells, which no character may straddle."""
    taken = index = 0
    while taken < at and index < len(line):
        taken += cells(line[index])
        index += 1
    assert taken in (at, cells(line)), line
    return line[:index], line[index:]


def _columns(body: list[str], indent: int, gutter: int) -> list[Line]:
    found: list[Line] = []
    for line in body:
        left, rest = split(line, gutter)
        sign, right = rest[:1], rest[2:]
        number, left = left[:indent], left[indent:]
        assert sign and sign in "│≠↔<>", line
        if number.strip():
            found.append(Line(number.strip(), sign.replace("│", ""), _begun(left), _begun(right)))
        else:
            last = found[-1]
            found[-1] = last._replace(a=_more(last.a, left), b=_more(last.b, right))
    return found


def _single(body: list[str]) -> list[Line]:
    """One column, or A and B one under the other."""
    found: list[Line] = []
    side = "a"
    for line in body:
        match = re.match(r" *(\d+(?:/\d+|/–)?|–/\d+)?  ?(?: ?([≠↔<>]))? +(?:([AB]) )?(S\d+ \S+|– \S+)  +(.*)$", line)
        if not match:
            key = side
            found[-1] = found[-1]._replace(**{key: _more(getattr(found[-1], key), line)})
            continue
        number, sign, mark, name, text = match.groups()
        side = (mark or "a").lower()
        if number:
            found.append(Line(number, sign or "", None, None))
        found[-1] = found[-1]._replace(**{side: (name, text)})
    return found


def _begun(column: str) -> tuple[str, str] | None:
    match = _NAME.match(column.lstrip())
    if not match:
        assert not column.strip(), column
        return None
    return match.group(1), column.lstrip()[match.end() :].rstrip()


def _more(side: tuple[str, str] | None, column: str) -> tuple[str, str] | None:
    if side is None:
        assert not column.strip(), column
        return None
    return side[0], side[1] + column.strip()
