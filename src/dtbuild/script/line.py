"""Renders one phrase into a turn: words, numbers with their mentions, marked words as spans."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dtbuild.records.values import Status, Value
from dtbuild.script.draft import Draft, DraftMention
from dtbuild.script.framing import anaphor_bank
from dtbuild.script.situation import Frame, Number
from dtbuild.script.template import Entry, feasible, render

if TYPE_CHECKING:
    from dtbuild.script.talk import Talk


class Line:
    """Renders one entry into a draft (`template.Sink`)."""

    def __init__(self, talk: Talk, draft: Draft, frame: Frame) -> None:
        self.talk, self.draft, self.frame = talk, draft, frame
        self._starts: list[int] = []

    def text(self, text: str) -> None:
        self.draft.add(text)

    def slot(self, name: str) -> None:
        frame, draft = self.frame, self.draft
        number = frame.numbers.get(name)
        if number is None:
            draft.add(frame.words[name])
            if name == "that":
                self._took_up(frame.words[name])
            return
        if name == "value" and frame.anaphor is not None:
            start, end = draft.add(frame.anaphor)
            draft.span("value", start, end, frame.target, frame.antecedent)
            self._took_up(frame.anaphor)
            return
        manner = self.talk.manner[frame.speaker.id]
        surface = self.talk.numbers.surface(
            number.value,
            number.role,
            number.near,
            manner.short,
            self._status_words(number.value),
            1.0 if "neutral" in frame.tags else manner.exact,
        )
        start, end = draft.add(surface)
        mention = self._mention(start, end, number)
        if name == "value":
            frame.antecedent = mention
            draft.span("value", start, end, frame.target)

    def pick(self, bank: str) -> None:
        entry = self.talk.choose(bank, self.frame, nested=True)
        assert entry is not None
        self.talk.draws(entry)
        render(entry, self, self.talk.rng)

    def fits(self, entry: Entry) -> bool:
        return feasible(entry, self.frame.tags, self.frame.has)

    def open(self, kind: str) -> None:
        self._starts.append(len(self.draft.text))

    def close(self, kind: str) -> None:
        start, end = self._starts.pop(), len(self.draft.text)
        if kind == "authority":
            for target in self.frame.authority or (self.frame.target,):
                self.draft.span("authority", start, end, target)
        elif kind == "conclusion" and self.frame.settle:
            self.draft.span("conclusion", start, end, self.frame.target)
            self.draft.span("action", start, end, self.frame.target)
        else:
            self.draft.span(kind, start, end, self.frame.target)  # type: ignore[arg-type]

    def _took_up(self, words: str) -> None:
        if self.frame.field is not None:
            self.talk.drawn.append((anaphor_bank(self.talk, self.frame.field), words))

    def _status_words(self, value: Value) -> tuple[str, ...]:
        """How the field at hand says a status."""
        if self.frame.field is None or not isinstance(value, Status):
            return ()
        return self.talk.fields[self.frame.field].codes.get(value.code, ())

    def _mention(self, start: int, end: int, number: Number) -> str:
        """Declare a number that has just been put into the turn; returns its id."""
        said = self.talk.said
        id = f"m{len(said) + 1}"
        self.draft.mentions.append(DraftMention(id, start, end, number.role, number.value, number.target))
        said.append((id, number.value))
        return id
