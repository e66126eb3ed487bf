"""Gate "align": can these times be true?

Before aligning, a turn must have room for its characters. After it, every character lasts 40–800 ms, has sound
under it, lies inside its turn, and no stretch of speech lies outside all characters. The fit of the sound must reach
floors, over the turn and over any three characters, and the evidence that a word is missing or there twice must stay
under its own. Limits: 31, 32 and 36 of `tests/data/situations.md`; floors: `dtbuild.align.floors`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from dtbuild.align.aligner import TurnAudio, samples_of
from dtbuild.align.floors import WINDOW, floors
from dtbuild.align.levels import FRAME, levels, loudness
from dtbuild.errors import AlignmentError
from dtbuild.records.sound import CharTime, TurnAlignment
from dtbuild.records.spoken import Spoken
from dtbuild.records.verdict import Finding, Verdict, outcome_of
from dtbuild.timebase import RATE

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

SHORTEST = RATE * 40 // 1000
"""Least samples of a character: 40 ms."""
LONGEST = RATE * 800 // 1000
"""Most samples of a character: 800 ms."""
SILENT_DB = 35.0
"""A character whose loudest 10 ms lie this far below the turn's loud frames is over silence."""
SPEECH_DB = 20.0
"""A 10 ms frame within this of the turn's loud frames is speech."""
UNCOVERED = RATE * 220 // 1000
"""Most samples of speech in one piece that no character covers: 220 ms. Right takes have up to 180."""


def room_for(turn: str, spoken: Spoken, samples: int) -> None:
    """Raises `AlignmentError` ("cannot fit") when the take is shorter than 40 ms for each character."""
    needed = SHORTEST * len(spoken.chars)
    if samples < needed:
        raise AlignmentError(
            f"turn {turn}: {len(spoken.chars)} characters cannot fit in {samples / RATE:.2f} s ({spoken.text[:20]})",
            expected=f"at least {needed / RATE:.2f} s",
            fix="speak the turn again",
            turn=turn,
        )


def check(recording: str, turns: Sequence[TurnAudio], aligned: Sequence[TurnAlignment], *, inputs: str) -> Verdict:
    """The verdict on one recording; its findings name turn and character. Every turn is looked at.

    `aligned` holds samples of the recording (`TurnAudio.offset` is taken off again). `inputs` is the
    fingerprint of takes, texts and aligner, as the caller keys them.
    """
    found: list[Finding] = []
    times = {one.turn: one for one in aligned}
    for turn in turns:
        one = times.pop(turn.turn, None)
        if one is None:
            found.append(
                Finding(code="align.missing", where=turn.turn, message="the turn has no alignment", turn=turn.turn)
            )
        else:
            found += _check_turn(turn, one)
    found += [
        Finding(code="align.unknown", where=name, message="an alignment of a turn that was not asked for")
        for name in times
    ]
    return Verdict(
        gate="align",
        subject=recording,
        reviewer="plausibility/2",
        outcome=outcome_of(found),
        inputs=inputs,
        findings=tuple(found),
    )


def _check_turn(turn: TurnAudio, one: TurnAlignment) -> Iterator[Finding]:
    said = "".join(char.hanzi for char in turn.spoken.chars)
    got = "".join(char.hanzi for char in one.chars)
    if said != got:
        yield Finding(
            code="align.characters",
            where=turn.turn,
            message="other characters",
            expected=said,
            found=got,
            turn=turn.turn,
        )
        return
    samples = samples_of(turn)
    level = levels(samples)
    loud = loudness(level)
    floor = 0
    for at, char in enumerate(one.chars):
        where = f"{turn.turn}[{at}] {char.hanzi}"
        start, end = char.start - turn.offset, char.end - turn.offset
        if start < floor or end > len(samples):
            yield Finding(
                code="align.outside",
                where=where,
                message="overlaps its neighbour or leaves its turn",
                expected=f"[{floor}, {len(samples)})",
                found=f"[{start}, {end})",
                turn=turn.turn,
            )
            continue
        floor = end
        yield from _check_length(char, where, turn.turn)
        frames = level[start // FRAME : max(start // FRAME + 1, -(-end // FRAME))]
        if end > start and float(frames.max()) < loud - SILENT_DB:
            yield Finding(
                code="align.silence",
                where=where,
                message="lies over silence",
                expected=f"at least {loud - SILENT_DB:.0f} dB",
                found=f"{float(frames.max()):.0f} dB",
                turn=turn.turn,
            )
    yield from _uncovered(turn, one, level, loud)
    yield from _check_fit(turn, one)


def _check_fit(turn: TurnAudio, one: TurnAlignment) -> Iterator[Finding]:
    """The score of the turn, its worst window, and words left out or said twice, against the floors."""
    limits = floors()
    least = limits.least_score(len(one.chars))
    if one.score < least:
        yield Finding(
            code="align.score",
            where=turn.turn,
            message="the sound does not fit the text",
            expected=f"a score of at least {least:.2f}",
            found=f"{one.score:.2f}",
            turn=turn.turn,
        )
    for at in range(len(one.fits) - WINDOW + 1):
        fit = sum(one.fits[at : at + WINDOW]) / WINDOW
        if fit < limits.window:
            yield Finding(
                code="align.fit",
                where=f"{turn.turn}[{at}] {_hanzi(one, at, WINDOW)}",
                message="the sound does not fit these characters",
                expected=f"a fit of at least {limits.window:.2f}",
                found=f"{fit:.2f}",
                turn=turn.turn,
            )
            break
    for slip in one.slips:
        most = limits.skipped if slip.kind == "skipped" else limits.repeated
        if slip.gain > most:
            yield Finding(
                code=f"align.{slip.kind}",
                where=f"{turn.turn}[{slip.at}] {_hanzi(one, slip.at, slip.count)}",
                message="is not in the sound" if slip.kind == "skipped" else "is in the sound twice",
                expected=f"evidence of at most {most:.1f}",
                found=f"{slip.gain:.1f}",
                turn=turn.turn,
            )


def _hanzi(one: TurnAlignment, at: int, count: int) -> str:
    return "".join(char.hanzi for char in one.chars[at : at + count])


def _check_length(char: CharTime, where: str, turn: str) -> Iterator[Finding]:
    length = char.end - char.start
    if not SHORTEST <= length <= LONGEST:
        yield Finding(
            code="align.length",
            where=where,
            message="too short for a character" if length < SHORTEST else "too long for a character",
            expected=f"{SHORTEST * 1000 // RATE}–{LONGEST * 1000 // RATE} ms",
            found=f"{length * 1000 / RATE:.0f} ms",
            turn=turn,
        )


def _uncovered(turn: TurnAudio, one: TurnAlignment, level: NDArray[float64], loud: float) -> Iterator[Finding]:
    """Speech in one piece outside all characters: words that are not in the text, or shifted times."""
    speech = level > loud - SPEECH_DB
    for char in one.chars:
        start, end = char.start - turn.offset, char.end - turn.offset
        speech[max(0, start // FRAME) : max(0, -(-end // FRAME))] = False
    run = 0
    for at, loud_here in enumerate([*speech.tolist(), False]):
        if loud_here:
            run += 1
            continue
        if run * FRAME > UNCOVERED:
            yield Finding(
                code="align.uncovered",
                where=turn.turn,
                message="speech that no character covers",
                found=f"{run * 10} ms from {(at - run) * 10} ms",
                turn=turn.turn,
            )
        run = 0
