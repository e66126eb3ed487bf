"""Damage to who does what and when, and to the words that carry it."""

from __future__ import annotations

import random
from itertools import pairwise

from msgspec.structs import replace

from dtbuild.records.script import TRIGGER_KINDS, Script, Span
from text_bench import claims
from text_bench.edits import (
    cut,
    drawn,
    edit,
    emptied,
    plain_turns,
    reworded,
    set_turn,
    spans_of,
    trigger_index,
    without,
)
from text_bench.kind import Damaged, Subject, told

WAITING = "停|放|等|压|搁|缓|挂|卡|拦|先别|候|暂|走不|过不|不能|没法|不敢"
AGAIN = "重|再|改|倒|翻|回|推翻|不作数|作废|变|刚才|前头|之前|上回|又"
REFUSED = "不批|不同意|驳回|批不了"
OPEN = "还不能定"


def sentence_gone(subject: Subject, rng: random.Random) -> Damaged | None:
    """The turn of an event becomes an empty remark; its spans and mentions go with it."""
    plan, script, _, _ = subject
    for event in told(subject, rng):
        at = trigger_index(script, event)
        damaged = emptied(script, at, rng.choice(("嗯，您接着说。", "我看看啊，您说。", "是这么回事。")))
        return Damaged(plan, damaged, claims.carried(event.id))
    return None


def split_trigger(subject: Subject, rng: random.Random) -> Damaged | None:
    """The action words of an event lie in another turn than the rest of it."""
    plan, script, _, _ = subject
    for span in drawn([span for span in script.spans if span.kind == "action"], rng):
        if len(spans_of(script, span.target, *TRIGGER_KINDS)) < 2:
            continue
        for at in plain_turns(script, rng):
            if len(script.turns[at].text) >= 4:
                moved = replace(span, turn=script.turns[at].id, start=0, end=2)
                damaged = replace(script, spans=(*without(script, span).spans, moved))
                return Damaged(plan, damaged, claims.carried(span.target))
    return None


def wrong_speaker(subject: Subject, rng: random.Random) -> Damaged | None:
    """Another member of the cast says an event; one who does not speak beside it, where there is one."""
    plan, script, _, _ = subject
    for event in told(subject, rng):
        at = trigger_index(script, event)
        near = {script.turns[n].person for n in (at - 1, at + 1) if 0 <= n < len(script.turns)}
        others = drawn([person.id for person in plan.cast if person.id != event.person], rng)
        others.sort(key=lambda person: person in near)
        return Damaged(plan, set_turn(script, at, person=others[0]), claims.by_its_person(event.id))
    return None


def exchanged_speakers(subject: Subject, rng: random.Random) -> Damaged | None:
    """The turn of an event and the turn after it exchange their speakers."""
    plan, script, _, _ = subject
    for event in told(subject, rng):
        at = trigger_index(script, event)
        if at + 1 < len(script.turns):
            one, two = script.turns[at].person, script.turns[at + 1].person
            damaged = set_turn(set_turn(script, at, person=two), at + 1, person=one)
            return Damaged(plan, damaged, claims.by_its_person(event.id))
    return None


def exchanged_events(subject: Subject, rng: random.Random) -> Damaged | None:
    """Two events of one chain happen in the other order: their turns change places, words, speakers and all."""
    plan, script, _, _ = subject
    pairs = [pair for trajectory in plan.trajectories for pair in pairwise(trajectory.events)]
    for one, two in drawn(pairs, rng):
        a, b = trigger_index(script, one), trigger_index(script, two)
        if a != b:
            return Damaged(plan, _exchanged(script, a, b), claims.in_order())
    return None


def exchanged_beats(subject: Subject, rng: random.Random) -> Damaged | None:
    """The plan has two events of different chains in the other order than they are said."""
    plan, script, _, _ = subject
    owner = {event.id: trajectory.id for trajectory, _, event in plan.events()}
    places = [
        at
        for at, (one, two) in enumerate(pairwise(plan.beats))
        if one.ref in owner and two.ref in owner and owner[one.ref] != owner[two.ref]
    ]
    for at in drawn(places, rng):
        beats = list(plan.beats)
        beats[at], beats[at + 1] = beats[at + 1], beats[at]
        return Damaged(replace(plan, beats=tuple(beats)), script, claims.in_order())
    return None


