"""Evidence windows of every event of a recording, from its spans and the times of its characters.

Three windows an event (spec, section 5): the anchor on the words that carry it, the utterance that says them, and the
coarse window that the score uses. Without an alignment there are no anchors and no scores.

A span names characters of the *shown* text; the alignment has the *spoken* 汉字. `SpokenChar.start` and `end`
join them: a span takes every spoken 汉字 whose shown range meets it, so 3 in 3% and LPR both get the times of
what is said for them. Targets are opaque here: spans are grouped by `Span.target` and nothing is known of events
but that their trigger spans lie in one turn.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from dtbuild.errors import AlignmentError
from dtbuild.records.evidence import EventEvidence
from dtbuild.records.script import TRIGGER_KINDS, Script, Span
from dtbuild.records.sound import Alignment, CharTime, Placement, Timeline, TurnAlignment
from dtbuild.records.spoken import Spoken
from dtbuild.timebase import Interval


def windows(
    script: Script,
    timeline: Timeline,
    alignment: Alignment | None,
    spoken: Mapping[str, Spoken],
    *,
    targets: Iterable[str] | None = None,
    coarse_turns: int = 0,
) -> tuple[EventEvidence, ...]:
    """Evidence of every target that has trigger spans, in the order of their first trigger character.

    `alignment` is None in a cohort that wants no aligner. `spoken` gives the spoken form of each turn that carries a
    trigger. `targets`, where given, are all and
    only the targets to report: one without a trigger span is an error. `coarse_turns` turns on each side join
    the coarse window (0 for synthetic speech, 1 for human recordings), clipped to the recording.

    Raises `AlignmentError` naming the event when a character of its spans has no time, its trigger spans lie
    in several turns, or its turn has no placement or alignment.
    """
    spans: dict[str, list[Span]] = {}
    for span in script.spans:
        if span.kind in TRIGGER_KINDS:
            spans.setdefault(span.target, []).append(span)
    if targets is not None:
        wanted = list(targets)
        for target in wanted:
            if target not in spans:
                raise AlignmentError(
                    f"{script.recording}: event {target} has no trigger span",
                    expected=f"a span of kind {', '.join(TRIGGER_KINDS)}",
                    fix="declare its words in the script",
                )
        spans = {target: spans[target] for target in wanted}
    place = {turn.id: at for at, turn in enumerate(script.turns)}
    placements = {one.turn: one for one in timeline.placements}
    aligned = {one.turn: one for one in alignment.turns} if alignment else {}
    found: list[tuple[tuple[int, int], EventEvidence]] = []
    for target, own in spans.items():
        name = f"{script.recording}: event {target}"
        turn = _one_turn(name, own)
        if turn not in place or turn not in placements or (alignment and turn not in aligned) or turn not in spoken:
            raise AlignmentError(
                f"{name}: its turn {turn} is not in script, timeline, alignment and spoken texts alike",
                fix="run the stages speech and align again",
            )
        evidence = EventEvidence(
            event=target,
            turn=turn,
            anchor=(),
            utterance=_interval(placements[turn]),
            coarse=_coarse(script, timeline, placements, place[turn], coarse_turns),
        )
        picked = _under(name, own, spoken[turn])
        if alignment:
            evidence = _anchored(name, evidence, picked, aligned[turn], spoken[turn])
        found.append(((place[turn], min(span.start for span in own)), evidence))
    return tuple(evidence for _, evidence in sorted(found, key=lambda one: one[0]))


def merge(intervals: Iterable[Interval]) -> tuple[Interval, ...]:
    """Intervals in time order, those that touch or overlap joined.

    >>> merge([Interval(5, 9), Interval(0, 3), Interval(3, 5), Interval(12, 13)])
    (Interval(start=0, end=9), Interval(start=12, end=13))
    """
    out: list[Interval] = []
    for one in sorted(intervals):
        if out and one.start <= out[-1].end:
            out[-1] = Interval(out[-1].start, max(out[-1].end, one.end))
        else:
            out.append(one)
    return tuple(out)


def _one_turn(name: str, spans: list[Span]) -> str:
    turns = sorted({span.turn for span in spans})
    if len(turns) != 1:
        raise AlignmentError(
            f"{name}: its trigger spans lie in several turns",
            expected="one turn",
            found=", ".join(turns),
            fix="correct the spans of the script",
        )
    return turns[0]


def _under(name: str, spans: list[Span], spoken: Spoken) -> list[int]:
    """Places of the spoken characters under the spans, in order; every span must have some."""
    picked: set[int] = set()
    for span in spans:
        under = {at for at, char in enumerate(spoken.chars) if char.start < span.end and span.start < char.end}
        if not under:
            raise AlignmentError(
                f"{name}: characters {span.start} to {span.end} ({span.kind}) of turn {span.turn} have no time",
                expected="at least one spoken 汉字",
                fix="correct the span in the script",
            )
        picked |= under
    return sorted(picked)


def _anchored(
    name: str, evidence: EventEvidence, picked: list[int], aligned: TurnAlignment, spoken: Spoken
) -> EventEvidence:
    """The evidence with its anchor and scores, from the times of the characters that were picked."""
    times = _times(name, picked, aligned, spoken)
    hull = evidence.utterance
    if times[0].start < hull.start or times[-1].end > hull.end:
        raise AlignmentError(
            f"{name}: its characters lie outside their turn {evidence.turn}",
            expected=f"inside {tuple(hull)}",
            found=str((times[0].start, times[-1].end)),
        )
    fits = [aligned.fits[at] for at in picked] if aligned.fits else []
    return msgspec.structs.replace(
        evidence,
        anchor=merge(time.interval for time in times),
        score=aligned.score,
        anchor_score=sum(fits) / len(fits) if fits else None,
        anchor_lowest=min(fits) if fits else None,
    )


def _times(name: str, picked: list[int], aligned: TurnAlignment, spoken: Spoken) -> list[CharTime]:
    """Times of these characters; each must have a length."""
    if len(aligned.chars) != len(spoken.chars) or any(
        time.hanzi != char.hanzi for time, char in zip(aligned.chars, spoken.chars, strict=True)
    ):
        raise AlignmentError(
            f"{name}: the alignment of turn {aligned.turn} is of another text",
            expected="".join(char.hanzi for char in spoken.chars),
            found="".join(time.hanzi for time in aligned.chars),
            fix="run the stage align again",
        )
    if aligned.fits and len(aligned.fits) != len(aligned.chars):
        raise AlignmentError(
            f"{name}: the alignment of turn {aligned.turn} has scores of other characters",
            expected=f"{len(aligned.chars)} scores",
            found=str(len(aligned.fits)),
            fix="run the stage align again",
        )
    times = [aligned.chars[at] for at in picked]
    empty = [at for at, time in zip(picked, times, strict=True) if time.end <= time.start]
    if empty:
        raise AlignmentError(
            f"{name}: spoken characters {', '.join(map(str, empty))} of turn {aligned.turn} have no time",
            expected="each with a length",
            fix="run the stage align again",
        )
    return times


def _coarse(script: Script, timeline: Timeline, placements: Mapping[str, Placement], at: int, turns: int) -> Interval:
    """From the first to the last of the turn and its neighbours, clipped to the recording."""
    near = [placements[turn.id] for turn in script.turns[max(0, at - turns) : at + turns + 1] if turn.id in placements]
    return Interval(min(one.start for one in near), max(one.start + one.samples for one in near)).clip(timeline.samples)


def _interval(placement: Placement) -> Interval:
    return Interval(placement.start, placement.start + placement.samples)
