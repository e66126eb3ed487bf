"""`read` never fails, and its spans are always true."""

from __future__ import annotations

import datetime

from hypothesis import given, settings
from hypothesis import strategies as st

from dtbuild.lexicon import normalise, read
from dtbuild.records.values import Range

ANCHOR = datetime.date(2026, 1, 31)
_PIECES = [
    "零",
    "〇",
    "一",
    "二",
    "两",
    "三",
    "四",
    "五",
    "六",
    "七",
    "八",
    "九",
    "十",
    "百",
    "千",
    "万",
    "亿",
    "点",
    "半",
    "几",
    "数",
    "多",
    "来",
    "余",
    "个",
    "年",
    "月",
    "日",
    "号",
    "天",
    "底",
    "前",
    "周",
    "期",
    "元",
    "块",
    "毛",
    "分",
    "厘",
    "成",
    "折",
    "开",
    "比",
    "到",
    "百分之",
    "千分之",
    "%",
    "BP",
    "个点",
    "基点",
    "降",
    "降了",
    "加",
    "上",
    "不到",
    "近",
    "小",
    "每",
    "一套",
    "套",
    "台",
    "张",
    "平",
    "年化",
    "月息",
    "日息",
    "LPR",
    "LPR加",
    "本金的",
    "第",
    "打",
    "左右",
    "以内",
    "工作日",
    "季度",
    "下",
    "上个月",
    "今年",
    "最晚",
    "，",
    "。",
    "、",
    "；",
    "1",
    "2",
    "35",
    "1,200",
    "．",
    "１",
    "３",
    "％",
    "$",
    "-",
    "~",
    "/",
    ":",
    "+",
    "T+1",
    "会",
    "是",
    "万一",
    "千万别",
    "二百五",
    "壹",
    "拾",
    "佰",
    "整",
    "叁",
    "萬",
]
soup = st.lists(st.sampled_from(_PIECES), max_size=14).map("".join)


@settings(max_examples=1500, deadline=None)
@given(st.one_of(soup, st.text(max_size=40)), st.sampled_from([None, "万", "rate", "term:month", "count:台", "?"]))
def test_spans_are_inside_ordered_and_true(text: str, play: str | None) -> None:
    last = 0
    for mention in read(text, unit_in_play=play, anchor=ANCHOR):
        assert last <= mention.start < mention.end <= len(text)
        assert text[mention.start : mention.end] == mention.text
        assert mention.value is None or (mention.number is None and not mention.ambiguous)
        if isinstance(mention.value, Range):
            assert mention.value.lo <= mention.value.hi
        last = mention.end


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=60))
def test_normalise_keeps_the_length(text: str) -> None:
    assert len(normalise(text)) == len(text)


@settings(max_examples=100, deadline=None)
@given(soup)
def test_reading_is_a_function_of_its_arguments(text: str) -> None:
    assert read(text, anchor=ANCHOR) == read(text, anchor=ANCHOR)
