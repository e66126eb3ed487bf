"""Gate "align": times that cannot be true are found and named."""

from __future__ import annotations

import pytest

from align.sounds import MS, noise, spoken
from dtbuild.align.aligner import TurnAudio
from dtbuild.align.plausibility import check, room_for
from dtbuild.errors import AlignmentError
from dtbuild.records.sound import CharTime, TurnAlignment
from dtbuild.records.verdict import Verdict

OFFSET = 100_000


LOUD, QUIET = 0.1, 0.0001
TURN = TurnAudio("t1", spoken("好，行吗"), "v", noise((50, QUIET), (200, LOUD), (150, QUIET), (400, LOUD)), OFFSET)
"""好 at 50–250 ms, a pause, 行吗 at 400–800 ms."""
GOOD = ((50, 250), (400, 600), (600, 800))


def judge(*times: tuple[int, int], turn: TurnAudio = TURN, score: float = 1.0, hanzi: str = "好行吗") -> Verdict:
    chars = tuple(CharTime(c, OFFSET + a * MS, OFFSET + b * MS) for c, (a, b) in zip(hanzi, times, strict=True))
    return check("r1", [turn], [TurnAlignment(turn=turn.turn, score=score, chars=chars)], inputs="f")


def test_true_times_pass() -> None:
    verdict = judge(*GOOD)
    assert (verdict.outcome, verdict.findings) == ("pass", ())
    assert (verdict.gate, verdict.subject, verdict.inputs) == ("align", "r1", "f")


@pytest.mark.parametrize(
    ("times", "code", "where"),
    [
        (((50, 250), (400, 430), (430, 800)), "align.length", "t1[1] 行"),
        (((50, 250), (270, 390), (400, 800)), "align.silence", "t1[1] 行"),
        (((-10, 250), (400, 600), (600, 800)), "align.outside", "t1[0] 好"),
        (((50, 250), (400, 600), (600, 801)), "align.outside", "t1[2] 吗"),
        (((50, 250), (400, 600), (590, 800)), "align.outside", "t1[2] 吗"),
        (((50, 150), (150, 250), (250, 400)), "align.uncovered", "t1"),
    ],
)
def test_impossible_times_fail_by_name(times: tuple[tuple[int, int], ...], code: str, where: str) -> None:
    verdict = judge(*times)
    assert verdict.outcome == "fail"
    assert (code, where) in {(one.code, one.where) for one in verdict.findings}


def test_a_word_over_minutes_is_too_long() -> None:
    turn = TurnAudio("t1", spoken("好"), "v", noise((3_000, LOUD)), OFFSET)
    verdict = judge((0, 2_980), turn=turn, hanzi="好")
    assert [one.code for one in verdict.findings] == ["align.length"]


def test_a_score_under_the_floor_fails() -> None:
    assert [one.code for one in judge(*GOOD, score=-3.0).findings] == ["align.score"]


def test_expected_against_produced() -> None:
    codes = [one.code for one in check("r1", [TURN], [], inputs="f").findings]
    assert codes == ["align.missing"]
    assert [one.code for one in judge(*GOOD[:2], hanzi="好行").findings] == ["align.characters"]
    stray = TurnAlignment(turn="t9", score=1.0, chars=())
    assert "align.unknown" in {one.code for one in check("r1", [TURN], [stray], inputs="f").findings}


def test_five_characters_do_not_fit_in_120_ms() -> None:
    with pytest.raises(AlignmentError, match=r"turn t1: 5 characters cannot fit in 0\.12 s \(好好好好好\)"):
        room_for("t1", spoken("好好好好好"), 120 * MS)
    room_for("t1", spoken("好好好好好"), 200 * MS)
