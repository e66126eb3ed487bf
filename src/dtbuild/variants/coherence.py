"""What the coherence of every kind of variant rests on: wordings that ascribe and claim, clauses, who is called.

Each check yields findings with level "error": a pair that does not hold together is not released.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from dtbuild.address import named, vocative
from dtbuild.records.script import Script, Turn
from dtbuild.records.verdict import Finding
from dtbuild.variants.turns import fault

ASCRIBED = re.compile(r"(刚才|刚刚|前面|之前|上面)?[^，。！？：、]{0,3}(说|讲|提|定|批|签|报|停|放|卡|问|查|核|认|拍)")
"""After a name, 他 or 她: somebody is said to have said or done something."""
OWN_PAST = re.compile(
    r"我(刚才|刚刚|刚|前面|之前|先前|上面|早先).{0,4}(说|讲|提|定|批|签|报|停|问|查|核)|我说的|我定的|我批的|我报的|我签的"
)
"""Somebody claims what he said or did before."""
THIRD = re.compile(r"(?<!其)[他她](?!们|人)")
_INTRODUCED = re.compile(r"(我是|我叫|我姓|叫我|我就是)$")
_CLAUSE = re.compile(r"[^，。！？；：…]+[，。！？；：…]*")
_OPEN = re.compile(r"不|没|未|别|得|等|要|归|由|才|还|能|会|该|让|请|找|听|谁|哪|怎么|吗|？|如果|回头|再|应该|估计")


def own_answers(a: Script, b: Script, code: str) -> Iterator[Finding]:
    """Nobody speaks twice in a row in B who did not in A: he would answer himself."""
    for at in range(1, min(len(a.turns), len(b.turns))):
        if b.turns[at].person == b.turns[at - 1].person and a.turns[at].person != a.turns[at - 1].person:
            yield fault(code, b.turns[at], "speaks right after himself in B, and did not in A")


def own_name(turn: Turn, forms: Iterable[str], code: str) -> Iterator[Finding]:
    """The speaker does not speak of himself by name; 我是周航 introduces."""
    for at, form in named(turn.text, forms):
        if not _INTRODUCED.search(turn.text[:at]):
            yield fault(code, turn, "the speaker of B speaks of himself by name", form)


def own_title(turn: Turn, title: str, code: str) -> Iterator[Finding]:
    """The speaker does not call himself what somebody else is in this recording: 我这个产品经理, 我是评审员.

    Of a long title the last three 汉字 will do, but not a bare 经理, which many are.
    """
    short = title[-3:] if len(title) > 4 else title
    match = re.search(f"(我(是|做|当|这个|这|一个)+|作为)[^，。！？；：…]{{0,3}}{re.escape(short)}", turn.text)
    if match:
        yield fault(code, turn, "the speaker calls himself by a title that he has not", match.group())


def called(text: str, forms: Iterable[str]) -> list[str]:
    """The forms by which a text calls somebody rather than speaks of him."""
    return [form for at, form in named(text, forms) if vocative(text, at, form)]


def clauses(text: str) -> list[str]:
    """
    >>> clauses("应该问题不大，得林岚签。")
    ['应该问题不大，', '得林岚签。']
    """
    return _CLAUSE.findall(text)


def open_clause(clause: str) -> bool:
    """Whether a clause denies, asks, puts off or gives away what it says: 还得林岚签, not 我签了."""
    return _OPEN.search(clause) is not None
