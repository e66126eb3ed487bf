"""Turns in parts: cut only where a pause of the sound meets a mark of the text."""

from __future__ import annotations

import numpy as np

from align.sounds import MS, noise, spoken
from dtbuild.align.aligner import TurnAudio
from dtbuild.align.split import parts_of, seams_hold
from dtbuild.records.sound import CharTime

LOUD, QUIET = 0.1, 0.0001
TEXT = "好行吗，我们看，数量差了。"
"""3, 3 and 4 characters."""


def turn(*parts: tuple[int, float]) -> TurnAudio:
    return TurnAudio("t1", spoken(TEXT), "v", noise(*parts), 700)


def test_a_pause_at_each_mark_gives_three_parts_that_make_up_the_turn() -> None:
    whole = turn((50, QUIET), (600, LOUD), (200, QUIET), (600, LOUD), (150, QUIET), (800, LOUD), (50, QUIET))
    found = parts_of(whole, np.asarray(whole.audio))
    assert [part.turn.spoken.text for part in found] == ["好行吗，", "我们看，", "数量差了。"]
    assert [part.start for part in found] == [0, 750 * MS, 1_525 * MS]
    assert sum(len(part.samples) for part in found) == len(np.asarray(whole.audio))
    assert len({part.turn.turn for part in found}) == 3
    for part in found:
        assert all(part.turn.spoken.text[char.at] == char.hanzi for char in part.turn.spoken.chars)


def test_a_pause_far_from_every_mark_is_no_place_to_cut() -> None:
    for whole in (turn((250, LOUD), (200, QUIET), (1_750, LOUD)), turn((2_000, LOUD))):
        assert parts_of(whole, np.asarray(whole.audio)) == ()
    one = TurnAudio("t1", spoken("好行吗我们"), "v", noise((600, LOUD), (200, QUIET), (600, LOUD)))
    assert parts_of(one, np.asarray(one.audio)) == ()


def test_parts_of_one_turn_have_one_tempo() -> None:
    def at(length: int) -> list[CharTime]:
        return [CharTime("好", n * length, (n + 1) * length) for n in range(3)]

    assert seams_hold([at(200 * MS), at(250 * MS), at(220 * MS)])
    assert not seams_hold([at(200 * MS), at(350 * MS)])
