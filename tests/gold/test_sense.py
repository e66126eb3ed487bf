"""Plans make sense to somebody of the trade: who lifts, proposes, counters, wishes and reopens, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from itertools import pairwise

import pytest

from dtbuild.blueprint.load import load
from dtbuild.gold.planner import plan
from dtbuild.gold.settings import GoldSettings
from dtbuild.legality.values import same
from dtbuild.records.plan import Cycle, Event, Plan, Trajectory
from dtbuild.records.values import Change, Composite, Count, Date, Factor, Money, Rate, Status, Term, Value

from .families import kind

SUPPLY = load("supply_chain")
SIDES = {role.id: role.side for role in SUPPLY.roles}


@pytest.fixture(scope="module")
def plans() -> list[Plan]:
    return [plan(SUPPLY, GoldSettings(), seed=515, index=k, change=kind(k)) for k in range(1, 401)]


def side(made: Plan, person: str) -> str:
    return SIDES[made.person(person).role]


def number(value: Value | None) -> Decimal | None:
    if isinstance(value, Money):
        return value.amount
    if isinstance(value, Rate | Change | Term | Count | Factor):
        return value.value
    return Decimal(date.fromisoformat(value.iso).toordinal()) if isinstance(value, Date) else None


def steps(plans: list[Plan]) -> Iterator[tuple[Plan, Trajectory, Cycle, Event | None, Event]]:
    for made in plans:
        for trajectory, cycle, event in made.events():
            at = cycle.events.index(event)
            yield made, trajectory, cycle, cycle.events[at - 1] if at else None, event


def test_holds_are_lifted_by_the_side_that_holds_and_seldom_in_the_settle(plans: list[Plan]) -> None:
    lifted = Counter[str]()
    own = 0
    for made, _, _, before, event in steps(plans):
        if event.clears is not None:
            assert before is not None and side(made, event.person) == side(made, before.person) != "supplier"
            lifted[event.action] += 1
            own += event.person == before.person
    assert lifted["settle"] / lifted.total() < 0.08
    assert own / lifted.total() > 0.6


def test_values_start_with_those_who_would_name_them(plans: list[Plan]) -> None:
    client = {"financing/amount", "financing/term", "financing/disbursement_date", "repayment/due_date"}
    for made, trajectory, cycle, before, event in steps(plans):
        if event.action != "start" or cycle is not trajectory.cycles[0] or before is not None:
            continue
        field = SUPPLY.field(trajectory.key)
        assert made.person(event.person).role in field.proposed_by, (made.family, event.id)
        natural = {person.id for person in made.cast if SIDES[person.role] == "supplier"}
        if trajectory.key in client and side(made, event.person) == "bank":
            assert not any(SUPPLY.may(made.person(p).role, field.scope, "start") for p in natural), made.family
        if SIDES[field.proposed_by[0]] == "bank":
            assert side(made, event.person) == "bank"


def test_facts_are_checked_and_not_haggled_over(plans: list[Plan]) -> None:
    for made, trajectory, _, _, event in steps(plans):
        if SUPPLY.field(trajectory.key).nature == "fact":
            assert event.reason in (None, "recount", "obstacle", "reopening", "standing"), (made.family, event.id)
            assert event.result in (None, "confirmed")
        else:
            assert event.reason != "recount"
    for made in plans:
        for candidate in made.candidates:
            key = next(t.key for t in made.trajectories if t.id == candidate.trajectory)
            assert SUPPLY.field(key).nature == "term"


def test_wishes_follow_an_interest_and_are_mostly_the_clients(plans: list[Plan]) -> None:
    wishing = Counter[str]()
    for made in plans:
        order = [beat.ref for beat in made.beats]
        for candidate in made.candidates:
            trajectory = next(t for t in made.trajectories if t.id == candidate.trajectory)
            wishing[side(made, candidate.person)] += 1
            toward = SUPPLY.field(trajectory.key).wants[side(made, candidate.person)]
            said = [e for e in trajectory.events if order.index(e.id) < order.index(candidate.id)]
            standing, wished = number(said[-1].value), number(candidate.value)
            assert standing is not None and wished is not None, made.family
            assert (wished > standing) == (toward == "raise"), (made.family, trajectory.key)
    assert wishing["supplier"] / wishing.total() > 0.75


def test_a_changed_term_has_a_reason_and_goes_where_the_speaker_would_take_it(plans: list[Plan]) -> None:
    seen = Counter[str | None]()
    for made, trajectory, _, before, event in steps(plans):
        if before is None or before.value is None or same(before.value, event.value):
            assert event.reason in (None, "reopening", "standing")
            continue
        seen[event.reason] += 1
        assert event.reason is not None, (made.family, event.id)
        field = SUPPLY.field(trajectory.key)
        old, new = number(before.value), number(event.value)
        if event.reason in ("counter", "concession") and old is not None and new is not None:
            moved = "raise" if new > old else "lower"
            own = field.wants[side(made, event.person)]
            assert moved == own if event.reason == "counter" else moved in field.wants.values(), (made.family, event.id)
            if event.reason == "concession" and moved == own:
                # only among colleagues
                assert len({SIDES[person.role] for person in made.cast}) == 1, (made.family, event.id)
    assert all(seen[reason] > 20 for reason in ("counter", "concession", "recount", "obstacle"))


def test_nobody_takes_a_value_back_to_what_an_obstacle_blocked(plans: list[Plan]) -> None:
    for made in plans:
        for trajectory in made.trajectories:
            held: list[tuple[Decimal, bool]] = []
            for cycle in trajectory.cycles:
                for before, event in zip((None, *cycle.events), cycle.events, strict=False):
                    value = number(event.value)
                    if value is None:
                        continue
                    assert all((value < was) == lower and value != was for was, lower in held), made.family
                    old = number(before.value) if before is not None else None
                    if event.reason == "obstacle" and old is not None:
                        held.append((old, value < old))


def test_refusals_are_of_what_somebody_else_asked_for(plans: list[Plan]) -> None:
    seen = 0
    for made, trajectory, cycle, _, event in steps(plans):
        if event.result == "rejected":
            seen += 1
            named = [e for e in trajectory.events if e.value is not None and e is not event]
            assert all(e.person != event.person for e in cycle.events if e.action == "advance"), made.family
            assert named, made.family
    assert seen


def test_reopenings_have_a_cause_and_come_from_those_who_decide(plans: list[Plan]) -> None:
    reopened = 0
    for made in plans:
        for trajectory in made.trajectories:
            for earlier, later in zip(trajectory.cycles, trajectory.cycles[1:], strict=False):
                first, concluded = later.events[0], earlier.events[-1]
                reopened += 1
                assert side(made, first.person) == side(made, concluded.person) != "supplier", made.family
                assert first.obstacle is not None or first.cause is not None
                if first.cause is not None:
                    assert first.reason == "reopening" and not same(first.value, concluded.value)
    assert reopened > 40


def test_a_first_settle_is_of_what_may_have_been_concluded_before(plans: list[Plan]) -> None:
    first = [t.key for _, t, _, before, event in steps(plans) if event.action == "settle" and before is None]
    assert first and all(SUPPLY.field(key).past for key in first)


def test_dates_are_unambiguous_without_their_year(plans: list[Plan]) -> None:
    anchor = date.fromisoformat(SUPPLY.anchor_date)
    for made in plans:
        values = [e.value for _, _, e in made.events()] + [c.value for c in made.candidates]
        for value in values:
            if isinstance(value, Date):
                assert 0 < (date.fromisoformat(value.iso) - anchor).days <= 334, made.family
        for each in made.distractors:
            if isinstance(each.value, Date):
                assert each.value.iso != SUPPLY.anchor_date
            if isinstance(each.value, Term) and each.value.unit == "month":
                assert each.value.value % 12 == 0


def test_numbers_beside_the_matter_are_said_by_those_who_know_them(plans: list[Plan]) -> None:
    own = {"last_year_revenue", "registered_capital", "workers", "cooperation_years"}
    for made in plans:
        there = {SIDES[person.role] for person in made.cast}
        for each in made.distractors:
            kind = SUPPLY.distractor(each.kind)
            if each.kind in own and "supplier" in there:
                assert side(made, each.person) == "supplier", (made.family, each.kind)
            assert any(p.role in kind.asked_by for p in made.cast if p.id != each.person) or not kind.asked_by


def test_no_condition_stands_beside_an_obstacle_that_denies_it(plans: list[Plan]) -> None:
    seen = 0
    for made in plans:
        obstacles = {event.obstacle for _, _, event in made.events()}
        for _, _, event in made.events():
            if event.condition is not None:
                seen += 1
                assert not obstacles & set(SUPPLY.condition(event.condition).excludes), made.family
    assert seen


def test_whoever_decides_does_not_wait_for_a_superior_through_a_colleague(plans: list[Plan]) -> None:
    seen = 0
    for made, _, _, _, event in steps(plans):
        if event.obstacle is not None and SUPPLY.obstacle(event.obstacle).above:
            seen += 1
            deciders = {p.id for p in made.cast if "approved" in SUPPLY.gives(p.role, event.scope)}
            assert not deciders or event.person in deciders, made.family
    assert seen


def test_as_many_invoices_go_as_the_obstacle_named(plans: list[Plan]) -> None:
    seen = 0
    for made, trajectory, _, before, event in steps(plans):
        if trajectory.key == "receivable_pool/invoice_count" and event.clears == "invoice_duplicate":
            seen += 1
            copies = made.quantities["invoice_duplicate.copies"]
            assert before is not None and isinstance(before.value, Count) and isinstance(event.value, Count)
            assert isinstance(copies, Count) and before.value.value - event.value.value == copies.value
    assert seen


def test_composites_change_in_one_part(plans: list[Plan]) -> None:
    seen = 0
    for _, _, _, before, event in steps(plans):
        if before is not None and isinstance(before.value, Composite) and isinstance(event.value, Composite):
            gone = set(before.value.parts) - set(event.value.parts)
            assert len(gone) <= 1
            seen += len(gone)
    assert seen


def test_who_gives_way_was_asked_to_by_somebody_there(plans: list[Plan]) -> None:
    seen = 0
    for made, trajectory, cycle, before, event in steps(plans):
        if event.reason != "concession":
            continue
        seen += 1
        assert before is not None
        old, new = number(before.value), number(event.value)
        if old is None or new is None:
            continue
        toward = "raise" if new > old else "lower"
        field = SUPPLY.field(trajectory.key)
        keen = {p.id for p in made.cast if p.id != event.person and field.wants.get(SIDES[p.role]) == toward}
        across = {person for person in keen if side(made, person) != side(made, event.person)}
        so_far = cycle.events[: cycle.events.index(event)]
        went_along = {each.person for each in so_far if same(each.value, before.value)}
        assert across or keen - went_along, (made.family, event.id)
    assert seen > 100


def test_a_fact_is_not_counted_again_right_after_somebody_counted(plans: list[Plan]) -> None:
    seen = 0
    for made, trajectory, _, before, event in steps(plans):
        if event.reason == "recount" and SUPPLY.field(trajectory.key).value.type != "status":
            seen += 1
            assert before is not None and before.reason != "recount", (made.family, event.id)
    assert seen > 50


def test_nothing_is_refused_or_withdrawn_in_the_breath_after_it_was_named(plans: list[Plan]) -> None:
    for made, _, _, before, event in steps(plans):
        if event.result in ("rejected", "withdrawn"):
            assert before is not None and before.action != "start", (made.family, event.id)


def test_two_colleagues_have_something_to_talk_through() -> None:
    """Two of one side meet over chains with turns in them, and enough events to carry a talk."""
    made = [plan(SUPPLY, GoldSettings(), seed=77, index=k) for k in range(1, 400, 2)]
    colleagues = [each for each in made if len(each.cast) == 2 and len({SIDES[p.role] for p in each.cast}) == 1]
    assert len(colleagues) > 20
    short = [each for each in colleagues if sum(1 for _ in each.events()) < 7]
    assert len(short) <= 2
    lengths = [max(len(t.events) for t in each.trajectories) for each in colleagues]
    assert sum(length >= 4 for length in lengths) / len(lengths) > 0.9


def test_nobody_takes_up_again_what_he_let_go_on(plans: list[Plan]) -> None:
    onward = 0
    for made in plans:
        for trajectory in made.trajectories:
            for cycle in trajectory.cycles:
                let_go: set[str] = set()
                for before, event in zip((None, *cycle.events), cycle.events, strict=False):
                    own = event.person in let_go
                    # a status goes on to its last: who saw part of it confirmed concludes that all of it is
                    moved = event.reason in ("counter", "recount") and not isinstance(event.value, Status)
                    assert not (own and (event.action == "hold" or moved)), made.family
                    if before is not None and not same(before.value, event.value):
                        let_go = set()
                    if event.condition is not None or (event.clears is not None and event.action == "advance"):
                        let_go.add(event.person)
                        onward += 1
    assert onward > 100


def test_colleagues_do_not_haggle(plans: list[Plan]) -> None:
    """A number of one's own side is countered only by somebody who decides, and only one that was passed on to him."""
    seen = 0
    for made, trajectory, cycle, before, event in steps(plans):
        if event.reason != "counter" or before is None:
            continue
        changed = [e for e in cycle.events[: cycle.events.index(event)] if same(e.value, before.value)]
        namer = changed[0]
        if namer.action != "start" or side(made, namer.person) != side(made, event.person):
            continue
        seen += 1
        scope = SUPPLY.field(trajectory.key).scope
        assert SUPPLY.may(made.person(event.person).role, scope, "settle"), (made.family, event.id)
        assert not SUPPLY.may(made.person(namer.person).role, scope, "settle"), (made.family, event.id)
    assert seen


