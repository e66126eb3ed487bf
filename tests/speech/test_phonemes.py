"""From pinyin to the symbols of the model: nothing lost, tones kept, our polyphones first."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dtbuild.errors import Unspeakable
from dtbuild.records.spoken import Spoken, SpokenChar
from dtbuild.speech.phonemes import MARKS, pieces, syllable, symbols
from dtbuild.speech.symbols import SYMBOLS

from .asking import say


def one_by_one(run: str) -> list[str]:
    return list(run)


def all_syllables() -> list[str]:
    from pypinyin.constants import PINYIN_DICT
    from pypinyin.contrib.tone_convert import to_tone3

    marked = {each for readings in PINYIN_DICT.values() for each in readings.split(",")}
    return sorted({to_tone3(each, neutral_tone_with_five=True, v_to_u=False) for each in marked})


def test_every_syllable_of_every_hanzi_is_in_the_symbol_table() -> None:
    syllables = all_syllables()
    assert len(syllables) > 1200
    unknown = {each for each in syllables if not set(syllable(each)) <= SYMBOLS.keys() or not syllable(each)}
    assert unknown == set()


def test_tones_tell_syllables_apart() -> None:
    assert len({syllable(f"ma{tone}") for tone in range(1, 6)}) == 5


@pytest.mark.parametrize("bad", ["lü", "xing", "xing6", "", "Xing2", "zzz4", "行"])
def test_no_syllable(bad: str) -> None:
    with pytest.raises(Unspeakable):
        syllable(bad)


def test_our_pinyin_decides_polyphones() -> None:
    bank = symbols(pieces(say("行长", "hang2 zhang3"), one_by_one))
    walk = symbols(pieces(say("行长", "xing2 chang2"), one_by_one))
    assert bank == "xa↗ŋ ꭧa↓ŋ"
    assert walk == "ɕi↗ŋ ꭧʰa↗ŋ"


def test_same_symbols_as_misaki() -> None:
    from misaki.zh import ZHG2P

    different = {each for each in all_syllables() if syllable(each) != ZHG2P.py2ipa(each).replace("\u032f", "")}
    assert different == set()
    for mark in "，、。！？；：《》「」（）":
        assert MARKS[mark] == ZHG2P.map_punctuation(mark).strip()


def test_blanks_between_words_and_after_marks() -> None:
    def words(run: str) -> list[str]:
        return {"我们老板": ["我们", "老板"], "八百万": ["八百万"]}[run]

    ours = pieces(say("我们老板：八百万！", "wo3 men5 lao3 ban3 ba1 bai3 wan4"), words)
    assert symbols(ours) == "wo↓mən lau↓pa↓n: pa→pai↓wa↘n!"


@pytest.mark.parametrize("text", ["LPR", "三%", "好\n", "好。\u3000"])
def test_what_has_no_spoken_form_stops_the_turn(text: str) -> None:
    chars = tuple(SpokenChar(c, "hao3", i, i, i + 1) for i, c in enumerate(text) if "一" <= c <= "鿿")
    with pytest.raises(Unspeakable) as caught:
        pieces(Spoken(text, chars), one_by_one)
    assert caught.value.exit_code == 2


def test_a_hanzi_without_pinyin_stops_the_turn() -> None:
    with pytest.raises(Unspeakable, match="'行'"):
        pieces(Spoken("好行", (SpokenChar("好", "hao3", 0, 0, 1),)), one_by_one)


@given(st.lists(st.sampled_from(["ma1", "hao3", "xing2", "de5", *MARKS]), min_size=1, max_size=40))
def test_nothing_is_lost_between_text_and_symbols(items: list[str]) -> None:
    text = "".join(item if item in MARKS else "好" for item in items)
    spoken = say(text, " ".join(item for item in items if item not in MARKS))
    if not spoken.chars:
        with pytest.raises(Unspeakable):
            pieces(spoken, one_by_one)
        return
    joined = symbols(pieces(spoken, one_by_one))
    wanted = "".join(MARKS.get(item, "") if item in MARKS else syllable(item) for item in items)
    assert joined.replace(" ", "") == wanted
    assert set(joined) <= SYMBOLS.keys()
    assert "  " not in joined
