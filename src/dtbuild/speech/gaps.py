"""How long it is silent between two turns: drawn from the words on either side, the same for the same seed.

A gap hangs on the text before and after it, and on whether one person says both: never on gold, never on the place in
the dialogue. So a changed turn moves only the two gaps beside it, and the variants of a family keep every gap between
turns that they share.

What the numbers stand on. Turns follow each other within some 200 ms in all languages measured, overlaps counted as
negative (Stivers et al. 2009, PNAS 106; Levinson and Torreira 2015, Frontiers in Psychology 6:731); answers come
sooner than other turns, and answers to yes/no questions sooner than to open ones (Languages 8(2):115, 2023). Silent
transitions alone are skewed to the right, about 360 ms at the median in interviews (Weingartová et al. 2014, Speech
Prosody), pauses typically last 250 to 500 ms (Lundholm Fors 2015), and on the telephone they are shorter than face to
face (ten Bosch et al. 2004, LNCS 3206). Mandarin was in none of these samples; nothing published was found for gaps
in Mandarin business talk, and languages differ by at most 250 ms from the common mean (Stivers et al.). The order of
the classes is what the sources say; the figures for an errand, a change of subject and words left hanging are ours.

A take keeps up to 50 ms of silence at either end (`silence.LEAD`), so what is heard is up to 0.1 s longer than the
gap that is drawn here.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from dtbuild.seeds import rng
from dtbuild.timebase import to_samples

LEAD_IN, TAIL = 0.4, 0.6
"""Seconds before the first turn and after the last."""


class Gap(NamedTuple):
    """A kind of gap: log-normal round `median` seconds with `spread` (of the logarithm), cut off at `low` and `high`."""

    name: str
    median: float
    spread: float
    low: float
    high: float

    def seconds(self, normal: float) -> float:
        """The gap at a draw from the standard normal distribution."""
        return min(self.high, max(self.low, self.median * math.exp(self.spread * normal)))


BACKCHANNEL = Gap("back-channel", 0.10, 0.35, 0.05, 0.30)
"""嗯。对。这样啊。 and nothing more."""
POLAR = Gap("answer to yes or no", 0.17, 0.45, 0.06, 0.60)
ASSENT = Gap("assent", 0.20, 0.45, 0.07, 0.70)
"""好，… 行，…: taken up before it is gone on."""
OPEN = Gap("answer", 0.26, 0.50, 0.08, 1.00)
PLAIN = Gap("statement", 0.32, 0.50, 0.10, 1.20)
CONTINUED = Gap("same person", 0.42, 0.45, 0.18, 1.20)
SUBJECT = Gap("change of subject", 0.60, 0.40, 0.30, 1.60)
TRAILING = Gap("words left hanging", 0.75, 0.40, 0.35, 1.80)
LOOKUP = Gap("look-up", 1.20, 0.35, 0.70, 2.60)
ERRAND = Gap("errand", 1.60, 0.35, 0.90, 3.20)
"""Back from the telephone, from a search."""

_MARK = "[。！？…—”’]*$"
_WORDS = re.compile("[\u3400-\u9fff]")
_SHORT = 5
"""Most 汉字 of a back-channel."""
_ASSENTS = "嗯嗯|嗯|哦|噢|哎|对|好嘞|好的|好吧|好|行吧|行|成|是是|是的|是|可以|没错|明白了|明白|收到|知道了"
_BACKCHANNEL = re.compile(f"^(({_ASSENTS}|这样啊|这样|听着呢|在听|是嘛|可不|难怪|也是)[，。！…啊呢的]*)+$")
_ASSENT = re.compile(f"^({_ASSENTS})[，。！…]")
_GO = re.compile("(去吧|接吧|翻翻底稿|[我们]等着|您忙|你忙|不急)[。！…]*$")
_BACK = re.compile("^(喂|回来了|接完了|打完了|好了，|久等|让(各位|大家|您|你)久等)")
_MOMENT = re.compile(
    "(稍等|(?<![先得])等等|等一下|等下|等会儿?|等我|容我|让我看|我看看|我看一眼|我看一下|我查查|我查一下|我翻翻|我翻一下|我找找|我算算|我问一下|接个电话)"
    f"[^，。！？…过了]{{0,4}}{_MARK}"
)
_LET = re.compile("^(去吧|接吧|没事|不急|别着?急|怎么了|什么|出什么|好|行|成|嗯|哦|噢)")
_HANGING = re.compile("(…|—)[。！？”’]*$")
_ASKING = re.compile("(？|吗|呢)[。！？”’]*$")
_POLAR = re.compile(r"((吗|吧|没有|没|不)[啊呀]?|(.)[不没]\3[^，。！？]*|有没有[^，。！？]*)？[”’]*$")
_SUBJECT = re.compile(
    "^(对了|哦对|另外|还有|另有|诶|哎，|再一个|再就是|接下来|下一|我插一句|我多句嘴|问一句|说句|回头说|先说|咱们说|"
    "那?[\u4e00-\u9fff]{1,3}(经理|会计|老师|主管|主任|总|工|行长)，|那[^，。？！]{1,8}(呢|咱们|我们))"
)


def kind(before: tuple[str, str], after: tuple[str, str]) -> Gap:
    """The kind of gap between two turns, each (person, text): the first that fits, the rare kinds first.

    >>> kind(("p1", "您打算做多少？"), ("p2", "八百万。")).name
    'answer'
    >>> kind(("p1", "这批按八百万做。"), ("p2", "嗯。")).name
    'back-channel'
    >>> kind(("p1", "稍等，我看看。"), ("p2", "八百万没问题。")).name
    'look-up'
    """
    (one, said), (other, says) = before, after
    if _BACK.search(says) or _GO.search(said):
        return ERRAND
    if _MOMENT.search(said) and not _LET.search(says):
        return LOOKUP
    if _HANGING.search(said):
        return TRAILING
    if one == other:
        return CONTINUED
    if is_backchannel(says):
        return BACKCHANNEL
    if _ASKING.search(said):
        return POLAR if _POLAR.search(said) else OPEN
    if _SUBJECT.search(says):
        return SUBJECT
    return ASSENT if _ASSENT.search(says) else PLAIN


def is_backchannel(text: str) -> bool:
    """Whether a whole turn only says: I hear you.

    >>> is_backchannel("嗯，听着呢。"), is_backchannel("好，八百万。")
    (True, False)
    """
    return len(_WORDS.findall(text)) <= _SHORT and bool(_BACKCHANNEL.search(text))


def gaps(turns: Sequence[tuple[str, str, str]], seed: int) -> tuple[int, ...]:
    """Silence before the first turn, between turns, after the last, in samples: one more than there are turns.

    `turns` holds (turn id, person, text); ids are not looked at. No gap is shorter than 50 ms.

    >>> texts = [("t1", "a", "您打算做多少？"), ("t2", "b", "八百万。")]
    >>> [round(gap / 24_000, 1) for gap in gaps(texts, 1)]
    [0.4, 0.4, 0.6]
    """
    seen: Counter[tuple[str, str]] = Counter()
    found = [to_samples(LEAD_IN)]
    for before, after in pairwise((person, text) for _, person, text in turns):
        pair = before[1], after[1]
        normal = rng(seed, "gap", *pair, seen[pair]).gauss(0.0, 1.0)
        seen[pair] += 1
        found.append(to_samples(kind(before, after).seconds(normal)))
    return (*found, to_samples(TAIL))
