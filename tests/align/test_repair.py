"""False pauses close, squeezed characters get room, real pauses stay."""

from __future__ import annotations

import itertools

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from align.sounds import MS, noise
from dtbuild.align.plausibility import SHORTEST
from dtbuild.align.repair import KEEP, close_false_pauses, repair, widen
from dtbuild.records.sound import CharTime


def chars(*times: tuple[int, int]) -> tuple[CharTime, ...]:
    return tuple(CharTime("好", start * MS, end * MS) for start, end in times)


def test_a_gap_over_speech_closes_at_its_quietest_point() -> None:
    audio = noise((200, 0.1), (20, 0.02), (180, 0.1))
    one, other = close_false_pauses(chars((0, 150), (260, 400)), audio)
    assert one.end == other.start and 195 * MS < one.end < 225 * MS


def test_a_pause_stays_as_aligned() -> None:
    audio = noise((200, 0.1), (150, 0.0001), (200, 0.1))
    given_times = chars((0, 190), (360, 550))
    assert repair(given_times, audio) == given_times


def test_a_short_closure_is_no_pause() -> None:
    audio = noise((200, 0.1), (20, 0.0001), (180, 0.1))
    one, other = close_false_pauses(chars((0, 190), (230, 400)), audio)
    assert one.end == other.start and 200 * MS <= one.end <= 220 * MS


def test_a_squeezed_character_takes_from_its_longer_neighbour() -> None:
    times = chars((0, 100), (100, 110), (110, 400), *((500 + n * 100, 600 + n * 100) for n in range(8)))
    found = widen(times)
    assert [(c.start // MS, c.end // MS) for c in found[:3]] == [(0, 100), (100, 140), (140, 400)]
    assert found[3:] == times[3:]


def test_neighbours_across_a_pause_lend_nothing_and_short_ones_keep_theirs() -> None:
    rest = [(500 + n * 100, 600 + n * 100) for n in range(9)]
    apart = chars((0, 100), (150, 160), (200, 300), *rest)
    assert widen(apart) == apart
    tight = widen(chars((0, 65), (65, 75), (75, 140), *rest))
    assert [(c.start // MS, c.end // MS) for c in tight[:3]] == [(0, 60), (60, 80), (80, 140)]


def test_a_text_that_does_not_fit_stays_as_it_is() -> None:
    times = chars(*((n * 200, n * 200 + (10 if n % 3 == 0 else 200)) for n in range(10)))
    assert widen(times) == times


@given(st.lists(st.tuples(st.integers(0, 300), st.integers(1, 9_000)), min_size=1, max_size=40), st.integers(0, 99))
def test_order_and_outer_edges_hold_and_nobody_falls_under_the_least(steps: list[tuple[int, int]], seed: int) -> None:
    times, clock = [], 0
    for gap, length in steps:
        clock += gap
        times.append(CharTime("好", clock, clock + length))
        clock += length
    audio = np.random.default_rng(seed).normal(0, 0.1, clock + 240).astype(np.float32)
    found = repair(times, audio)
    assert [c.hanzi for c in found] == ["好"] * len(times)
    assert (found[0].start, found[-1].end) == (times[0].start, times[-1].end)
    assert all(a.end <= b.start for a, b in itertools.pairwise(found))
    for before, after in zip(close_false_pauses(times, audio), found, strict=True):
        length = after.end - after.start
        assert length >= min(before.end - before.start, KEEP) and length > 0
        assert length >= before.end - before.start or length >= KEEP > SHORTEST
