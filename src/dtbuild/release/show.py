"""One recording in the terminal: the dialogue with its events where they are said, then each chain with its times.

The words that trigger an event stand in the action's colour, or in [brackets] where there is no colour.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from dtbuild.boundary import load
from dtbuild.records.cohort import (
    Gold,
    GoldCandidate,
    GoldEvent,
    GoldTrajectory,
    Manifest,
    PublicSchema,
    Window,
)
from dtbuild.records.plan import state_after
from dtbuild.records.script import TRIGGER_KINDS, Script, Turn
from dtbuild.release.brief import brief
from dtbuild.release.folder import gold_path, known, manifest_of, release_of, script_path
from dtbuild.release.naming import field_name, grounds, letter
from dtbuild.release.terminal import Glyph, cells, cut, pad, plain, render, wrap

_CHANGES = 3
"""Differences between A and B that the head names; the page of the pair names all."""
_STATES = {"active": "advance", "held": "hold", "settled": "settle"}


def show(folder: Path, recording: str, *, width: int = 80, color: bool = False) -> str:
    """The recording as lines of at most `width` cells (from 60 to 120), without a line end at the end.

    Raises FolderError when `folder` holds no release, UnknownName with the closest recordings, FormatError for a
    file that cannot be read.
    """
    root = release_of(folder)
    name = known(root, recording)
    page = _Page(
        gold=load(gold_path(root, name), Gold),
        script=load(script_path(root, name), Script),
        schema=load(root / "public" / "schema.json", PublicSchema),
        manifest=manifest_of(root),
        width=min(120, max(60, width)),
        color=color,
    )
    lines = [*page.head(), [], *page.dialogue(), [], *page.chains()]
    return "\n".join(render(line, color=color) for line in lines)


class _Marked(NamedTuple):
    """An event as the reader meets it: `A2`, with the chain it belongs to."""

    tag: str
    event: GoldEvent
    trajectory: GoldTrajectory


class _Page:
    def __init__(
        self, *, gold: Gold, script: Script, schema: PublicSchema, manifest: Manifest, width: int, color: bool
    ) -> None:
        self.gold, self.script, self.schema, self.manifest = gold, script, schema, manifest
        self.width, self.color = width, color
        self.labels = {(each.entity, each.field): each.label for each in schema.fields}
        self.names = {each.speaker: f"{each.speaker} {each.name}" for each in gold.speakers}
        self.persons = {each.person: each.speaker for each in gold.speakers}
        self.letters = [letter(index) for index in range(len(gold.trajectories))]
        self.marked = [
            _Marked(f"{name}{number}", event, trajectory)
            for name, trajectory in zip(self.letters, gold.trajectories, strict=True)
            for number, event in enumerate(trajectory.events, 1)
        ]
        self.name_width = max(map(cells, self.names.values()))
        self.time_width = len(_clock(gold.duration_us))

    def head(self) -> Iterator[list[Glyph]]:
        gold = self.gold
        title = f"{self.schema.title} · {len(gold.turns)} turns · {_clock(gold.duration_us)}"
        yield plain(f"{gold.recording}  ", "bold") + plain(title)
        yield plain("═" * self.width, "dim")
        wide = max(cells(each.title) for each in gold.speakers)
        for each in gold.speakers:
            rest = f"{pad(each.title, wide)}  {each.role}, voice {each.voice}"
            yield plain(pad(self.names[each.speaker], self.name_width + 2), "bold") + plain(rest)
        if self.manifest.alignment == "none":
            yield from self._field("alignment", "none: events are known to the turn")
        if gold.phenomena:
            yield from self._field("shows", ", ".join(gold.phenomena))
        people = {person.id: person.name for person in self.script.cast}

        def told(part: object) -> str:
            return " ".join(people.get(word, word) for word in str(part).split(" "))

        for pair in self.manifest.pairs:
            if pair.family == gold.family:
                other = pair.b if gold.recording == pair.a else pair.a
                mine, its = ("a", "b") if gold.recording == pair.a else ("b", "a")
                changed = [
                    f"{' '.join(filter(None, (each.trajectory, each.event)))}: {told(each.what)} "
                    f"{told(getattr(each, mine))} here, {told(getattr(each, its))} there".removeprefix(": ")
                    for each in pair.changes
                ]
                more = len(changed) - _CHANGES
                told_of = [*changed[:_CHANGES], *([f"{more} more: dtbuild show --text"] if more > 0 else [])]
                yield from self._field(
                    "pair", f"{other}, {(pair.factor or 'variant').replace('_', ' ')}; {'; '.join(told_of)}"
                )

    def _field(self, name: str, text: str) -> Iterator[list[Glyph]]:
        left = self.name_width + 2
        for index, line in enumerate(wrap(plain(text), self.width - left)):
            yield plain(pad(name if index == 0 else "", left), "dim") + line

    def dialogue(self) -> Iterator[list[Glyph]]:
        times = {each.turn: each.window for each in self.gold.turns}
        left = self.time_width + 2 + self.name_width + 2
        for turn in self.script.turns:
            speaker = self.names[self.persons[turn.person]]
            events = [each for each in self.marked if each.event.evidence.turn == turn.id]
            candidates = [each for each in self.gold.candidates if each.turn == turn.id]
            glyphs = self._highlight(turn, events, candidates)
            clock = _clock(times[turn.id].start_us).rjust(self.time_width)
            for index, line in enumerate(wrap(glyphs, self.width - left)):
                first = plain(f"{clock}  ", "dim") + plain(pad(speaker, self.name_width + 2), "bold")
                yield (first if index == 0 else plain(" " * left)) + line
            for text, style in [*map(self._marker, events), *map(self._refusal, candidates)]:
                for index, line in enumerate(wrap(plain(text, style), self.width - left - 2)):
                    yield plain(" " * left) + plain("└ " if index == 0 else "  ", style) + line

    def _highlight(self, turn: Turn, events: list[_Marked], candidates: list[GoldCandidate]) -> list[Glyph]:
        styles = {each.event.event_id: each.event.action for each in events}
        owner: list[tuple[str, str]] = [("", "")] * len(turn.text)
        for mention in self.script.mentions:
            if mention.turn == turn.id and mention.target in {each.candidate_id for each in candidates}:
                owner[mention.start : mention.end] = [(str(mention.target), "candidate")] * (
                    mention.end - mention.start
                )
        for span in self.script.spans:
            if span.turn == turn.id and span.kind in TRIGGER_KINDS and span.target in styles:
                owner[span.start : span.end] = [(span.target, styles[span.target])] * (span.end - span.start)
        glyphs: list[Glyph] = []
        for (target, style), run in groupby(zip(turn.text, owner, strict=True), key=lambda each: each[1]):
            words = plain("".join(char for char, _ in run), style)
            glyphs += words if self.color or not target else [("[", ""), *words, ("]", "")]
        return glyphs

    def _marker(self, each: _Marked) -> tuple[str, str]:
        event = each.event
        said = f"{each.tag} {event.action} {self._label(each.trajectory)} {brief(event.value)}"
        return ", ".join([said, *([event.result] if event.result else []), *grounds(event).values()]), event.action

    def _refusal(self, each: GoldCandidate) -> tuple[str, str]:
        label = field_name(self.labels, each.entity, each.field, each.instance)
        return f"no event: {label} {brief(each.value)}, from someone without the right", "candidate"

    def _label(self, trajectory: GoldTrajectory) -> str:
        return field_name(self.labels, trajectory.entity, trajectory.field, trajectory.instance)

    def chains(self) -> Iterator[list[Glyph]]:
        for name, trajectory in zip(self.letters, self.gold.trajectories, strict=True):
            state = state_after(trajectory.events[-1].action)
            scopes = list(dict.fromkeys(event.scope for event in trajectory.events))
            head = f"{name}  {self._label(trajectory)}  "
            key = f"{trajectory.key}, scope {', '.join(scopes)}"
            yield plain("─" * self.width, "dim")
            if cells(head + key) + 2 + len(state) > self.width:
                yield plain(pad(head, self.width - len(state)), "bold") + plain(state, _STATES[state])
                yield plain("   ") + plain(cut(key, self.width - 3), "dim")
            else:
                yield (
                    plain(head, "bold")
                    + plain(pad(key, self.width - cells(head) - len(state)), "dim")
                    + plain(state, _STATES[state])
                )
            yield from self._steps(trajectory)
            yield from self._rows([each for each in self.marked if each.trajectory is trajectory], len(scopes) > 1)

    def _steps(self, trajectory: GoldTrajectory) -> Iterator[list[Glyph]]:
        line = plain("   ")
        for number, cycle in enumerate(trajectory.cycles):
            for index, event in enumerate(cycle.events):
                joint = plain(" → ") if index else plain("  reopened: ", "dim") if number else []
                step = plain(event.action, event.action) + plain(f" {brief(event.value)}")
                step += plain(f" {event.result}", event.action) if event.result else []
                if _size(line) + _size(joint) + _size(step) > self.width and joint:
                    yield line
                    line = plain("  ")
                line += [*joint, *step]
        yield line

    def _rows(self, events: list[_Marked], scopes: bool) -> Iterator[list[Glyph]]:
        wide = min(18, max(cells(brief(each.event.value)) for each in events))
        for each in events:
            event = each.event
            row = (
                plain(f"   {each.tag:<4}")
                + plain(f"{event.action:<9}", event.action)
                + plain(pad(cut(brief(event.value), wide), wide + 2))
                + plain(pad(self.names[event.speaker], self.name_width + 2))
                + plain(f"{event.evidence.turn.rsplit('-', 1)[1]}  {_span(event.evidence.utterance)}")
            )
            notes = [
                *([f"words {_span(_hull(event))}"] if event.evidence.anchor else []),
                *grounds(event).values(),
                *([f"scope {event.scope}"] if scopes else []),
            ]
            for note in notes:
                part = plain(f"  {note}", "dim")
                if _size(row) + _size(part) > self.width:
                    yield row
                    row = plain(" " * 5)
                row += part
            yield row


def _hull(event: GoldEvent) -> Window:
    anchor = event.evidence.anchor
    return Window(start_us=anchor[0].start_us, end_us=anchor[-1].end_us)


def _size(glyphs: list[Glyph]) -> int:
    return cells("".join(char for char, _ in glyphs))


def _span(window: Window) -> str:
    return f"{_clock(window.start_us)}–{_clock(window.end_us)}"


def _clock(microseconds: int) -> str:
    tenths = (microseconds + 50_000) // 100_000
    return f"{tenths // 600}:{tenths // 10 % 60:02d}.{tenths % 10}"
