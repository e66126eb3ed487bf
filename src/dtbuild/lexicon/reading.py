"""`read`: every amount, rate, term, date, count, ratio and bare number of a running text, with its place.

One pass from left to right. At each place that can start a mention the longest reading is taken; a longer or
equally long idiom (千万别, 二百五, 一次性) wins over it. `unit_in_play` settles numbers said without their unit:
a big unit (`"万"`, `"亿"`), or a type tag with an optional argument after a colon: `"money"`, `"money:万"`, `"rate"`,
`"rate:year"`, `"change"`, `"term:month"`, `"term:day"`, `"term:workday"`, `"count:台"`, `"factor"`.

>>> [(m.text, m.value.amount) for m in read("剩下的按七百二十万，继续往下核。")]
[('七百二十万', Decimal('7200000'))]
>>> read("七百二，对吧？", unit_in_play="万")[0].value.amount
Decimal('7200000')
>>> read("一会儿再说，千万别急。")
()
"""

from __future__ import annotations

import datetime
from decimal import Decimal

from dtbuild.lexicon import dates
from dtbuild.lexicon.composites import joined
from dtbuild.lexicon.mentions import Mention, as_mention, starts
from dtbuild.lexicon.numerals import BIG, SMALL, digit_run
from dtbuild.lexicon.phrases import phrase
from dtbuild.lexicon.tables import IDIOMS
from dtbuild.lexicon.widths import normalise
from dtbuild.records.values import Date, Value

__all__ = ["Mention", "number_of", "read", "value_of"]


def read(text: str, *, unit_in_play: str | None = None, anchor: datetime.date | None = None) -> tuple[Mention, ...]:
    """All mentions of `text`, in order, never overlapping; spans count characters of `text` as given.

    `anchor` is the day against which relative dates are resolved; without it they are found without a value.
    """
    plain = normalise(text)
    found: list[Mention] = []
    at, size, clause = 0, len(plain), 0
    for place in starts(plain):
        if place < at:
            continue
        day = _anchored(plain, found, place) or anchor
        mention = _at(text, plain, place, clause, unit_in_play, day)
        idiom = IDIOMS.at(plain, place)
        if idiom is not None and (mention is None or len(idiom.surface) >= mention.end - place):
            at = place + len(idiom.surface)
            continue
        if mention is None:
            at = _past_digits(plain, place)
            continue
        at = clause = mention.end
        if mention.kind != "skip":
            found.append(mention)
        if at >= size:
            break
    return joined(text, plain, found)


def value_of(text: str, kind: str) -> Value | None:
    """The value that `text` names when it names one value of type `kind` and nothing else; otherwise None."""
    play = kind if kind in ("money", "rate", "change", "factor") else None
    mentions = read(text, unit_in_play=play)
    if len(mentions) != 1:
        return None
    value = mentions[0].value
    return value if value is not None and value.__struct_config__.tag == kind else None


def number_of(text: str) -> Decimal | None:
    """The bare number that `text` is, or None."""
    mentions = read(text)
    whole = len(mentions) == 1 and mentions[0].text == text.strip()
    return mentions[0].number if whole else None


def _at(
    text: str, plain: str, place: int, clause: int, play: str | None, anchor: datetime.date | None
) -> Mention | None:
    day = dates.find(plain, place, anchor) if plain[place] in dates.FIRSTS else None
    measure = phrase(plain, place, clause)
    if measure is not None and (day is None or measure.end >= day.end + (day.iso is not None)):
        mention = as_mention(text, plain, measure, play)
        if mention is not None or day is None:
            return mention
    return _dated(text, day) if day is not None else None


def _anchored(plain: str, found: list[Mention], place: int) -> datetime.date | None:
    """五月六号到八号: the second day follows the first."""
    if not found or plain[found[-1].end : place] not in ("到", "至", "、", "和"):
        return None
    value = found[-1].value
    return datetime.date.fromisoformat(value.iso) if isinstance(value, Date) else None


def _past_digits(plain: str, place: int) -> int:
    """Where reading goes on after a run of digits that is no number: its last digit may start one (张三三百万)."""
    digits, end = digit_run(plain, place)
    if len(digits) < 2:
        return place + 1
    return end - 1 if plain[end : end + 1] in SMALL or plain[end : end + 1] in BIG else end


def _dated(text: str, day: dates.Day) -> Mention:
    value = Date(iso=day.iso, bound="by" if day.bound == "by" else "on") if day.iso else None
    return Mention(day.start, day.end, text[day.start : day.end], value, None, (), "date")
