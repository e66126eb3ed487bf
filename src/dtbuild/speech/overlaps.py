"""Which back-channels begin before the turn before them has ended, and by how much. Only where a config asks for it.

A 嗯。 may be said over the last characters of what it answers, and over nothing that carries anything: not over a span
or a mention, so that no event's words are ever heard through another voice. Takes are aligned one by one and after
they are mixed, so where a character lies is not known here. But the gate of the alignment lets no character pass that
is shorter than `SHORTEST`: where n characters follow the last that carries something, n times `SHORTEST` is the most
that an overlap may take, and is safe whatever the alignment finds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from dtbuild.records.script import Script
from dtbuild.records.spoken import Spoken
from dtbuild.seeds import rng
from dtbuild.speech.gaps import BACKCHANNEL, is_backchannel, kind
from dtbuild.timebase import RATE, to_samples

LEAST, MOST = to_samples(0.15), to_samples(0.6)
"""Bounds of an overlap in samples; up to 0.1 s of it is the silence at the ends of the two takes."""
SHORTEST = RATE * 40 // 1000
"""Least samples of a character: what the gate "align" demands (40 ms)."""


def free_tails(script: Script, spoken: Mapping[str, Spoken]) -> dict[str, int]:
    """By turn: how many spoken 汉字 follow the last one that carries a span or a mention; all where none does."""
    last: dict[str, int] = {}
    for turn, end in _carried(script):
        last[turn] = max(last.get(turn, 0), end)
    return {turn: sum(char.start >= last.get(turn, 0) for char in said.chars) for turn, said in spoken.items()}


def carrying(script: Script) -> frozenset[str]:
    """Turns with a span or a mention."""
    return frozenset(turn for turn, _ in _carried(script))


def overlaps(
    turns: Sequence[tuple[str, str, str]],
    samples: Mapping[str, int],
    free: Mapping[str, int],
    held: Iterable[str],
    *,
    share: float,
    seed: int,
) -> dict[str, int]:
    """Turns that begin early, by how many samples before the end of the turn before them.

    `turns` holds (turn id, person, text), `samples` the length of each turn's take, `free` comes from `free_tails`,
    `held` from `carrying`: turns that never begin early. Of the back-channels that could,
    `share` do. One of them follows a turn of another person that is no back-channel and asks nothing, and lasts over
    at most half of that take and all of its own.

    >>> turns = [("t1", "a", "这批货都到了，也点过数了。"), ("t2", "b", "嗯。")]
    >>> overlaps(turns, {"t1": 60_000, "t2": 12_000}, {"t1": 10}, [], share=0.0, seed=1)
    {}
    >>> found = overlaps(turns, {"t1": 60_000, "t2": 12_000}, {"t1": 10}, [], share=1.0, seed=1)
    >>> 3_600 <= found["t2"] <= 6_000
    True
    """
    held = frozenset(held)
    seen: Counter[tuple[str, str]] = Counter()
    found: dict[str, int] = {}
    for (before, one, said), (after, other, says) in pairwise(turns):
        stream = rng(seed, "overlap", said, says, seen[said, says])
        seen[said, says] += 1
        chosen, place = stream.random() < share, stream.random()
        if not chosen or after in held or is_backchannel(said) or said.rstrip("”’").endswith(("？", "…", "—")):
            continue
        most = min(MOST, free[before] * SHORTEST, samples[before] // 2, samples[after])
        if kind((one, said), (other, says)) == BACKCHANNEL and most >= LEAST:
            found[after] = LEAST + int(place * (most - LEAST))
    return found


def _carried(script: Script) -> list[tuple[str, int]]:
    spans = [(each.turn, each.end) for each in script.spans]
    return spans + [(each.turn, each.end) for each in script.mentions]
