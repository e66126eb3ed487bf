"""Checks one take before anything is built on it: what a listener would notice at once.

NaN, Inf, silence, a constant, clipping and a low peak are distinct failures, because their causes differ (half
precision, an empty run, a wrong scale). Then come silence where no mark stands, lengths against the text (skipped,
repeated, invented speech), a tone that is not speech, a stretch heard twice. A short turn (嗯。) is held to the same.

Thresholds were set on clean Kokoro takes; `scripts/bench_audio.py --only faults` prints how many clean turns they refuse
and how many planted faults they find. They hold for a delivery rate of 1 and scale with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from dtbuild.records.sound import SpeechRequest
from dtbuild.records.verdict import Finding
from dtbuild.speech.lengths import Reading, phrases, read
from dtbuild.speech.likeness import other_voice
from dtbuild.speech.silence import silences, speech_interval, speech_mask
from dtbuild.speech.spectra import TWICE, closest_repeat, steady_line
from dtbuild.timebase import RATE, Interval

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Audio = NDArray[np.float32]

PEAK_FLOOR = 0.05
CLIP_LEVEL, CLIP_RUN = 0.999, 4
"""Clipping: this many samples in a row at or above this level."""
SHORT_TURN = 3
SHORT_SECONDS = (0.15, 1.5)
"""Length of a turn of at most SHORT_TURN 汉字 without an inner pause."""
CHAR_SECONDS = (0.09, 0.45)
"""Mean seconds a 汉字, pauses at marks taken out: outside, something was skipped, repeated or invented."""
EDGE_SILENCE = 0.12
"""Seconds of silence at either end; engines leave `silence.LEAD` there."""
SURE_PAUSE = 0.13
"""A silence this long is a pause; closures of consonants and breaks in a voice are shorter."""
UNMARKED_PAUSE, MARKED_PAUSE = 0.2, 0.6
"""Longest silences where no mark stands, and anywhere."""
SILENCE_SHARE = 0.45
DEVIATIONS = 4.0
"""How far a phrase, and a whole turn, may be from the length that its syllables ask for (`lengths.SPREAD`)."""


def check(audio: Audio, request: SpeechRequest, *, where: str, stand_in: bool = False) -> list[Finding]:
    """Findings on one take, none if it is sound.

    `where` is the id of the turn. `stand_in`: the take is tones, not speech, and only its signal and coarse length
    are looked at.
    """
    faults = _signal(audio, where)
    if faults:
        return faults
    rate = request.delivery.rate
    speech, pauses = speech_interval(audio), silences(audio)
    faults += _coarse(request, speech.seconds * rate, [pause.seconds * rate for pause in pauses], where)
    if stand_in:
        return faults
    faults += _edges(audio, speech, where)
    if not faults:
        faults += _lengths(request, speech, pauses, where)
    if (line := steady_line(audio)) is not None:
        found = f"a tone of {line.hertz:.0f} Hz, {line.stands_out:.0f} dB over what surrounds it"
        faults.append(_finding("speech.tone", where, f"no steady tone over {line.limit:.0f} dB", found))
    if (twice := closest_repeat(audio)) is not None and twice.distance < TWICE:
        found = f"{twice.seconds:.2f} s said twice from {twice.start:.2f} s, distance {twice.distance:.2f}"
        faults.append(_finding("speech.repeated", where, f"a distance of at least {TWICE}", found))
    return [*faults, *other_voice(audio, request, where=where)]


def stretches(speech: Interval, pauses: Sequence[Interval], marks: int, rate: float = 1.0) -> list[float]:
    """Seconds of speech between the longest sure pauses of a take, as at a rate of 1: at most one pause a mark."""
    taken = sorted(_longest(pauses, rate)[:marks], key=lambda one: one.start)
    edges = [speech.start, *(edge for pause in taken for edge in (pause.start, pause.end)), speech.end]
    return [(end - start) / RATE * rate for start, end in zip(edges[::2], edges[1::2], strict=True)]


def _longest(pauses: Sequence[Interval], rate: float) -> list[Interval]:
    """The sure pauses, longest first."""
    return sorted((pause for pause in pauses if pause.seconds * rate >= SURE_PAUSE), key=lambda one: -one.length)


def _coarse(request: SpeechRequest, seconds: float, pauses: Sequence[float], where: str) -> Iterator[Finding]:
    """Bounds that hold for anybody's speech and for tones in its place; `seconds` and pauses at a rate of 1."""
    rate, count = request.voice.rate, len(request.spoken.chars)
    silent = sum(pauses)
    if count <= SHORT_TURN and len(phrases(request.spoken)) == 1:
        low, high = SHORT_SECONDS
        if not low <= seconds * rate <= high:
            found = f"{seconds * rate:.2f} s"
            yield _finding("speech.short_turn", where, f"{low}-{high} s for {count} 汉字", found)
    else:
        low, high = CHAR_SECONDS
        each = (seconds - silent) * rate / count
        if each < low:
            yield _finding("speech.too_fast", where, f"at least {low} s a 汉字", f"{each:.3f} s")
        if each > high:
            yield _finding("speech.too_slow", where, f"at most {high} s a 汉字", f"{each:.3f} s")
    if (longest := max(pauses, default=0.0)) > MARKED_PAUSE:
        yield _finding("speech.inner_silence", where, f"at most {MARKED_PAUSE} s", f"{longest:.2f} s")
    if silent > SILENCE_SHARE * seconds:
        found = f"{silent / seconds:.0%} of the take"
        yield _finding("speech.silence_share", where, f"at most {SILENCE_SHARE:.0%} silent", found)


