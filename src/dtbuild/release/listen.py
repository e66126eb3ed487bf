"""What a released recording sounds like against what gold says of it: loudness, clipping, sound where there is speech.

The one place of the release that looks at samples. Levels are RMS of 10 ms frames in dB re full scale, each compared
with the loud frames of the same turn, since voices differ. The limits are those that takes and alignments had to keep
when they were made (35 dB under a turn's loud frames is silence), with room for what a mix adds.
"""

from __future__ import annotations

import wave
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dtbuild.errors import FormatError, MissingExtra
from dtbuild.records.cohort import Gold, Window
from dtbuild.records.verdict import Finding, finding
from dtbuild.release.wav import read_header
from dtbuild.timebase import RATE, to_microseconds

if TYPE_CHECKING:
    from numpy import float64, int16
    from numpy.typing import NDArray

FRAME = RATE // 100
"""Samples of a frame."""
LOUDNESS, TOLERANCE = -23.0, 0.5
"""Integrated loudness of a recording in LUFS (EBU R 128), and how far it may be off."""
PEAK, NEAR_PEAK = 29_205, 28_540
"""Largest 16-bit sample: −1 dBFS; and −1.2 dBFS. A mix has one gain and no limiter, so a recording whose peak is near
the largest may be quieter than LOUDNESS."""
AGREES = 0.2
"""LU that the loudness measured here may differ from the manifest's: blocks are cut at other samples."""
SILENT_DB = 41.0
"""A stretch whose loudest frame lies this far under its turn's loud frames is silence."""
SPEECH_DB = 25.0
"""A frame within this of the recording's loud frames is speech."""
UNCOVERED = 25
"""Most frames of speech in a row that no turn covers: 250 ms."""
_SHORTEST = RATE * 2 // 5
"""Loudness is measured over blocks of 0.4 s."""


def header(path: Path, gold: Gold) -> list[Finding]:
    """24 kHz, mono, 16 bit integers, nothing beside the samples, and as long as gold says."""
    where = f"public/audio/{path.name}"
    try:
        head = read_header(path)
    except FormatError as error:
        return [finding("wav", where, "cannot be read as WAV", error.expected, error.found)]
    found = []
    form = (head.coding, head.rate, head.channels, head.bits)
    if form != (1, RATE, 1, 16):
        expected, is_ = (f"coding {c}, {r} Hz, {n} channel(s), {b} bit" for c, r, n, b in ((1, RATE, 1, 16), form))
        found.append(finding("wav", where, "wrong kind of samples", expected, is_))
    if head.chunks != ("fmt ", "data"):
        found.append(finding("wav", where, "chunks beside the samples", "fmt, data", ", ".join(head.chunks)))
    if to_microseconds(head.frames) != gold.duration_us:
        expected, is_ = f"{gold.duration_us} µs", f"{to_microseconds(head.frames)} µs"
        found.append(finding("duration", where, "length", expected, is_))
    return found


def sound(
    path: Path, gold: Gold, characters: Sequence[tuple[str, Window]], *, stated: float | None
) -> Iterator[Finding]:
    """Faults of a file whose header is sound. `characters` are (turn, time) of every 汉字 that has one, `stated` is the
    loudness that the manifest has.

    Raises MissingExtra without numpy or pyloudnorm.
    """
    where = f"public/audio/{path.name}"
    samples = _samples(path)
    yield from _loudness(where, samples, stated)
    level = _levels(samples)
    turns = {turn.turn: turn.window for turn in gold.turns}
    loud = {turn: _loud(_part(level, window)) for turn, window in turns.items()}
    whole = _loud(level)
    for turn, window in turns.items():
        top = _top(level, window)
        if top < whole - SILENT_DB:
            message = "a turn over silence"
            yield finding("silence", f"{where} {turn}", message, f"over {whole - SILENT_DB:.0f} dB", f"{top:.0f} dB")
    windows = [(turn, window, "a character") for turn, window in characters]
    windows += [
        (event.evidence.turn, part, f"anchor of {event.event_id}")
        for trajectory in gold.trajectories
        for event in trajectory.events
        for part in event.evidence.anchor
    ]
    for turn, window, what in windows:
        top, floor = _top(level, window), loud.get(turn, whole) - SILENT_DB
        if top < floor:
            place = f"{where} {turn} [{window.start_us}, {window.end_us}) µs"
            yield finding("silence", place, f"{what} over silence", f"over {floor:.0f} dB", f"{top:.0f} dB")
    yield from _uncovered(where, level, turns.values(), whole)


