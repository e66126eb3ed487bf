"""A hand-written dialogue with a speaker swap: two risk managers, a hold that may move from the one to the other."""

from __future__ import annotations

from msgspec.structs import replace

from dtbuild.records.plan import Beat, Cycle, Event, Person, Plan, Swap, Trajectory
from dtbuild.records.script import Script
from review.marked import script
from review.sample import VALUES
from review.sample import plan as sample_plan

LINES: tuple[tuple[str, str, str], ...] = (
    ("p1", "ask", "何会计，这批应收您打算做多少？"),
    ("p2", "start", "老板的意思是{按{八百万|m:m1:event:A1:8m s:value:A1}做|s:action:A1}。"),
    ("p1", "note", "行，我先记着。{金额归风控这边定，林岚和沈舟谁签都算数|s:authority:A3}，你们看过底单没有？"),
    (
        "p3",
        "hold",
        "看了一遍，{有发票还没确权|s:obstacle:A2}，{{这个数|s:value:A2@m1}先停一停|s:action:A2}。",
    ),
    ("p2", "doubt", "啊？哪几张没确权？"),
    ("p3", "swap:A2:explain", "签收单上日期对不上的那几张。"),
    ("p2", "answer", "那是仓库后补的，原件我发过来了，您再看看。"),
    (
        "p4",
        "settle",
        "嗯，原件都对上了，{{金额|s:scope:A3}我签{八百万|m:m2:event:A3:8m s:value:A3}|s:conclusion:A3}。",
    ),
    ("p3", "file", "底单我来归档。"),
    ("p1", "close", "好，那今天就到这儿。"),
)


def pair() -> tuple[Plan, Script]:
    """A and its plan: the hold and its explanation move from p3 to p4, who settles in both."""
    base = sample_plan()
    scope = "financing_amount"
    events = (
        Event(id="A1", action="start", value=VALUES["8m"], person="p2", scope=scope),
        Event(
            id="A2",
            action="hold",
            value=VALUES["8m"],
            person="p3",
            scope=scope,
            predecessor="A1",
            obstacle="receivable_unconfirmed",
            value_said="elliptical",
        ),
        Event(
            id="A3",
            action="settle",
            value=VALUES["8m"],
            person="p4",
            scope=scope,
            predecessor="A2",
            result="approved",
        ),
    )
    plan = replace(
        base,
        index=1,
        cast=(
            *base.cast,
            Person(id="p4", name="沈舟", gender="female", role="risk_manager", title="风控经理"),
        ),
        trajectories=(
            Trajectory(
                id="A", entity="receivable_pool", field="financing_amount", cycles=(Cycle(id="c1", events=events),)
            ),
        ),
        candidates=(),
        distractors=(),
        beats=tuple(Beat(kind="event", ref=event.id) for event in events),
        phenomena=("suspension",),
        change=Swap(events=("A2",), giver="p3", taker="p4"),
    )
    return plan, script(plan, LINES, VALUES)
