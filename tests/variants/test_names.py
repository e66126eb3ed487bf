"""Names change hands with all that stands behind them: texts, spans and mentions agree whatever the lengths."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dtbuild.address import surname
from dtbuild.records.plan import Person
from dtbuild.records.script import Span
from dtbuild.variants.names import applied, counterpart, edits, exchange, moved
from review.sample import blueprint

SURNAMES = ("周", "何", "林", "欧阳", "司马", "上官", "诸葛")
GIVEN = ("建国", "思敏", "志远", "婉清", "明辉")
FILLING = ("金额归", "，您看", "签字才算，", "刚才说的", "那这条", "就按八百万做", "吧。", "")


def _person(id: str, family: str, given_name: str, role: str, title: str) -> Person:
    gender = "female" if given_name in ("思敏", "婉清") else "male"
    return Person(id=id, name=family + given_name, gender=gender, role=role, title=title)  # type: ignore[arg-type]


@st.composite
def _casts(draw: st.DrawFn) -> tuple[Person, Person, Person]:
    families = draw(st.lists(st.sampled_from(SURNAMES), min_size=3, max_size=3, unique=True))
    given_names = draw(st.lists(st.sampled_from(GIVEN), min_size=3, max_size=3, unique=True))
    return (
        _person("p1", families[0], given_names[0], "client_manager", "客户经理"),
        _person("p2", families[1], given_names[1], "supplier_accountant", "会计"),
        _person("p3", families[2], given_names[2], "risk_manager", "风控经理"),
    )


@st.composite
def _spoken(
    draw: st.DrawFn,
) -> tuple[tuple[Person, Person, Person], str, list[tuple[int, int]], str, list[tuple[int, int]]]:
    """A cast; a text with marked pieces; what text and pieces are after p1 and p2 have exchanged names."""
    cast = draw(_casts())
    one, other, third = cast
    named = {
        one.name: other.name,
        other.name: one.name,
        surname(one.name) + "经理": surname(other.name) + "经理",
        surname(other.name) + "会计": surname(one.name) + "会计",
        "小" + surname(other.name): "小" + surname(one.name),
        one.name[len(surname(one.name)) :]: other.name[len(surname(other.name)) :],
        third.name: third.name,
        surname(third.name) + "老师": surname(third.name) + "老师",
    }
    pieces = draw(st.lists(st.tuples(st.sampled_from(FILLING), st.sampled_from(sorted(named))), min_size=1, max_size=6))
    before = after = ""
    places_before, places_after = [], []
    for filling, name in pieces:
        start, new = len(before), len(after)
        before, after = before + filling + name + "，", after + filling + named[name] + "，"
        places_before.append((start, len(before) - 1))
        places_after.append((new, len(after) - 1))
    return cast, before, places_before, after, places_after


@given(_spoken())
def test_names_go_over_and_places_follow(
    spoken: tuple[tuple[Person, Person, Person], str, list[tuple[int, int]], str, list[tuple[int, int]]],
) -> None:
    (one, other, third), before, places_before, after, places_after = spoken
    names = exchange(one, other, (one, other, third), blueprint())
    made = edits(before, names)
    assert applied(before, made) == after
    for (start, end), wanted in zip(places_before, places_after, strict=True):
        span = Span(turn="t1", kind="authority", start=start, end=end, target="e1")
        found = moved(span, made)
        assert (found.start, found.end) == wanted


@given(_spoken())
def test_two_exchanges_give_the_text_back(
    spoken: tuple[tuple[Person, Person, Person], str, list[tuple[int, int]], str, list[tuple[int, int]]],
) -> None:
    (one, other, third), before, places, _, _ = spoken
    there = edits(before, exchange(one, other, (one, other, third), blueprint()))
    after = applied(before, there)
    roles = {one.id: (other.role, other.title), other.id: (one.role, one.title)}
    heirs = [
        Person(id=p.id, name=p.name, gender=p.gender, role=roles[p.id][0], title=roles[p.id][1]) for p in (one, other)
    ]
    back = edits(after, exchange(heirs[0], heirs[1], (*heirs, third), blueprint()))
    assert applied(after, back) == before
    for start, end in places:
        span = Span(turn="t1", kind="value", start=start, end=end, target="e1")
        assert moved(moved(span, there), back) == span


@pytest.mark.parametrize(
    ("form", "heir"),
    [("何会计", "欧阳会计"), ("何姐", "欧阳哥"), ("何女士", "欧阳先生"), ("老何", "老欧阳"), ("何洁", "欧阳建国")],
)
def test_a_form_keeps_the_job_and_takes_the_gender(form: str, heir: str) -> None:
    he = Person(id="p2", name="何洁", gender="female", role="supplier_accountant", title="会计")
    ou = Person(id="p1", name="欧阳建国", gender="male", role="client_manager", title="客户经理")
    assert counterpart(form, he, ou) == heir


def test_words_that_only_look_like_a_name_stay() -> None:
    one = Person(id="p1", name="张航", gender="male", role="client_manager", title="客户经理")
    other = Person(id="p2", name="周洁", gender="female", role="risk_manager", title="风控经理")
    names = exchange(one, other, (one, other), blueprint())
    text = "两张总表下周总能对上，张总您看？"
    assert applied(text, edits(text, names)) == "两张总表下周总能对上，周总您看？"
