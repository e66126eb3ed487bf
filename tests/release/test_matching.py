"""Turns that answer to each other, and the words in which two turns differ."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dtbuild.release.matching import differing, matches, wholes

from .readings import TALK, script


def brackets(
    one: str, other: str, wholes_one: list[slice] | None = None, wholes_other: list[slice] | None = None
) -> str:
    return " / ".join(
        _bracketed(text, parts)
        for text, parts in zip((one, other), differing(one, other, wholes_one or [], wholes_other or []), strict=True)
    )


def _bracketed(text: str, parts: list[slice]) -> str:
    for part in reversed(parts):
        text = f"{text[: part.start]}[{text[part]}]{text[part.stop :]}"
    return text


@pytest.mark.parametrize(
    ("one", "other", "marked"),
    [
        # scattered characters in common (行，我先) are no common words
        ("行，我先记着，回头再算。", "行，您先放着，我回头问。", "[行，我先记着，回头再算。] / [行，您先放着，我回头问。]"),
        ("行，我先记着，回头再算。", "行，您先记着，回头我算。", "行，[我]先记着，回头[再]算。 / 行，[您]先记着，回头[我]算。"),
        ("这块归我签，金额就批八百万。", "这块归他签，金额就批八百万。", "这块归[我]签，金额就批八百万。 / 这块归[他]签，金额就批八百万。"),
        ("好，就这么定。", "好，那就先这么定。", "好，[就]这么定。 / 好，[那就先]这么定。"),
        ("金额批了。", "您再等等吧", "[金额批了。] / [您再等等吧]"),
        ("先停一停。", "先停一停，再说。", "先停一停。 / 先停一停[，再说]。"),
    ],
)  # fmt: skip
def test_whole_runs_differ(one: str, other: str, marked: str) -> None:
    assert brackets(one, other) == marked


def test_numbers_and_names_differ_whole() -> None:
    a = script("a", [("p1", "何总，八百万，您看呢？"), *TALK])
    assert [a.turns[0].text[part] for part in wholes(a.turns[0], a)] == ["八百万", "何总"]
    assert brackets("就按七百二十万做吧。", "就按七百五十万做吧。", [slice(2, 7)], [slice(2, 7)]) == (
        "就按[七百二十万]做吧。 / 就按[七百五十万]做吧。"
    )
    assert brackets("就按二十万做吧。", "就按一百二十万做吧。", [slice(2, 5)], [slice(2, 7)]) == (
        "就按[二十万]做吧。 / 就按[一百二十万]做吧。"
    )


TEXT = st.text(alphabet="金额我签再看，。八百万", max_size=30)


@given(one=TEXT, other=TEXT)
def test_what_is_not_marked_is_the_same(one: str, other: str) -> None:
    parts = differing(one, other)
    left, right = (
        "".join(char for at, char in enumerate(text) if not any(part.start <= at < part.stop for part in found))
        for text, found in zip((one, other), parts, strict=True)
    )
    assert left == right
    assert (parts == ([], [])) == (one == other)
    for found in parts:
        assert all(each.start < each.stop for each in found)
        assert all(before.stop < after.start for before, after in pairwise(found))


def test_as_many_turns_answer_by_number() -> None:
    b = [*TALK[1:], TALK[0]]
    assert [each.number for each in matches(script("a", TALK), script("b", b))] == ["1", "2", "3", "4", "5", "6"]


def test_a_turn_more_or_less_shifts_nothing_else() -> None:
    b = [*TALK[:2], ("p3", "等一下啊。"), *TALK[2:]]
    found = matches(script("a", TALK), script("b", b))
    assert [(each.number, each.sign) for each in found] == [
        ("1", ""), ("2", ""), ("–/3", ">"), ("3/4", ""), ("4/5", ""), ("5/6", ""), ("6/7", ""),
    ]  # fmt: skip
    back = matches(script("a", b), script("b", TALK))
    assert [each.sign for each in back] == ["", "", "<", "", "", "", ""]
