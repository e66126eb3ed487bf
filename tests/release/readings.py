"""Hand-made families to read: one of each kind of variant, of the sample dialogue's people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal

from msgspec.structs import replace

from dtbuild.records.ids import family_id, recording_id, turn_id
from dtbuild.records.plan import Cycle, Event, Person, Trajectory
from dtbuild.records.script import Mention, Script, Span, Turn
from dtbuild.records.values import Money
from dtbuild.records.variant import VariantKind
from dtbuild.release.reading import Named, Reading, Text

FAMILY = family_id("sc", 9)
MONEY = Money(amount=Decimal(8_000_000), currency="CNY")
LABELS = {("financing", "amount"): "这笔融资 · 融资金额"}
CAST = (
    Person(id="p1", name="周航", gender="male", role="client_manager", title="客户经理"),
    Person(id="p2", name="何洁", gender="female", role="supplier_director", title="供应商财务总监"),
    Person(id="p3", name="欧阳文博", gender="male", role="risk_manager", title="风控经理"),
)
TALK = (
    ("p1", "何总，这批应收您打算做多少？"),
    ("p2", "想做八百万，厂里等着付货款。"),
    ("p3", "八百万，我先看看底单，周航你等我一会儿。"),
    ("p1", "行，欧阳经理您慢慢看。"),
    ("p3", "底单都对上了，这块归我签，金额就批八百万。"),
    ("p2", "太好了，我回去备材料。"),
)


def script(
    variant: str, said: Sequence[tuple[str, str]], cast: Sequence[Person] = CAST, family: str = FAMILY
) -> Script:
    """A script of plain talk; every 八百万 in it is declared."""
    recording = recording_id(family, variant)
    turns = tuple(Turn(id=turn_id(recording, at), person=who, text=text) for at, (who, text) in enumerate(said, 1))
    mentions = tuple(
        Mention(id=f"m{at}", turn=turn.id, start=start, end=start + 3, role="echo", value=MONEY, target="e1")
        for at, turn in enumerate(turns, 1)
        if (start := turn.text.find("八百万")) >= 0
    )
    return Script(
        recording=recording, family=family, scenario="supply_chain", anchor_date="2026-01-31", cast=tuple(cast),
        turns=turns, spans=(), mentions=mentions,
    )  # fmt: skip


def told(script: Script, events: Mapping[str, tuple[Event, int]], named: Sequence[Named] = ()) -> Text:
    """The text with one chain of these events, each said in the turn of that number."""
    spans = tuple(
        Span(turn=script.turns[number - 1].id, kind="action", start=0, end=2, target=id)
        for id, (_, number) in events.items()
    )
    cycle = Cycle(id="c1", events=tuple(event for event, _ in events.values()))
    trajectory = Trajectory(id="T1", entity="financing", field="amount", cycles=(cycle,))
    return Text(replace(script, spans=spans), (trajectory,), tuple(named), ("revision",))


def start(person: str) -> Event:
    return Event(id="e1", action="start", value=MONEY, person=person, scope="amount")


def settle(person: str) -> Event:
    return Event(id="e2", action="settle", value=MONEY, person=person, scope="amount", predecessor="e1", result="approved")  # fmt: skip


def family(b: Text | None = None, kind: VariantKind | None = None) -> Reading:
    a = told(script("a", TALK), {"e1": (start("p2"), 2), "e2": (settle("p3"), 5)})
    return Reading(FAMILY, "供应链金融", LABELS, a, b, kind)


def speaker_swap() -> Reading:
    """The client manager settles; not a word differs."""
    said = [("p1" if number == 5 else who, text) for number, (who, text) in enumerate(TALK, 1)]
    return family(told(script("b", said), {"e1": (start("p2"), 2), "e2": (settle("p1"), 5)}), "speaker_swap")


def role_reassignment() -> Reading:
    """周航 and 欧阳文博 exchange roles and titles, and with them what they say after the first words."""
    one, two, three = CAST
    cast = (replace(one, role=three.role, title=three.title), two, replace(three, role=one.role, title=one.title))
    said = (
        TALK[0],
        TALK[1],
        ("p1", "八百万，我先看看底单，文博你等我一会儿。"),
        ("p3", "行，周经理您慢慢看。"),
        ("p1", TALK[4][1]),
        TALK[5],
    )
    return family(told(script("b", said, cast), {"e1": (start("p2"), 2), "e2": (settle("p1"), 5)}), "role_reassignment")


def confirmation_change() -> Reading:
    """Nobody concludes: the client manager answers in the settler's place, and the reaction follows."""
    said = (
        *TALK[:4],
        ("p1", "底单都对上了，我可做不了主，回头问问再说。"),
        ("p2", "那我等您信儿，材料先备着。"),
    )
    return family(told(script("b", said), {"e1": (start("p2"), 2)}), "confirmation_change")


PAIRS = (speaker_swap, role_reassignment, confirmation_change)
