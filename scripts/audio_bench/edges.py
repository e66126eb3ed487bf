"""The part `edges`: first and last character of each turn against where its sound begins and ends."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from audio_bench.aligning import Times
from audio_bench.corpus import Said, audio_of
from audio_bench.energy import ends
from dtbuild.records.sound import TurnAlignment
from dtbuild.timebase import RATE
from text_bench.report import Figure

MEDIAN, FAR = 40.0, 120.0
"""Most milliseconds of the median and of the 95th percentile."""


def edges(root: Path, said: Sequence[Said], times: Mapping[str, Times]) -> list[Figure]:
    """Figures before and after refinement, over all turns, and the worst voice of each."""
    known = {each.name: ends(audio_of(root, each)) for each in said if each.name in times}
    figures = []
    for which, name in ((0, "before refinement"), (1, "as released")):
        found: dict[str, list[float]] = {}
        for each in said:
            if each.name in times and (one := times[each.name][which]) is not None:
                found.setdefault(each.voice.id, []).extend(offsets(one, known[each.name]))
        figures += list(_figures(name, found))
    lost = sum(None in each for each in times.values())
    return [*figures, Figure("turns that cannot be aligned", f"{lost} of {len(times)}", "0", lost == 0, small=True)]


def offsets(one: TurnAlignment, sound: tuple[int, int]) -> tuple[float, float]:
    """Aligned minus sounding, in milliseconds: at the beginning and at the end."""
    return (one.chars[0].start - sound[0]) * 1000 / RATE, (one.chars[-1].end - sound[1]) * 1000 / RATE


def spread(values: Sequence[float]) -> tuple[float, float, float]:
    """Median and 95th percentile of the distances, and the mean with its sign."""
    off = np.abs(values)
    return float(np.median(off)), float(np.percentile(off, 95)), float(np.mean(values))


def close(figure: str, values: Sequence[float], few: int) -> Figure:
    """A figure of distances; with fewer than `few` it falls short whatever they are."""
    if not values:
        return Figure(figure, "none", f"<= {MEDIAN:.0f} / {FAR:.0f} ms", False)
    median, far, bias = spread(values)
    return Figure(
        f"{figure}, {len(values)} edges: median / 95 % (mean)",
        f"{median:.0f} / {far:.0f} ({bias:+.0f}) ms",
        f"<= {MEDIAN:.0f} / {FAR:.0f} ms",
        median <= MEDIAN and far <= FAR and len(values) >= few,
    )


def _figures(name: str, by_voice: Mapping[str, Sequence[float]]) -> Iterator[Figure]:
    values = [value for each in by_voice.values() for value in each]
    yield close(f"turn edges {name}", values, 1)
    if by_voice:
        voice, own = max(by_voice.items(), key=lambda each: spread(each[1])[1])
        median, far, bias = spread(own)
        yield Figure(
            f"the worst of {len(by_voice)} voices, {voice}", f"{median:.0f} / {far:.0f} ({bias:+.0f}) ms", "printed"
        )
