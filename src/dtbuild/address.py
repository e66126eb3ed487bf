"""How people are named and addressed: full name, surname with title, 小王, 老王, given name.

Surnames are one character, or one of the compound surnames listed here. A form that two members of the cast
share addresses neither of them for certain and is left out by `own_forms`.

>>> from dtbuild.records.plan import Person
>>> he = Person(id="p2", name="何洁", gender="female", role="accountant", title="会计")
>>> {"何洁", "何会计", "何姐", "小何"} <= name_forms(he)
True
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dtbuild.records.plan import Person

_COMPOUND = ("欧阳", "司马", "上官", "诸葛", "司徒", "东方", "皇甫", "慕容", "令狐", "夏侯", "尉迟", "公孙")
_TITLES = (
    "总",
    "经理",
    "会计",
    "主任",
    "科长",
    "处长",
    "行长",
    "老师",
    "律师",
    "工",
    "老板",
    "师傅",
    "队长",
    "所长",
)
_TITLES_BY_GENDER = {"female": ("姐", "女士"), "male": ("哥", "先生")}
# 小于, 老高, 小时 are everyday words before they are forms of address
_NO_PREFIX = frozenset("于高时少大远成实师化本")


def surname(name: str) -> str:
    """The family name of a full Chinese name."""
    return name[:2] if len(name) > 2 and name[:2] in _COMPOUND else name[:1]


def name_forms(person: Person, templates: Iterable[str] = ()) -> frozenset[str]:
    """Every form by which others may name this person.

    `templates` are further ones with `{surname}` and `{given}`, from the role in the blueprint.
    """
    family, given = surname(person.name), person.name[len(surname(person.name)) :]
    forms = {person.name} | {family + title for title in _TITLES}
    forms |= {family + title for title in _TITLES_BY_GENDER[person.gender]}
    # 客户经理 is addressed 周经理, 风控总监 周总监
    forms |= {family + person.title[-size:] for size in (2, 3, 4) if 2 <= size <= len(person.title)}
    forms |= {form.format(surname=family, given=given) for form in templates if "{" in form}
    if family not in _NO_PREFIX:
        forms |= {"小" + family, "老" + family}
    if len(given) == 2:
        forms.add(given)
    return frozenset(form for form in forms if len(form) > 1)


def own_forms(person: Person, cast: Sequence[Person], templates: Iterable[str] = ()) -> frozenset[str]:
    """The forms that can mean nobody else in this cast."""
    shared = frozenset(form for other in cast if other.id != person.id for form in name_forms(other))
    return name_forms(person, templates) - shared


def named(text: str, forms: Iterable[str]) -> list[tuple[int, str]]:
    """Places where one of the forms names somebody, longest form first at each place.

    A form of two characters that is no full name (周工, 张总) counts only where a word begins and none goes on:
    not in 一周工作 or 两张总表.
    """
    # each cast has forms of its own: a pattern of them would take longer to compile than all its searches
    present = sorted((form for form in forms if form in text), key=lambda form: (-len(form), form))
    found: list[tuple[int, str]] = []
    at = 0
    while hits := [(place, rank) for rank, form in enumerate(present) if (place := text.find(form, at)) >= 0]:
        place, rank = min(hits)
        stands = _stands(text, place, present[rank])
        if stands:
            found.append((place, present[rank]))
        at = place + len(present[rank]) if stands else place + 1
    return found


def vocative(text: str, at: int, form: str) -> bool:
    """Whether the form at this place calls somebody: set off by punctuation, greeted, or with 您好 or 你 right after."""
    before, after = text[at - 1 : at], text[at + len(form) : at + len(form) + 1]
    opens = not before or before in _MARKS or before in "哎诶那嗯好行对哦啊嘿"
    return opens and (not after or after in _MARKS or after in "您你啊呀咱" or _greeted(text, at + len(form)))


def _greeted(text: str, at: int) -> bool:
    """唐经理早，: not 唐经理早就说过."""
    return text[at] in "早好" and text[at + 1 : at + 2] in _MARKS


def _stands(text: str, at: int, form: str) -> bool:
    if len(form) > 2 or form[-1] not in _LOOSE:
        return True
    before, after = text[at - 1 : at], text[at + 2 : at + 3]
    return (not before or before not in _MEASURED) and not (form[-1] in "工总" and after and after in _GOES_ON)


_MARKS = "，。！？；：、…“”"
_LOOSE = "总工姐哥"
# numerals and words that end in a character which is also a surname
_MEASURED = "一二三四五六七八九十两几每多本上下这那半整提升很最较新"
_GOES_ON = "作程业人资厂期序具会额价表数量共体结部是算之计成和要"
