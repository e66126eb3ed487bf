"""Evidence windows: spans of shown text → intervals of the recording."""

from __future__ import annotations

import itertools
import random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dtbuild.errors import AlignmentError
from dtbuild.evidence.windows import merge, windows
from dtbuild.records.evidence import EventEvidence
from dtbuild.records.plan import Person
from dtbuild.records.script import Script, Span, Turn
from dtbuild.records.sound import Alignment, CharTime, Placement, Timeline, TurnAlignment
from dtbuild.records.spoken import Spoken, SpokenChar
from dtbuild.timebase import Interval

TAKE = 48_000
GAP = 4_800


def say(text: str, forms: dict[str, str] | None = None) -> Spoken:
    """`forms` gives terms of the shown text that are said as other 汉字 (LPR → 三个字)."""
    chars: list[SpokenChar] = []
    said = ""
    at = 0
    while at < len(text):
        term = next((one for one in forms or {} if text.startswith(one, at)), text[at])
        for hanzi in (forms or {}).get(term, term):
            if hanzi.isalpha():
                chars.append(SpokenChar(hanzi, "a1", len(said), at, at + len(term)))
            said += hanzi
        at += len(term)
    return Spoken(said, tuple(chars))


def recording(
    texts: list[str], spans: list[Span], forms: dict[str, str] | None = None
) -> tuple[Script, Timeline, Alignment, dict[str, Spoken]]:
    """Turns of 2 s with gaps of 0.2 s; characters of 0.1 s from 0.1 s on, 10 ms pause after each comma."""
    turns = tuple(Turn(id=f"t{at}", person="p1", text=text) for at, text in enumerate(texts))
    spoken = {turn.id: say(turn.text, forms) for turn in turns}
    placements, aligned = [], []
    for at, turn in enumerate(turns):
        start = at * (TAKE + GAP) + GAP
        placements.append(Placement(turn=turn.id, take=f"k{at}", start=start, samples=TAKE))
        times, clock, before = [], start + 2_400, -1
        for char in spoken[turn.id].chars:
            clock += 240 if char.at > before + 1 else 0
            times.append(CharTime(char.hanzi, clock, clock + 2_400))
            clock, before = clock + 2_400, char.at
        aligned.append(TurnAlignment(turn=turn.id, score=1.5, chars=tuple(times)))
    script = Script(
        recording="sc0001a-a",
        family="sc0001a",
        scenario="x",
        anchor_date="2026-03-05",
        cast=(Person(id="p1", name="王", gender="male", role="r", title="t"),),
        turns=turns,
        spans=tuple(spans),
        mentions=(),
    )
    length = len(turns) * (TAKE + GAP) + GAP
    timeline = Timeline(recording="sc0001a-a", samples=length, gain_db=0.0, placements=tuple(placements))
    return script, timeline, Alignment(recording="sc0001a-a", aligner="x", turns=tuple(aligned)), spoken


def span(turn: int, start: int, end: int, target: str = "e1", kind: str = "value") -> Span:
    return msgspec.convert({"turn": f"t{turn}", "kind": kind, "start": start, "end": end, "target": target}, type=Span)


def test_adjacent_characters_merge_and_a_pause_parts_them() -> None:
    parts = recording(["我看三百万，行吧"], [span(0, 2, 5), span(0, 6, 7, kind="conclusion")])
    (found,) = windows(*parts)
    first = GAP + 2_400 + 2 * 2_400
    after = GAP + 2_400 + 5 * 2_400 + 240
    assert found.anchor == (Interval(first, first + 3 * 2_400), Interval(after, after + 2_400))
    assert found.utterance == Interval(GAP, GAP + TAKE) == found.coarse
    assert (found.event, found.turn, found.score) == ("e1", "t0", 1.5)


def test_a_span_over_the_comma_has_a_gap_of_the_pause() -> None:
    (found,) = windows(*recording(["好，好"], [span(0, 0, 3)]))
    assert [piece.length for piece in found.anchor] == [2_400, 2_400]


def test_a_term_is_found_by_its_spoken_form() -> None:
    parts = recording(["按LPR走"], [span(0, 2, 3)], {"LPR": "艾欧皮"})
    (found,) = windows(*parts)
    assert found.anchor == (Interval(GAP + 4_800, GAP + 4_800 + 3 * 2_400),)


def test_context_spans_do_not_move_the_window() -> None:
    parts = recording(["三百万", "同意"], [span(1, 0, 2, kind="conclusion"), span(0, 0, 3, kind="premise")])
    (found,) = windows(*parts)
    assert found.turn == "t1" and found.utterance.start == 2 * GAP + TAKE


