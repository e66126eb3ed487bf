"""Which entry of a bank a phrase is taken from: one that fits the situation, not yet used, of the speaker's own way."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dtbuild.errors import BlueprintError
from dtbuild.script.phrasebook import opens, shuffled
from dtbuild.script.situation import Frame
from dtbuild.script.template import Entry, feasible

if TYPE_CHECKING:
    from dtbuild.script.talk import Talk

OWN = frozenset({"arrive", "chase", "wait", "talk", "reopen.cue", "say.reply", "talk.wait"})
"""Banks whose general entries serve only where the matter at hand has none."""
_CLERK = re.compile("[记写登录抄]")
"""Words of somebody who only writes a number down."""
_TONED = 0.4
"""How often a phrase of the speaker's own way of talking comes before the others."""


def choose(talk: Talk, bank: str, frame: Frame, optional: bool = False, nested: bool = False) -> Entry | None:
    """An entry of a bank that fits; those not yet used in this talk first. `nested` for a bank inside a phrase,
    which need not say the event's value."""
    banks = [prefix + bank for prefix in frame.spaces] + [bank]
    # lines written for this very matter come first, but not always
    ordered = banks if nested or bank in OWN or talk.rng.random() < 0.7 else banks[::-1]
    spare: Entry | None = None
    tone = talk.manner[frame.speaker.id].tone  # each has a way of talking that one hears
    pools = [talk.book.lines(name) for name in ordered]
    if tone in frame.tags and talk.rng.random() < _TONED:
        pools = [talk.book.toned(name, tone) for name in ordered] + pools
    for pool in pools:
        for entry in shuffled(pool, talk.rng):
            if not usable(talk, entry, frame, nested):
                continue
            clerk = bank.startswith("take.") and _CLERK.search(entry.source) is not None
            if clerk and talk.clerk >= 2:
                continue
            if entry.source not in talk.used:
                talk.used.add(entry.source)
                talk.clerk += clerk
                return entry
            spare = spare or entry
    if spare is None and not optional:
        raise BlueprintError(
            f"phrase bank {bank!r}",
            expected=f"an entry for {', '.join(sorted(frame.tags))} with {', '.join(sorted(frame.has))}",
            found=f"none in {', '.join(banks)}",
            fix="add an entry without tags",
        )
    return None if optional else spare


def named_here(talk: Talk, frame: Frame) -> bool:
    """Whether the turn that would go on has named the field already."""
    last = talk.last
    if last is None or frame.field is None or last.person != frame.speaker.id or last.closed:
        return False
    return any(word in last.text for word in talk.fields[frame.field].said)


def parts_of(talk: Talk, key: str) -> frozenset[str]:
    """Parts of a field's names by which it is known, too: 放款 for 放款日."""
    found = talk.parts.get(key)
    if found is None:
        said = talk.fields[key].said
        found = frozenset(word[at : at + 2] for word in said for at in range(len(word) - 1))
        talk.parts[key] = found
    return found


def names(talk: Talk, entry: Entry, frame: Frame) -> bool:
    """Whether the entry says what the field is called."""
    parts = parts_of(talk, frame.field) if frame.field is not None else ()
    return "field" in talk.book.sure(entry) or any(word in entry.source for word in parts)


def usable(talk: Talk, entry: Entry, frame: Frame, nested: bool) -> bool:
    if not nested and "must_name" in frame.tags and not names(talk, entry, frame):
        return False
    if not nested and "need_value" in frame.tags and "value" not in talk.book.sure(entry):
        return False
    if not nested and "headed" in frame.tags and opens(entry):
        return False
    named = frame.field is not None and "field" not in frame.has and not nested
    # the field has just been named: no entry that names it again
    if frame.field is not None and named and any(part in entry.source for part in parts_of(talk, frame.field)):
        return False
    return feasible(entry, frame.tags, frame.has)
