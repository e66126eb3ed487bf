"""Places, gain and samples of a mixed recording."""

from __future__ import annotations

import hashlib
import tracemalloc
from collections.abc import Mapping
from types import MappingProxyType

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from dtbuild.errors import SynthesisError
from dtbuild.records.sound import RoomTone, Timeline
from dtbuild.speech.loudness import loudness
from dtbuild.speech.mixing import BLOCK, CEILING, mix, place, render
from dtbuild.speech.wav import SCALE
from dtbuild.timebase import RATE

from .test_silence import hush, tone

Audio = NDArray[np.float32]
Samples = NDArray[np.int16]

NONE: Mapping[str, int] = MappingProxyType({})
QUIET = RoomTone(level_db=-66.0, seed=3)


def speech(seed: int, seconds: float, level: float) -> Audio:
    """Noise in syllables: speech-like enough for a loudness meter."""
    noise = np.random.default_rng(seed).normal(0, level, round(seconds * RATE))
    envelope = np.clip(np.sin(2 * np.pi * 4 * np.arange(len(noise)) / RATE), 0.05, 1)
    audio: Audio = np.clip(noise * envelope, -0.99, 0.99).astype(np.float32)
    return audio


def mixed(
    takes: Mapping[str, Audio],
    pauses: tuple[int, ...],
    early: Mapping[str, int] = NONE,
    room: RoomTone | None = None,
) -> tuple[Samples, Timeline]:
    placements = place([(f"t-{take}", take, len(audio)) for take, audio in takes.items()], pauses, early)
    samples = max(one.end for one in placements) + pauses[-1]
    timeline = mix("r", placements, samples, takes.__getitem__, room)
    return np.concatenate(list(render(timeline, takes.__getitem__))), timeline


def heard(pcm: Samples) -> Audio:
    return pcm.astype(np.float32) / np.float32(SCALE)


def rounded(audio: Audio, factor: float) -> NDArray[np.float64]:
    return np.rint((audio * np.float32(factor)).astype(np.float64) * SCALE)


LENGTHS = st.lists(st.integers(500, 3 * RATE), min_size=1, max_size=6)


@settings(deadline=None, max_examples=40)
@given(LENGTHS, st.integers(0, 99), st.booleans(), st.data())
def test_a_recording_is_its_takes_and_its_timeline(
    lengths: list[int], seed: int, room: bool, data: st.DataObject
) -> None:
    takes = {f"k{at}": speech(at + seed, length / RATE + 0.4, 0.1) for at, length in enumerate(lengths)}
    pauses = tuple(data.draw(st.integers(1_200, RATE)) for _ in range(len(takes) + 1))
    early = {f"t-k{at}": 3_000 for at in range(1, len(takes), 2) if data.draw(st.booleans())}
    audio, timeline = mixed(takes, pauses, early, QUIET if room else None)
    stored = msgspec.json.decode(msgspec.json.encode(timeline), type=Timeline)
    again = np.concatenate(list(render(stored, takes.__getitem__)))
    assert hashlib.sha256(again.tobytes()).digest() == hashlib.sha256(audio.tobytes()).digest()
    assert len(audio) == timeline.samples and audio.dtype == np.int16
    starts = [each.start for each in timeline.placements]
    assert starts == sorted(starts) and [each.take for each in timeline.placements] == list(takes)
    shared = timeline.overlaps()
    assert [each.turn for each, samples in zip(timeline.placements, shared, strict=True) if samples] == list(early)
    assert all(samples in (0, 3_000) for samples in shared)
    ends = [0]
    for each, pause in zip(timeline.placements, pauses, strict=False):
        if each.turn not in early:
            assert each.start == max(ends) + pause
        ends.append(each.end)
    assert timeline.samples == max(ends) + pauses[-1]


@pytest.mark.parametrize("level", [0.01, 0.05, 0.3])
def test_loudness_is_reached_and_every_take_has_the_same_gain(level: float) -> None:
    takes = {f"k{i}": speech(i, 2.0 + i, level * (1 + i / 4)) for i in range(4)}
    audio, timeline = mixed(takes, (9_600, 5_000, 6_000, 7_000, 14_400))
    assert loudness(heard(audio)) == pytest.approx(-23.0, abs=0.02) == timeline.loudness
    factor = 10 ** (timeline.gain_db / 20)
    for each in timeline.placements:
        assert np.array_equal(audio[each.start : each.end], rounded(takes[each.take], factor))
    assert not audio[: timeline.placements[0].start].any()


