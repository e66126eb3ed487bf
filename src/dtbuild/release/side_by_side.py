"""The texts of a family for people to read: A | B, turn by turn, what differs marked, then what differs in gold.

Where two columns do not fit, turns that are equal stand once and those that differ as a line for A and one for B;
a family with one recording has one column. A sign between A and B marks every turn that differs (`SIGNS`), and
stands without colour too; the words that differ are in colour, or in [brackets] where there is none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

from dtbuild.records.plan import Person
from dtbuild.records.script import Turn, speakers
from dtbuild.release.brief import brief
from dtbuild.release.differences import differences
from dtbuild.release.matching import SIGNS, Match, Sign, differing, matches, wholes
from dtbuild.release.naming import field_name, grounds, tags
from dtbuild.release.reading import Reading, Text
from dtbuild.release.terminal import Glyph, cells, pad, plain, render, wrap

NARROWEST = 24
"""Cells of text below which a column is not worth reading."""
_WIDEST, _WIDEST_ALONE = 200, 120


def side_by_side(reading: Reading, *, width: int = 100, color: bool = False, events: bool = False) -> str:
    """The family as lines of at most `width` cells (from 60 to 200), without a line end at the end.

    `events` adds under each turn what it carries for the gold; without it there is nothing but talk.
    """
    page = _Page(reading, width=max(60, width), color=color, events=events)
    lines = [*page.head(), *page.cast(), *page.dialogue(), *page.gold()]
    return "\n".join(render(line, color=color) for line in lines)


class _Cell(NamedTuple):
    """What stands in one column: a name that the words hang from, the words, and notes under them."""

    name: str
    words: list[Glyph]
    notes: Sequence[tuple[str, str]] = ()
    style: str = "bold"


class _Page:
    def __init__(self, reading: Reading, *, width: int, color: bool, events: bool) -> None:
        self.reading, self.color, self.events = reading, color, events
        self.texts = [text for text in (reading.a, reading.b) if text]
        self.labels = [speakers(text.script) for text in self.texts]
        self.names = [
            {each.id: f"{labels.get(each.id, '–')} {each.name}" for each in text.script.cast}
            for text, labels in zip(self.texts, self.labels, strict=True)
        ]
        self.width = min(_WIDEST if reading.b else _WIDEST_ALONE, width)
        scripts = [text.script for text in self.texts]
        self.matches = (
            matches(*scripts) if reading.b else [Match(turn, turn) for turn in enumerate(scripts[0].turns, 1)]
        )
        self.tags = tags(text.trajectories for text in self.texts)
        self.hang = max(cells(name) for names in self.names for name in names.values()) + 2
        self.left = max(len(each.number) for each in self.matches) + 2
        column = (self.width - self.left - 3) // 2
        self.two = reading.b is not None and column - self.hang >= NARROWEST
        self.column = column if self.two else self.width - self.left - (4 if reading.b else 0)

    def head(self) -> Iterator[list[Glyph]]:
        reading, signs = self.reading, [each.sign for each in self.matches if each.sign]
        kind = (reading.kind or "pair").replace("_", " ") if reading.b else "one recording"
        title = f"{reading.title} · {kind} · {' and '.join(dict.fromkeys(self._counts()))} turns"
        title += f", {len(signs)} {'differs' if len(signs) == 1 else 'differ'}" if reading.b else ""
        yield from wrap(plain(f"{reading.family}  ", "bold") + plain(title), self.width)
        for note in reading.notes:
            yield from wrap(plain(note, "candidate"), self.width)
        means = [f"{sign} {meaning}" for sign, meaning in SIGNS.items() if sign in signs]
        if "≠" in signs:
            means.append("their words coloured" if self.color else "[their words]")
        if means:
            yield from wrap(plain(" · ".join(means), "dim"), self.width)
        yield self._rule("═", "╤")

    def _counts(self) -> list[str]:
        return [str(len(text.script.turns)) for text in self.texts]

    def cast(self) -> Iterator[list[Glyph]]:
        """Everybody once, in the order of A's labels, with the role they have in each recording."""
        if self.reading.b:
            sides = [plain(text.script.recording, "bold") for text in self.texts]
            if self.two:
                sides = [plain(f"{name}  ", "bold") + words for name, words in zip("AB", sides, strict=True)]
            yield from self._row("", "≠", *(_Cell("", words) for words in sides), quiet=True)
        people = [{each.id: each for each in text.script.cast} for text in self.texts]
        order = sorted({id for each in people for id in each}, key=lambda id: [
            (int(labels[id][1:]) if id in labels else 999) for labels in self.labels
        ])  # fmt: skip
        for id in order:
            one, other = (self._member(at, each.get(id)) for at, each in enumerate((people[0], people[-1])))
            sign: Sign = "<" if not other else ">" if not one else "" if one == other else "≠"
            yield from self._row("", sign, one, other)
        yield self._rule("─", "┼")

    def _member(self, at: int, person: Person | None) -> _Cell | None:
        if person is None:
            return None
        return _Cell(
            self.names[at % len(self.names)][person.id], plain(f"{person.title}  ") + plain(person.role, "dim")
        )

    def dialogue(self) -> Iterator[list[Glyph]]:
        for match in self.matches:
            yield from self._row(match.number, match.sign, *self._turns(match))

    def _turns(self, match: Match) -> tuple[_Cell | None, _Cell | None]:
        one, other = (None if each is None else each[1] for each in (match.a, match.b))
        parts: tuple[list[slice], list[slice]] = ([], [])
        if one and other and one.text != other.text:
            whole = wholes(one, self.texts[0].script), wholes(other, self.texts[-1].script)
            parts = differing(one.text, other.text, *whole)
        style = "changed" if one and other and one.person != other.person else "bold"
        return (
            None if one is None else self._turn(one, self.texts[0], self.names[0], parts[0], style),
            None if other is None else self._turn(other, self.texts[-1], self.names[-1], parts[1], style),
        )

    def _turn(self, turn: Turn, text: Text, names: dict[str, str], parts: Sequence[slice], style: str) -> _Cell:
        notes = tuple(self._notes(text, turn)) if self.events else ()
        return _Cell(names.get(turn.person, turn.person), self._marked(turn.text, parts), notes, style)

    def _marked(self, text: str, parts: Sequence[slice]) -> list[Glyph]:
        glyphs: list[Glyph] = []
        at = 0
        for part in parts:
            words = plain(text[part], "changed")
            glyphs += plain(text[at : part.start]) + (words if self.color else [("[", ""), *words, ("]", "")])
            at = part.stop
        return glyphs + plain(text[at:])

    def _notes(self, text: Text, turn: Turn) -> Iterator[tuple[str, str]]:
        for trajectory in text.trajectories:
            name = field_name(self.reading.labels, trajectory.entity, trajectory.field, trajectory.instance)
            for event in trajectory.events:
                if text.script.trigger(event.id) == turn.id:
                    said = f"{self.tags[event.id]} {event.action} {name} {brief(event.value)}"
                    yield (
                        ", ".join([said, *([event.result] if event.result else []), *grounds(event).values()]),
                        event.action,
                    )
        for each in text.named:
            if any(mention.target == each.id and mention.turn == turn.id for mention in text.script.mentions):
                name = field_name(self.reading.labels, each.entity, each.field, each.instance)
                yield f"no event: {name} {brief(each.value)}, from someone without the right", "candidate"

    def gold(self) -> Iterator[list[Glyph]]:
        if not self.reading.b:
            return
        found = differences(self.reading)
        yield self._rule("─", "┴")
        yield plain(f"Gold: {len(found)} {'difference' if len(found) == 1 else 'differences'}", "bold")
        for each in found:
            yield from wrap(plain(each.subject), self.width)
            sign: Sign = "<" if each.b is None else ">" if each.a is None else "≠"
            one, other = (
                _Cell("", plain(f"not in {name}", "dim") if told is None else plain(told, "changed"))
                for name, told in (("A", each.a), ("B", each.b))
            )
            yield from self._row("", sign, one, other)

    def _rule(self, line: str, joint: str) -> list[Glyph]:
        if not self.two:
            return plain(line * self.width, "dim")
        at = self.left + self.column + 1
        return plain(line * at + joint + line * (self.width - at - 1), "dim")

    def _row(
        self, number: str, sign: Sign, one: _Cell | None, other: _Cell | None, *, quiet: bool = False
    ) -> Iterator[list[Glyph]]:
        """A and B in the layout of the page; `quiet` leaves the sign out where two columns show it anyway."""
        head = plain(pad(number.rjust(self.left - 2), self.left), "dim")
        blank = plain(" " * self.left)
        if self.two:
            columns = [list(self._cell(each)) if each else [] for each in (one, other)]
            for at, (mine, its) in enumerate(zip_longest(*columns, fillvalue=plain(""))):
                gutter = plain(f" {sign} ", "sign") if sign and at == 0 and not quiet else plain(" │ ", "dim")
                yield (head if at == 0 else blank) + _padded(mine, self.column) + gutter + its
            return
        sides = [("A", one), ("B", other)] if sign else [(" ", one or other)]
        for name, each in sides:
            if each is None:
                continue
            first = name == "A" or not sign or one is None
            for at, line in enumerate(self._cell(each)):
                mark = plain(f"{(sign if first and not quiet else '') or ' '} ", "sign") + plain(f"{name} ", "bold")
                mark = (mark if at == 0 else plain("    ")) if self.reading.b else []
                yield (head if first and at == 0 else blank) + mark + line

    def _cell(self, cell: _Cell) -> Iterator[list[Glyph]]:
        hang = self.hang if cell.name else 0
        for at, line in enumerate(wrap(cell.words, self.column - hang)):
            yield plain(pad(cell.name if at == 0 else "", hang), cell.style) + line
        for text, style in cell.notes:
            for at, line in enumerate(wrap(plain(text, style), self.column - hang - 2)):
                yield plain(" " * hang) + plain("└ " if at == 0 else "  ", style) + line


def _padded(line: list[Glyph], width: int) -> list[Glyph]:
    return line + plain(" " * (width - cells("".join(char for char, _ in line))))