def action_words_gone(subject: Subject, rng: random.Random) -> Damaged | None:
    """What shows that a matter goes on is not said: 材料齐了，接着往下走 becomes 材料齐了."""
    plan, script, _, _ = subject
    for event in told(subject, rng, "advance", "hold"):
        spans = spans_of(script, event.id, "action")
        others = [s for s in spans_of(script, event.id, "value") if not _overlap(s, spans)]
        if spans and (others or event.value is None or not spans_of(script, event.id, "value")):
            return Damaged(plan, cut(script, event.id, "action"), claims.has(event.id, "action"))
    return None


def obstacle_gone(subject: Subject, rng: random.Random) -> Damaged | None:
    """A hold without a reason: the words of its obstacle are cut."""
    plan, script, _, _ = subject
    for event in told(subject, rng, "hold"):
        spans = spans_of(script, event.id, "obstacle")
        if len(spans) == 1 and not _overlap(spans[0], spans_of(script, event.id, "action", "value")):
            return Damaged(plan, cut(script, event.id, "obstacle"), claims.has(event.id, "obstacle"))
    return None


def obstacle_denied(subject: Subject, rng: random.Random) -> Damaged | None:
    """Where a hold named its obstacle it says that all is well."""
    plan, script, _, _ = subject
    for event in told(subject, rng, "hold"):
        words = rng.choice(("哪儿都挺好", "样样妥当", "我挑不出毛病", "这样很好"))
        damaged = reworded(script, event.id, "obstacle", words)
        kept = tuple(each for each in damaged.mentions if each.role != "premise" or each.target != event.id)
        return Damaged(plan, replace(damaged, mentions=kept), claims.names_its_obstacle(event.id))
    return None


def hold_goes_on(subject: Subject, rng: random.Random) -> Damaged | None:
    """The words of a hold suspend nothing any more."""
    plan, script, _, _ = subject
    for event in told(subject, rng, "hold"):
        damaged = reworded(script, event.id, "action", "照常走")
        damaged = reworded(damaged, event.id, "obstacle", "别的我都看了")
        trigger = script.turns[trigger_index(script, event)].id
        spans = tuple(s for s in damaged.spans if s.turn != trigger or s.end > s.start)
        kept = tuple(m for m in damaged.mentions if m.role != "premise" or m.target != event.id)
        return Damaged(plan, replace(damaged, spans=spans, mentions=kept), claims.turn_says(event.id, WAITING))
    return None


def conclusion_gone(subject: Subject, rng: random.Random) -> Damaged | None:
    """The closing words of a settle are vague ones."""
    plan, script, _, _ = subject
    for event in told(subject, rng, "settle"):
        damaged = reworded(script, event.id, "conclusion", rng.choice(("您听听", "我说说看法", "大家聊聊")))
        spans = tuple(s for s in damaged.spans if s.target != event.id or s.kind not in {"conclusion"})
        return Damaged(plan, replace(damaged, spans=spans), claims.has(event.id, "conclusion"))
    return None


def conclusion_left_open(subject: Subject, rng: random.Random) -> Damaged | None:
    """The closing words take themselves back."""
    plan, script, _, _ = subject
    for event in told(subject, rng, "settle"):
        span = spans_of(script, event.id, "conclusion")[-1]
        damaged = edit(script, span.turn, span.end - 1, span.end - 1, f"，不过{OPEN}，")
        return Damaged(plan, damaged, claims.not_like(event.id, "conclusion", OPEN))
    return None


def result_reversed(subject: Subject, rng: random.Random) -> Damaged | None:
    """Gold approves or confirms, and the text refuses."""
    plan, script, _, _ = subject
    for event in told(subject, rng, "settle"):
        if event.result in {"approved", "confirmed"}:
            damaged = reworded(script, event.id, "conclusion", rng.choice(REFUSED.split("|")))
            return Damaged(plan, damaged, claims.not_like(event.id, "conclusion", REFUSED))
    return None


