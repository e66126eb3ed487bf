"""What the number of one chain has been through: who stands by it, and who could still move it, and where to.

People keep to their word: whoever has let a number go on does not take it up again himself, who has been given what he
asked for asks no more of it, and a number that an obstacle has moved is not moved back.
"""

from __future__ import annotations

from dtbuild.gold import motives
from dtbuild.gold.step import Step
from dtbuild.gold.troupe import Troupe
from dtbuild.records.blueprint import Effect, Field, Toward

MOST_CHANGES = 2
"""Changes of value in one cycle: somebody asks for another number, somebody meets him."""
_ONWARD = 0.3
"""How much less often a number moves on in the direction it has just moved in: people meet between two numbers."""


class Course:
    """`namer` last named or changed the value, `bound` named it or did anything with it since, `onward` let it go on,
    `passed` did so or set it himself, `barred` is where an obstacle has moved it away from, `won` where somebody has
    given way to."""

    def __init__(self, troupe: Troupe, field: Field) -> None:
        self.troupe, self.field = troupe, field
        self.namer = ""
        self.bound: set[str] = set()
        self.onward: set[str] = set()
        self.passed: set[str] = set()
        self.barred: set[Toward] = set()
        self.won: set[Toward] = set()
        self.last: Step | None = None
        self.changes = 0
        self.recounted = False

    def reopened(self) -> None:
        """Another cycle: something has come up, and so nobody is held to what he said of the number before."""
        self.onward.clear()
        self.passed.clear()
        self.won.clear()
        self.changes = 0

    def note(self, step: Step) -> None:
        """Takes in a step that has found its person."""
        changed = step.kind in ("start", "revise") or (step.kind == "resume" and step.effect != "keep")
        if changed:
            self.bound.clear()
            self.onward.clear()
            self.passed.clear()
        self.bound.add(step.person)
        if step.kind in ("revise", "condition", "resume"):
            self.passed.add(step.person)
        if step.kind in ("condition", "resume"):
            self.onward.add(step.person)
        if step.kind == "resume" and changed:
            self.barred |= AWAY[step.effect]
        self.changes += changed and step.kind != "start"
        if step.kind == "revise" and step.reason == "concession" and step.toward is not None:
            self.won.add(step.toward)
        self.recounted = self.recounted or step.reason == "recount"
        self.last = step

    def given(self, person: str) -> bool:
        """Whether somebody has given way to what the person's side wants."""
        return self.field.wants.get(self.troupe.side(person)) in self.won

    def moves(self, options: list[motives.Option]) -> list[motives.Move]:
        """Changes that somebody of these would make of the number as it stands."""
        if self.changes >= MOST_CHANGES or (self.field.nature == "fact" and self.recounted):
            return []
        found = motives.moves(self.troupe, self.field, options, self.namer, self.barred)
        way = self.last.toward if self.last is not None and self.last.kind == "revise" else None
        return [
            each if each.toward is None or each.toward != way else each.weighed(_ONWARD)
            for each in found
            if self._stays_true(each)
        ]

    def _stays_true(self, move: motives.Move) -> bool:
        if move.reason == "concession":
            again = self.last is not None and self.last.person == move.person and move.person in self.passed
            return move.toward not in self.won and not again and self._asked(move)
        if move.person == self.namer and not self._doubted(move.person):
            return False
        return move.toward not in self.won and not self._agreed(move.person)

    def _asked(self, move: motives.Move) -> bool:
        """Whether somebody within earshot would ask for this concession: the other side, or a colleague who judges it
        and has not himself gone along with the number."""
        side = self.troupe.side(move.person)
        return any(
            self.field.wants.get(self.troupe.side(other)) == move.toward
            and (
                not self._agreed(other)
                if self.troupe.side(other) != side
                else other not in self.bound and motives.judges(self.troupe, self.field, other, move.person)
            )
            for other in self.troupe.roles
            if other != move.person
        )

    def _agreed(self, person: str) -> bool:
        """Whether he or a colleague has let the number go on: a side speaks with one voice, but a fact each checks."""
        if self.field.nature == "fact":
            return person in self.passed
        return any(self.troupe.side(each) == self.troupe.side(person) for each in self.passed)

    def _doubted(self, person: str) -> bool:
        """Whether somebody else is there to ask him to count again."""
        return any(other != person and other not in self.bound for other in self.troupe.objectors(self.field))


AWAY: dict[Effect, set[Toward]] = {
    "lower": {"raise"},
    "cap": {"raise"},
    "raise": {"lower"},
    "other": set(),
    "keep": set(),
}
"""Where a clearing change leaves no way back to."""
