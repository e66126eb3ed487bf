"""The comparator: the scoring cases that are about values, and the pairs that must differ."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from dtbuild.lexicon import compare
from dtbuild.lexicon.compare import same
from dtbuild.records.values import Money, Term

CASES = {
    case["id"]: case
    for case in json.loads((Path(__file__).parents[1] / "data" / "scoring.json").read_text(encoding="utf-8"))["cases"]
}


def _values(side: list[dict[str, Any]]) -> list[Any]:
    return [event["value"] for chain in side for cycle in chain["cycles"] for event in cycle["events"]]


@pytest.mark.parametrize("name", ["S16", "S17", "S18", "S19", "S28", "S29", "S30", "S31", "S37", "S38"])
def test_scoring_case(name: str) -> None:
    case = CASES[name]
    options = case["options"]
    pairs = list(zip(_values(case["gold"]), _values(case["prediction"]), strict=True))
    verdicts = [same(gold, said, options.get("layer", "extras"), options.get("expression_map")) for gold, said in pairs]
    assert all(verdicts) is (case["expect"]["tp"] == 1)


def money(text: str) -> dict[str, str]:
    return {"type": "money", "text": text}


def of(kind: str, text: str) -> dict[str, str]:
    return {"type": kind, "text": text}


EQUAL = [
    (money("250万"), money("两百五十万")),
    (money("两百五十万"), {"type": "money", "amount": "2500000", "currency": "CNY"}),
    (money("2500000元"), money("250万")),
    (money("二百五十万元整"), money("贰佰伍拾万元整")),
    ({"type": "money", "amount": "2900000.00", "currency": "CNY"}, money("290万")),
    ({"type": "money", "amount": 2900000, "currency": "CNY"}, money("290万")),
    ({"type": "money", "amount": "290万", "currency": "CNY"}, money("290万")),
    (of("rate", "零点八个点"), {"type": "rate", "value": "0.8", "unit": "percent"}),
    (of("rate", "0.8%"), of("rate", "千分之八")),
    (of("rate", "月息一分二"), {"type": "rate", "value": "1.2", "unit": "percent", "per": "month"}),
    (of("change", "降25BP"), {"type": "change", "value": "-0.25", "unit": "pp"}),
    (of("term", "半年"), of("term", "六个月")),
    (of("term", "一年半"), {"type": "term", "value": "18", "unit": "month"}),
    (of("ratio", "五五开"), {"type": "ratio", "parts": ["1", "1"]}),
    (of("factor", "八五折"), {"type": "factor", "value": "0.85"}),
    (of("range", "三百多万"), {"type": "range", "lo": "3000001", "hi": "3999999", "of": {"type": "money", "currency": "CNY"}}),
    (of("status", "材料齐全。"), of("status", "材料齐全")),
    ({"type": "status", "code": "complete", "text": "材料齐全"}, of("status", "材料齐全")),
    ({"type": "status", "code": "complete", "text": "材料齐全"}, {"type": "status", "code": "complete", "text": "都齐了"}),
    (
        {"type": "composite", "parts": [money("500万"), of("term", "半年")]},
        {"type": "composite", "parts": [of("term", "六个月"), {"type": "money", "amount": "5000000", "currency": "CNY"}]},
    ),
    (Money(amount=Decimal(2_900_000), currency="CNY", text="290万"), money("二百九十万")),
    (None, None),
]  # fmt: skip

DIFFERENT = [
    (money("250万"), money("250元")),
    (money("250万元"), money("250万美元")),
    (money("三百万"), money("三百来万")),
    (money("八十万一套"), money("八十万")),
    (of("change", "降25BP"), of("change", "25BP")),
    (of("term", "三年"), of("term", "三个月")),
    (of("term", "九十天"), of("term", "三个月")),
    (of("term", "九十天"), of("term", "九十个工作日")),
    (of("rate", "月息百分之一"), of("rate", "年息百分之一")),
    (of("rate", "年化六个点"), of("rate", "六个点")),
    (of("rate", "本金的百分之三"), of("rate", "百分之三")),
    (of("rate", "三个点"), of("change", "降三个点")),
    (of("count", "三期"), of("ordinal", "第三期")),
    (of("ratio", "三七开"), of("ratio", "七三开")),
    (of("range", "三百多万"), of("range", "三百来万")),
    ({"type": "range", "lo": "3", "hi": "3", "of": {"type": "rate", "unit": "percent"}}, of("rate", "三个点")),
    (of("status", "材料齐全"), of("status", "资料已补齐")),
    (of("date", "二零二六年三月五号"), of("date", "二零二六年三月五号前")),
    ({"type": "composite", "parts": [money("500万"), money("500万")]}, {"type": "composite", "parts": [money("500万"), money("600万")]}),
    (None, money("三百万")),
    (money("看情况"), money("再说")),
    ({"type": "money", "amount": "NaN", "currency": "CNY"}, {"type": "money", "amount": "nan", "currency": "CNY"}),
    ({"type": "nonsense"}, {"type": "money", "amount": []}),
]  # fmt: skip


@pytest.mark.parametrize(("a", "b"), EQUAL)
def test_equal_at_semantics_and_above(a: Any, b: Any) -> None:
    assert same(a, b) and same(b, a) and same(a, b, "extras")


@pytest.mark.parametrize(("a", "b"), DIFFERENT)
def test_different_at_every_layer(a: Any, b: Any) -> None:
    for layer in compare.LAYERS:
        assert not same(a, b, layer) and not same(b, a, layer)


@pytest.mark.parametrize(("a", "b"), EQUAL + DIFFERENT)
def test_no_layer_undoes_a_match(a: Any, b: Any) -> None:
    verdicts = [same(a, b, layer) for layer in compare.LAYERS]
    assert verdicts == sorted(verdicts)


def test_amount_reads_money_and_nothing_else() -> None:
    assert same(money("300万"), money("三百万"), "amount")
    assert not same(of("rate", "0.8%"), of("rate", "零点八个点"), "amount")
    mixed = {"type": "composite", "parts": [money("300万"), of("term", "半年")]}
    assert same(mixed, {"type": "composite", "parts": [of("term", "半年"), money("三百万")]}, "amount")
    assert not same(mixed, {"type": "composite", "parts": [of("term", "六个月"), money("三百万")]}, "amount")


def test_expression_map_counts_from_semantics_on() -> None:
    pair = of("status", "材料齐全"), of("status", "资料已补齐")
    classes = [["材料齐全", "资料已补齐"]]
    assert not same(*pair, "amount", classes)
    assert same(*pair, "semantics", classes)
    assert same({"type": "status", "code": "complete"}, pair[1], "semantics", [["complete", "资料已补齐"]])
    assert not same(*pair, "semantics", [["材料齐全"], ["资料已补齐"]])


def test_surface_text_takes_no_part_beside_a_number() -> None:
    term = {"type": "term", "value": "6", "unit": "month", "text": "半年"}
    assert same(term, Term(value=Decimal(6), unit="month", text="六个月"), "legacy")
    assert not same(of("term", "半年"), of("term", "六个月"), "legacy")


def test_an_unknown_layer_is_refused() -> None:
    with pytest.raises(ValueError, match="legacy, amount, semantics, extras"):
        same(None, None, "exact")  # type: ignore[arg-type]
