"""Gold of A and B in words: every difference, and nothing where there is none."""

from __future__ import annotations

from decimal import Decimal

from msgspec.structs import replace

from dtbuild.records.values import Money
from dtbuild.release.differences import Difference, differences
from dtbuild.release.reading import Named

from .readings import CAST, MONEY, TALK, confirmation_change, family, script, settle, speaker_swap, start, told

NAME = "这笔融资 · 融资金额"


def test_equal_gold_has_none() -> None:
    same = told(script("b", TALK), {"e1": (start("p2"), 2), "e2": (settle("p3"), 5)})
    assert differences(family(same, "speaker_swap")) == []
    assert differences(family()) == []


def test_another_person() -> None:
    assert differences(speaker_swap()) == [
        Difference(f"A2 settle {NAME} 800万元, turn 5", "by S3 欧阳文博", "by S1 周航")
    ]


def test_another_label_of_the_same_person_counts() -> None:
    said = [("p3", "我先说一句。"), *TALK[1:]]
    b = told(script("b", said), {"e1": (start("p2"), 2), "e2": (settle("p3"), 5)})
    assert differences(family(b, "speaker_swap")) == [
        Difference(f"A2 settle {NAME} 800万元, turn 5", "by S3 欧阳文博", "by S1 欧阳文博")
    ]


def test_an_event_that_only_one_has() -> None:
    assert differences(confirmation_change()) == [
        Difference(f"A2 settle {NAME} 800万元, turn 5", "settle, approved, by S3 欧阳文博", None),
        Difference(f"A {NAME}", "ends settled at 800万元", "ends active at 800万元"),
    ]
    turned = confirmation_change()
    assert turned.b is not None
    assert differences(turned._replace(a=turned.b, b=turned.a))[0] == (
        f"A2 settle {NAME} 800万元, turn 5", None, "settle, approved, by S3 欧阳文博",
    )  # fmt: skip


def test_every_part_of_an_event() -> None:
    changed = replace(
        settle("p3"), action="hold", value=Money(amount=Decimal(7_200_000), currency="CNY"), result=None,
        scope="terms", obstacle="stamp_missing", predecessor=None,
    )  # fmt: skip
    b = told(script("b", TALK), {"e1": (start("p2"), 2), "e2": (changed, 5)})
    assert differences(family(b, "confirmation_change")) == [
        Difference(
            f"A2 settle {NAME} 800万元, turn 5",
            "settle, 800万元, approved, scope amount, after A1, no obstacle",
            "hold, 720万元, no result, scope terms, no predecessor, waits for stamp_missing",
        ),
        Difference(f"A {NAME}", "ends settled at 800万元", "ends held at 720万元"),
    ]


def test_values_named_without_the_right_and_phenomena() -> None:
    named = Named("u1", "financing", "amount", None, "p2", MONEY)
    a = family().a._replace(named=(named,), phenomena=("revision", "interleaving"))
    b = a._replace(
        script=script("b", TALK, CAST), named=(named._replace(person="p1"),), phenomena=("interleaving", "suspension")
    )
    assert differences(family(b)._replace(a=a)) == [
        Difference(f"{NAME} 800万元, named without the right", "800万元, by S2 何洁", "800万元, by S1 周航"),
        Difference("phenomena planned in the one alone", "revision", "suspension"),
    ]
