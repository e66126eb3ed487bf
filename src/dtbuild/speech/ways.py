"""Other ways to speak a turn that came out badly: a little slower or faster, cut elsewhere, another row of styles.

A deterministic engine gives the same take for the same request, so a retake must ask for something else. Each way
changes the delivery and the seed; what was asked for in the delivery itself (pitch, gain, a planned rate) stays.
The order is fixed, so a run that is resumed goes on where it was.

A run tries `FIRST` ways. `--retry-quarantined` speaks the first way once more, in case the machine was at fault, then
the next `FURTHER` that were not tried; when none is left the turn's text must be changed.
"""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from dtbuild.records.sound import SpeechRequest
from dtbuild.seeds import derive


class Way(NamedTuple):
    """What is changed: a factor on the rate, how a turn is cut into runs, rows of styles away."""

    rate: float = 1.0
    split: int = 0
    style_shift: int = 0

    def words(self) -> str:
        """
        >>> Way(0.94, 2, -9).words()
        'rate × 0.94, cut at every mark, style row -9'
        """
        cut = ("", "cut at sentences", "cut at every mark")[self.split]
        row = f"style row {self.style_shift:+d}" if self.style_shift else ""
        return ", ".join(filter(None, (f"rate × {self.rate:g}" if self.rate != 1.0 else "", cut, row))) or "as planned"


WAYS = (
    Way(),
    Way(0.95), Way(1.0, 1, 6), Way(1.06, 0, -6), Way(0.97, 2, 0), Way(0.9, 1, 12),
    Way(1.03, 2, 9), Way(0.92, 0, 20), Way(1.1, 1, -15), Way(0.98, 0, 30), Way(0.88, 2, -12),
    Way(1.0, 2, 24), Way(0.94, 1, 40), Way(1.08, 2, 15), Way(0.9, 0, -30), Way(0.85, 2, 30),
)  # fmt: skip
"""No two alike; each differs from the one before it in more than the seed."""

FIRST, FURTHER = 6, 5
"""Ways a run tries, and ways a retry adds. `WAYS` holds two retries."""


def ways(request: SpeechRequest) -> tuple[SpeechRequest, ...]:
    """The request as it is, then every other way to speak it, in the order in which they are tried."""
    old = request.delivery
    return (
        request,
        *(
            msgspec.structs.replace(
                request,
                delivery=msgspec.structs.replace(
                    old, rate=old.rate * way.rate, split=way.split, style_shift=way.style_shift
                ),
                seed=derive(request.seed, "retake", number),
            )
            for number, way in enumerate(WAYS[1:], start=1)
        ),
    )


def to_try(tried: int, way: int = 0) -> tuple[int, ...]:
    """Numbers of the ways that come next for a turn of which so many were tried; `way` is the one that was good once.

    >>> to_try(0), to_try(6), to_try(16)
    ((0, 1, 2, 3, 4, 5), (0, 6, 7, 8, 9, 10), (0,))
    >>> to_try(3, 2)
    (2, 0, 3, 4, 5, 6, 7)
    """
    rest = range(1, FIRST) if tried == 0 else range(tried, min(len(WAYS), tried + FURTHER))
    return (*dict.fromkeys((way, 0, *rest)),)