def test_a_number_moves_twice_in_a_cycle_at_most(plans: list[Plan]) -> None:
    moved = Counter[int]()
    for made in plans:
        for trajectory in made.trajectories:
            for cycle in trajectory.cycles:
                values = [event.value for event in cycle.events if event.value is not None]
                moved[sum(not same(one, other) for one, other in pairwise(values))] += 1
            recounts = [event for event in trajectory.events if event.reason == "recount"]
            assert len(recounts) <= 1 or SUPPLY.field(trajectory.key).value.type == "status", made.family
    assert max(moved) == 2 and moved[2] > 20


def test_nobody_is_given_more_than_he_wished_for(plans: list[Plan]) -> None:
    for made in plans:
        order = [beat.ref for beat in made.beats]
        for candidate in made.candidates:
            trajectory = next(t for t in made.trajectories if t.id == candidate.trajectory)
            toward = SUPPLY.field(trajectory.key).wants[side(made, candidate.person)]
            wished = number(candidate.value)
            assert wished is not None
            for event in trajectory.cycles[0].events:
                value = number(event.value)
                if order.index(event.id) > order.index(candidate.id) and value is not None:
                    assert (value < wished) if toward == "raise" else (value > wished), (made.family, event.id)


def test_what_holds_up_takes_its_time(plans: list[Plan]) -> None:
    """Something else is talked of before it is cleared; what takes days is seldom cleared in the room."""
    waits: list[int] = []
    slow = Counter[bool]()
    for made in plans:
        order = [beat.ref for beat in made.beats]
        for _, _, event in made.events():
            if event.clears is not None and event.predecessor is not None:
                waits.append(order.index(event.id) - order.index(event.predecessor) - 1)
                slow[SUPPLY.obstacle(event.clears).slow] += 1
    assert sum(wait >= 2 for wait in waits) / len(waits) > 0.7
    assert slow[True] / slow.total() < 0.3


def test_what_is_held_up_twice_stays_so(plans: list[Plan]) -> None:
    """Clearing one of two obstacles lifts nothing, and one dialogue has one such matter at most."""
    seen = 0
    for made in plans:
        twice = [e for _, _, c, b, e in steps([made]) if b is not None and b.action == e.action == "hold"]
        assert len(twice) <= 1, made.family
        for event in twice:
            assert not any(later.predecessor == event.id for _, _, later in made.events()), made.family
            seen += 1
    assert seen


def test_values_that_a_chain_opens_with_held_or_settled_stand_from_before(plans: list[Plan]) -> None:
    seen = 0
    for made, trajectory, cycle, before, event in steps(plans):
        opens = before is None and cycle is trajectory.cycles[0] and event.action in ("hold", "settle")
        assert (event.reason == "standing") == (opens and event.value is not None), (made.family, event.id)
        seen += opens
    assert seen > 40
