"""Words of a turn, with and without the dictionary."""

from __future__ import annotations

import importlib.util

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dtbuild.errors import MissingExtra
from dtbuild.speech.words import LONGEST, segmenter

WORDS = segmenter()


@given(st.text(st.characters(min_codepoint=0x4E00, max_codepoint=0x9FFF), max_size=60))
def test_nothing_is_lost(run: str) -> None:
    words = WORDS(run)
    assert "".join(words) == run
    assert all(1 <= len(word) <= LONGEST for word in words)


@pytest.mark.parametrize(
    ("run", "words"),
    [
        ("我们老板的意思是", ["我们", "老板", "的", "意思", "是"]),
        ("发票一共是多少张来着", ["发票", "一共", "是", "多少", "张", "来", "着"]),
        ("年底回款紧", ["年底", "回款", "紧"]),
        ("嗯", ["嗯"]),
        ("", []),
    ],
)
def test_words_of_talk(run: str, words: list[str]) -> None:
    assert list(WORDS(run)) == words


def test_without_the_dictionary(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match=r"dtbuild\[speech\]"):
        segmenter()