def _loudness(where: str, samples: NDArray[int16], stated: float | None) -> Iterator[Finding]:
    try:
        import numpy as np
        import pyloudnorm
    except ImportError as error:
        raise _missing() from error
    peak = int(np.abs(samples.astype(np.int32)).max()) if len(samples) else 0
    if peak > PEAK:
        found = f"{20 * np.log10(peak / 32_768):.2f} dBFS"
        yield finding("clipping", where, "a peak over −1 dBFS", "at most −1 dBFS", found)
    if len(samples) < _SHORTEST:
        yield finding("loudness", where, "too short to be measured", "0.4 s or more", f"{len(samples) / RATE:.2f} s")
        return
    measured = float(pyloudnorm.Meter(RATE).integrated_loudness(samples / 32_767.0))
    quiet_for_its_peak = measured < LOUDNESS and peak >= NEAR_PEAK
    if not (abs(measured - LOUDNESS) <= TOLERANCE or quiet_for_its_peak):
        expected = f"{LOUDNESS:.0f} ± {TOLERANCE} LUFS, or less with a peak at −1 dBFS"
        found = f"{measured:.2f} LUFS with a peak of {peak / 32_767:.3f}"
        yield finding("loudness", where, "integrated loudness", expected, found)
    if stated is not None and not abs(measured - stated) <= AGREES:
        yield finding(
            "loudness", where, "is not as loud as the manifest says", f"{stated} LUFS", f"{measured:.2f} LUFS"
        )


def _uncovered(where: str, level: NDArray[float64], turns: Any, whole: float) -> Iterator[Finding]:
    speech = level > whole - SPEECH_DB
    for window in turns:
        start, end = _frames(window)
        speech[start:end] = False
    run = 0
    for at, loud in enumerate([*speech.tolist(), False]):
        if loud:
            run += 1
            continue
        if run > UNCOVERED:
            place = f"{where} [{(at - run) * 10_000}, {at * 10_000}) µs"
            yield finding(
                "uncovered", place, "speech outside every turn", f"at most {UNCOVERED * 10} ms", f"{run * 10} ms"
            )
        run = 0


def _samples(path: Path) -> NDArray[int16]:
    try:
        import numpy as np
    except ImportError as error:
        raise _missing() from error
    with wave.open(str(path), "rb") as file:
        return np.frombuffer(file.readframes(file.getnframes()), dtype="<i2")


def _levels(samples: NDArray[int16]) -> NDArray[float64]:
    import numpy as np

    padded = np.pad(samples.astype(np.float64) / 32_767, (0, -len(samples) % FRAME))
    power = (padded.reshape(-1, FRAME) ** 2).mean(axis=1)
    result: NDArray[float64] = 10 * np.log10(power + 1e-12)
    return result


def _loud(level: NDArray[float64]) -> float:
    import numpy as np

    return float(np.percentile(level, 95)) if len(level) else -120.0


def _part(level: NDArray[float64], window: Window) -> NDArray[float64]:
    start, end = _frames(window)
    return level[start:end]


def _top(level: NDArray[float64], window: Window) -> float:
    part = _part(level, window)
    return float(part.max()) if len(part) else -120.0


def _frames(window: Window) -> tuple[int, int]:
    """Frames that the window meets."""
    return max(0, window.start_us // 10_000), max(0, -(-window.end_us // 10_000))


def _missing() -> MissingExtra:
    return MissingExtra("numpy or pyloudnorm", expected="the extra [speech]", fix="pip install 'dtbuild[speech]'")
