"""Time as integer samples at 24 kHz; seconds and microseconds only at the edges.

An `Interval` is half open, [start, end), counted in samples from the start of the recording (or of the
take, where the holder says so).

>>> Interval(0, 24_000).seconds
1.0
>>> Interval(1, 4).microseconds
(42, 167)
"""

from __future__ import annotations

from typing import NamedTuple

RATE = 24_000
"""Samples a second of everything dtbuild speaks, stores and releases."""


class Interval(NamedTuple):
    """Half-open interval of samples."""

    start: int
    end: int

    @property
    def length(self) -> int:
        return self.end - self.start

    @property
    def seconds(self) -> float:
        return self.length / RATE

    @property
    def microseconds(self) -> tuple[int, int]:
        """Both edges in integer microseconds, rounded to nearest: what files carry."""
        return to_microseconds(self.start), to_microseconds(self.end)

    def shift(self, samples: int) -> Interval:
        return Interval(self.start + samples, self.end + samples)

    def clip(self, length: int) -> Interval:
        """The part inside [0, length)."""
        return Interval(max(0, min(self.start, length)), max(0, min(self.end, length)))


def to_microseconds(samples: int) -> int:
    """Nearest integer microsecond; exact integer arithmetic, so equal on any machine."""
    return (samples * 1_000_000 + RATE // 2) // RATE


def to_samples(seconds: float) -> int:
    return round(seconds * RATE)
