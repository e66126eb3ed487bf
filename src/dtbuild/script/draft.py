"""Turns under construction: text grows from the left, spans and mentions keep their places.

Punctuation is tidied while it is added (no comma at the head of a turn, no two stops in a row), so that empty
parts of a phrase leave no trace; a span never begins or ends with punctuation.

>>> draft = Draft("p1", "note")
>>> draft.add("，好。"); draft.add("，就"); draft.add("这样")
(0, 2)
(2, 3)
(3, 5)
>>> draft.finish()
'好。就这样。'
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

from dtbuild.records.script import SpanKind
from dtbuild.records.values import Value

PAUSES = "，、；："
STOPS = "。！？"
_ELLIPSIS = "…"
_PUNCTUATION = frozenset(PAUSES + STOPS + _ELLIPSIS)
_IN_A_ROW = re.compile(f"[{PAUSES}{STOPS}{_ELLIPSIS}]{{2}}")
MARKS = PAUSES + STOPS + _ELLIPSIS + "“”《》—"


@dataclass(slots=True)
class DraftSpan:
    kind: SpanKind
    start: int
    end: int
    target: str
    antecedent: str | None = None


@dataclass(slots=True)
class DraftMention:
    id: str
    start: int
    end: int
    role: Literal["event", "echo", "premise", "unauthorised", "distractor"]
    value: Value
    target: str | None


@dataclass(slots=True)
class Draft:
    person: str
    move: str
    text: str = ""
    spans: list[DraftSpan] = field(default_factory=list)
    mentions: list[DraftMention] = field(default_factory=list)
    closed: bool = False
    """True when nothing more may be said in this turn."""
    to: str | None = None
    named: bool = False
    """Whether it calls somebody by name."""
    topic: str | None = None
    """What the last phrase was about: a field, or "" where none."""
    parts: int = 0
    """How many phrases it holds."""

    def add(self, text: str) -> tuple[int, int]:
        """Append text; returns the range it got, after tidying."""
        if text and text[0] not in _PUNCTUATION and not _IN_A_ROW.search(text):
            start = len(self.text)
            self.text += text
            return start, len(self.text)
        kept = self.text
        for char in text:
            last = kept[-1:]
            if char in PAUSES:
                if not last or last in PAUSES or last in STOPS or last == _ELLIPSIS:
                    continue
            elif char in STOPS:
                if not last or last in STOPS:
                    continue
                if last in PAUSES:
                    kept = kept[:-1]
            kept += char
        start = min(len(self.text), len(kept))
        self.text = kept
        return start, len(kept)

    def span(self, kind: SpanKind, start: int, end: int, target: str, antecedent: str | None = None) -> None:
        while start < end and self.text[start] in MARKS:
            start += 1
        while end > start and self.text[end - 1] in MARKS:
            end -= 1
        if start < end:
            self.spans.append(DraftSpan(kind, start, end, target, antecedent))

    def finish(self) -> str:
        """The text with an end mark."""
        if self.text[-1:] in PAUSES:
            self.text = self.text[:-1]
        if self.text and self.text[-1] not in STOPS and self.text[-1] != _ELLIPSIS:
            self.text += "。"
        return self.text
