"""The language of phrases: choices, slots, marks, tags."""

from __future__ import annotations

import random

import pytest

from dtbuild.errors import BlueprintError
from dtbuild.script.template import Entry, compile_entry, feasible, flat, kinds, render, slots, sure_slots

NONE: frozenset[str] = frozenset()


class Sink:
    """Collects a rendering as readable marks."""

    def __init__(self, words: dict[str, str], tags: frozenset[str] = NONE) -> None:
        self.words, self.tags, self.out = words, tags, ""

    def text(self, text: str) -> None:
        self.out += text

    def slot(self, name: str) -> None:
        self.out += self.words[name]

    def pick(self, bank: str) -> None:
        self.out += f"<{bank}>"

    def open(self, kind: str) -> None:
        self.out += f"({kind} "

    def close(self, kind: str) -> None:
        self.out += ")"

    def fits(self, entry: Entry) -> bool:
        return feasible(entry, self.tags, frozenset(self.words))


def said(source: str, words: dict[str, str], tags: frozenset[str] = NONE, seed: int = 0) -> str:
    sink = Sink(words, tags)
    render(compile_entry(source), sink, random.Random(seed))
    return sink.out


def test_marks_nest_and_slots_are_filled() -> None:
    assert said("{obstacle:{doc}没盖章}，{action:先停}", {"doc": "对账单"}) == "(obstacle 对账单没盖章)，(action 先停)"


def test_banks_are_put_in() -> None:
    assert said("{premise:{=ok}}，走", {}) == "(premise <ok>)，走"


def test_parts_of_a_choice_that_do_not_fit_are_never_taken() -> None:
    source = "[@client 我们|@bank 咱们|{missing}]好"
    assert {said(source, {}, frozenset({"bank"}), seed) for seed in range(30)} == {"咱们好"}


def test_every_part_of_a_choice_is_reached() -> None:
    assert {said("[甲|乙|]", {}, seed=seed) for seed in range(40)} == {"甲", "乙", ""}


def test_feasibility_asks_for_tags_and_for_slots_on_every_way() -> None:
    entry = compile_entry("@asked @!two {value}[，{you}看|]")
    assert feasible(entry, frozenset({"asked"}), frozenset({"value"}))
    assert not feasible(entry, frozenset({"asked", "two"}), frozenset({"value"}))
    assert not feasible(entry, NONE, frozenset({"value"}))
    assert not feasible(entry, frozenset({"asked"}), frozenset({"you"}))
    assert not feasible(compile_entry("[{a}|{b}]"), NONE, NONE)
    assert feasible(compile_entry("[{a}|{b}]"), NONE, frozenset({"b"}))


def test_what_is_sure() -> None:
    entry = compile_entry("[{action:走}{value}|{value}{action:停}]{f}")
    assert sure_slots(entry) == {"value", "f"}
    assert kinds(entry) == {"action"}
    assert slots(compile_entry("[{a}|x]")) == {"a"}


def test_flat_shows_each_part_of_each_choice() -> None:
    assert set(flat(compile_entry("[甲|乙]丙{action:[丁|戊]}"))) >= {"甲丙丁", "乙丙丁", "甲丙戊"}


@pytest.mark.parametrize("source", ["{value", "[甲|乙", "{noun:甲}", "甲]", "甲}", "@asked", "{action:甲"])
def test_broken_lines_are_refused_with_the_line(source: str) -> None:
    with pytest.raises(BlueprintError, match="phrase"):
        compile_entry(source)
