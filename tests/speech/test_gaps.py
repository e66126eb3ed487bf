"""What a gap hangs on, and how gaps of a kind are spread."""

from __future__ import annotations

import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dtbuild.speech import gaps as kinds
from dtbuild.speech.gaps import Gap, gaps, is_backchannel, kind
from dtbuild.timebase import RATE, to_samples

KINDS = [each for each in vars(kinds).values() if isinstance(each, Gap)]
TURNS = [
    "您打算做多少？",
    "对吧？",
    "八百万。",
    "嗯。",
    "行，我记下。",
    "那……",
    "稍等啊，我看看。",
    "对了，合同呢？",
    "去吧，不急。",
]
TEXTS = st.lists(st.sampled_from(TURNS), max_size=12)


def turns(texts: list[str]) -> list[tuple[str, str, str]]:
    return [(f"t{index}", f"p{index % 2}", text) for index, text in enumerate(texts)]


@pytest.mark.parametrize(
    ("before", "after", "name"),
    [
        ("您打算做多少？", "八百万。", "answer"),
        ("那您看怎么样？", "我再想想。", "answer"),
        ("也就是四百二，对吧？", "是四百二，没错。", "answer to yes or no"),
        ("购机发票翻着没？", "翻着了，在袋子里。", "answer to yes or no"),
        ("材料能不能今天给？", "今天够呛。", "answer to yes or no"),
        ("也就是四百二，对吧？", "对。", "back-channel"),
        ("涨了，白天贵得很，都排到夜里干。", "嗯，听着呢。", "back-channel"),
        ("涨了，白天贵得很。", "这样啊。", "back-channel"),
        ("这批按八百万做。", "行，我先记着。", "assent"),
        ("这批按八百万做。", "年底回款紧。", "statement"),
        ("拍了，货架跟标牌都清楚。", "对了，评级复核完没？", "change of subject"),
        ("拍了，货架跟标牌都清楚。", "周会计，期限您怎么想？", "change of subject"),
        ("没别的变动。", "那利率呢，有进展没有？", "change of subject"),
        ("老板那头我怎么说……", "照实说，差一样，补上就好办。", "words left hanging"),
        ("我让他们把原件拍过来，您稍等一下啊。", "趁这会儿，期限也碰一下？", "look-up"),
        ("稍等，我接个电话。", "去吧，不急。", "statement"),
        ("去吧，不急。", "保证金刚才定的得重新看。", "errand"),
        ("那好，我等着。", "单子到了。", "errand"),
        ("没事，我正好翻翻底稿。", "回来了，不好意思啊。", "errand"),
        ("客户那边急不急？", "催，我先稳住了。", "answer to yes or no"),
        ("章没回来，这条先等等。", "跟他们说过没？", "statement"),
        ("不是，我翻过日历。", "那就好办。", "statement"),
    ],
)
def test_the_kind_of_a_gap(before: str, after: str, name: str) -> None:
    assert kind(("p1", before), ("p2", after)).name == name


def test_going_on_oneself_is_no_change_of_turn() -> None:
    assert kind(("p1", "这批按八百万做。"), ("p1", "年底回款紧。")).name == "same person"
    assert kind(("p1", "那……"), ("p1", "八百万。")).name == "words left hanging"


@pytest.mark.parametrize("text", ["嗯。", "嗯嗯。", "对。", "是，是。", "哎，是是。", "行。", "好嘞。", "嗯，听着呢。"])
def test_back_channels(text: str) -> None:
    assert is_backchannel(text)


@pytest.mark.parametrize(
    "text", ["好，八百万。", "也行，八百万。", "对不上。", "什么情况？", "行，就按这个日子定了。", "十张。", ""]
)
def test_what_says_more_is_none(text: str) -> None:
    assert not is_backchannel(text)


def test_kinds_are_in_the_order_that_was_published() -> None:
    order = [kinds.BACKCHANNEL, kinds.POLAR, kinds.OPEN, kinds.PLAIN, kinds.CONTINUED, kinds.SUBJECT, kinds.TRAILING,
             kinds.LOOKUP, kinds.ERRAND]  # fmt: skip
    assert [each.median for each in order] == sorted(each.median for each in order)
    assert kinds.ASSENT.median < kinds.PLAIN.median
    assert all(0.05 <= each.low < each.median < each.high for each in KINDS) and len(KINDS) == 10


@pytest.mark.parametrize("each", KINDS, ids=lambda one: one.name)
def test_gaps_of_a_kind_are_spread_as_it_says(each: Gap) -> None:
    drawn = [each.seconds(normal / 10) for normal in range(-40, 41)]
    assert drawn == sorted(drawn) and drawn[0] == each.low and drawn[-1] == each.high
    assert each.seconds(0.0) == each.median
    assert each.high - each.median > each.median - each.low, "skewed to the right"


def test_the_median_over_many_seeds() -> None:
    pair = turns(["您打算做多少？", "八百万。"])
    drawn = [gaps(pair, seed)[1] / RATE for seed in range(400)]
    assert statistics.median(drawn) == pytest.approx(kinds.OPEN.median, rel=0.1)


@given(TEXTS, st.integers())
def test_gaps_hang_on_text_and_seed_alone(texts: list[str], seed: int) -> None:
    found = gaps(turns(texts), seed)
    assert found == gaps([(f"x{id}", f"q{person}", text) for id, person, text in turns(texts)], seed)
    assert len(found) == max(2, len(texts) + 1)
    assert all(to_samples(0.05) <= gap <= to_samples(kinds.ERRAND.high) for gap in found)


@given(TEXTS, st.integers(0, 11), st.integers(0, 99))
def test_a_changed_turn_changes_only_the_gaps_beside_it(texts: list[str], at: int, seed: int) -> None:
    before = gaps(turns(texts), seed)
    changed = [*texts[:at], "这一句别处没有。", *texts[at + 1 :]]
    if len(changed) != len(texts) or len(set(texts)) != len(texts):
        return  # a pair of texts said twice is told apart by how often it came before
    after = gaps(turns(changed), seed)
    assert [i for i, (a, b) in enumerate(zip(before, after, strict=True)) if a != b and i not in (at, at + 1)] == []


def test_the_same_words_again_have_another_gap() -> None:
    found = gaps(turns(["您打算做多少？", "八百万。"] * 6), 3)
    assert len(set(found[1:-1:2])) > 3
