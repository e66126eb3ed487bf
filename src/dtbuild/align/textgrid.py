"""TextGrids from sample counts, through praatio, read back before they count as written.

A tier is a name with labelled half-open sample ranges; what lies between them is filled with empty intervals.
Nothing in the file depends on time or machine, so equal tiers give equal bytes. Seconds are written with every
digit a sample needs, and shared edges are the same number: 0.1 + 0.2 against 0.3 cannot arise.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from dtbuild.errors import FormatError, MissingExtra, StorageError
from dtbuild.store import placing
from dtbuild.timebase import RATE

OVERRUN = RATE // 100
"""A label past the end of its recording by up to one frame (10 ms) is rounding, and is cut."""
_SMALL = re.compile(r"^(\s*xm(?:in|ax) = )(\S+e-\d+)", re.MULTILINE)


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
        _write_out_numbers(temporary)
        if read_textgrid(temporary) != tuple(tiers):
            raise StorageError(f"{path}: the TextGrid reads back other than it was written")


def read_textgrid(
    path: Path, *, samples: int | None = None, say: Callable[[str], None] = lambda line: None
) -> tuple[Tier, ...]:
    """Interval tiers of a TextGrid, long or short, UTF-8 or UTF-16, without the empty intervals.

    With `samples`, the length of its recording, a label that ends past it by up to one frame (10 ms) is cut, and
    `say` gets a line about it; one that ends later is refused. Raises `FormatError` for a file that praatio cannot
    read, `MissingExtra` where it is not installed.
    """
    textgrid = _praatio()
    try:
        text = _decoded(path.read_bytes())
        with tempfile.TemporaryDirectory(prefix="dtbuild-grid-") as folder:
            plain = Path(folder) / "grid.TextGrid"
            plain.write_text(text, encoding="utf-8", newline="\n")
            grid = textgrid.openTextgrid(
                str(plain), includeEmptyIntervals=False, reportingMode="silence", duplicateNamesMode="error"
            )
    except Exception as error:  # praatio raises whatever its parser meets
        raise FormatError(f"{path} is no TextGrid", found=f"{type(error).__name__}: {error}") from error
    return tuple(
        Tier(tier.name, tuple(_within(path, tier.name, one, samples, say) for one in tier.entries))
        for tier in grid.tiers
        if isinstance(tier, textgrid.IntervalTier)
    )


def _within(path: Path, tier: str, entry: Any, samples: int | None, say: Callable[[str], None]) -> Label:
    label = Label(round(entry.start * RATE), round(entry.end * RATE), entry.label)
    if samples is None or label.end <= samples:
        return label
    over = f"{path}, tier {tier}, label {label.text!r}"
    if label.end > samples + OVERRUN or label.start >= samples:
        raise FormatError(
            f"{over} ends after its recording",
            expected=f"at most {samples / RATE:.3f} s, or {OVERRUN * 1000 // RATE} ms more",
            found=f"{label.end / RATE:.3f} s",
            fix="make sure the TextGrid is of this recording",
        )
    say(f"{over} cut by {(label.end - samples) * 1000 / RATE:.1f} ms to the end of its recording")
    return label._replace(end=samples)


def _decoded(data: bytes) -> str:
    """Text of a file with or without a byte order mark; a file without one is UTF-16 where every other byte is 0."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        text = data.decode("utf-16")
    elif data[:200:2].count(0) > len(data[:200]) // 4:
        text = data.decode("utf-16-be")
    elif data[1:200:2].count(0) > len(data[:200]) // 4:
        text = data.decode("utf-16-le")
    else:
        text = data.decode("utf-8-sig")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _write_out_numbers(path: Path) -> None:
    """praatio writes a time under 0.1 ms as 4.167e-05, which readers of plain decimals do not take."""
    text = path.read_text(encoding="utf-8")
    path.write_text(_SMALL.sub(lambda found: f"{found[1]}{float(found[2]):.8f}", text), encoding="utf-8", newline="\n")


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
