"""Two faults that an HMM aligner makes in fluent speech, and their repair. Real pauses are left as aligned.

*False pauses.* A silence model takes a weak murmur or a closure inside speech for a pause. A gap between two
characters without a quiet stretch of 30 ms is no pause: both characters reach to its quietest point.

*Squeezed characters.* A phone may pass in 10 ms, so of two like syllables (票我) one can be squeezed to nothing.
A character under 40 ms takes what it lacks from its touching neighbours, the longer first, as far as those keep
60 ms. If more than one in ten characters of a turn needs it, the text does not fit and all stay as they are: the
gate then refuses the turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dtbuild.align.levels import FRAME, levels, loudness
from dtbuild.align.plausibility import SHORTEST
from dtbuild.records.sound import CharTime
from dtbuild.timebase import RATE

QUIET_DB = 30.0
"""A frame this far below the turn's loud frames is quiet."""
QUIET_FRAMES = 3
KEEP = RATE * 60 // 1000
"""What a neighbour keeps when it lends: 60 ms."""


def repair(chars: Sequence[CharTime], samples: Any) -> tuple[CharTime, ...]:
    """Characters of one take, in samples of the take, without false pauses and squeezed characters."""
    return widen(close_false_pauses(chars, samples))


def close_false_pauses(chars: Sequence[CharTime], samples: Any) -> tuple[CharTime, ...]:
    import numpy as np

    level = levels(samples)
    quiet = level < loudness(level) - QUIET_DB
    out = list(chars)
    for at in range(len(out) - 1):
        left, right = out[at], out[at + 1]
        if left.end >= right.start:
            continue
        first, last = left.end // FRAME, max(left.end // FRAME + 1, -(-right.start // FRAME))
        if _longest_run(quiet[first:last].tolist()) >= QUIET_FRAMES:
            continue
        meet = (first + int(np.argmin(level[first:last]))) * FRAME + FRAME // 2
        meet = min(max(meet, left.end), right.start)
        out[at] = CharTime(left.hanzi, left.start, meet)
        out[at + 1] = CharTime(right.hanzi, meet, right.end)
    return tuple(out)


def widen(chars: Sequence[CharTime]) -> tuple[CharTime, ...]:
    """Lends squeezed characters what they lack.

    >>> rest = [CharTime("好", 9_000 + n * 2_400, 11_400 + n * 2_400) for n in range(8)]
    >>> [(c.start, c.end) for c in widen([CharTime("票", 0, 4_800), CharTime("我", 4_800, 4_944), *rest])[:2]]
    [(0, 3984), (3984, 4944)]
    """
    short = [at for at, char in enumerate(chars) if char.end - char.start < SHORTEST]
    if len(short) * 10 > len(chars):
        return tuple(chars)
    out = list(chars)
    for at in short:
        sides = [side for side in (at - 1, at + 1) if 0 <= side < len(out) and _touch(out[at], out[side])]
        for side in sorted(sides, key=lambda one: out[one].start - out[one].end):
            lack = SHORTEST - (out[at].end - out[at].start)
            spare = out[side].end - out[side].start - KEEP
            take = max(0, min(lack, spare))
            own, other = out[at], out[side]
            if side < at:
                out[at] = CharTime(own.hanzi, own.start - take, own.end)
                out[side] = CharTime(other.hanzi, other.start, other.end - take)
            else:
                out[at] = CharTime(own.hanzi, own.start, own.end + take)
                out[side] = CharTime(other.hanzi, other.start + take, other.end)
    return tuple(out)


def _touch(one: CharTime, other: CharTime) -> bool:
    return one.end == other.start or other.end == one.start


def _longest_run(flags: list[bool]) -> int:
    longest = run = 0
    for flag in flags:
        run = run + 1 if flag else 0
        longest = max(longest, run)
    return longest
