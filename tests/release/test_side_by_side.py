"""A family side by side: it fits, leaves no word out, marks what differs and nothing else, and tells gold in words."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dtbuild.records.script import Script, speakers
from dtbuild.release.matching import matches
from dtbuild.release.reading import Reading
from dtbuild.release.side_by_side import side_by_side
from dtbuild.release.terminal import cells

from .pages import ESCAPES, turns
from .readings import PAIRS, confirmation_change, family, role_reassignment, script, speaker_swap, start, told

WIDTHS = (60, 76, 90, 101, 120, 200)


def bare(text: str) -> str:
    return text.replace("[", "").replace("]", "")


def said(script: Script) -> list[tuple[str, str]]:
    labels, people = speakers(script), {each.id: each.name for each in script.cast}
    return [(f"{labels[turn.person]} {people[turn.person]}", turn.text) for turn in script.turns]


def check(reading: Reading, width: int) -> None:
    assert reading.b is not None
    page = side_by_side(reading, width=width)
    coloured = side_by_side(reading, width=width, color=True, events=True)
    for each in (page, side_by_side(reading, width=width, events=True), ESCAPES.sub("", coloured)):
        assert max(map(cells, each.splitlines())) <= width
        assert each == "\n".join(line.rstrip() for line in each.splitlines())
    assert "\x1b" in coloured and "\x1b" not in page
    found = turns(page)
    pairs = matches(reading.a.script, reading.b.script)
    assert [line.number for line in found] == [each.number for each in pairs]
    for line, pair in zip(found, pairs, strict=True):
        same = pair.a and pair.b and (pair.a[1].person, pair.a[1].text) == (pair.b[1].person, pair.b[1].text)
        assert (line.sign == "") == bool(same), line
        if same:
            assert line.a and not re.search(r"[\[\]]", line.a[1])
    a, b = said(reading.a.script), said(reading.b.script)
    left = [(line.a[0], bare(line.a[1])) for line in found if line.a]
    assert left == a
    # one under the other, what is equal is printed once, with the name it has in A
    right = [line.b or line.a for line in found if line.b or line.sign == ""]
    assert [bare(each[1]) for each in right if each] == [text for _, text in b]
    if "╤" in page:
        assert [(each[0], bare(each[1])) for each in right if each] == b


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("make", PAIRS)
def test_every_kind_at_every_width(make: Callable[[], Reading], width: int) -> None:
    check(make(), width)


WORDS = st.text(alphabet="金额我签再看八百万，。行好周航欧阳经理A", min_size=1, max_size=60)
TALK = st.lists(st.tuples(st.sampled_from(["p1", "p2", "p3"]), WORDS), min_size=1, max_size=12)


@st.composite
def pairs(draw: st.DrawFn) -> Reading:
    """B is A with some turns replaced, said by others, left out or put in."""
    a = draw(TALK)
    b = [turn for turn in a for turn in draw(st.sampled_from([[turn], [turn], [turn], [], [turn, draw(TALK)[0]], [draw(TALK)[0]]]))]  # fmt: skip
    said = [script("a", a), script("b", b or a)]
    texts = [told(each, {"e1": (start("p2"), 1)}) for each in said]
    return family()._replace(a=texts[0], b=texts[1], kind="speaker_swap")


@settings(max_examples=120, deadline=None)
@given(reading=pairs(), width=st.integers(60, 200))
def test_any_pair_of_scripts(reading: Reading, width: int) -> None:
    check(reading, width)


def test_a_speaker_swap() -> None:
    page = side_by_side(speaker_swap(), width=100)
    lines = page.splitlines()
    assert lines[:2] == ["sc0009q  供应链金融 · speaker swap · 6 turns, 1 differs", "↔ another person"]
    marked = [line for line in turns(page) if line.sign]
    assert [(line.number, line.sign) for line in marked] == [("5", "↔")]
    assert (marked[0].a, marked[0].b) == (
        ("S3 欧阳文博", "底单都对上了，这块归我签，金额就批八百万。"),
        ("S1 周航", "底单都对上了，这块归我签，金额就批八百万。"),
    )
    assert lines[-2] == "A2 settle 这笔融资 · 融资金额 800万元, turn 5"
    assert re.fullmatch(r" +by S3 欧阳文博 +≠ by S1 周航", lines[-1])


def test_a_role_reassignment_shows_who_is_what() -> None:
    page = side_by_side(role_reassignment(), width=100)
    assert re.search(r"S1 周航 +客户经理  client_manager +≠ S1 周航 +风控经理  risk_manager", page)
    assert re.search(r"S3 欧阳文博  风控经理  risk_manager +≠ S3 欧阳文博  客户经理  client_manager", page)
    assert re.search(r"S2 何洁 +供应商财务总监  supplier_director +│ S2 何洁", page)
    signs = {line.number: (line.sign, line.a, line.b) for line in turns(page)}
    assert [signs[each][0] for each in "123456"] == ["", "", "≠", "≠", "↔", ""]
    # a name is one word: nobody reads [周航] as half a difference
    assert signs["4"][1:] == (("S1 周航", "行，[欧阳经理]您慢慢看。"), ("S3 欧阳文博", "行，[周经理]您慢慢看。"))


def test_a_confirmation_change_says_what_falls_away() -> None:
    page = side_by_side(confirmation_change(), width=100)
    signs = {line.number: (line.a, line.b) for line in turns(page) if line.sign == "≠"}
    assert signs == {
        "5": (
            ("S3 欧阳文博", "底单都对上了，[这块归我签，金额就批八百万]。"),
            ("S1 周航", "底单都对上了，[我可做不了主，回头问问再说]。"),
        ),
        "6": (("S2 何洁", "[太好了，我回去备材料。]"), ("S2 何洁", "[那我等您信儿，材料先备着。]")),
    }
    assert "Gold: 2 differences" in page
    assert re.search(
        r"A2 settle 这笔融资 · 融资金额 800万元, turn 5\n +settle, approved, by S3 欧阳文博 +< not in B", page
    )
    assert re.search(r"A 这笔融资 · 融资金额\n +ends settled at 800万元 +≠ ends active at 800万元$", page)


def test_narrow_pages_tell_equal_turns_once() -> None:
    lines = side_by_side(role_reassignment(), width=60).splitlines()
    for line in (
        "1      S1 周航      何总，这批应收您打算做多少？",
        "4  ≠ A S1 周航      行，[欧阳经理]您慢慢看。",
        "     B S3 欧阳文博  行，[周经理]您慢慢看。",
        "   ≠ A by S3 欧阳文博",
        "     B by S1 周航",
    ):
        assert line in lines, line
    assert sum("何总，这批应收" in line for line in lines) == 1


def test_two_columns_as_soon_as_they_can_be_read() -> None:
    widths = {width: side_by_side(role_reassignment(), width=width) for width in range(60, 110)}
    two = [width for width, page in widths.items() if "╤" in page]
    # number, name and 24 cells of text twice, with the gutter between
    assert two == list(range(3 + 2 * (13 + 24) + 3, 110))


def test_events_only_when_asked_for() -> None:
    reading = role_reassignment()
    plain, with_events = (side_by_side(reading, width=200, events=each) for each in (False, True))
    assert "└" not in plain
    assert with_events.count("└ A2 settle 这笔融资 · 融资金额 800万元, approved") == 2
    assert [line for line in with_events.splitlines() if "└" not in line] == plain.splitlines()


def test_colour_takes_the_place_of_brackets() -> None:
    page = side_by_side(role_reassignment(), width=100, color=True)
    assert "行，\x1b[1;33m欧阳经理\x1b[0m您慢慢看。" in page
    assert "[" not in ESCAPES.sub("", page)


def test_one_recording_in_one_column() -> None:
    page = side_by_side(family(), width=80)
    assert page.splitlines()[0] == "sc0009q  供应链金融 · one recording · 6 turns"
    assert "1  S1 周航      何总，这批应收您打算做多少？" in page.splitlines()
    assert "Gold" not in page and "│" not in page
    assert [line.a for line in turns(page)] == said(family().a.script)
    assert max(map(cells, side_by_side(family(), width=300).splitlines())) <= 120


def test_notes_come_first() -> None:
    page = side_by_side(family()._replace(notes=("not reviewed yet",)), width=80)
    assert page.splitlines()[1] == "not reviewed yet"