def test_a_peak_holds_the_gain_down_and_nothing_is_bent() -> None:
    quiet = speech(1, 20.0, 0.02)
    quiet[5 * RATE : 5 * RATE + 200] = tone(200 / RATE, 0.9)
    for room in (None, QUIET):
        audio, timeline = mixed({"k": quiet}, (0, 0), NONE, room)
        peak = int(np.abs(audio.astype(np.int32)).max())
        assert CEILING * SCALE * 0.98 <= peak <= CEILING * SCALE + 1
        assert timeline.loudness is not None and timeline.loudness < -23.5
        assert loudness(heard(audio)) == pytest.approx(timeline.loudness, abs=0.02)
        factor = 10 ** (timeline.gain_db / 20)
        assert float(np.abs(audio / SCALE - quiet * factor).max()) <= (0.004 if room else 1 / SCALE)


def test_overlapping_takes_are_added() -> None:
    takes = {"k0": speech(1, 2.0, 0.1), "k1": speech(2, 1.0, 0.1), "k2": speech(3, 1.0, 0.1)}
    audio, timeline = mixed(takes, (1_000, 2_000, 3_000, 4_000), {"t-k1": 6_000})
    one, two, three = timeline.placements
    assert two.start == one.end - 6_000 and three.start == two.end + 3_000
    factor = 10 ** (timeline.gain_db / 20)
    both = takes["k0"][-6_000:] * factor + takes["k1"][:6_000] * factor
    assert float(np.abs(audio[two.start : one.end] / SCALE - both).max()) < 2 / SCALE


def test_room_tone_lies_under_everything_and_moves_no_loudness() -> None:
    takes = {f"k{i}": speech(i, 3.0, 0.1) for i in range(5)}
    pauses = (9_600, 12_000, 12_000, 12_000, 12_000, 14_400)
    dry, plain = mixed(takes, pauses)
    audio, timeline = mixed(takes, pauses, NONE, QUIET)
    gap = audio[timeline.placements[0].end : timeline.placements[1].start].astype(np.float64) / SCALE
    assert 10 * np.log10(np.mean(gap**2)) == pytest.approx(-66.0, abs=1.0)
    assert (timeline.gain_db, timeline.loudness) == (plain.gain_db, plain.loudness)
    assert loudness(heard(audio)) == pytest.approx(loudness(heard(dry)), abs=0.01)
    assert len(np.unique(audio - dry)) > 20, "more than the step of 16 bits: no dither is needed"


@pytest.mark.slow
def test_an_hour_takes_no_more_memory_than_minutes() -> None:
    take = speech(1, 6.0, 0.1)

    def peak(count: int) -> int:
        placements = place([(f"t{i}", "k", len(take)) for i in range(count)], (9_600,) * (count + 1), {})
        tracemalloc.start()
        samples = placements[-1].end + 9_600
        timeline = mix("r", placements, samples, lambda _: take, QUIET)
        assert sum(map(len, render(timeline, lambda _: take))) == samples
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    peak(1)  # what is imported on first use is not measured
    minutes, hour = peak(30), peak(563)
    assert hour < 20e6 and hour < 1.2 * minutes


def test_blocks_are_seamless() -> None:
    take = speech(4, 3 * BLOCK / RATE - 0.37, 0.1)
    audio, timeline = mixed({"k": take}, (777, 888))
    assert np.array_equal(audio[777:-888], rounded(take, 10 ** (timeline.gain_db / 20)))


def test_what_cannot_be_mixed() -> None:
    with pytest.raises(SynthesisError, match=r"0\.4 s of sound"):
        mixed({"k": hush(2.0)}, (0, 0))
    with pytest.raises(SynthesisError, match=r"t-k of r; expected audio; found an empty take"):
        mixed({"k": hush(0.0)}, (0, 0))
    with pytest.raises(SynthesisError, match="at least one take"):
        mix("r", (), RATE, lambda _: tone(1.0))
    placements = place([("t1", "k", RATE)], (0, 0), {})
    with pytest.raises(SynthesisError, match=r"turn t1 of r; expected a take of 24000 samples; found 12000"):
        mix("r", placements, RATE, lambda _: tone(0.5))
    with pytest.raises(SynthesisError, match=r"expected a take inside \[0, 20000\)"):
        mix("r", placements, 20_000, lambda _: tone(1.0))
