"""What the lexicon reads in a turn, and whether a declared mention is one of these readings.

The unit in play comes from the field a mention belongs to and from the talk before it: 七百二 is 7.2 million only
after somebody has said an amount in 万. A reading may leave open what the field fixes (the period of a rate, the
thing a price is for, whether a date is a deadline); what it does say must agree.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from functools import lru_cache

from dtbuild.lexicon.compare import same
from dtbuild.lexicon.reading import Mention as Reading
from dtbuild.lexicon.reading import read
from dtbuild.records.script import Mention, Turn
from dtbuild.records.values import Change, Composite, Count, Date, Factor, Money, Range, Rate, Status, Term, Value
from dtbuild.review.case import Case

_SCALES = "亿万"


def readings(case: Case, turn: Turn) -> tuple[Reading, ...]:
    """Everything in the turn that names an amount, rate, term, date, count or bare number."""
    return tuple(found for found in _read(turn.text, None, case.plan.anchor_date) if _names(found))


def declared(case: Case, turn: Turn, reading: Reading) -> bool:
    """Whether declared mentions account for a reading: they cover it, or one inside it has its value.

    年化六个点 is declared by a mention on 六个点 of 6 % a year; 不到五百万 is not by one on 五百万.
    """
    covered: set[int] = set()
    for mention in case.mentions_in(turn.id):
        covered.update(range(mention.start, mention.end))
        inside = reading.start <= mention.start and mention.end <= reading.end
        if inside and _agrees(reading, mention.value):
            return True
    return all(at in covered or not turn.text[at].isalnum() for at in range(reading.start, reading.end))


def says(case: Case, turn: Turn, mention: Mention) -> bool:
    """Whether the words of a mention, read in their turn, can say its value."""
    if isinstance(mention.value, Status):
        return _status_said(case, turn, mention)
    return any(_found(case, turn, mention, play) for play in (None, *_plays(case, mention)))


def _found(case: Case, turn: Turn, mention: Mention, play: str | None) -> bool:
    read_there = _read(turn.text, play, case.plan.anchor_date)
    around = [each for each in read_there if each.start <= mention.start and mention.end <= each.end]
    if any(_agrees(each, mention.value) for each in around):
        return True
    if isinstance(mention.value, Composite):
        inside = [each for each in read_there if mention.start <= each.start and each.end <= mention.end]
        return all(any(_agrees(each, part) for each in inside) for part in mention.value.parts)
    return False


def _agrees(reading: Reading, value: Value) -> bool:
    values = (*reading.ambiguous, *((reading.value,) if reading.value is not None else ()))
    whole = [*values, *(part for each in values if isinstance(each, Composite) for part in each.parts)]
    return any(_fits(each, value) for each in whole)


def equal(one: Value, other: Value) -> bool:
    """`lexicon.compare.same`, without its cost for values of different types."""
    return type(one) is type(other) and (one == other or same(one, other))


def _fits(said: Value, value: Value) -> bool:
    if equal(said, value):
        return True
    if isinstance(said, Rate) and isinstance(value, Rate):
        # 六个点 may be said of a yearly rate, never 月息六厘
        open_rate = Rate(value=value.value, unit=value.unit, per=said.per and value.per, base=said.base and value.base)
        return equal(said, open_rate)
    if isinstance(said, Money) and isinstance(value, Money) and said.per is None:
        return equal(said, Money(amount=value.amount, currency=value.currency))
    if isinstance(said, Date) and isinstance(value, Date) and said.bound == "on":
        return said.iso == value.iso
    return False


def _plays(case: Case, mention: Mention) -> Iterator[str]:
    """Units that can be in play for a mention of this value at its place."""
    value = mention.value
    if isinstance(value, Money):
        yield "money"
        scale = _scale_before(case, mention)
        if scale:
            yield f"money:{scale}"
    elif isinstance(value, Rate):
        yield "rate"
        if value.per:
            yield f"rate:{value.per}"
    elif isinstance(value, Change):
        yield "change"
    elif isinstance(value, Factor):
        yield "factor"
    elif isinstance(value, Term):
        yield f"term:{value.unit}"
    elif isinstance(value, Count):
        yield f"count:{value.unit}"
    elif isinstance(value, Range):
        yield from (value.of.type, f"money:{_scale_before(case, mention)}")


def _scale_before(case: Case, mention: Mention) -> str | None:
    """万 or 亿, whichever the latest amount of money before this mention was said in."""
    at = case.place(mention)
    before = [each for each in case.script.mentions if isinstance(each.value, Money) and case.place(each) < at]
    for each in sorted(before, key=case.place, reverse=True):
        for scale in _SCALES[::-1]:
            if scale in case.said(each):
                return scale
    return None


def _status_said(case: Case, turn: Turn, mention: Mention) -> bool:
    planned = case.events.get(mention.target or "")
    field = case.field(planned.trajectory) if planned else None
    words = field.codes.get(mention.value.code, ()) if field and isinstance(mention.value, Status) else ()
    return any(word in turn.text[mention.start : mention.end] for word in words)


def _names(reading: Reading) -> bool:
    return reading.value is not None or reading.number is not None or bool(reading.ambiguous)


@lru_cache(maxsize=8192)
def _read(text: str, play: str | None, anchor: str) -> tuple[Reading, ...]:
    # the B recording of a pair has the same texts as its A
    return tuple(read(text, unit_in_play=play, anchor=datetime.date.fromisoformat(anchor)))
