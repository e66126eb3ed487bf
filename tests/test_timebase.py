"""Integer time: exact at the edges."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dtbuild.timebase import RATE, Interval, to_microseconds, to_samples

SAMPLES = st.integers(0, RATE * 3600 * 2)


@given(SAMPLES)
def test_microseconds_round_trip(samples: int) -> None:
    assert to_samples(to_microseconds(samples) / 1e6) == samples


@given(SAMPLES, SAMPLES, SAMPLES)
def test_shift_and_clip(start: int, length: int, limit: int) -> None:
    interval = Interval(start, start + length)
    clipped = interval.clip(limit)
    assert 0 <= clipped.start <= clipped.end <= limit and clipped.length <= interval.length
    assert interval.shift(5).length == interval.length
