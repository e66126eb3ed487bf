"""至少一台 inside a turn was read as 一台: the unit was taken for a price each with no price behind it."""

from __future__ import annotations

import pytest

from dtbuild.lexicon import read


@pytest.mark.parametrize("end", ["", "，没问题吧？", "吧", "。"])
def test_at_least_one_keeps_its_bound_inside_a_turn(end: str) -> None:
    assert [mention.text for mention in read(f"好，那就至少一台{end}")] == ["至少一台"]
    assert [mention.text for mention in read(f"至少八十万一台{end}")] == ["至少八十万一台"]
