"""Kinds of damage for good scripts. Nothing here knows the rules: a kind edits records and keeps ranges true.

A kind takes a plan and a script and returns both, damaged, or None where there is nothing of its kind to damage.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from itertools import pairwise

from msgspec.structs import replace

from dtbuild.records.plan import Event, Plan
from dtbuild.records.script import Mention, Script, Span, Turn
from dtbuild.records.values import Money, Rate, Term

Pair = tuple[Plan, Script]
Kind = Callable[[Plan, Script], Pair | None]


def edit(script: Script, turn: str, start: int, end: int, words: str) -> Script:
    """Replace characters of a turn; spans and mentions after them move, those around them stretch.

    A part whose words are replaced, or in part so, keeps what is left of it.
    """
    shift = len(words) - (end - start)

    def moved(at: int, is_end: bool) -> int:
        if at <= start:
            return at
        if at >= end:
            return at + shift
        return start + len(words) if is_end else start

    def placed(part: Span | Mention) -> Span | Mention:
        if part.turn != turn:
            return part
        return replace(part, start=moved(part.start, False), end=moved(part.end, True))

    turns = tuple(
        replace(each, text=each.text[:start] + words + each.text[end:]) if each.id == turn else each
        for each in script.turns
    )
    return replace(
        script,
        turns=turns,
        spans=tuple(placed(span) for span in script.spans),  # type: ignore[misc]
        mentions=tuple(placed(mention) for mention in script.mentions),  # type: ignore[misc]
    )


def say(script: Script, at: int, words: str) -> Script:
    """Add a sentence to the end of a turn."""
    turn = script.turns[at]
    return edit(script, turn.id, len(turn.text), len(turn.text), words)


def set_event(plan: Plan, id: str, **change: object) -> Plan:
    def changed(event: Event) -> Event:
        return replace(event, **change) if event.id == id else event

    trajectories = tuple(
        replace(each, cycles=tuple(replace(c, events=tuple(changed(event) for event in c.events)) for c in each.cycles))
        for each in plan.trajectories
    )
    return replace(plan, trajectories=trajectories)


def _events(plan: Plan, action: str) -> list[Event]:
    return [event for _, _, event in plan.events() if event.action == action]


def _spans(script: Script, target: str, *kinds: str) -> list[Span]:
    return [span for span in script.spans if span.target == target and span.kind in kinds]


def _without(script: Script, *gone: Span) -> Script:
    return replace(script, spans=tuple(span for span in script.spans if span not in gone))


def _turn_index(script: Script, id: str) -> int:
    return next(at for at, turn in enumerate(script.turns) if turn.id == id)


def _set_turn(script: Script, at: int, **change: object) -> Script:
    turns: list[Turn] = list(script.turns)
    turns[at] = replace(turns[at], **change)
    return replace(script, turns=tuple(turns))


def _plain_turn(script: Script) -> int:
    """A turn that carries nothing, in the middle of the talk."""
    busy = {span.turn for span in script.spans} | {mention.turn for mention in script.mentions}
    free = [at for at, turn in enumerate(script.turns) if turn.id not in busy and at > 1]
    return free[len(free) // 2] if free else 0


def exchanged_ids(plan: Plan, script: Script) -> Pair:
    first, second = script.turns[0].id, script.turns[1].id
    script = _set_turn(_set_turn(script, 0, id=second), 1, id=first)
    return plan, script


def other_family(plan: Plan, script: Script) -> Pair:
    return plan, replace(script, family="sc0009q")


def exchanged_beats(plan: Plan, script: Script) -> Pair | None:
    """The plan has two events of different chains in the other order."""
    owner = {event.id: trajectory.id for trajectory, _, event in plan.events()}
    for at, (one, two) in enumerate(pairwise(plan.beats)):
        if one.ref in owner and two.ref in owner and owner[one.ref] != owner[two.ref]:
            beats = list(plan.beats)
            beats[at], beats[at + 1] = two, one
            return replace(plan, beats=tuple(beats)), script
    return None


def stranger(plan: Plan, script: Script) -> Pair:
    return plan, _set_turn(script, _plain_turn(script), person="p9")


def mute(plan: Plan, script: Script) -> Pair:
    extra = replace(plan.cast[0], id="p8", name="丁一凡")
    return replace(plan, cast=(*plan.cast, extra)), replace(script, cast=(*script.cast, extra))


def stale_range(plan: Plan, script: Script) -> Pair:
    span = script.spans[-1]
    length = len(script.turn(span.turn).text)
    return plan, replace(script, spans=(*script.spans[:-1], replace(span, end=length + 2)))


def unknown_target(plan: Plan, script: Script) -> Pair:
    return plan, replace(script, spans=(*script.spans, replace(script.spans[0], kind="premise", target="zz")))


def event_without_right(plan: Plan, script: Script) -> Pair | None:
    """The settle is given, in plan and text alike, to whoever started the chain and may not settle."""
    for trajectory in plan.trajectories:
        for event in trajectory.events:
            others = [person.id for person in plan.cast if person.id != event.person]
            starter = trajectory.events[0].person
            trigger = script.trigger(event.id)
            if event.action == "settle" and starter in others and trigger:
                at = _turn_index(script, trigger)
                return set_event(plan, event.id, person=starter), _set_turn(script, at, person=starter)
    return None


def entitled_candidate(plan: Plan, script: Script) -> Pair | None:
    """The unauthorised value is said by the person who started the chain."""
    for candidate in plan.candidates:
        trajectory = next(each for each in plan.trajectories if each.id == candidate.trajectory)
        starter = next((event.person for event in trajectory.events if event.action in {"start", "advance"}), None)
        if starter is not None:
            changed = tuple(replace(c, person=starter) if c.id == candidate.id else c for c in plan.candidates)
            said = next(m for m in script.mentions if m.target == candidate.id)
            return replace(plan, candidates=changed), _set_turn(script, _turn_index(script, said.turn), person=starter)
    return None


def authority_words_gone(plan: Plan, script: Script) -> Pair | None:
    for event in _events(plan, "settle"):
        spans = _spans(script, event.id, "authority")
        if spans:
            for span in spans:
                now = next(each for each in _spans(script, event.id, "authority") if each == span)
                script = edit(script, now.turn, now.start, now.end, "这事儿大家都知道")
            return plan, script
    return None


def authority_of_another(plan: Plan, script: Script) -> Pair | None:
    """The words let a listener know that somebody else decides."""
    for event in _events(plan, "settle"):
        for span in _spans(script, event.id, "authority"):
            said = script.turn(span.turn)
            other = next((each for each in plan.cast if each.id not in {event.person, said.person}), None)
            if said.person != event.person and other is not None:
                words = f"{other.name}说了算"
                script = _set_turn(script, _turn_index(script, said.id), text=words + "。")
                kept = tuple(each for each in script.spans if each.turn != said.id)
                return plan, replace(
                    script,
                    spans=(*kept, replace(span, start=0, end=len(words))),
                    mentions=tuple(each for each in script.mentions if each.turn != said.id),
                )
    return None


def authority_span_gone(plan: Plan, script: Script) -> Pair | None:
    for event in _events(plan, "settle"):
        return plan, _without(script, *_spans(script, event.id, "authority"))
    return None


def limit_words_gone(plan: Plan, script: Script) -> Pair | None:
    for candidate in plan.candidates:
        return plan, _without(script, *_spans(script, candidate.id, "authority"))
    return None


def event_sentence_gone(plan: Plan, script: Script) -> Pair:
    """The trigger turn becomes an empty remark; its spans and mentions go with it."""
    event = next(iter(plan.events()))[2]
    trigger = script.trigger(event.id)
    assert trigger is not None
    at = _turn_index(script, trigger)
    kept = replace(
        script,
        spans=tuple(span for span in script.spans if span.turn != trigger),
        mentions=tuple(mention for mention in script.mentions if mention.turn != trigger),
    )
    return plan, _set_turn(kept, at, text="嗯，您接着说。")


def split_trigger(plan: Plan, script: Script) -> Pair:
    span = next(span for span in script.spans if span.kind == "action")
    elsewhere = next(turn for turn in script.turns if turn.id != span.turn and len(turn.text) >= 4)
    return plan, replace(
        script,
        spans=(*_without(script, span).spans, replace(span, turn=elsewhere.id, start=0, end=2)),
    )


def wrong_speaker(plan: Plan, script: Script) -> Pair:
    event = next(iter(plan.events()))[2]
    trigger = script.trigger(event.id)
    other = next(person.id for person in plan.cast if person.id != event.person)
    assert trigger is not None
    return plan, _set_turn(script, _turn_index(script, trigger), person=other)


def exchanged_events(plan: Plan, script: Script) -> Pair | None:
    """Two events of one chain happen in the other order: their turns change places, words and speakers and all."""
    for trajectory in plan.trajectories:
        turns = [script.trigger(event.id) for event in trajectory.events]
        for one, two in pairwise(turns):
            if one is not None and two is not None and one != two:
                a, b = _turn_index(script, one), _turn_index(script, two)
                first, second = script.turns[a], script.turns[b]
                other = {one: two, two: one}
                script = _set_turn(script, a, text=second.text, person=second.person, move=second.move)
                script = _set_turn(script, b, text=first.text, person=first.person, move=first.move)
                return plan, replace(
                    script,
                    spans=tuple(replace(s, turn=other.get(s.turn, s.turn)) for s in script.spans),
                    mentions=tuple(replace(m, turn=other.get(m.turn, m.turn)) for m in script.mentions),
                )
    return None


def obstacle_gone(plan: Plan, script: Script) -> Pair | None:
    for event in _events(plan, "hold"):
        return plan, _without(script, *_spans(script, event.id, "obstacle"))
    return None


def hold_that_goes_on(plan: Plan, script: Script) -> Pair | None:
    for event in _events(plan, "hold"):
        for kind in ("action", "obstacle"):
            for span in _spans(script, event.id, kind):
                values = _spans(script, event.id, "value")
                script = edit(script, span.turn, span.start, span.end, "接着往下走")
                if values:
                    # the anaphor stays somewhere in the words
                    script = replace(
                        script,
                        spans=tuple(
                            replace(s, start=span.start, end=span.start + 2)
                            if s.kind == "value" and s.target == event.id
                            else s
                            for s in script.spans
                        ),
                    )
                break
        return plan, script
    return None


def conclusion_gone(plan: Plan, script: Script) -> Pair | None:
    for event in _events(plan, "settle"):
        return plan, _without(script, *_spans(script, event.id, "conclusion"))
    return None


def conclusion_left_open(plan: Plan, script: Script) -> Pair | None:
    for event in _events(plan, "settle"):
        for span in _spans(script, event.id, "conclusion"):
            opened = edit(script, span.turn, span.end - 1, span.end - 1, "不过还不能定")
            return plan, opened
    return None


def scope_gone(plan: Plan, script: Script) -> Pair | None:
    for event in _events(plan, "settle"):
        return plan, _without(script, *_spans(script, event.id, "scope"))
    return None


def undeclared_number(plan: Plan, script: Script) -> Pair:
    return plan, say(script, _plain_turn(script), "另外还有四十七万在账上。")


def undeclared_date(plan: Plan, script: Script) -> Pair:
    return plan, say(script, _plain_turn(script), "六月十八号再说吧。")


def changed_number(plan: Plan, script: Script) -> Pair | None:
    """The amount in a trigger is another one; mention and plan keep the old."""
    for mention in script.mentions:
        if mention.role == "event" and isinstance(mention.value, Money):
            return plan, edit(script, mention.turn, mention.start, mention.end, "九百三十万")
    return None


def wrong_unit(plan: Plan, script: Script) -> Pair | None:
    for mention in script.mentions:
        if isinstance(mention.value, Term) and mention.value.unit == "month":
            return plan, edit(script, mention.turn, mention.end - 1, mention.end, "天")
    return None


def other_value(plan: Plan, script: Script) -> Pair | None:
    """Text and mention agree on a value that the plan does not have."""
    for mention in script.mentions:
        if mention.role == "event" and isinstance(mention.value, Money):
            return plan, _restate(script, mention)
    return None


def changed_echo(plan: Plan, script: Script) -> Pair | None:
    for mention in script.mentions:
        if mention.role == "echo":
            return plan, _restate(script, mention)
    return None


def antecedent_gone(plan: Plan, script: Script) -> Pair | None:
    for span in script.spans:
        if span.antecedent is not None:
            gone = next(mention for mention in script.mentions if mention.id == span.antecedent)
            script = edit(script, gone.turn, gone.start, gone.end, "那个数")
            return plan, replace(script, mentions=tuple(m for m in script.mentions if m.id != gone.id))
    return None


def antecedent_unnamed(plan: Plan, script: Script) -> Pair | None:
    for span in script.spans:
        if span.antecedent is not None:
            others = tuple(replace(s, antecedent=None) if s == span else s for s in script.spans)
            return plan, replace(script, spans=others)
    return None


def antecedent_after(plan: Plan, script: Script) -> Pair | None:
    """这个数 refers to an equal value that is said only later."""
    for span in script.spans:
        if span.antecedent is None:
            continue
        source = next(mention for mention in script.mentions if mention.id == span.antecedent)
        later = replace(
            source, id="later", turn=script.turns[-1].id, start=0, end=1, role="premise", target=span.target
        )
        others = tuple(replace(s, antecedent="later") if s == span else s for s in script.spans)
        return plan, replace(script, spans=others, mentions=(*script.mentions, later))
    return None


def antecedent_elsewhere(plan: Plan, script: Script) -> Pair | None:
    """这个数 refers to an equal value of a distractor."""
    for span in script.spans:
        if span.antecedent is not None:
            mentions = tuple(
                replace(m, role="distractor", target=None) if m.id == span.antecedent else m for m in script.mentions
            )
            return plan, replace(script, mentions=mentions)
    return None


def early_echo(plan: Plan, script: Script) -> Pair | None:
    """The answer is out before its event: a number of small talk is passed off as an echo of the last event."""
    for _, _, event in reversed(list(plan.events())):
        for mention in script.mentions:
            if mention.role == "event" and mention.target == event.id and mention.turn != script.turns[0].id:
                words = script.turn(mention.turn).text[mention.start : mention.end]
                first = script.turns[0]
                start = len(first.text)
                script = say(script, 0, f"{words}是吧？")
                leak = replace(mention, id="leak", turn=first.id, role="echo", start=start, end=start + len(words))
                return plan, replace(script, mentions=(*script.mentions, leak))
    return None


def candidate_unsaid(plan: Plan, script: Script) -> Pair | None:
    for candidate in plan.candidates:
        for mention in [m for m in script.mentions if m.target == candidate.id]:
            now = next(m for m in script.mentions if m.id == mention.id)
            script = edit(script, now.turn, now.start, now.end, "低一些")
            script = replace(script, mentions=tuple(m for m in script.mentions if m.id != mention.id))
        return plan, script
    return None


def settled_early(plan: Plan, script: Script) -> Pair | None:
    """Somebody closes a matter right after a start that is not yet settled."""
    for event in _events(plan, "start"):
        trigger = script.trigger(event.id)
        if trigger is not None:
            at = _turn_index(script, trigger)
            return plan, say(script, at, "那就这么定了。")
    return None


def settled_never(plan: Plan, script: Script) -> Pair | None:
    """A chain that ends held or active is closed in passing, right after its last event."""
    for trajectory in plan.trajectories:
        trigger = script.trigger(trajectory.events[-1].id)
        if trajectory.events[-1].action != "settle" and trigger is not None:
            return plan, say(script, _turn_index(script, trigger), "好，说定了。")
    return None


def self_greeting(plan: Plan, script: Script) -> Pair:
    turn = script.turns[0]
    person = plan.person(turn.person)
    return plan, edit(script, turn.id, 0, 0, f"{person.name[0]}经理您好，")


def self_name(plan: Plan, script: Script) -> Pair:
    at = _plain_turn(script)
    person = plan.person(script.turns[at].person)
    return plan, say(script, at, f"这个得问{person.name}。")


def stage_direction(plan: Plan, script: Script) -> Pair:
    return plan, edit(script, script.turns[2].id, 0, 0, "（翻合同）")


def bracket(plan: Plan, script: Script) -> Pair:
    return plan, edit(script, script.turns[2].id, 0, 0, "[pause]")


def markup(plan: Plan, script: Script) -> Pair:
    return plan, say(script, _plain_turn(script), "**利率**再说。")


def name_label(plan: Plan, script: Script) -> Pair:
    return plan, edit(script, script.turns[2].id, 0, 0, "李总：")


def digits(plan: Plan, script: Script) -> Pair:
    return plan, say(script, _plain_turn(script), "就30%。")


def unspeakable(plan: Plan, script: Script) -> Pair:
    return plan, say(script, _plain_turn(script), "走QZXW那边。")


def only_punctuation(plan: Plan, script: Script) -> Pair:
    return plan, _set_turn(script, _plain_turn(script), text="……。")


def real_bank(plan: Plan, script: Script) -> Pair:
    return plan, say(script, _plain_turn(script), "招商银行那边也问过。")


def telephone(plan: Plan, script: Script) -> Pair:
    return plan, say(script, _plain_turn(script), "我电话幺三八零零幺三八零零零。")


def too_short(plan: Plan, script: Script) -> Pair:
    """The talk after the last thing that must happen, and the talk before the first, is cut to nothing."""
    busy = {span.turn for span in script.spans} | {mention.turn for mention in script.mentions}
    for at, turn in enumerate(script.turns):
        if turn.id not in busy:
            script = _set_turn(script, at, text="嗯。")
    return plan, script


def said_twice(plan: Plan, script: Script) -> Pair:
    at = _plain_turn(script)
    text = "那个材料您回头再给我发过来吧。"
    script = _set_turn(script, at, text=text)
    return plan, _set_turn(script, len(script.turns) - 1, text=text)


def _restate(script: Script, mention: Mention) -> Script:
    """Another value of the same type, said and declared alike."""
    if isinstance(mention.value, Money):
        words, value = "九百三十万", replace(mention.value, amount=Decimal(9_300_000))
    elif isinstance(mention.value, Term):
        words, value = "七个月", Term(value=Decimal(7), unit="month")  # type: ignore[assignment]
    else:
        words, value = "两个点", Rate(value=Decimal(2), unit="percent")  # type: ignore[assignment]
    script = edit(script, mention.turn, mention.start, mention.end, words)
    return replace(
        script,
        mentions=tuple(replace(each, value=value) if each.id == mention.id else each for each in script.mentions),
    )


KINDS: tuple[tuple[Kind, str], ...] = (
    (exchanged_ids, "identity"),
    (other_family, "identity"),
    (exchanged_beats, "order"),
    (stranger, "cast"),
    (mute, "cast"),
    (stale_range, "ranges"),
    (unknown_target, "targets"),
    (event_without_right, "right"),
    (entitled_candidate, "candidate-right"),
    (authority_words_gone, "authority-heard"),
    (authority_of_another, "authority-heard"),
    (authority_span_gone, "authority-heard"),
    (limit_words_gone, "limit-heard"),
    (event_sentence_gone, "trigger"),
    (split_trigger, "trigger"),
    (wrong_speaker, "trigger-speaker"),
    (exchanged_events, "order"),
    (obstacle_gone, "obstacle"),
    (hold_that_goes_on, "obstacle"),
    (conclusion_gone, "conclusion"),
    (conclusion_left_open, "conclusion"),
    (scope_gone, "conclusion"),
    (undeclared_number, "undeclared"),
    (undeclared_date, "undeclared"),
    (changed_number, "mention-value"),
    (wrong_unit, "mention-value"),
    (other_value, "mention-role"),
    (other_value, "event-value"),
    (changed_echo, "mention-role"),
    (antecedent_gone, "targets"),
    (antecedent_unnamed, "event-value"),
    (antecedent_after, "antecedent"),
    (antecedent_elsewhere, "antecedent"),
    (early_echo, "mention-role"),
    (candidate_unsaid, "planned-number"),
    (settled_early, "early-settle"),
    (settled_never, "early-settle"),
    (self_greeting, "self-address"),
    (self_name, "self-address"),
    (stage_direction, "directions"),
    (bracket, "directions"),
    (markup, "directions"),
    (name_label, "label"),
    (digits, "speakable"),
    (unspeakable, "speakable"),
    (only_punctuation, "speakable"),
    (real_bank, "fictional"),
    (telephone, "personal"),
    (too_short, "length"),
    (said_twice, "repeat"),
)
"""Each kind with the code of the rule that must find it."""
