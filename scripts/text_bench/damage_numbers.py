"""Damage to numbers: said and not declared, declared and not said, changed, in another unit, unlicensed, too early."""

from __future__ import annotations

import random
from collections.abc import Sequence

from msgspec.structs import replace

from dtbuild.records.plan import Candidate, Distractor
from dtbuild.records.script import Mention, Script
from dtbuild.records.values import Count, Money, Rate, Term
from text_bench import claims_numbers as claims
from text_bench.edits import add, declare, drawn, edit, other, plain_turns, put_before, restate, turn_index
from text_bench.kind import Damaged, Subject


def text_changed(subject: Subject, rng: random.Random) -> Damaged | None:
    """The words of an event's number are another number; mention and plan keep the old one."""
    plan, script, _, _ = subject
    for mention in _mentions(subject, rng, "event"):
        found = other(mention.value, plan, rng)
        if found:
            damaged = edit(script, mention.turn, mention.start, mention.end, found[0])
            return Damaged(plan, damaged, claims.mention_said(mention.id))
    return None


def wrong_unit(subject: Subject, rng: random.Random) -> Damaged | None:
    """五个月 becomes days, 八百万 becomes 八百亿, 三个点 becomes thousandths; the number stays."""
    plan, script, _, _ = subject
    for mention in _mentions(subject, rng, "event", "echo", "unauthorised"):
        words = script.turn(mention.turn).text[mention.start : mention.end]
        for value, unit, wrong in (
            (Term, "个月", "天"),
            (Term, "天", "个月"),
            (Money, "万", "亿"),
            (Money, "万元", "亿元"),
            (Rate, "百分之", "千分之"),
            (Count, "张", "台"),
        ):
            if isinstance(mention.value, value) and unit in words:
                damaged = edit(script, mention.turn, mention.start, mention.end, words.replace(unit, wrong))
                return Damaged(plan, damaged, claims.mention_said(mention.id))
    return None


def value_of_plan(subject: Subject, rng: random.Random) -> Damaged | None:
    """Text and mention of an event agree on a value that the plan does not have."""
    return _restated(subject, rng, "event")


def changed_echo(subject: Subject, rng: random.Random) -> Damaged | None:
    """Somebody repeats a number that nobody said."""
    return _restated(subject, rng, "echo")


def changed_candidate(subject: Subject, rng: random.Random) -> Damaged | None:
    """The unauthorised number is another one than planned."""
    return _restated(subject, rng, "unauthorised")


def changed_distractor(subject: Subject, rng: random.Random) -> Damaged | None:
    """A number of the small talk is another one than planned."""
    return _restated(subject, rng, "distractor")


def changed_premise(subject: Subject, rng: random.Random) -> Damaged | None:
    """The talk counts other papers, or cites another contract, than the case has."""
    return _restated(subject, rng, "premise")


def value_unsaid(subject: Subject, rng: random.Random) -> Damaged | None:
    """Where an event said its number it points at one that nobody named: 按那个数做."""
    plan, script, _, _ = subject
    for mention in _mentions(subject, rng, "event"):
        if mention.target is None:
            continue
        damaged = edit(script, mention.turn, mention.start, mention.end, rng.choice(("那个数", "那么多", "这么个数")))
        # who leans on the number later leans on nothing
        spans = [s for s in damaged.spans if s.antecedent != mention.id]
        kept = tuple(each for each in damaged.mentions if each.id != mention.id)
        if len(spans) == len(damaged.spans):
            return Damaged(plan, replace(damaged, mentions=kept), claims.event_said(mention.target))
    return None


def ranges_slipped(subject: Subject, rng: random.Random) -> Damaged | None:
    """Somebody wrote words before a number and left its range where it was."""
    plan, script, _, _ = subject
    for mention in _mentions(subject, rng, "event", "echo"):
        at = turn_index(script, mention.turn)
        text = script.turns[at].text
        turns = put_before(script, at, rng.choice(("我看看啊，", "这么着吧，", "稍等，", "哎，"))).turns
        if any(each.turn == mention.turn and each.end > len(text) for each in script.mentions):
            continue
        return Damaged(plan, replace(script, turns=turns, edited=True), claims.mention_said(mention.id))
    return None


def undeclared_number(subject: Subject, rng: random.Random) -> Damaged | None:
    """An amount, term, rate or count nobody declared."""
    words = rng.choice(("另外还有四十七万在账上。", "那得再等十九天。", "别家才给两个点。", "我带了二十六份来。"))
    return _added(subject, rng, words)


def undeclared_date(subject: Subject, rng: random.Random) -> Damaged | None:
    """A day nobody declared."""
    day = rng.choice(("六月十八号", "四月十一号", "七月二十九号", "九月六号"))
    return _added(subject, rng, f"{day}再说吧。")


def second_amount(subject: Subject, rng: random.Random) -> Damaged | None:
    """The trigger names a second amount beside the event's own, in the same breath."""
    plan, script, _, _ = subject
    for mention in _mentions(subject, rng, "event"):
        found = other(mention.value, plan, rng)
        if found:
            damaged = add(script, turn_index(script, mention.turn), f"要不就{found[0]}。")
            return Damaged(plan, damaged, claims.all_declared())
    return None


def candidate_unsaid(subject: Subject, rng: random.Random) -> Damaged | None:
    """Who may not decide names no number: 我觉得低一些更合适."""
    return _unsaid(subject, rng, "unauthorised", subject.plan.candidates)


def distractor_unsaid(subject: Subject, rng: random.Random) -> Damaged | None:
    """A planned number of the small talk does not come."""
    return _unsaid(subject, rng, "distractor", subject.plan.distractors)


