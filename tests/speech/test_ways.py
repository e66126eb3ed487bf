"""Ways to speak a turn again: few, fixed, each another."""

from __future__ import annotations

from itertools import pairwise

import msgspec
import numpy as np
import pytest

from dtbuild.records.sound import Delivery
from dtbuild.speech.chunks import SPLITS
from dtbuild.speech.kokoro import KokoroEngine
from dtbuild.speech.ways import FIRST, FURTHER, WAYS, to_try, ways

from .asking import request, voice

ASKED = request("嗯。", "en1")


def test_ways_differ_and_keep_text_and_voice() -> None:
    asked = ways(ASKED)
    assert asked[0] == ASKED and len(asked) == len(WAYS) == len(set(WAYS))
    assert ways(ASKED) == asked
    assert all(a.seed != b.seed and a.delivery != b.delivery for a, b in pairwise(asked))
    assert all(each.spoken == ASKED.spoken and each.voice == voice() for each in asked)
    assert all(way.split in range(len(SPLITS)) and 0.8 <= way.rate <= 1.15 for way in WAYS)


def test_no_two_ways_sound_alike_even_where_nothing_can_be_cut() -> None:
    assert len({(way.rate, way.style_shift) for way in WAYS}) == len(WAYS)


def test_a_planned_delivery_stays_the_base() -> None:
    slow = msgspec.structs.replace(ASKED, delivery=Delivery(rate=0.9, gain=-2.0))
    assert [each.delivery.rate for each in ways(slow)] == pytest.approx([0.9 * way.rate for way in WAYS])
    assert {each.delivery.gain for each in ways(slow)} == {-2.0}


def test_runs_and_retries_walk_through_all_ways_once() -> None:
    tried, numbers = 0, list(to_try(0))
    assert len(numbers) == FIRST
    while tried < len(WAYS):
        tried = numbers[-1] + 1
        again = to_try(tried)
        assert again[0] == 0 and len(again) <= 1 + FURTHER
        numbers += again[1:]
    assert numbers == list(range(len(WAYS)))


@pytest.mark.slow
def test_every_way_is_another_take_of_the_real_engine(kokoro: KokoroEngine) -> None:
    asked = request("行，那就五个月。", "xing2 na4 jiu4 wu3 ge4 yue4")
    takes = [kokoro.speak(way) for way in ways(asked)]
    # a short turn stands at the first rows of styles, where two ways far apart in the order can meet
    assert all(not np.array_equal(a, b) for a, b in pairwise(takes))
    assert len({take.tobytes() for take in takes}) > len(takes) * 3 // 4
