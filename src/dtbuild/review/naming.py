"""What a scenario calls things, as rules look for it in the talk: names of fields, and the words of obstacles."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from dtbuild.lexicon.characters import is_hanzi
from dtbuild.records.blueprint import Blueprint

BLANK = "□"
_PLACEHOLDER = re.compile(r"\{[^}]*\}|@\S+")


@lru_cache(maxsize=16)
def field_names(blueprint: Blueprint) -> Mapping[str, str]:
    """Every name of every field with the field's key, longest names first: 额度带期限 is found before 期限."""
    names = {said: field.key for field in blueprint.fields for said in field.said}
    return {name: names[name] for name in sorted(names, key=lambda name: (-len(name), name))}


def named_fields(text: str, names: Mapping[str, str]) -> list[str]:
    """Keys of the fields that a text names, by their longest names."""
    found: list[str] = []
    for name, key in names.items():
        if name in text:
            text = text.replace(name, BLANK)
            found.append(key)
    return list(dict.fromkeys(found))


def nameless(text: str, names: Mapping[str, str]) -> str:
    """The text with blanks for names, at its length: in 能认的应收 nobody says 能."""
    for name in names:
        if name in text:
            text = text.replace(name, BLANK * len(name))
    return text


@lru_cache(maxsize=16)
def obstacle_words(blueprint: Blueprint) -> Mapping[str, frozenset[str]]:
    """For every obstacle, the pairs of neighbouring 汉字 in all that the scenario says about it."""
    return {
        each.id: pairs("｜".join([each.how, *(line for lines in each.lines.values() for line in lines)]))
        for each in blueprint.obstacles
    }


def pairs(text: str) -> frozenset[str]:
    """Pairs of neighbouring 汉字 in a text or a template of one."""
    text = _PLACEHOLDER.sub(BLANK, text)
    return frozenset(text[at : at + 2] for at in range(len(text) - 1) if is_hanzi(text[at]) and is_hanzi(text[at + 1]))
