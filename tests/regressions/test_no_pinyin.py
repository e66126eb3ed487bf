"""A 汉字 that the dictionary does not know came back as its own pinyin and failed only in the engine."""

from __future__ import annotations

import pytest

from dtbuild.errors import Unspeakable
from dtbuild.lexicon import spoken


def test_it_is_named_with_its_place() -> None:
    with pytest.raises(Unspeakable, match="'㐂' at 3 of '您先把㐂字看一下。'; expected a 汉字 whose pinyin is known"):
        spoken("您先把㐂字看一下。")
    assert spoken("您先把这字看一下。").chars[3].pinyin == "zhe4"
