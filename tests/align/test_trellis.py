"""Jumps through a text: worth something exactly where the sound has them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from dtbuild.align.trellis import Trellis, layout

LENGTH = 6


def scores(said: str) -> NDArray[np.float32]:
    """Frames of letters a–e, each with a beginning and an end, and of silence (`_`, column 0): 2 for what is there,
    −4 for the rest."""
    found = np.full((len(said) * LENGTH, 11), -4.0, np.float32)
    for at, letter in enumerate(said):
        begin, end = columns(letter) if letter != "_" else (0, 0)
        found[at * LENGTH : at * LENGTH + LENGTH // 2, begin] = 2.0
        found[at * LENGTH + LENGTH // 2 : (at + 1) * LENGTH, end] = 2.0
    return found


def columns(letter: str) -> list[int]:
    at = 2 * "abcde".index(letter)
    return [at + 1, at + 2]


def trellis(text: str, said: str) -> Trellis:
    return Trellis(scores(said), layout([columns(letter) for letter in text], 0))


def best(found: Trellis, by: int) -> tuple[float, int, int]:
    jump = max(found.jumps(by))
    return jump.gain, jump.done, jump.next


def test_a_text_read_as_it_stands_gains_from_no_jump() -> None:
    found = trellis("abcd", "_ab_cd_")
    assert found.best == 7 * LENGTH * 2
    assert found.lengths() == dict.fromkeys(range(4), LENGTH)
    assert all(best(found, by)[0] < 0 for by in (1, 2, 3, -1, -2, -3))


@pytest.mark.parametrize(
    ("said", "by", "done", "after"),
    [
        ("_acd_", 1, 1, 2),
        ("ad", 2, 1, 3),
        ("bcd", 1, 0, 1),
        ("_abc", 1, 3, 4),
        ("abbcd", -1, 2, 1),
        ("ab_abcd", -2, 2, 0),
    ],
)
def test_the_jump_that_was_made_gains_most(said: str, by: int, done: int, after: int) -> None:
    found = trellis("abcd", said)
    gain, *places = best(found, by)
    assert gain > 0 and places == [done, after]
    assert gain == max(best(found, other)[0] for other in (1, 2, 3, -1, -2, -3))


def test_lengths_on_both_sides_of_a_jump() -> None:
    found = trellis("abcd", "abbcd")
    jump = max(found.jumps(-1))
    assert jump.frame == 2 * LENGTH
    assert found.lengths_before(jump.frame, jump.done, 2) == {1: LENGTH, 0: LENGTH}
    assert found.lengths_after(jump.frame, jump.next, 2) == {1: LENGTH, 2: LENGTH}
    assert found.lengths()[1] == 2 * LENGTH
    assert found.lengths_before(0, 0, 2) == found.lengths_after(5 * LENGTH, 4, 1) == {}


def test_one_character_has_nothing_to_jump_over_but_itself() -> None:
    found = trellis("a", "_a_")
    assert [found.jumps(by) for by in (2, -2)] == [[], []]
    assert best(found, -1)[0] < 0


@given(st.text("abcde", min_size=1, max_size=6), st.integers(0, 2**32 - 1))
@settings(max_examples=40, deadline=None)
def test_forwards_and_backwards_agree(text: str, seed: int) -> None:
    table = np.random.default_rng(seed).normal(size=(len(text) * 4 + 3, 11)).astype(np.float32)
    found = Trellis(table, layout([columns(letter) for letter in text], 0))
    mirrored = Trellis(table[::-1], layout([columns(letter)[::-1] for letter in reversed(text)], 0))
    assert found.best == pytest.approx(mirrored.best, abs=1e-3)
    assert sum(found.lengths().values()) <= len(table) and set(found.lengths()) == set(range(len(text)))