def antecedent_gone(subject: Subject, rng: random.Random) -> Damaged | None:
    """那个数 refers to a number that has been taken out of the text."""
    plan, script, _, _ = subject
    for span in drawn([span for span in script.spans if span.antecedent is not None], rng):
        gone = next(mention for mention in script.mentions if mention.id == span.antecedent)
        damaged = edit(script, gone.turn, gone.start, gone.end, rng.choice(("那个数", "老样子", "说好的")))
        kept = tuple(mention for mention in damaged.mentions if mention.id != gone.id)
        return Damaged(plan, replace(damaged, mentions=kept), claims.leans_before(span.target))
    return None


def antecedent_unnamed(subject: Subject, rng: random.Random) -> Damaged | None:
    """An event without words for its value no longer says what it refers to."""
    plan, script, _, _ = subject
    for span in drawn([span for span in script.spans if span.antecedent is not None], rng):
        spans = tuple(replace(s, antecedent=None) if s.target == span.target else s for s in script.spans)
        return Damaged(plan, replace(script, spans=spans), claims.event_said(span.target))
    return None


def antecedent_after(subject: Subject, rng: random.Random) -> Damaged | None:
    """那个数 refers to an equal number that is said only later."""
    plan, script, _, _ = subject
    for span in drawn([span for span in script.spans if span.antecedent is not None], rng):
        source = next(mention for mention in script.mentions if mention.id == span.antecedent)
        late = [at for at in plain_turns(script, rng) if at > turn_index(script, span.turn)]
        if late:
            damaged = declare(script, late[0], "就是{}那个。", source, role="echo", target=span.target)
            spans = tuple(replace(s, antecedent="added") if s == span else s for s in damaged.spans)
            return Damaged(plan, replace(damaged, spans=spans), claims.leans_before(span.target))
    return None


def antecedent_elsewhere(subject: Subject, rng: random.Random) -> Damaged | None:
    """那个数 refers to an equal number that belongs to no chain."""
    plan, script, _, _ = subject
    for span in drawn([span for span in script.spans if span.antecedent is not None], rng):
        source = next(mention for mention in script.mentions if mention.id == span.antecedent)
        early = [at for at in plain_turns(script, rng) if at < turn_index(script, span.turn)]
        if early:
            damaged = declare(script, early[0], "墙上那张表也写着{}。", source, role="distractor", target=None)
            spans = tuple(replace(s, antecedent="added") if s == span else s for s in damaged.spans)
            return Damaged(plan, replace(damaged, spans=spans), claims.leans_before(span.target))
    return None


def early_echo(subject: Subject, rng: random.Random) -> Damaged | None:
    """The answer is out before its event: a turn before it already says the number."""
    plan, script, _, _ = subject
    for mention in _mentions(subject, rng, "event"):
        event = plan.event(mention.target or "")
        early = [at for at in plain_turns(script, rng) if at < turn_index(script, mention.turn)]
        if early and event.action in {"advance", "settle"}:
            damaged = declare(
                script, early[0], rng.choice(("是{}吧？", "那就{}。", "{}，对吧？")), mention, role="echo"
            )
            return Damaged(plan, damaged, claims.echo_after(event.id))
    return None


def distractor_of_another(subject: Subject, rng: random.Random) -> Damaged | None:
    """A number of the case is told by somebody who is not planned to know it."""
    plan, script, _, _ = subject
    for item in drawn(plan.distractors, rng):
        said = [mention for mention in script.mentions if mention.target == item.id]
        if len(said) != 1:
            continue
        at = turn_index(script, said[0].turn)
        if any(span.turn == said[0].turn for span in script.spans):
            continue
        near = {script.turns[n].person for n in (at - 1, at + 1) if 0 <= n < len(script.turns)}
        others = [person.id for person in plan.cast if person.id not in {item.person, *near}]
        for person in drawn(others, rng):
            turns = list(script.turns)
            turns[at] = replace(turns[at], person=person)
            damaged = replace(script, turns=tuple(turns))
            return Damaged(plan, damaged, claims.said_by("distractor", item.id, item.person))
    return None


def _mentions(subject: Subject, rng: random.Random, *roles: str) -> list[Mention]:
    return drawn([mention for mention in subject.script.mentions if mention.role in roles], rng)


def _restated(subject: Subject, rng: random.Random, role: str) -> Damaged | None:
    for mention in _mentions(subject, rng, role):
        found = other(mention.value, subject.plan, rng)
        if found:
            damaged = restate(subject.script, mention, *found)
            return Damaged(subject.plan, damaged, claims.mention_true(mention.id))
    return None


def _added(subject: Subject, rng: random.Random, words: str) -> Damaged | None:
    for at in plain_turns(subject.script, rng):
        return Damaged(subject.plan, add(subject.script, at, words), claims.all_declared())
    return None


def _unsaid(
    subject: Subject, rng: random.Random, role: str, planned: Sequence[Candidate | Distractor]
) -> Damaged | None:
    """One of the planned numbers is not said, though the words around it still stand."""
    for each in drawn(planned, rng):
        damaged = _vague(subject.script, rng, role, each.id)
        if damaged:
            return Damaged(subject.plan, damaged, claims.said_by(role, each.id, each.person))
    return None


def _vague(script: Script, rng: random.Random, role: str, id: str) -> Script | None:
    """Vague words wherever the number stood; its mentions are gone. None where it stands nowhere."""
    said = [mention.id for mention in script.mentions if mention.role == role and mention.target == id]
    for each in said:
        now = next(mention for mention in script.mentions if mention.id == each)
        script = edit(script, now.turn, now.start, now.end, rng.choice(("好些", "不少", "那些")))
        script = replace(script, mentions=tuple(mention for mention in script.mentions if mention.id != each))
    return script if said else None
