"""The sample dialogue as data. `python -m review.sample` (in tests/) writes the two files under tests/data."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import msgspec

from dtbuild.records.blueprint import Blueprint, Entity, Field, Names, Right, Role, Scope, ValueSpec
from dtbuild.records.ids import family_id
from dtbuild.records.plan import Beat, Candidate, Cycle, Distractor, Event, Person, Plan, Trajectory
from dtbuild.records.script import Script
from dtbuild.records.values import Count, Date, Money, Rate, Term, Value
from review.marked import script

DATA = Path(__file__).parents[1] / "data"


def _money(amount: int) -> Money:
    return Money(amount=Decimal(amount), currency="CNY")


def _months(value: int) -> Term:
    return Term(value=Decimal(value), unit="month")


def _percent(value: str) -> Rate:
    return Rate(value=Decimal(value), unit="percent")


def _count(value: int) -> Count:
    return Count(value=Decimal(value), unit="张")


VALUES: dict[str, Value] = {
    "8m": _money(8_000_000),
    "7.2m": _money(7_200_000),
    "0.8m": _money(800_000),
    "6mo": _months(6),
    "5mo": _months(5),
    "1pc": _percent("1"),
    "0.8pc": _percent("0.8"),
    "12": _count(12),
    "11": _count(11),
    "2": _count(2),
    "sep": Date(iso="2026-09-30", bound="on"),
    "dec": Date(iso="2026-12-31", bound="on"),
    "28th": Date(iso="2026-02-28", bound="on"),
}


def plan() -> Plan:
    amount = Trajectory(
        id="A",
        entity="receivable_pool",
        field="financing_amount",
        cycles=(
            Cycle(
                id="c1",
                events=(
                    Event(id="A1", action="start", value=VALUES["8m"], person="p2", scope="financing_amount"),
                    Event(
                        id="A2",
                        action="hold",
                        value=VALUES["8m"],
                        person="p3",
                        scope="financing_amount",
                        predecessor="A1",
                        obstacle="receivable_unconfirmed",
                        value_said="elliptical",
                    ),
                    Event(
                        id="A3",
                        action="advance",
                        value=VALUES["7.2m"],
                        person="p3",
                        scope="financing_amount",
                        predecessor="A2",
                        clears="receivable_unconfirmed",
                    ),
                    Event(
                        id="A4",
                        action="settle",
                        value=VALUES["7.2m"],
                        person="p3",
                        scope="financing_amount",
                        predecessor="A3",
                        result="approved",
                    ),
                ),
            ),
        ),
    )
    term = Trajectory(
        id="B",
        entity="receivable_pool",
        field="financing_term",
        cycles=(
            Cycle(
                id="c1",
                events=(
                    Event(id="B1", action="start", value=VALUES["6mo"], person="p2", scope="financing_term"),
                    Event(
                        id="B2",
                        action="advance",
                        value=VALUES["5mo"],
                        person="p2",
                        scope="financing_term",
                        predecessor="B1",
                    ),
                    Event(
                        id="B3",
                        action="settle",
                        value=VALUES["5mo"],
                        person="p3",
                        scope="financing_term",
                        predecessor="B2",
                        result="approved",
                    ),
                ),
            ),
        ),
    )
    fee = Trajectory(
        id="C",
        entity="service_fee",
        field="rate",
        cycles=(
            Cycle(
                id="c1",
                events=(
                    Event(id="C1", action="start", value=VALUES["1pc"], person="p1", scope="service_fee"),
                    Event(
                        id="C2",
                        action="hold",
                        value=VALUES["1pc"],
                        person="p1",
                        scope="service_fee",
                        predecessor="C1",
                        obstacle="needs_instructions",
                        value_said="elliptical",
                    ),
                ),
            ),
        ),
    )
    return Plan(
        family=family_id("sc", 0),
        scenario="supply_chain",
        index=0,
        attempt=0,
        anchor_date="2026-01-31",
        cast=(
            Person(id="p1", name="周航", gender="male", role="client_manager", title="客户经理"),
            Person(id="p2", name="何洁", gender="female", role="supplier_accountant", title="会计"),
            Person(id="p3", name="林岚", gender="female", role="risk_manager", title="风控经理"),
        ),
        facts={"debtor": "恒远"},
        trajectories=(amount, term, fee),
        candidates=(Candidate(id="u1", trajectory="C", person="p2", value=VALUES["0.8pc"]),),
        distractors=(
            Distractor(id="d1", kind="invoice_count", person="p2", value=VALUES["12"]),
            Distractor(id="d2", kind="invoice_date", person="p2", value=VALUES["sep"]),
            Distractor(id="d3", kind="invoice_date", person="p3", value=VALUES["28th"]),
        ),
        beats=(
            Beat(kind="distractor", ref="d1"),
            Beat(kind="event", ref="A1"),
            Beat(kind="event", ref="A2"),
            Beat(kind="distractor", ref="d2"),
            Beat(kind="event", ref="B1"),
            Beat(kind="event", ref="B2"),
            Beat(kind="event", ref="B3"),
            Beat(kind="event", ref="C1"),
            Beat(kind="candidate", ref="u1"),
            Beat(kind="event", ref="C2"),
            Beat(kind="distractor", ref="d3"),
            Beat(kind="event", ref="A3"),
            Beat(kind="event", ref="A4"),
        ),
        phenomena=(
            "revision",
            "suspension",
            "resumption",
            "unauthorised_candidate",
            "interleaving",
            "distractor",
        ),
    )


LINES: tuple[tuple[str, str, str], ...] = (
    ("p1", "ask", "何会计，咱们接着上回说，您那边这批应收，发票一共是多少张来着？"),
    ("p2", "answer", "{十二张|m:m1:distractor:d1:12}，都是给恒远供的货，对账单我上午刚发您邮箱了。"),
    ("p1", "ask", "收到了，我这儿开着呢。那您打算做多少？"),
    (
        "p2",
        "start",
        "我们老板的意思是，这批就{按{八百万|m:m2:event:A1:8m s:value:A1}做|s:action:A1}吧，{年底|m:m26:distractor:-:dec}回款紧。",
    ),
    (
        "p1",
        "echo",
        "嗯，{八百万|m:m3:echo:A1:8m}……行，我先记着。{林岚，金额跟期限归你定|s:authority:A4 s:authority:B3}，底单你看过了吧？",
    ),
    (
        "p3",
        "hold",
        "看了一遍。先别急着往下走啊，{有{两张|m:m4:premise:A2:2}发票恒远那头还没确权|s:obstacle:A2}，"
        "{{这个数|s:value:A2@m2}我这儿先停一停|s:action:A2}。",
    ),
    (
        "p2",
        "doubt",
        "哪{两张|m:m5:premise:A2:2}？不会是{九月底|m:m6:distractor:d2:sep}那{两张|m:m7:premise:A2:2}吧？",
    ),
    ("p3", "answer", "对，就那{两张|m:m8:premise:A2:2}，签收单上日期对不上。"),
    ("p2", "explain", "哦那个我知道，是仓库后补的，我让他们把原件拍过来，您稍等一下啊。"),
    ("p1", "turn", "趁这会儿，期限咱们也碰一下？"),
    ("p2", "start", "{期限我想要{半年|m:m9:event:B1:6mo s:value:B1}|s:action:B1}。"),
    (
        "p3",
        "object",
        "{半年|m:m10:echo:B1:6mo}怕是不行，{你们跟恒远签的账期才{五个月|m:m11:premise:B2:5mo}|s:premise:B2}，融资不能比账期还长。",
    ),
    ("p2", "advance", "那……{{五个月|m:m12:event:B2:5mo s:value:B2}也行|s:action:B2}，能对上回款就行。"),
    (
        "p3",
        "settle",
        "{那就{五个月|m:m13:event:B3:5mo s:value:B3}|s:action:B3}，到期日跟着账期走，{{这条|s:scope:B3}我定了|s:conclusion:B3}。",
    ),
    (
        "p1",
        "start",
        "好，期限{五个月|m:m14:echo:B3:5mo}。何会计，{{费率|s:scope:C1}我先按{一个点|m:m15:event:C1:1pc s:value:C1}给您报|s:action:C1 s:authority:u1}。",
    ),
    (
        "p2",
        "candidate",
        "{一个点|m:m16:echo:C1:1pc}有点高吧，别家银行给我们报{零点八|m:m17:unauthorised:u1:0.8pc s:value:u1}呢。",
    ),
    (
        "p1",
        "hold",
        "{零点八|m:m18:unauthorised:u1:0.8pc}{我做不了主，得回去请示|s:obstacle:C2}，{{费率这条|s:value:C2@m15}先放着，今天不定|s:action:C2}。",
    ),
    ("p2", "errand", "行吧，您尽量帮我争取。诶，单子拍过来了，发您微信了，这回清楚不？"),
    (
        "p3",
        "answer",
        "我看看啊……{二十八号|m:m19:distractor:d3:28th}那张对上了，他们系统里也确权了；另一张签收单上没章。",
    ),
    ("p2", "propose", "那张要不就先不做了，别耽误整批。"),
    (
        "p3",
        "advance",
        "可以，那张{八十万|m:m20:premise:A3:0.8m}的剔出来，剩下的{按{七百二十万|m:m21:event:A3:7.2m s:value:A3}，继续往下核|s:action:A3}。",
    ),
    (
        "p2",
        "confirm",
        "也就是{十一张|m:m22:distractor:-:11}，{七百二|m:m23:echo:A3:7.2m}，对吧？",
    ),
    (
        "p3",
        "settle",
        "对，{十一张|m:m24:distractor:-:11}，都确权了，{{金额这块|s:scope:A4}我签{七百二十万|m:m25:event:A4:7.2m s:value:A4}，没问题|s:conclusion:A4}。",
    ),
    ("p2", "thanks", "太好了，那我回去跟老板说一声，等您费率的消息。"),
    ("p1", "close", "成，明天下班前我给您回话。"),
)


def blueprint() -> Blueprint:
    """As much of a scenario as the sample needs: roles, rights, fields with their names."""

    def field(entity: str, name: str, scope: str, said: tuple[str, ...], value: ValueSpec) -> Field:
        return Field(entity=entity, field=name, scope=scope, said=said, value=value, results=("approved", "rejected"))

    def right(role: str, scope: str, *may: str) -> Right:
        gives = ("approved", "rejected") if "settle" in may else ()
        return Right(role=role, scope=scope, may=may, gives=gives)  # type: ignore[arg-type]

    return Blueprint(
        format="dtbuild.blueprint/1",
        kind="decision_trace",
        id="supply_chain",
        code="sc",
        title="供应链金融",
        anchor_date="2026-01-31",
        roles=(
            Role(id="client_manager", title="客户经理", side="bank", address=("{surname}经理",)),
            Role(id="supplier_accountant", title="会计", side="supplier", address=("{surname}会计",)),
            Role(id="risk_manager", title="风控经理", side="bank", address=("{surname}经理", "{surname}老师")),
        ),
        scopes=(
            Scope(id="financing_amount", said=("金额审批",)),
            Scope(id="financing_term", said=("期限审批",)),
            Scope(id="service_fee", said=("费率",)),
        ),
        authority=(
            right("client_manager", "service_fee", "start", "hold"),
            right("supplier_accountant", "financing_amount", "start", "advance"),
            right("supplier_accountant", "financing_term", "start", "advance"),
            right("risk_manager", "financing_amount", "hold", "advance", "settle"),
            right("risk_manager", "financing_term", "hold", "advance", "settle"),
        ),
        entities=(
            Entity(id="receivable_pool", said=("这批应收",)),
            Entity(id="service_fee", said=("手续费",)),
        ),
        fields=(
            field(
                "receivable_pool",
                "financing_amount",
                "financing_amount",
                ("金额", "融资金额"),
                ValueSpec(type="money", currency="CNY"),
            ),
            field(
                "receivable_pool", "financing_term", "financing_term", ("期限",), ValueSpec(type="term", unit="month")
            ),
            field("service_fee", "rate", "service_fee", ("费率", "手续费率"), ValueSpec(type="rate", unit="percent")),
        ),
        obstacles=(),
        conditions=(),
        distractors=(),
        casts=(),
        names=Names(surnames=(), given_female=(), given_male=()),
        examples=(),
        facts={"debtor": ({"full": "恒远重工有限公司", "short": "恒远"},)},
    )


def sample() -> tuple[Plan, Script]:
    made = plan()
    return made, script(made, LINES, VALUES)


if __name__ == "__main__":
    made_plan, made_script = sample()
    for name, record in (("plan", made_plan), ("script", made_script)):
        text = msgspec.json.format(msgspec.json.encode(record), indent=1)
        (DATA / f"sample_dialogue.{name}.json").write_bytes(text + b"\n")
