"""Checks one take before anything is built on it: what a listener would notice at once.

NaN, Inf, silence, a constant, clipping and a low peak are distinct failures, because their causes differ (half
precision, an empty run, a wrong scale). Length against text catches skipped, repeated and invented speech; an
inner silence catches a stalled one. Thresholds were set on Kokoro takes of all voices of `voices/kokoro.yaml`
with room on both sides; they hold for speech at a delivery rate of 1 and scale with it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from dtbuild.records.sound import SpeechRequest
from dtbuild.records.spoken import Spoken
from dtbuild.records.verdict import Finding
from dtbuild.seeds import derive
from dtbuild.speech.phonemes import PAUSES
from dtbuild.speech.silence import silences, speech_interval, speech_mask
from dtbuild.timebase import RATE

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
INNER_SILENCE = 1.0
SILENCE_SHARE = 0.45
RETAKE_RATES = (0.95, 1.06, 0.9, 1.12, 0.85)


def check(audio: Audio, spoken: Spoken, *, where: str, rate: float = 1.0) -> list[Finding]:
    """Findings on one take, none if it is sound; `rate` is the delivery rate times the voice's."""
    faults = _signal(audio, where)
    if faults:
        return faults
    speech = speech_interval(audio)
    pauses = silences(audio)
    paused = sum(pause.length for pause in pauses)
    seconds, silent = speech.seconds * rate, paused / RATE * rate
    count = len(spoken.chars)
    marks = any(mark in PAUSES for mark in spoken.text[:-1])
    if count <= SHORT_TURN and not marks:
        low, high = SHORT_SECONDS
        if not low <= seconds <= high:
            faults.append(_finding("speech.short_turn", where, f"{low}-{high} s for {count} 汉字", f"{seconds:.2f} s"))
    else:
        low, high = CHAR_SECONDS
        each = (seconds - silent) / count
        if each < low:
            faults.append(_finding("speech.too_fast", where, f"at least {low} s a 汉字", f"{each:.3f} s"))
        if each > high:
            faults.append(_finding("speech.too_slow", where, f"at most {high} s a 汉字", f"{each:.3f} s"))
    longest = max((pause.length for pause in pauses), default=0) / RATE * rate
    if longest > INNER_SILENCE:
        faults.append(_finding("speech.inner_silence", where, f"at most {INNER_SILENCE} s", f"{longest:.2f} s"))
    if seconds and silent / seconds > SILENCE_SHARE:
        found = f"{silent / seconds:.0%} of the take"
        faults.append(_finding("speech.silence_share", where, f"at most {SILENCE_SHARE:.0%} silent", found))
    return faults


def retakes(request: SpeechRequest) -> tuple[SpeechRequest, ...]:
    """The request and what to try after it: other seeds, a little slower, then a little faster."""
    old = request.delivery
    later = [
        msgspec.structs.replace(
            request,
            delivery=msgspec.structs.replace(old, rate=old.rate * rate),
            seed=derive(request.seed, "retake", number),
        )
        for number, rate in enumerate(RETAKE_RATES, start=1)
    ]
    return (request, *later)


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
        code=code, where=where, message=f"expected {expected}, found {found}", expected=expected, found=found
    )