def _edges(audio: Audio, speech: Interval, where: str) -> Iterator[Finding]:
    for end, samples in (("start", speech.start), ("end", len(audio) - speech.end)):
        if samples > EDGE_SILENCE * RATE:
            found = f"{samples / RATE:.2f} s at its {end}"
            yield _finding("speech.edge_silence", where, f"at most {EDGE_SILENCE} s", found)


def _lengths(request: SpeechRequest, speech: Interval, pauses: Sequence[Interval], where: str) -> Iterator[Finding]:
    """Pauses against marks, phrases against their syllables."""
    rate, text = request.delivery.rate, phrases(request.spoken)
    marks = len(text) - 1
    longest = _longest(pauses, rate)
    if len(longest) > marks and (left := longest[marks].seconds * rate) > UNMARKED_PAUSE:
        found = f"{left:.2f} s, beside {marks} at marks"
        yield _finding("speech.pause", where, f"at most {UNMARKED_PAUSE} s where no mark stands", found)
        return
    unit = 1.0 / request.voice.chars_per_second if request.voice.chars_per_second else 0.2 / request.voice.rate
    readings = read(stretches(speech, pauses, marks, rate), text, unit)
    worst = max(readings, key=lambda one: abs(one.off(unit)))
    whole = Reading(sum(r.found for r in readings), sum(r.expected for r in readings), sum(r.chars for r in readings))
    for code, one in (("speech.phrase_length", worst), ("speech.length", whole)):
        if abs(one.off(unit)) > DEVIATIONS:
            room = DEVIATIONS * one.deviation(unit)
            expected = f"{one.expected:.2f} s ± {room:.2f} for {one.chars} 汉字"
            yield _finding(code, where, expected, f"{one.found:.2f} s")
            return


def _signal(audio: Audio, where: str) -> list[Finding]:
    """The first fault found of those that make the rest meaningless."""
    import numpy as np

    if not len(audio):
        return [_finding("speech.empty", where, "samples", "none")]
    if np.isnan(audio).any():
        return [_finding("speech.nan", where, "finite samples", f"{int(np.isnan(audio).sum())} NaN")]
    if np.isinf(audio).any():
        return [_finding("speech.inf", where, "finite samples", f"{int(np.isinf(audio).sum())} Inf")]
    low, high = float(audio.min()), float(audio.max())
    peak = max(abs(low), abs(high))
    if peak == 0.0:
        return [_finding("speech.silent", where, "sound", "digital silence")]
    if low == high:
        return [_finding("speech.constant", where, "sound", f"the constant {low:.3f}")]
    if peak < PEAK_FLOOR:
        return [_finding("speech.low_peak", where, f"a peak of at least {PEAK_FLOOR}", f"{peak:.4f}")]
    if peak > 1.0:
        return [_finding("speech.clipping", where, "a peak of at most full scale", f"{peak:.3f}")]
    if _longest_run(np.abs(audio) >= CLIP_LEVEL) >= CLIP_RUN:
        return [_finding("speech.clipping", where, f"under {CLIP_RUN} samples in a row at full scale", "clipping")]
    if not speech_mask(audio).any():
        return [_finding("speech.silent", where, "speech", f"no sound in any frame, peak {peak:.4f}")]
    return []


def _longest_run(flags: NDArray[np.bool_]) -> int:
    import numpy as np

    edges = np.flatnonzero(np.diff(np.concatenate(([False], flags, [False])).astype(np.int8)))
    return int(np.max(edges[1::2] - edges[::2])) if len(edges) else 0


def _finding(code: str, where: str, expected: str, found: str) -> Finding:
    return Finding(
        code=code,
        where=where,
        message=f"expected {expected}, found {found}",
        expected=expected,
        found=found,
        turn=where,
    )
