"""Checks every phrase of a scenario: no undeclared numbers, only speakable characters, banks that exist.

>>> from dtbuild.blueprint.load import load
>>> lint_banks(load("supply_chain"))
()
"""

from __future__ import annotations

import datetime
import re

from dtbuild.lexicon import read
from dtbuild.records.blueprint import Blueprint
from dtbuild.records.verdict import Finding
from dtbuild.script.phrasebook import Phrasebook
from dtbuild.script.template import Entry, banks, flat

_ALLOWED = re.compile(r"[㐀-鿿，。！？；：、…“”《》—■]|LPR|BP|OA|KPI|PPT|App")

_REACTIONS = re.compile(r"^(take\.|aside|nod|close|weigh|defer|after\.|wish\.reply|basis|talk\.|say\.reply)")
_EVENT_WORDS = re.compile(r"往下走|接着走|往下推|继续往下|恢复处理|放行|就按|先挂|挂着|先搁|先停|先压")
"""Words that advance or suspend a matter: in a reaction they would be an event that gold does not have."""

_RANK = re.compile(r"[您你贵■]|我们")
"""In an opening that two keep who exchange roles: words that show who is who. ■ is a slot."""


def lint_banks(blueprint: Blueprint) -> tuple[Finding, ...]:
    """Findings over every entry, with the bank's name as place."""
    book = Phrasebook.of(blueprint)
    anchor = datetime.date.fromisoformat(blueprint.anchor_date)
    found: list[Finding] = []
    for name in book.names():
        entries = [*book.lines(name), *(part for parts in book.exchanges(name) for part in parts)]
        for entry in entries:
            found += _entry(name, entry, anchor)
            for inner in sorted(banks(entry)):
                known = any(other == inner or other.endswith(":" + inner) for other in book.names())
                if not known:
                    found.append(_finding("unknown-bank", name, entry, inner))
    return tuple(found)


def _entry(name: str, entry: Entry, anchor: datetime.date) -> list[Finding]:
    found = []
    reacts = _REACTIONS.match(name) is not None
    for line in flat(entry):
        rank = _RANK.search(line) if name == "open.neutral" else None
        if rank:
            found.append(_finding("shows-role", name, entry, rank.group()))
        words = _EVENT_WORDS.search(line) if reacts else None
        if words:
            found.append(_finding("event-words", name, entry, words.group()))
        for mention in read(line, anchor=anchor):
            if mention.value is not None or mention.number is not None or mention.ambiguous:
                found.append(_finding("undeclared-number", name, entry, mention.text))
        left = _ALLOWED.sub("", line)
        if left:
            found.append(_finding("unspeakable", name, entry, left))
    return list({(f.code, f.where, f.found, f.message): f for f in found}.values())


def _finding(code: str, name: str, entry: Entry, what: str) -> Finding:
    return Finding(code=code, where=name, message=f"phrase {entry.source!r}", found=what)
