"""TextGrids from sample counts, through praatio, read back before they count as written.

A tier is a name with labelled half-open sample ranges; what lies between them is filled with empty intervals.
Nothing in the file depends on time or machine, so equal tiers give equal bytes. Seconds are written with every
digit a sample needs, and shared edges are the same number: 0.1 + 0.2 against 0.3 cannot arise.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from dtbuild.errors import FormatError, MissingExtra, StorageError
from dtbuild.store import placing
from dtbuild.timebase import RATE


class Label(NamedTuple):
    """A text over [start, end) in samples."""

    start: int
    end: int
    text: str


class Tier(NamedTuple):
    name: str
    labels: tuple[Label, ...]


def write_textgrid(path: Path, tiers: Sequence[Tier], *, samples: int) -> None:
    """Writes a long-form UTF-8 TextGrid of a recording of `samples` samples, atomically.

    Labels of a tier must be in order, apart, longer than nothing and inside the recording, tier names
    different: `FormatError` otherwise. The file is read back and compared before it takes its name.
    """
    for tier in tiers:
        _check(path, tier, samples)
    if not tiers or len({tier.name for tier in tiers}) != len(tiers):
        raise FormatError(f"{path}: a TextGrid needs tiers of different names", found=str([t.name for t in tiers]))
    textgrid = _praatio()
    grid = textgrid.Textgrid(0, _seconds(samples))
    for tier in tiers:
        entries = [(_seconds(one.start), _seconds(one.end), one.text) for one in tier.labels]
        grid.addTier(textgrid.IntervalTier(tier.name, entries, 0, _seconds(samples)))
    with placing(path) as temporary:
        grid.save(str(temporary), format="long_textgrid", includeBlankSpaces=True)
        if read_textgrid(temporary) != tuple(tiers):
            raise StorageError(f"{path}: the TextGrid reads back other than it was written")


def read_textgrid(path: Path) -> tuple[Tier, ...]:
    """Interval tiers of a TextGrid, long or short, UTF-8 or UTF-16, without the empty intervals.

    Raises `FormatError` for a file that praatio cannot read, `MissingExtra` where it is not installed.
    """
    textgrid = _praatio()
    try:
        grid = textgrid.openTextgrid(str(path), includeEmptyIntervals=False, duplicateNamesMode="error")
    except Exception as error:  # praatio raises whatever its parser meets
        raise FormatError(f"{path} is no TextGrid", found=f"{type(error).__name__}: {error}") from error
    return tuple(
        Tier(
            tier.name,
            tuple(Label(round(one.start * RATE), round(one.end * RATE), one.label) for one in tier.entries),
        )
        for tier in grid.tiers
        if isinstance(tier, textgrid.IntervalTier)
    )


def _praatio() -> Any:
    try:
        from praatio import textgrid
    except ImportError as error:
        raise MissingExtra(
            "praatio is not installed", expected="the extra [align]", fix="pip install 'dtbuild[align]'"
        ) from error
    return textgrid


def _check(path: Path, tier: Tier, samples: int) -> None:
    floor = 0
    for one in tier.labels:
        if not (floor <= one.start < one.end <= samples) or not one.text.strip() or one.text != one.text.strip():
            raise FormatError(
                f"{path}, tier {tier.name}, label {one.text!r}",
                expected=f"a text over a range inside [{floor}, {samples}]",
                found=f"[{one.start}, {one.end})",
            )
        floor = one.end


def _seconds(samples: int) -> float:
    """Seconds to 8 digits: finer than a sample, and one number for one sample wherever it stands."""
    return round(samples / RATE, 8)


def speaker_tiers(turns: Iterable[tuple[str, Label, Sequence[Label]]]) -> tuple[Tier, ...]:
    """Two tiers for each speaker, `S1 turns` and `S1 characters`, from (speaker, turn, characters) in time order.

    >>> [tier.name for tier in speaker_tiers([("S1", Label(0, 9, "好。"), [Label(1, 8, "好")])])]
    ['S1 turns', 'S1 characters']
    """
    said: dict[str, list[Label]] = {}
    chars: dict[str, list[Label]] = {}
    for speaker, turn, own in turns:
        said.setdefault(speaker, []).append(turn)
        chars.setdefault(speaker, []).extend(own)
    return tuple(
        tier
        for speaker in sorted(said)
        for tier in (
            Tier(f"{speaker} turns", tuple(said[speaker])),
            Tier(f"{speaker} characters", tuple(chars[speaker])),
        )
    )
