"""What all kinds of variants do with turns: they number them for B and read which change a turn belongs to."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from dtbuild.records.ids import turn_id
from dtbuild.records.script import AFTER, Script, Turn
from dtbuild.records.verdict import Finding


def renumbered(script: Script, recording: str) -> Script:
    """The script under the ids of another recording: its turns, and what names them."""
    ids = {turn.id: turn_id(recording, number) for number, turn in numbered(script)}
    return replace(
        script,
        recording=recording,
        turns=tuple(replace(turn, id=ids[turn.id]) for turn in script.turns),
        spans=tuple(replace(span, turn=ids.get(span.turn, span.turn)) for span in script.spans),
        mentions=tuple(replace(mention, turn=ids.get(mention.turn, mention.turn)) for mention in script.mentions),
    )


def numbered(script: Script) -> Iterator[tuple[int, Turn]]:
    """The turns with their numbers, from 1."""
    return enumerate(script.turns, 1)


def tied(move: str, prefix: str) -> str | None:
    """The event that a move ties its turn to.

    >>> from dtbuild.records.script import CONFIRM, SWAP
    >>> tied("swap:e3:why", SWAP), tied("confirm:e5:after", CONFIRM), tied("settle", SWAP)
    ('e3', 'e5', None)
    """
    return move.removeprefix(prefix).split(":")[0] if move.startswith(prefix) else None


def follows(move: str) -> bool:
    """Whether a tied turn takes the event up rather than carries it.

    >>> follows("confirm:e5:after"), follows("confirm:e5")
    (True, False)
    """
    return move.endswith(AFTER)


def fault(code: str, turn: Turn, message: str, found: str | None = None) -> Finding:
    """A finding about a turn of B."""
    return Finding(code=code, where=turn.id, message=message, found=found)
