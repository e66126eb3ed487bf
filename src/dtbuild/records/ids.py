"""Ids of families, recordings and turns.

Family `sc0007q`: two scenario letters, number, check character; recording `sc0007q-a`; turn `sc0007q-a-t012`.
The check character (ISO 7064 MOD 37-36 over the letters and digits before it, restricted so that an id never
reads as a number or date) finds a mistyped or damaged id.

>>> family_id("sc", 7)
'sc0007u'
>>> is_family_id("sc0007u"), is_family_id("sc0008u")
(True, False)
"""

from __future__ import annotations

_ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyz"


def family_id(code: str, index: int) -> str:
    """Id of the index-th family (from 1) of a scenario with a two-letter code."""
    body = f"{code}{index:04d}"
    return body + _check(body)


def is_family_id(text: str) -> bool:
    return len(text) >= 7 and text[:2].isalpha() and text[2:-1].isdigit() and _check(text[:-1]) == text[-1]


def recording_id(family: str, variant: str) -> str:
    """`variant` is "a" or "b"; a standalone family has only "a"."""
    return f"{family}-{variant}"


def turn_id(recording: str, number: int) -> str:
    """Turns count from 1."""
    return f"{recording}-t{number:03d}"


def family_of(id: str) -> str:
    """The family of a family, recording or turn id."""
    return id.split("-", 1)[0]


def _check(body: str) -> str:
    # ISO 7064 MOD 37-36 hybrid system
    total = 36
    for char in body:
        total = (total + _ALPHABET.index(char)) % 36 or 36
        total = total * 2 % 37
    return _ALPHABET[(37 - total) % 36]
