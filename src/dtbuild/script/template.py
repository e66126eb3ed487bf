"""The little language of phrase banks: text with slots, marks, choices and tags.

    @client 我们老板的意思是，这批{action:就按{value}做}[吧|，行吗？]

`{name}` is a slot (a value, an address, a fact); `{kind:…}` marks its words as a span of that kind (`action`,
`obstacle`, `conclusion`, `scope`, `premise`, `authority`); `{=bank}` puts in an entry of another bank;
`[a|b|]` is a choice, empty parts allowed; leading `@tag` or `@!tag` words say in which situation an entry (or
one part of a choice) may be used. Marks and choices nest. A slot that the situation cannot fill rules out the
entry, or the part of the choice it stands in.

>>> entry = compile_entry("@client 就按{value}做[吧|，{you}看行吗]")
>>> entry.tags, sorted(slots(entry))
((('client', True),), ['value', 'you'])
>>> feasible(entry, frozenset({"client"}), frozenset({"value"}))
True
>>> feasible(entry, frozenset(), frozenset({"value"}))
False
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Protocol

from dtbuild.errors import BlueprintError

SPAN_KINDS = frozenset({"value", "action", "obstacle", "conclusion", "scope", "premise", "authority"})
Tag = tuple[str, bool]


@dataclass(frozen=True, slots=True)
class Text:
    text: str


@dataclass(frozen=True, slots=True)
class Slot:
    name: str


@dataclass(frozen=True, slots=True)
class Pick:
    bank: str


@dataclass(frozen=True, slots=True)
class Mark:
    kind: str
    body: Entry


@dataclass(frozen=True, slots=True)
class Choice:
    parts: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """A compiled line: its nodes in order, and the tags that must (True) or must not (False) hold."""

    nodes: tuple[Node, ...]
    tags: tuple[Tag, ...] = ()
    source: str = ""
    wanted: frozenset[str] = field(init=False, compare=False)
    banned: frozenset[str] = field(init=False, compare=False)
    needed: frozenset[str] = field(init=False, compare=False)
    """Slots that must be fillable, whatever part of a choice is taken."""
    open: tuple[tuple[Entry, ...], ...] = field(init=False, compare=False)
    """Choices none of whose parts can always be used."""

    def __post_init__(self) -> None:
        needed: frozenset[str] = frozenset(node.name for node in self.nodes if isinstance(node, Slot))
        wanted = {tag for tag, held in self.tags if held}
        banned = {tag for tag, held in self.tags if not held}
        choices: list[tuple[Entry, ...]] = []
        for node in self.nodes:
            if isinstance(node, Mark):
                needed |= node.body.needed
                wanted |= node.body.wanted
                banned |= node.body.banned
                choices += node.body.open
            elif isinstance(node, Choice) and not any(part.free for part in node.parts):
                choices.append(node.parts)
        object.__setattr__(self, "needed", needed)
        object.__setattr__(self, "wanted", frozenset(wanted))
        object.__setattr__(self, "banned", frozenset(banned))
        object.__setattr__(self, "open", tuple(choices))

    @property
    def free(self) -> bool:
        """Whether it can be used in every situation."""
        return not (self.wanted or self.banned or self.needed or self.open)


Node = Text | Slot | Pick | Mark | Choice


class Sink(Protocol):
    """Where a rendered entry goes. `fits` is asked for each part of a choice."""

    def text(self, text: str) -> None: ...
    def slot(self, name: str) -> None: ...
    def pick(self, bank: str) -> None: ...
    def open(self, kind: str) -> None: ...
    def close(self, kind: str) -> None: ...
    def fits(self, entry: Entry) -> bool: ...


def compile_entry(source: str) -> Entry:
    """Raises BlueprintError naming the line when brackets do not match or a mark is of an unknown kind."""
    entry, end = _sequence(source, 0, "", source)
    if end != len(source):
        raise BlueprintError(f"phrase {source!r}", found=f"unmatched {source[end]!r} at character {end}")
    return Entry(entry.nodes, entry.tags, source)


def feasible(entry: Entry, tags: frozenset[str], has: frozenset[str]) -> bool:
    """Whether the entry can be used where `tags` hold and the slots `has` can be filled.

    Banks named by `{=bank}` are not looked into.
    """
    return (
        entry.wanted <= tags
        and entry.needed <= has
        and entry.banned.isdisjoint(tags)
        and all(any(feasible(part, tags, has) for part in parts) for parts in entry.open)
    )


def render(entry: Entry, sink: Sink, rng: random.Random) -> None:
    for node in entry.nodes:
        if isinstance(node, Text):
            sink.text(node.text)
        elif isinstance(node, Slot):
            sink.slot(node.name)
        elif isinstance(node, Pick):
            sink.pick(node.bank)
        elif isinstance(node, Mark):
            sink.open(node.kind)
            render(node.body, sink, rng)
            sink.close(node.kind)
        else:
            parts = [part for part in node.parts if part.free or sink.fits(part)]
            render(parts[int(rng.random() * len(parts))], sink, rng)


def slots(entry: Entry) -> frozenset[str]:
    """Names of all slots, in every branch."""
    return frozenset(node.name for node in _walk(entry) if isinstance(node, Slot))


def sure_slots(entry: Entry) -> frozenset[str]:
    """Names of the slots that every rendering fills.

    >>> sorted(sure_slots(compile_entry("{value}[，{you}看|]")))
    ['value']
    """
    found: frozenset[str] = frozenset()
    for node in entry.nodes:
        if isinstance(node, Slot):
            found |= {node.name}
        elif isinstance(node, Mark):
            found |= sure_slots(node.body)
        elif isinstance(node, Choice):
            found |= frozenset.intersection(*(sure_slots(part) for part in node.parts))
    return found


def banks(entry: Entry) -> frozenset[str]:
    """Names of all banks the entry puts in."""
    return frozenset(node.bank for node in _walk(entry) if isinstance(node, Pick))


def kinds(entry: Entry) -> frozenset[str]:
    """Span kinds that every rendering marks."""
    found: frozenset[str] = frozenset()
    for node in entry.nodes:
        if isinstance(node, Mark):
            found |= {node.kind} | kinds(node.body)
        elif isinstance(node, Choice):
            found |= frozenset.intersection(*(kinds(part) for part in node.parts))
    return found


def flat(entry: Entry, fill: str = "■") -> list[str]:
    """Every literal rendering with slots as `fill`, choices expanded one at a time (not their product)."""
    base = "".join(_first(node, fill) for node in entry.nodes)
    lines = [base]
    for at, node in enumerate(entry.nodes):
        head = "".join(_first(n, fill) for n in entry.nodes[:at])
        tail = "".join(_first(n, fill) for n in entry.nodes[at + 1 :])
        if isinstance(node, Mark):
            lines += [head + line + tail for line in flat(node.body, fill)]
        elif isinstance(node, Choice):
            lines += [head + line + tail for part in node.parts for line in flat(part, fill)]
    return list(dict.fromkeys(lines))


def _first(node: Node, fill: str) -> str:
    if isinstance(node, Text):
        return node.text
    if isinstance(node, Mark):
        return "".join(_first(n, fill) for n in node.body.nodes)
    if isinstance(node, Choice):
        return "".join(_first(n, fill) for n in node.parts[0].nodes)
    return fill


def _walk(entry: Entry) -> Iterator[Node]:
    for node in entry.nodes:
        yield node
        if isinstance(node, Mark):
            yield from _walk(node.body)
        elif isinstance(node, Choice):
            for part in node.parts:
                yield from _walk(part)


def _sequence(source: str, at: int, stops: str, whole: str) -> tuple[Entry, int]:
    nodes: list[Node] = []
    tags: list[Tag] = []
    while source.startswith("@", at):
        end = source.find(" ", at)
        if end < 0:
            raise BlueprintError(f"phrase {whole!r}", expected="a blank after a tag", found=source[at:])
        name = source[at + 1 : end]
        tags.append((name.lstrip("!"), not name.startswith("!")))
        at = end + 1
    literal = ""
    while at < len(source) and source[at] not in stops:
        char = source[at]
        if char not in "{[":
            if char in "]}|":
                break
            literal += char
            at += 1
            continue
        if literal:
            nodes.append(Text(literal))
            literal = ""
        node, at = _braces(source, at, whole) if char == "{" else _choice(source, at, whole)
        nodes.append(node)
    if literal:
        nodes.append(Text(literal))
    return Entry(tuple(nodes), tuple(tags), whole), at


def _braces(source: str, at: int, whole: str) -> tuple[Node, int]:
    name = ""
    index = at + 1
    while index < len(source) and source[index] not in ":{}[]|":
        name += source[index]
        index += 1
    if source.startswith("}", index):
        return (Pick(name[1:]) if name.startswith("=") else Slot(name)), index + 1
    if not source.startswith(":", index) or name not in SPAN_KINDS:
        raise BlueprintError(f"phrase {whole!r}", expected="a slot or a mark", found="{" + name)
    body, index = _sequence(source, index + 1, "}", whole)
    if not source.startswith("}", index):
        raise BlueprintError(f"phrase {whole!r}", expected="} at the end of the mark", found=source[at:index])
    return Mark(name, body), index + 1


def _choice(source: str, at: int, whole: str) -> tuple[Node, int]:
    parts: list[Entry] = []
    index = at
    while True:
        part, index = _sequence(source, index + 1, "|]", whole)
        parts.append(part)
        if source.startswith("]", index):
            return Choice(tuple(parts)), index + 1
        if not source.startswith("|", index):
            raise BlueprintError(f"phrase {whole!r}", expected="] at the end of the choice", found=source[at:])
