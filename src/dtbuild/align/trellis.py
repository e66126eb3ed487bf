"""All ways through the characters of a turn, frame by frame: forwards, backwards, and where a jump would pay.

A turn is a row of states: every character has a few for each of its phones, each of which lasts 10 ms or more, and a silence that may be
left out stands before each character and at the end. `forward[t, s]` is the best score of frames 0 to t that ends
in state s, `backward[t, s]` the best of frames t to the end that begins there. Their sums say, for every pair of
places in the text, what the best path is worth that leaves the text at the one and goes on at the other: what it
gains over the path that reads the text as it stands. Scores are log ratios, so paths are compared in nats.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from numpy import float32, int8, intp
    from numpy.typing import NDArray

_NEVER = -1e9


class Layout(NamedTuple):
    """States of a turn: `columns` of the score table they read, first and last state of each character, the
    silences before each character and after the last, and the character (or −1) of each state."""

    columns: list[int]
    first: list[int]
    last: list[int]
    silences: list[int]
    owner: list[int]


class Jump(NamedTuple):
    """Leaving the text after `done` characters and going on with character `next`, `frame` frames into the take."""

    gain: float
    done: int
    next: int
    frame: int


def layout(chars: Sequence[Sequence[int]], silence: int) -> Layout:
    """States of characters, each given as its columns; `silence` is the column of silence.

    >>> layout([[5, 6], [7]], 0)
    Layout(columns=[0, 5, 6, 0, 7, 0], first=[1, 4], last=[2, 4], silences=[0, 3, 5], owner=[-1, 0, 0, -1, 1, -1])
    """
    out = Layout([], [], [], [], [])
    for at, columns in enumerate([*chars, []]):
        out.silences.append(len(out.columns))
        out.columns.append(silence)
        out.owner.append(-1)
        if columns:
            out.first.append(len(out.columns))
            out.columns.extend(columns)
            out.owner.extend([at] * len(columns))
            out.last.append(len(out.columns) - 1)
    return out


class Trellis:
    """The paths of one take. `scores` has a row a frame and a column for each of the layout's `columns`."""

    def __init__(self, scores: NDArray[float32], where: Layout) -> None:
        import numpy as np

        self._where = where
        ordered = np.ascontiguousarray(scores[:, where.columns], dtype=np.float32)
        self._forward, self._back = _pass(ordered, np.array(where.first[1:], dtype=np.intp))
        # backwards in time is forwards through the mirrored row of states
        mirrored = len(where.columns) - 1 - np.array(where.last[:-1], dtype=np.intp)
        backward, ahead = _pass(ordered[::-1, ::-1], mirrored)
        self._backward, self._ahead = backward[::-1, ::-1], ahead[::-1, ::-1]
        frames, chars = len(ordered), len(where.first)
        self._done = np.full((frames + 1, chars + 1), _NEVER, np.float32)
        self._done[0, 0] = 0
        self._done[1:, 0] = self._forward[:, 0]
        self._done[1:, 1:] = np.maximum(self._forward[:, where.last], self._forward[:, where.silences[1:]])
        self._left = np.full((frames + 1, chars + 1), _NEVER, np.float32)
        self._left[frames, chars] = 0
        self._left[:frames, :chars] = self._backward[:, where.first]
        self._left[:frames, chars] = self._backward[:, -1]
        self.best = float(self._done[frames, chars])
        """Score of the text as it stands."""

    def jumps(self, by: int) -> list[Jump]:
        """Every jump over `by` characters (forwards) or back over −`by`, the best frame for each."""
        done, left = self._done, self._left
        count = done.shape[1] - abs(by)
        if count <= 0:
            return []
        both = done[:, :count] + left[:, by:] if by > 0 else done[:, -by:] + left[:, :count]
        frames, gains = both.argmax(axis=0), both.max(axis=0) - self.best
        start = max(0, -by)
        return [
            Jump(float(gain), start + at, start + at + by, int(frame))
            for at, (gain, frame) in enumerate(zip(gains, frames, strict=True))
        ]

    def lengths(self) -> dict[int, int]:
        """Frames of every character where the text is read as it stands."""
        return self.lengths_before(len(self._forward), len(self._where.first), len(self._where.first))

    def lengths_before(self, frame: int, done: int, count: int) -> dict[int, int]:
        """Frames of the last `count` of `done` characters that are over by `frame`."""
        if frame == 0 or done == 0:
            return {}
        last, silence = self._where.last[done - 1], self._where.silences[done]
        row = self._forward[frame - 1]
        return self._walk(self._back, frame - 1, last if row[last] >= row[silence] else silence, -1, count)

    def lengths_after(self, frame: int, next: int, count: int) -> dict[int, int]:
        """Frames of the first `count` characters from `next` on, which begins at `frame`."""
        if frame == len(self._forward) or next == len(self._where.first):
            return {}
        return self._walk(self._ahead, frame, self._where.first[next], 1, count)

    def _walk(self, steps: NDArray[int8], frame: int, state: int, way: int, count: int) -> dict[int, int]:
        found: dict[int, int] = {}
        while True:
            char = self._where.owner[state]
            if char >= 0:
                if char not in found and len(found) == count:
                    return found
                found[char] = found.get(char, 0) + 1
            if not 0 <= frame + way < len(steps):
                return found
            state += way * int(steps[frame, state])
            frame += way


def _pass(scores: NDArray[float32], entries: NDArray[intp]) -> tuple[NDArray[float32], NDArray[int8]]:
    """Best scores and the number of states stepped over (0, 1, or 2 past a silence) on the way into each.

    `entries`: states that may be entered past the silence before them.
    """
    import numpy as np

    frames, states = scores.shape
    found = np.empty((frames, states), np.float32)
    steps = np.zeros((frames, states), np.int8)
    padded = np.full(states + 2, _NEVER, np.float32)
    row = np.full(states, _NEVER, np.float32)
    row[:2] = scores[0, :2]
    found[0] = row
    for at in range(1, frames):
        padded[2:] = row
        before = padded[1:-1]
        np.greater(before, row, out=steps[at], casting="unsafe")
        row = np.maximum(row, before)
        skipping = padded[entries]
        better = skipping > row[entries]
        row[entries] = np.maximum(row[entries], skipping)
        steps[at, entries[better]] = 2
        row = row + scores[at]
        found[at] = row
    return found, steps
