"""Every row of the table of amounts, and more inputs of the same kinds."""

from __future__ import annotations

import datetime

import notation
import pytest

from dtbuild.lexicon import read

ANCHOR = datetime.date(2026, 1, 31)


@pytest.mark.parametrize(("surface", "wanted"), notation.rows())
def test_row_of_the_table(surface: str, wanted: str) -> None:
    assert notation.rendered(read(surface, anchor=ANCHOR)) == wanted


@pytest.mark.parametrize(("surface", "wanted"), notation.rows())
def test_span_is_the_text_it_names(surface: str, wanted: str) -> None:
    for mention in read(f"嗯，{surface}。", anchor=ANCHOR):
        assert f"嗯，{surface}。"[mention.start : mention.end] == mention.text


def test_the_table_is_read_whole() -> None:
    assert len(notation.rows()) >= 80


SAME_KIND = """
一千二百零三万 = money 12030000 CNY
三百二十五万六 = money 3256000 CNY
两亿零五十万 = money 200500000 CNY
13.5万 = money 135000 CNY
1,200万 = money 12000000 CNY
１，２００万 = money 12000000 CNY
１３万５ = money 135000 CNY
三点五亿 = money 350000000 CNY
一亿两千五百万 = money 125000000 CNY
一亿两千 = money 120000000 CNY
一亿零两千 = money 100002000 CNY
三个亿 = money 300000000 CNY
两个半亿 = money 250000000 CNY
三个多亿 = money~ 300000001..399999999 CNY
一万五百 = money 10500 CNY
四千二一吨 = money 4200 CNY per 吨
三万二一套 = money 32000 CNY per 套
两千一一平 = money 2100 CNY per 平
每吨四千二 = money 4200 CNY per 吨
五万一个月 = money 50000 CNY per 月
八百一台 = money 800 CNY per 台
三块五一斤 = money 3.5 CNY per 斤
十二元五角 = money 12.5 CNY
三块二毛五 = money 3.25 CNY
十二块零五分 = money 12.05 CNY
五分钱 = money 0.05 CNY
人民币三百万 = money 3000000 CNY
300万美元 = money 3000000 USD
$500 = money 500 USD
壹佰贰拾万元整 = money 1200000 CNY
伍仟零叁元贰角伍分 = money 5003.25 CNY
百分之十二点五 = rate 12.5 %
百分之百 = rate 100 %
四分之一 = rate 25 %
一成五 = rate 15 %
半成 = rate 5 %
七八成 = rate~ 70..80 %
九九折 = factor 0.99
6.5折 = factor 0.65
两倍 = factor 2
五五开 = ratio 5:5
四六开 = ratio 4:6
二比三比五 = ratio 2:3:5
对半开 = ratio 5:5
年化利率是百分之四点二 = rate 4.2 % per year
年息八厘五 = rate 8.5 % per year
月息降到八厘 = rate 0.8 % per month
日息万分之三 = rate 0.03 % per day
六个点一年 = rate 6 % per year
本金的百分之三 = rate 3 % of 本金
八厘 = ambiguous
三个百分点 = ambiguous
下降百分之三 = ambiguous
降25BP = change -0.25 pp
25BP = change 0.25 pp
下调零点二五个百分点 = change -0.25 pp
涨了两个点 = change 2 pp
让两个点 = change -2 pp
LPR减二十 = change -0.2 pp
降到三个点 = rate 3 %
降二三十个BP = change~ -0.3..-0.2 pp
一个季度 = term 3 month
三个季度 = term 9 month
两年零两个月 = term 26 month
半个月 = term 0.5 month
一个半月 = term 1.5 month
两周 = term 14 day
三天半 = term 3.5 day
三十日内 = term 30 day
一年期 = term 12 month
三年期 = term 36 month
最近三个月 = term 3 month
两个小时 = count 2 小时
月底 = date 2026-01-31
年底 = date 2026-12-31
上个月十五号 = date 2025-12-15
下个月十五号前 = date<= 2026-02-15
明年三月五号 = date 2027-03-05
去年十二月底 = date 2025-12-31
最晚三月五号 = date<= 2026-03-05
三季度末 = date 2026-09-30
2026-03-05 = date 2026-03-05
2026年3月5日之前 = date<= 2026-03-05
五月六号到八号 = date 2026-05-06 ; date 2026-05-08
下周五 = unresolved
礼拜三 = unresolved
三月 = unresolved
三月中旬 = unresolved
下月初 = unresolved
二零二六年 = unresolved
二月三十号 = unresolved
每月十五号 = unresolved
三分之一 = unresolved
三到六个月 = term~ 3..6 month
三到五百万 = money~ 3000000..5000000 CNY
三百到五百万 = money~ 3000000..5000000 CNY
两百万到三百万 = money~ 2000000..3000000 CNY
30%-40% = rate~ 30..40 %
百分之三到五 = rate~ 3..5 %
八十到一百二十天 = term~ 80..120 day
七八个点 = rate~ 7..8 %
二三十台 = count~ 20..30 台
三五天 = term~ 3..5 day
百八十万 = money~ 800000..1000000 CNY
近三百万 = money~ 2700000..2999999 CNY
将近三百万 = money~ 2700000..2999999 CNY
三百万左右 = money~ 2700000..3300000 CNY
三百万以内 = money~ 0..3000000 CNY
三百万出头 = money~ 3000001..3300000 CNY
至少三百万 = money~ 3000000..29999999 CNY
三十多天 = term~ 31..39 day
一年多 = term~ 12.1..23.9 month
三个多月 = term~ 3.1..3.9 month
十几二十万 = money~ 110000..200000 CNY
上亿 = money~ 100000000..999999999 CNY
几百万 = money~ 2000000..9999999 CNY
三万台 = count 30000 台
十二张八百万 = count 12 张 ; money 8000000 CNY
八百万、五个月 = composite money 8000000 CNY + term 5 month
八百万，五个月 = money 8000000 CNY ; term 5 month
三百万三年 = composite money 3000000 CNY + term 36 month
那两张 = count 2 张
这两天 = term 2 day
第二批 = ordinal 2 批
第十五条 = ordinal 15 条
两百五 = ambiguous
八百 = number 800
贴现率二点八 = number 2.8
编号一零三五 = number 1035
"""


