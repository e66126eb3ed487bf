"""Makes a recording from its takes: where each lies, one gain, room tone, 16-bit samples.

A recording gets one gain that brings it to -23 LUFS (EBU R 128): never one per turn, which would flatten what a voice
is; that voices are about equally loud is the voices' own `gain_db`. There is no limiter: where that gain would lift a
peak over -1 dBFS, the gain is the one that just reaches it, and the timeline says how loud the recording is. Room tone
is added after the gain. Samples are rounded to nearest once, at the end (`wav.to_pcm`), without dither: the tone is
some ten times the step of 16 bits.

A recording is never held whole: takes are read when their time comes, twice (to measure, to write), and samples leave
in blocks of 10 s. `render` makes the same samples from takes and timeline at any later time.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec

from dtbuild.errors import SynthesisError
from dtbuild.records.sound import Placement, RoomTone, Timeline
from dtbuild.speech.loudness import Meter
from dtbuild.speech.roomtone import peak_of, pieces
from dtbuild.speech.wav import to_pcm
from dtbuild.timebase import RATE

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Audio = NDArray[np.float32]
    Samples = NDArray[np.int16]
    Read = Callable[[str], Audio]

TARGET = -23.0
"""LUFS."""
CEILING = 10 ** (-1 / 20)
"""-1 dBFS."""
BLOCK = 10 * RATE


def place(
    takes: Sequence[tuple[str, str, int]], pauses: Sequence[int], early: Mapping[str, int]
) -> tuple[Placement, ...]:
    """Takes one after another; `takes` holds (turn id, take id, samples), `pauses` comes from `gaps`.

    A turn of `early` starts so many samples before the end of what was placed before it, in place of its pause. The
    turn after it waits for the end of both.

    >>> [each.start for each in place([("t1", "x", 100), ("t2", "y", 50), ("t3", "z", 80)], (10, 5, 7, 20), {"t2": 30})]
    [10, 80, 137]
    """
    placements: list[Placement] = []
    end = 0
    for (turn, take, samples), pause in zip(takes, pauses, strict=False):
        start = end + (-early[turn] if turn in early else pause)
        placements.append(Placement(turn=turn, take=take, start=start, samples=samples))
        end = max(end, start + samples)
    return tuple(placements)


def mix(
    recording: str, placements: Sequence[Placement], samples: int, read: Read, room_tone: RoomTone | None = None
) -> Timeline:
    """The timeline of a recording of `samples` samples: gain and loudness found by measuring the placed takes.

    `read` gives the audio of a take by its id. Raises `SynthesisError` for a take of another length than its
    placement, for one that lies outside the recording or before the one before it, and for silence.
    """
    _check(recording, placements, samples)
    timeline = Timeline(
        recording=recording, samples=samples, gain_db=0.0, room_tone=room_tone, placements=tuple(placements)
    )
    meter = Meter()
    for block in _track(timeline, read):
        meter.take(block)
    if not math.isfinite(meter.loudness):
        found = f"{meter.loudness} LUFS in {samples / RATE:.1f} s"
        raise SynthesisError(f"recording {recording}", expected="at least 0.4 s of sound", found=found)
    # a gain moves every gating block alike, so it moves the loudness by itself (the tone, 40 dB below, by nothing)
    room = 20 * math.log10((CEILING - peak_of(room_tone)) / meter.peak)
    gain = math.floor(min(TARGET - meter.loudness, room) * 10_000) / 10_000
    return msgspec.structs.replace(timeline, gain_db=gain, loudness=round(meter.loudness + gain, 2))


def render(timeline: Timeline, read: Read) -> Iterator[Samples]:
    """The samples of a recording in blocks, from its timeline and its takes alone. Raises as `mix` does."""
    import numpy as np

    factor = np.float32(10 ** (timeline.gain_db / 20))
    tone = _tone(timeline)
    for block in _track(timeline, read):
        yield to_pcm(block * factor + next(tone), f"recording {timeline.recording}")


def _track(timeline: Timeline, read: Read) -> Iterator[Audio]:
    """The takes in their places, at no gain, `BLOCK` samples at a time."""
    import numpy as np

    waiting = list(reversed(timeline.placements))
    sounding: list[tuple[Placement, Audio]] = []
    for at in range(0, timeline.samples, BLOCK):
        block = np.zeros(min(BLOCK, timeline.samples - at), dtype=np.float32)
        end = at + len(block)
        while waiting and waiting[-1].start < end:
            each = waiting.pop()
            audio = read(each.take)
            if len(audio) != each.samples:
                raise SynthesisError(
                    f"turn {each.turn} of {timeline.recording}",
                    expected=f"a take of {each.samples} samples",
                    found=f"{len(audio)}",
                    fix="speak the turn again",
                )
            sounding.append((each, audio))
        for each, audio in sounding:
            low, high = max(at, each.start), min(end, each.end)
            block[low - at : high - at] += audio[low - each.start : high - each.start]
        sounding = [one for one in sounding if one[0].end > end]
        yield block


def _tone(timeline: Timeline) -> Iterator[Audio]:
    """Room tone cut to the blocks of `_track`; zeros where there is none."""
    import numpy as np

    source = pieces(timeline.room_tone) if timeline.room_tone else None
    held = np.zeros(0, dtype=np.float32)
    for at in range(0, timeline.samples, BLOCK):
        wanted = min(BLOCK, timeline.samples - at)
        if source is None:
            yield np.zeros(wanted, dtype=np.float32)
            continue
        while len(held) < wanted:
            held = np.concatenate([held, next(source)])
        yield held[:wanted]
        held = held[wanted:]


def _check(recording: str, placements: Sequence[Placement], samples: int) -> None:
    before = 0
    for each in placements:
        if each.samples <= 0 or each.start < before or each.end > samples:
            raise SynthesisError(
                f"turn {each.turn} of {recording}",
                expected=f"a take inside [{before}, {samples})" if each.samples else "audio",
                found=f"[{each.start}, {each.end})" if each.samples else "an empty take",
            )
        before = each.start
    if not placements:
        raise SynthesisError(f"recording {recording}", expected="at least one take", found="none")
