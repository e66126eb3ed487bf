"""How long a turn must last: a phrase from its syllables, a turn from its phrases and the pauses between them.

A phrase is what stands between two marks. Its length is a base, a share for each 汉字 by its tone, and is divided by
the pace of the voice (`Voice.chars_per_second`). Longer pauses of a take can only stand at marks: of all ways to lay
the pauses that were found on the marks of the text, the one that fits the lengths best is read, and the phrases
between two pauses are then held against what they should last. So a word missing from a clause of six 汉字 is seen,
where it would drown in a turn of thirty.

The figures were fitted to 571 clean Kokoro takes of the 24 voices by `scripts/fit_lengths.py`, which measures the
paces too.

>>> from dtbuild.lexicon import spoken
>>> [round(phrase.units, 1) for phrase in phrases(spoken("行，那就五个月。"))]
[1.5, 4.8]
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from dtbuild.records.spoken import Spoken
from dtbuild.speech.phonemes import PAUSES

BASE, EACH, TONES = 0.57, 0.928, {"3": -0.09, "4": -0.07, "5": -0.28}
"""Units of a phrase, of a 汉字 in it, and what a tone changes. A unit lasts 1 / `chars_per_second`."""
JOINT = -0.11
"""Units between two phrases with no pause between them."""
SPREAD = (0.06, 0.028)
"""Variance of a stretch in units squared: a constant, and a share for each 汉字."""
PACE = 0.02
"""Deviation of a stretch as a share of its length: a text may be read slower or faster throughout."""


class Phrase(NamedTuple):
    """Words between two marks: how long they should last, in units, and how many 汉字 they are."""

    units: float
    chars: int


class Reading(NamedTuple):
    """A stretch of a take between two pauses: seconds found and expected, and their distance in deviations."""

    found: float
    expected: float
    chars: int

    def deviation(self, unit: float) -> float:
        """Seconds of one standard deviation; `unit` is the seconds of one unit."""
        return math.hypot(unit * math.sqrt(SPREAD[0] + SPREAD[1] * self.chars), PACE * self.expected)

    def off(self, unit: float) -> float:
        """Deviations from what was expected."""
        return (self.found - self.expected) / self.deviation(unit)


def phrases(spoken: Spoken) -> tuple[Phrase, ...]:
    """The phrases of a turn, in order; marks without a 汉字 between them part nothing twice."""
    by_place = {char.at: char for char in spoken.chars}
    found: list[list[float]] = [[]]
    for place, character in enumerate(spoken.text):
        if (char := by_place.get(place)) is not None:
            found[-1].append(EACH + TONES.get(char.pinyin[-1:], 0.0))
        elif character in PAUSES and found[-1]:
            found.append([])
    return tuple(Phrase(BASE + sum(each), len(each)) for each in found if each)


def read(stretches: Sequence[float], text: Sequence[Phrase], unit: float) -> tuple[Reading, ...]:
    """The stretches of a take laid on the phrases of its text, neighbours joined where no pause was heard.

    There may be no more stretches than phrases. Raises ValueError otherwise.

    >>> [one.chars for one in read([0.5, 1.9], [Phrase(1.6, 1), Phrase(5.4, 5), Phrase(5.0, 5)], 0.2)]
    [1, 10]
    """
    if not 0 < len(stretches) <= len(text):
        raise ValueError(f"{len(stretches)} stretches, {len(text)} phrases")
    # best[m]: least cost of laying the stretches so far on the first m phrases, with the readings
    best: dict[int, tuple[float, tuple[Reading, ...]]] = {0: (0.0, ())}
    for number, found in enumerate(stretches, start=1):
        left = len(stretches) - number
        after: dict[int, tuple[float, tuple[Reading, ...]]] = {}
        for start, (cost, readings) in best.items():
            units, count = -JOINT, 0
            for end in range(start + 1, len(text) - left + 1):
                units, count = units + text[end - 1].units + JOINT, count + text[end - 1].chars
                if left == 0 and end < len(text):
                    continue
                one = Reading(found, units * unit, count)
                total = cost + one.off(unit) ** 2
                if end not in after or total < after[end][0]:
                    after[end] = (total, (*readings, one))
        best = after
    return best[len(text)][1]
