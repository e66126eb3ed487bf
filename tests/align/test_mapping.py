"""Words of an aligner → characters, by index; anything unexpected stops the turn."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

from dtbuild.align.aligner import TurnAudio
from dtbuild.align.mapping import character_times
from dtbuild.errors import AlignmentError
from dtbuild.records.sound import CharTime
from dtbuild.records.spoken import Spoken, SpokenChar


class W(NamedTuple):
    label: str
    start: float
    end: float


TURN = TurnAudio(
    turn="sc0001a-a-t003",
    spoken=Spoken("行，行", (SpokenChar("行", "xing2", 0, 0, 1), SpokenChar("行", "hang2", 2, 2, 3))),
    speaker="v1",
    audio=np.zeros(24_000, np.float32),
)


def test_the_same_character_twice_is_told_apart_by_its_place() -> None:
    found = character_times(TURN, [W("x ing nx", 0.1, 0.3), W("h ang nx", 0.5, 0.75)], 24_000)
    assert found == (CharTime("行", 2_400, 7_200), CharTime("行", 12_000, 18_000))


def test_rounding_up_to_one_frame_is_cut() -> None:
    found = character_times(TURN, [W("x ing nx", 0.1, 0.3), W("h ang nx", 0.299, 1.01)], 24_000)
    assert found[1] == CharTime("行", 7_200, 24_000)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "another number of characters; expected 2; found 0"),
        ([W("x ing nx", 0.1, 0.3)], "expected 2; found 1"),
        ([W("x ing nx", 0, 1), W("h ang nx", 1, 2), W("h ang nx", 2, 3)], "expected 2; found 3"),
        ([W("h ang nx", 0.1, 0.3), W("x ing nx", 0.5, 0.7)], "character 0 行 has no time"),
        ([W("x ing nx", 0.1, 0.1), W("h ang nx", 0.5, 0.7)], "character 0 行 has no time"),
        ([W("x ing nx", 0.1, 0.3), W("h ang nx", 0.5, 1.02)], "character 1 行 leaves its place"),
        ([W("x ing nx", 0.1, 0.3), W("h ang nx", 0.2, 0.7)], "character 1 行 leaves its place"),
        ([W("x ing nx", 0.1, 0.3), W("h ang nx", 9.0, 298.0)], "character 1 行 leaves its place"),
    ],
)
def test_surprises_name_turn_and_character(words: list[W], message: str) -> None:
    with pytest.raises(AlignmentError, match="sc0001a-a-t003.*" + message):
        character_times(TURN, words, 24_000)
