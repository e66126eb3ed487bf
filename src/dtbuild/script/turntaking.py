"""What may stand in one turn, and what talk beside the matter may still be about.

A turn is about one matter and makes few moves: only a short receipt (好，三个月) may turn to something else, as in
好，三个月。那利率呢？ Talk beside the matter never asks what has been spoken of, or what the plan is about.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from dtbuild.lexicon.characters import hanzi_in
from dtbuild.records.blueprint import Blueprint
from dtbuild.records.plan import Person, Plan
from dtbuild.script.draft import Draft

TRIGGERS = frozenset({"start", "hold", "advance", "settle", "reopen.start", "reopen.hold"})
"""Banks whose entries carry events."""
SMALL = frozenset({"talk.matter", "talk.case"})
"""Banks of talk beside the matter."""
_RECEIPTS = frozenset({"nod", "say.reply", "wish.reply", "weigh", "open", "aside"})
"""Moves whose short turns may turn to another matter."""
_OWN_TURN = frozenset({"object", "wish", "say"})
"""Moves that never follow a word about another matter."""
_BESIDE = frozenset({"side", "weigh"})
"""Exchanges that begin a turn, or follow a receipt."""
_SHORT = 16
"""汉字 of a receipt after which something else may begin."""
_SUBJECTS = tuple(
    re.compile(words)
    for words in (
        "记着|在记|纪要|录音|录着", "章", "评级|展望", "雪|天阴", "来厂里|去厂里|现场|带[您你]转", "那页|跟上|记全", "存哪儿|放哪儿",
        "贷后|回访", "通知", "对账", "验收|抽检", "登记", "授权书", "法人", "订单|单子[多定]", "流水|账上", "存货|压不压货|库",
        "退货|返工", "面签|签字那天", "送货|谁送|物流|司机", "茶|水", "窗|闷", "放假|年关", "确权|平台", "付款|给票|准不准时",
        "质检|抽检|检验", "合同|框架", "担保|保证合同", "真伪|查重|排重|撞", "逾期", "报表|审计", "保单|保险",
    )
)  # fmt: skip
"""What talk beside the matter may be about: nothing is asked that has been spoken of, or will be."""


def goes_on(last: Draft | None, who: Person, bank: str = "", field: str | None = None) -> bool:
    """Whether a phrase about `field` may stand in the turn `last`, where `who` is its speaker."""
    if last is None or last.person != who.id or last.closed or not last.text:
        return True
    if bank.startswith("tail.") or last.move in TRIGGERS or last.move.startswith("head."):
        return True
    if bank.startswith("authority.") and last.move == "bridge" and last.topic == field:
        # 那比例呢？这条归你定，你看怎么样？
        return True
    if bank in _BESIDE and not last.move.startswith("take."):
        return False
    if last.topic == field and field is not None:
        return last.parts < 3 and not (last.text.endswith("？") and bank not in TRIGGERS)
    return short_receipt(last) and bank not in SMALL | _OWN_TURN


def short_receipt(draft: Draft) -> bool:
    """Whether a turn holds nothing but a few words that take something up."""
    said = draft.parts <= 1 and hanzi_in(draft.text) <= _SHORT and "？" not in draft.text
    return said and (draft.move.startswith(("take.", "bridge", "shift")) or draft.move in _RECEIPTS)


class Memory:
    """Subjects that have been spoken of, or will be."""

    def __init__(self, plan: Plan, blueprint: Blueprint) -> None:
        used = {name for _, _, event in plan.events() for name in (event.obstacle, event.condition) if name}
        lines = [part.lines for part in blueprint.obstacles if part.id in used]
        lines += [part.lines for part in blueprint.conditions if part.id in used]
        texts = [line for each in lines for bank in each.values() for line in bank]
        fields = {spec.key: spec for spec in blueprint.fields}
        texts += [word for t in plan.trajectories for word in fields[t.key].said]
        self._known = _subjects("".join(texts))
        self._read = 0

    def knows(self, turns: Sequence[Draft], text: str) -> bool:
        """Whether the words are about something that `turns` have spoken of, or that the plan is about."""
        for draft in turns[self._read :]:
            self._known |= _subjects(draft.text)
        # the last turn may still grow
        self._read = max(0, len(turns) - 1)
        return bool(_subjects(text) & self._known)


def _subjects(text: str) -> set[int]:
    return {at for at, words in enumerate(_SUBJECTS) if words.search(text)}