def scope_gone(subject: Subject, rng: random.Random) -> Damaged | None:
    """A settle does not say what it settles."""
    plan, script, _, _ = subject
    for event in told(subject, rng, "settle"):
        spans = spans_of(script, event.id, "scope")
        if len(spans) == 1 and not _overlap(spans[0], spans_of(script, event.id, *TRIGGER_KINDS)):
            return Damaged(plan, cut(script, event.id, "scope"), claims.has(event.id, "scope"))
    return None


def scope_of_another(subject: Subject, rng: random.Random) -> Damaged | None:
    """A settle names another field than gold settles."""
    plan, script, blueprint, _ = subject
    for event in told(subject, rng, "settle"):
        trajectory = next(each for each, _, other in plan.events() if other.id == event.id)
        own = blueprint.field(trajectory.key)
        near = {*own.said, *blueprint.scope(event.scope).said, *blueprint.scope(own.scope).said}
        others = [
            name
            for field in blueprint.fields
            if field.key != own.key
            for name in field.said
            if not any(name in each or each in name for each in near)
        ]
        spans = spans_of(script, event.id, "scope")
        if len(spans) == 1 and not _overlap(spans[0], spans_of(script, event.id, *TRIGGER_KINDS)):
            damaged = reworded(script, event.id, "scope", rng.choice(others))
            return Damaged(plan, damaged, claims.words_like(event.id, "scope", "|".join((*near, "这[条块项]"))))
    return None


def reopened_unsaid(subject: Subject, rng: random.Random) -> Damaged | None:
    """A closed matter goes on as if it had never been closed."""
    plan, script, _, _ = subject
    opening = [cycle.events[0] for each in plan.trajectories for cycle in each.cycles[1:]]
    for event in drawn(opening, rng):
        damaged = reworded(script, event.id, "action", rng.choice(("先按这个来", "我报一下", "我说个数")))
        return Damaged(plan, damaged, claims.words_like(event.id, "action", AGAIN))
    return None


def resumed_at_once(subject: Subject, rng: random.Random) -> Damaged | None:
    """What was held goes on in the turn that held it, before anybody cleared anything."""
    plan, script, _, _ = subject
    clearing = [event for event in told(subject, rng, "advance") if event.clears and event.predecessor]
    for event in clearing:
        hold = plan.event(event.predecessor or "")
        a, b = trigger_index(script, hold), trigger_index(script, event)
        if hold.action != "hold" or hold.person != event.person or a == b:
            continue
        one, two = script.turns[a], script.turns[b]
        size = len(one.text)
        joined = set_turn(script, a, text=one.text + two.text)
        joined = set_turn(joined, b, text=rng.choice(("嗯，我看看。", "行，您说。", "我翻一下啊。")))
        spans = tuple(
            replace(s, turn=one.id, start=s.start + size, end=s.end + size) if s.turn == two.id else s
            for s in joined.spans
        )
        mentions = tuple(
            replace(m, turn=one.id, start=m.start + size, end=m.end + size) if m.turn == two.id else m
            for m in joined.mentions
        )
        return Damaged(plan, replace(joined, spans=spans, mentions=mentions), claims.held_turns(event.id))
    return None


def _overlap(span: Span, others: list[Span]) -> bool:
    return any(each.start < span.end and span.start < each.end for each in others if each.turn == span.turn)


def _exchanged(script: Script, a: int, b: int) -> Script:
    first, second = script.turns[a], script.turns[b]
    other = {first.id: second.id, second.id: first.id}
    script = set_turn(script, a, text=second.text, person=second.person, move=second.move)
    script = set_turn(script, b, text=first.text, person=first.person, move=first.move)
    return replace(
        script,
        spans=tuple(replace(each, turn=other.get(each.turn, each.turn)) for each in script.spans),
        mentions=tuple(replace(each, turn=other.get(each.turn, each.turn)) for each in script.mentions),
    )
