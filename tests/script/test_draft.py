"""Punctuation and spans of a turn while it grows."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dtbuild.lexicon.characters import hanzi_in
from dtbuild.script.draft import Draft


@given(st.lists(st.text("好的，。！？、…走", max_size=4), max_size=8))
def test_no_two_pauses_in_a_row_and_none_at_the_head(parts: list[str]) -> None:
    draft = Draft("p1", "x")
    for part in parts:
        start, end = draft.add(part)
        assert 0 <= start <= end == len(draft.text)
    text = draft.finish()
    assert not text.startswith(("，", "。", "、"))
    for pair in ("，，", "。。", "，。", "。，", "、，"):
        assert pair not in text
    assert hanzi_in(text) == sum(char in "好的走" for part in parts for char in part)


def test_spans_leave_punctuation_out() -> None:
    draft = Draft("p1", "x")
    draft.add("好，先停一停。")
    draft.span("action", 1, 7, "e1")
    assert [draft.text[s.start : s.end] for s in draft.spans] == ["先停一停"]
    draft.span("action", 1, 2, "e1")
    assert len(draft.spans) == 1, "a span of punctuation alone is none"
