"""Spoken text: every 汉字 kept, terms spelled out, anything unknown stops the turn."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dtbuild.errors import Unspeakable
from dtbuild.lexicon import TERMS, pinyin, spoken
from dtbuild.lexicon.tables import rows_of

SYLLABLE = re.compile(r"[a-zv]+[1-5]")


@pytest.mark.parametrize("surface", list(TERMS))
def test_every_term_has_one_syllable_for_each_hanzi(surface: str) -> None:
    term = TERMS[surface]
    assert len(term.hanzi) == len(term.pinyin)
    assert all(SYLLABLE.fullmatch(syllable) for syllable in term.pinyin)
    said = spoken(f"走{surface}吧")
    assert said.text == f"走{term.hanzi}吧"
    assert {(char.start, char.end) for char in said.chars[1:-1]} == {(1, 1 + len(surface))}
    assert tuple(char.pinyin for char in said.chars[1:-1]) == term.pinyin


def test_the_chinese_part_of_a_term_is_said_as_written() -> None:
    assert spoken("投了A轮").text.endswith("轮")
    assert spoken("走T+1").text == "走替加一"


@given(
    st.text(alphabet="行长还没款重组差额，。？！……一个不对好的", min_size=1, max_size=40).filter(
        lambda t: re.search("[一-鿿]", t)
    )
)
def test_every_hanzi_of_the_turn_is_there(text: str) -> None:
    said = spoken(text)
    assert said.text == text
    assert "".join(char.hanzi for char in said.chars) == re.sub("[^一-鿿]", "", text)
    for char in said.chars:
        assert text[char.start : char.end] == char.hanzi == said.text[char.at]
        assert SYLLABLE.fullmatch(char.pinyin)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("按3个点", "'3'"), ("利率5%", "'5'"), ("走XYZ吧", "'X'"), ("（翻合同）那就三百万。", "'（'"),
        ("**利率**四个点", "'*'"), ("[pause]好的", "'['"), ("三百万~四百万", "'~'"), ("POSX机", "'P'"), ("a轮", "'a'"),
        ("好的 行", "' '"), ("好的😀", "'😀'"),
    ],
)  # fmt: skip
def test_an_unknown_character_stops_the_turn_by_name(text: str, found: str) -> None:
    with pytest.raises(Unspeakable, match=re.escape(found)) as caught:
        spoken(text)
    assert f"at {text.index(found[1:-1])}" in str(caught.value)


@pytest.mark.parametrize("text", ["", "……", "？！"])
def test_nothing_to_say_is_refused(text: str) -> None:
    with pytest.raises(Unspeakable):
        spoken(text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("行长说还没还款", "hang2 zhang3 shuo1 hai2 mei2 huan2 kuan3"),
        ("银行要重组", "yin2 hang2 yao4 chong2 zu3"),
        ("重大差额", "zhong4 da4 cha1 e2"),
        ("出差三天", "chu1 chai1 san1 tian1"),
        ("给付和供给", "ji3 fu4 he2 gong1 ji3"),
        ("年初调息", "nian2 chu1 tiao2 xi1"),
        ("去调研", "qu4 diao4 yan2"),
        ("应收应付", "ying1 shou1 ying1 fu4"),
        ("应付账款", "ying1 fu4 zhang4 kuan3"),
        ("何会计转账", "he2 kuai4 ji4 zhuan3 zhang4"),
        ("行不行", "xing2 bu5 xing2"),
        ("哪几行", "na3 ji3 hang2"),
        ("数一数这个数", "shu3 yi5 shu3 zhe4 ge5 shu4"),
        ("还得请示", "hai2 dei3 qing3 shi4"),
        ("说得清", "shuo1 de5 qing1"),
        ("做不了主", "zuo4 bu5 liao3 zhu3"),
        ("看着办", "kan4 zhe5 ban4"),
        ("对账单", "dui4 zhang4 dan1"),
        ("长期增长", "chang2 qi1 zeng1 zhang3"),
        ("利率下降", "li4 lv4 xia4 jiang4"),
        ("仓储质押担保", "cang1 chu3 zhi4 ya1 dan1 bao3"),
        ("差不多", "cha4 bu5 duo1"),
        ("一个点", "yi2 ge4 dian3"),
        ("一千一百", "yi4 qian1 yi4 bai3"),
        ("一万一", "yi2 wan4 yi1"),
        ("十一张", "shi2 yi1 zhang1"),
        ("第一期", "di4 yi1 qi1"),
        ("一二三", "yi1 er4 san1"),
        ("一亿零一万", "yi2 yi4 ling2 yi2 wan4"),
        ("二零二一年一月一号", "er4 ling2 er4 yi1 nian2 yi1 yue4 yi1 hao4"),
        ("零点一个点", "ling2 dian3 yi1 ge4 dian3"),
        ("统一走", "tong3 yi1 zou3"),
        ("万一不行", "wan4 yi1 bu4 xing2"),
        ("不对，不行，不是", "bu2 dui4 bu4 xing2 bu2 shi4"),
        ("看一看", "kan4 yi5 kan4"),
        ("好不好", "hao3 bu5 hao3"),
    ],
)
def test_pinyin_of_finance_talk(text: str, said: str) -> None:
    assert " ".join(pinyin(text)) == said


def test_the_polyphone_table_is_sound() -> None:
    rows = rows_of("polyphones.tsv")
    words = [row[0] for row in rows]
    assert len(words) == len(set(words))
    for word, syllables in rows:
        assert len(word) == len(syllables.split()), word
        assert all(SYLLABLE.fullmatch(s) or s == "." for s in syllables.split()), word


def test_pinyin_refuses_digits() -> None:
    with pytest.raises(Unspeakable, match="'3'"):
        pinyin("第3期")
