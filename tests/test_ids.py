"""Ids carry a check character that finds every single mistyped character."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dtbuild.records.ids import family_id, family_of, is_family_id, recording_id, turn_id

ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyz"
INDEX = st.integers(1, 9999)


@given(INDEX)
def test_ids_are_valid_and_never_number_like(index: int) -> None:
    family = family_id("sc", index)
    assert is_family_id(family) and family[:2].isalpha()
    assert family_of(turn_id(recording_id(family, "a"), 12)) == family


@given(INDEX, st.data())
def test_a_mistyped_character_is_found(index: int, data: st.DataObject) -> None:
    family = family_id("sc", index)
    at = data.draw(st.integers(0, len(family) - 1))
    other = data.draw(st.sampled_from(ALPHABET.replace(family[at], "")))
    assert not is_family_id(family[:at] + other + family[at + 1 :])
