"""Cuts a turn into runs short enough for Kokoro, without losing a symbol.

The graph takes 510 symbols, but memory grows with the length of a run and prosody drifts in long ones, so the
budget is smaller. A cut costs least after 。！？…, more after ，；：、, much more between words, most inside a
word; among the cuts that fit, the cheapest and most even ones are taken. A turn that came out badly can be cut
elsewhere: after every sentence or every mark, and into shorter runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from dtbuild.speech.phonemes import PAUSES, Piece

BUDGET = 150
"""Symbols in a run, some 8 s of speech. Measured peak of the graph alone: 0.42 GB at 2 s, 0.56 at 8 s, 0.60 at 12 s."""

SPLITS = (BUDGET, 100, 60)
"""Budgets by `Delivery.split`: 1 also cuts after every sentence, 2 after every pause mark."""

SHORTEST = 3
"""汉字 in a part that a `split` cuts off; a shorter one stays with what follows it."""

STRONG = frozenset("。！？…")
_CLOSING = frozenset("”’」》）")
_RUN_COST = 2.0


def split_runs(pieces: Sequence[Piece], split: int) -> tuple[tuple[Piece, ...], ...]:
    """The pieces in order, in runs, cut as `Delivery.split` asks.

    >>> text = [Piece("ma", word_start=True)] * 3 + [Piece(",", "，")] + [Piece("ma", word_start=True)] * 4
    >>> [len(run) for run in split_runs(text, 0)], [len(run) for run in split_runs(text, 2)]
    ([8], [4, 4])
    """
    marks = (frozenset[str](), STRONG, PAUSES)[split]
    parts: list[list[Piece]] = [[]]
    for place, piece in enumerate(pieces):
        follows = place + 1 < len(pieces) and not pieces[place + 1].mark
        parts[-1].append(piece)
        said = sum(not each.mark for each in parts[-1])
        if follows and said >= SHORTEST and last_mark(parts[-1]) in marks:
            parts.append([])
    return tuple(run for part in parts for run in chunks(part, SPLITS[split]))


def chunks(pieces: Sequence[Piece], budget: int = BUDGET) -> tuple[tuple[Piece, ...], ...]:
    """The pieces in order, in runs of at most `budget` symbols (blanks counted).

    >>> runs = chunks([Piece("ma", word_start=True)] * 5, budget=7)
    >>> [len(run) for run in runs], sum(runs, ()) == (Piece("ma", word_start=True),) * 5
    ([1, 2, 2], True)
    """
    sizes = [len(piece.symbols) + 1 for piece in pieces]
    if sum(sizes) <= budget:
        return (tuple(pieces),) if pieces else ()
    best: list[tuple[float, int]] = [(0.0, 0)]  # cost of the best cutting of the first n pieces, its last start
    for end in range(1, len(pieces) + 1):
        cut = 0.0 if end == len(pieces) else _cost(pieces, end)
        length, found = 0, (float("inf"), end - 1)
        for start in range(end - 1, -1, -1):
            length += sizes[start]
            if length > budget and start < end - 1:
                break
            slack = (max(0, budget - length) / budget) ** 2
            found = min(found, (best[start][0] + _RUN_COST + slack + cut, start))
        best.append(found)
    bounds, end = [len(pieces)], len(pieces)
    while end:
        end = best[end][1]
        bounds.append(end)
    bounds.reverse()
    return tuple(tuple(pieces[a:b]) for a, b in pairwise(bounds))


def last_mark(run: Sequence[Piece]) -> str:
    """The pause mark that ends a run, quotes after it aside; empty when it ends in a 汉字."""
    for piece in reversed(run):
        if piece.mark in PAUSES:
            return piece.mark
        if not piece.mark:
            return ""
    return ""


def _cost(pieces: Sequence[Piece], place: int) -> float:
    """Cost of a cut before `pieces[place]`."""
    after = pieces[place]
    if after.mark in PAUSES or after.mark in _CLOSING:
        return 100.0  # a mark stays with the words before it
    mark = last_mark(pieces[max(0, place - 3) : place])
    if mark in STRONG:
        return 0.0
    if mark:
        return 1.0
    return 6.0 if after.word_start else 20.0
