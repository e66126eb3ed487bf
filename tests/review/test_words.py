"""The wordings, each list on both sides: what it must find and what looks like it and is ordinary talk."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from dtbuild.address import name_forms, named, own_forms, surname, vocative
from dtbuild.records.plan import Person
from dtbuild.review.rules import counts, review
from dtbuild.review.words import words
from review.sample import blueprint, sample
from text_bench.edits import edit


def _found(rule: str, at: int, text: str) -> bool:
    """Whether a rule finds something when a sentence is added to a turn (from 1) of the sample."""
    plan, script = sample()
    turn = script.turns[at - 1]
    return bool(counts(review(plan, edit(script, turn.id, len(turn.text), len(turn.text), text), blueprint()))[rule])


# after turn 4 the amount is open; after turn 17 the fee is held, after turn 24 both other chains are settled
@pytest.mark.parametrize(
    "text",
    [
        "就这么定了。",
        "那就这么定吧。",
        "行，这条我定了。",
        "没问题，就按八百万。",
        "好，定下来了。",
        "咱们说定了啊。",
        "一言为定。",
        "金额就按这个数定了。",
        "那好，我批了。",
        "这个审批通过了。",
        "行行行，就这样定了。",
        "这条林岚刚才签了。",
        "林岚都批了。",
    ],
)
def test_settling_words(text: str) -> None:
    assert _found("early-settle", 4, text)


@pytest.mark.parametrize(
    "text",
    [
        "这事儿还没定下来呢。",
        "要是没问题就按这个定了再说。",
        "能不能就这么定了？",
        "先别急，等材料齐了再定下来吧。",
        "这条不能就这么定了。",
        "谁说定了？",
        "合同我签了字给您寄过去。",
        "这个还得林岚定。",
        "发票验真通过了。",
        "金额回头再定。",
        "林岚签了字的那份在这儿。",
        "林岚刚才没签。",
        "这个数我定不了。",
        "我这边没问题。",
        "行，那先这样。",
    ],
)
def test_ordinary_talk_settles_nothing(text: str) -> None:
    assert not _found("early-settle", 4, text)


def test_settled_fields_may_be_called_settled() -> None:
    assert not _found("early-settle", 14, "期限就这么定了。")
    assert not _found("early-settle", 24, "金额、期限都说定了。")
    assert not _found("early-settle", 24, "金额那条定了，剩下说说费率。")
    assert _found("early-settle", 24, "费率也就这么定了。")
    assert _found("early-settle", 24, "金额先不说，费率嘛，说定了。")


@pytest.mark.parametrize(
    "text",
    [
        "（翻合同）那就三百万。",
        "[pause]好的。",
        "**利率**四个点。",
        "【笑】行。",
        "<b>好</b>",
        "#好",
        "(咳嗽)嗯。",
        "好_的",
        "费率/期限",
    ],
)
def test_directions(text: str) -> None:
    assert words().directions.search(text)


@pytest.mark.parametrize(
    "text", ["《应收账款转让协议》我看过了。", "他说“行”。", "那个……我想想。", "好——行吧。", "哎，对。"]
)
def test_speech_is_no_direction(text: str) -> None:
    assert not words().directions.search(text)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("李总：可以。", True),
        ("旁白：三天后。", True),
        ("嗯。周航：我记着。", True),
        ("S1：好。", True),
        ("我的意思是：先放着。", False),
        ("这样：您先发过来。", False),
        ("就一条：别拖。", False),
        ("老板那边的意见很清楚也很明确：不行。", False),
    ],
)
def test_labels(text: str, found: bool) -> None:
    plan, script = sample()
    turn = script.turns[2]
    script = edit(script, turn.id, 0, len(turn.text), text)
    assert bool(counts(review(plan, script, blueprint()))["label"]) is found


@pytest.mark.parametrize(
    "text",
    [
        "招商银行也行。",
        "走工行的户。",
        "建行那边。",
        "中行的同事。",
        "德勤做的审计。",
        "腾讯的单子。",
        "中石油供货。",
        "平安保险的保单。",
    ],
)
def test_real_institutions(text: str) -> None:
    assert words().institutions.search(text)


@pytest.mark.parametrize(
    "text",
    [
        "施工行业都这样。",
        "进行中的项目。",
        "其中信息不全。",
        "提交行里审。",
        "平平安安就好。",
        "加工行业回款慢。",
        "分工行不行？",
        "搭建行动小组。",
        "小米粥。",
        "京东南路的仓库。",
        "人行道边上。",
    ],
)
def test_ordinary_words_are_no_institution(text: str) -> None:
    match = words().institutions.search(text)
    assert match is None, match


@pytest.mark.parametrize(
    "text",
    [
        "电话幺三八零零幺三八零零零",
        "一三九，八八六六，七七五五",
        "13800138000",
        "账号六二二二零二一二三四五六七",
        "a.b@c.com",
        "京A12345",
    ],
)
def test_personal_data(text: str) -> None:
    assert words().personal.search(text)


@pytest.mark.parametrize(
    "text", ["二零二六年三月五号", "一千五百五十万", "三五天", "一二三四五，上山打老虎", "七百二十万六个月"]
)
def test_amounts_are_no_personal_data(text: str) -> None:
    assert not words().personal.search(text)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("周经理您好，", True),
        ("周航说了算。", True),
        ("这个你问周航吧。", True),
        ("小周跑一趟。", True),
        ("您好，我是周航。", False),
        ("我叫周航，", False),
        ("一周工作安排紧。", False),
        ("下周工期紧。", False),
        ("何会计您好，", False),
    ],
)
def test_self_address(text: str, found: bool) -> None:
    plan, script = sample()
    assert script.turns[0].person == "p1"
    script = edit(script, script.turns[0].id, 0, 0, text)
    assert bool(counts(review(plan, script, blueprint()))["self-address"]) is found


def test_forms_of_address() -> None:
    zhou = Person(id="p1", name="周航", gender="male", role="r", title="客户经理")
    other = Person(id="p2", name="周敏", gender="female", role="r", title="会计")
    assert surname("欧阳晓") == "欧阳"
    assert {"周航", "周经理", "小周", "周先生"} <= name_forms(zhou)
    assert "周经理" not in own_forms(zhou, [zhou, other])
    assert "周航" in own_forms(zhou, [zhou, other])
    assert named("一周工作，周工您看", {"周工"}) == [(5, "周工")]
    assert vocative("好，周工，您看", 2, "周工")
    assert not vocative("刚才周工说的", 2, "周工")
    assert named("{}", name_forms(zhou, ("{given}哥", "经理"))) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("林经理，这条您看过了吧。", True),
        ("林岚早，昨晚又加班了？", True),
        ("林经理好，", True),
        ("林经理早就说过，", False),
        ("林岚、周航两边谁签都行，", False),
        ("这个林岚也知道，", False),
    ],
)
def test_who_is_called(text: str, found: bool) -> None:
    plan, script = sample()
    at = next(n for n in range(1, 20) if "p3" not in {script.turns[m].person for m in (n - 1, n, n + 1, n + 2)})
    script = edit(script, script.turns[at].id, 0, 0, text)
    assert bool(counts(review(plan, script, blueprint()))["address"]) is found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("林经理，您看呢？", True),
        ("是这样的。林经理，您看呢？", True),
        ("林经理，是这样。何会计，您看呢？", False),
        ("何会计，您看呢？", False),
        ("林经理，我先说一句。", False),
    ],
)
def test_who_is_asked_answers(text: str, found: bool) -> None:
    plan, script = sample()
    # p1 speaks, then p2, then p1, then p3
    assert [turn.person for turn in script.turns[2:6]] == ["p1", "p2", "p1", "p3"]
    script = edit(script, script.turns[4].id, 0, len(script.turns[4].text), "好。")
    turns = tuple(replace(turn, person="p3") if at == 4 else turn for at, turn in enumerate(script.turns))
    script = edit(replace(script, turns=turns), script.turns[2].id, 0, len(script.turns[2].text), text)
    assert bool(counts(review(plan, script, blueprint()))["address"]) is found


@pytest.mark.parametrize(
    ("said", "good"),
    [
        ("这条归我定", True),
        ("定价这块我说了算", True),
        ("这个我有权限", True),
        ("没问题，我批", True),
        ("这条我拿主意", True),
        ("这个我做不了主", False),
        ("这条我拿不了主意", False),
        ("这个得请示，不归我批", False),
        ("我看看材料", False),
    ],
)
def test_authority_of_oneself(said: str, good: bool) -> None:
    plan, script = sample()
    turn = script.trigger("A2")
    assert turn is not None
    spans = tuple(span for span in script.spans if (span.target, span.kind) != ("A4", "authority"))
    kept = replace(next(span for span in script.spans if span.kind == "authority"), turn=turn, start=0, end=len(said))
    script = edit(replace(script, spans=spans), turn, 0, 0, said + "。")
    script = replace(script, spans=(*script.spans, kept))
    assert bool(counts(review(plan, script, blueprint()))["authority-heard"]) is not good