def test_coarse_turns_on_each_side_are_clipped_to_the_recording() -> None:
    texts = ["好", "三百万", "行", "嗯"]
    script, timeline, alignment, spoken = recording(texts, [span(1, 0, 3), span(0, 0, 1, "e0"), span(3, 0, 1, "e9")])
    first, middle, last = windows(script, timeline, alignment, spoken, coarse_turns=1)
    step = TAKE + GAP
    assert (first.event, middle.event, last.event) == ("e0", "e1", "e9")
    assert first.coarse == Interval(GAP, GAP + step + TAKE)
    assert middle.coarse == Interval(GAP, GAP + 2 * step + TAKE)
    assert last.coarse == Interval(GAP + 2 * step, timeline.samples - GAP)
    short = msgspec.structs.replace(timeline, samples=timeline.samples - GAP - 100)
    assert windows(script, short, alignment, spoken, coarse_turns=1)[-1].coarse.end == short.samples


def test_only_the_targets_asked_for_and_all_of_them() -> None:
    parts = recording(["三百万"], [span(0, 0, 3), span(0, 0, 1, "x1")])
    assert [one.event for one in windows(*parts, targets=["e1"])] == ["e1"]
    with pytest.raises(AlignmentError, match="event e7 has no trigger span"):
        windows(*parts, targets=["e1", "e7"])


@pytest.mark.parametrize(
    ("spans", "message"),
    [
        ([span(0, 3, 4)], r"event e1: characters 3 to 4 \(value\) of turn t0 have no time"),
        ([span(0, 0, 2), span(1, 0, 1)], "event e1: its trigger spans lie in several turns.*t0, t1"),
    ],
)
def test_an_event_whose_words_have_no_time_is_refused_by_name(spans: list[Span], message: str) -> None:
    with pytest.raises(AlignmentError, match=message):
        windows(*recording(["三百万。", "好"], spans))


def test_missing_alignment_empty_time_and_other_text_are_refused() -> None:
    script, timeline, alignment, spoken = recording(["三百万"], [span(0, 0, 3)])
    with pytest.raises(AlignmentError, match="event e1: its turn t0 is not in"):
        windows(script, timeline, msgspec.structs.replace(alignment, turns=()), spoken)
    (turn,) = alignment.turns
    for chars, message in (
        (turn.chars[:2], "is of another text.*三百万.*三百"),
        ((*turn.chars[:2], CharTime("亿", 0, 10)), "is of another text"),
        ((turn.chars[0], CharTime("百", 900, 900), turn.chars[2]), "spoken characters 1 of turn t0 have no time"),
        (tuple(CharTime(c.hanzi, c.start - 9_000, c.end) for c in turn.chars), "lie outside their turn"),
    ):
        bad = msgspec.structs.replace(alignment, turns=(msgspec.structs.replace(turn, chars=chars),))
        with pytest.raises(AlignmentError, match=message):
            windows(script, timeline, bad, spoken)


def test_scores_are_those_of_the_event_s_own_words() -> None:
    script, timeline, alignment, spoken = recording(["我看三百万"], [span(0, 2, 4), span(0, 0, 1, kind="action")])
    (turn,) = alignment.turns

    def found(fits: tuple[float, ...]) -> EventEvidence:
        scored = msgspec.structs.replace(alignment, turns=(msgspec.structs.replace(turn, fits=fits),))
        (evidence,) = windows(script, timeline, scored, spoken)
        return evidence

    evidence = found((1.0, 9.0, 2.0, -0.75, 9.0))
    assert (evidence.score, evidence.anchor_score, evidence.anchor_lowest) == (1.5, 0.75, -0.75)
    assert (found(()).score, found(()).anchor_score, found(()).anchor_lowest) == (1.5, None, None)
    with pytest.raises(AlignmentError, match=r"scores of other characters; expected 5 scores; found 4"):
        found((1.0, 2.0, 3.0, 4.0))


def test_without_an_alignment_there_are_turns_and_coarse_windows() -> None:
    script, timeline, alignment, spoken = recording(["好", "三百万", "行"], [span(1, 0, 3)])
    (with_,) = windows(script, timeline, alignment, spoken, coarse_turns=1)
    (without,) = windows(script, timeline, None, spoken, coarse_turns=1)
    bare = msgspec.structs.replace(with_, anchor=(), score=None)
    assert without == bare and with_.anchor and with_.score == 1.5
    with pytest.raises(AlignmentError, match=r"characters 3 to 4 \(value\) of turn t0 have no time"):
        windows(*(lambda parts: (parts[0], parts[1], None, parts[3]))(recording(["三百万。"], [span(0, 3, 4)])))


@given(st.lists(st.tuples(st.integers(0, 60), st.integers(1, 9)), max_size=12), st.integers())
def test_merging_keeps_the_samples_and_parts_the_pieces(pairs: list[tuple[int, int]], seed: int) -> None:
    pieces = [Interval(start, start + length) for start, length in pairs]
    shuffled = random.Random(seed).sample(pieces, len(pieces))
    merged = merge(pieces)
    assert merged == merge(shuffled) == merge(merged)
    covered = {at for piece in pieces for at in range(*piece)}
    assert covered == {at for piece in merged for at in range(*piece)}
    assert all(a.end < b.start for a, b in itertools.pairwise(merged))