@pytest.mark.parametrize("line", [line for line in SAME_KIND.splitlines() if line])
def test_inputs_of_the_same_kind(line: str) -> None:
    surface, wanted = line.split(" = ")
    assert notation.rendered(read(surface, anchor=ANCHOR)) == wanted


NOT_AMOUNTS = """
一会儿再说 一方面先看材料 等一下 一直没到 一起看 万一没到呢 千万别急 会上千万别说 身上万一没带 三番五次地催
一些材料 都一样 十分清楚 百分百放心 不管三七二十一 一是材料二是章 张三李四王五 三方都在 两边都行 一次性付清
第一，先看章 统一走流程 唯一的问题 章不一致 有一个问题 另一张签收单 这一批货 下午三点半开会 早一点 一点都不高
一块儿去 三角债 半成品 二手设备 有一天 三天两头 一年到头 先付一半吧？ 一个人 五百强 八九不离十 十有八九
十字路口 二维码 四分五裂 成百上千 老百姓 A轮投资人 T+1到账 走LPR 你当我二百五啊 一百个放心 头一年 每年都这样
那两口子 停一停 看了一遍 今天不定 明天下班前给您 三号楼那边 七七八八 周年庆 零点之后 点一下 半天没回
"""


@pytest.mark.parametrize("text", NOT_AMOUNTS.split())
def test_what_names_no_amount_gives_no_mention(text: str) -> None:
    assert read(text, anchor=ANCHOR) == ()


@pytest.mark.parametrize(
    ("text", "play", "wanted"),
    [
        ("七百二", "万", "money 7200000 CNY"),
        ("七百二", "money:万", "money 7200000 CNY"),
        ("七百二", "money", "money 720 CNY"),
        ("八百", "万", "money 8000000 CNY"),
        ("两千五", "万", "money 25000000 CNY"),
        ("一亿二", "万", "money 120000000 CNY"),
        ("三点五", "亿", "money 350000000 CNY"),
        ("零点八", "rate", "rate 0.8 %"),
        ("零点八", "rate:year", "rate 0.8 % per year"),
        ("一分二", "rate:month", "rate 1.2 % per month"),
        ("十八", "term:month", "term 18 month"),
        ("十几", "money:万", "money~ 110000..199999 CNY"),
        ("三个百分点", "change", "change 3 pp"),
        ("九十天", "万", "term 90 day"),
        ("也就是十一张，七百二，对吧？", "万", "count 11 张 ; money 7200000 CNY"),
        ("三", "万", "money 30000 CNY"),
        ("三方", "万", "none"),
    ],
)
def test_unit_in_play_settles_bare_numbers(text: str, play: str, wanted: str) -> None:
    assert notation.rendered(read(text, unit_in_play=play, anchor=ANCHOR)) == wanted


def test_relative_days_without_an_anchor_have_no_value() -> None:
    assert [m.value for m in read("二十八号，九月底")] == [None, None]
    assert read("二零二六年三月五号")[0].value is not None


def test_a_number_that_is_handed_on_is_no_range() -> None:
    assert notation.rendered(read("我先按七百二十万往上报")) == "money 7200000 CNY"
    assert notation.rendered(read("七百二十万往上")).startswith("money~")


def test_a_period_named_in_the_clause_belongs_to_its_rate() -> None:
    assert notation.rendered(read("年化我给你六个点")) == "rate 6 % per year"
    assert notation.rendered(read("年化先不谈，六个点")) == "rate 6 %"


def test_the_sample_dialogue_has_its_amounts_and_no_others() -> None:
    lines = (notation.AMOUNTS.parent / "sample_dialogue.md").read_text(encoding="utf-8").splitlines()
    turns = [line.split("|")[3].strip() for line in lines if line.startswith("|") and line[2:4].strip().isdigit()]
    found = [(number, m.text) for number, turn in enumerate(turns, 1) for m in read(turn, anchor=ANCHOR)]
    assert found == [
        (2, "十二张"), (4, "八百万"), (4, "年底"), (5, "八百万"), (6, "两张"), (7, "两张"), (7, "九月底"),
        (7, "两张"), (8, "两张"), (11, "半年"), (12, "半年"), (12, "五个月"), (13, "五个月"), (14, "五个月"),
        (15, "五个月"), (15, "一个点"), (16, "一个点"), (16, "零点八"), (17, "零点八"), (19, "二十八号"),
        (21, "八十万"), (21, "七百二十万"), (22, "十一张"), (22, "七百二"), (23, "十一张"), (23, "七百二十万"),
    ]  # fmt: skip
