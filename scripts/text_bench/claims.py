"""Proofs that gold and text agree in one respect, or no longer do.

A claim is a small reading of one plan and one script: it holds where the two agree (or the text is what the spec
allows) and fails where they do not. Every kind of damage names the claim that it breaks; an instance counts only
where the claim holds before and fails after. Claims read the lexicon, the plan, spans and characters, and share
nothing with the rules that are put to the test.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

from dtbuild.lexicon import TERMS
from dtbuild.records.blueprint import Blueprint
from dtbuild.records.plan import Event, Person, Plan
from dtbuild.records.script import TRIGGER_KINDS, Mention, Script, Span, SpanKind, Turn

Claim = Callable[[Plan, Script, Blueprint], bool]


def all_of(*claims: Claim) -> Claim:
    return lambda plan, script, blueprint: all(claim(plan, script, blueprint) for claim in claims)


def parts(script: Script) -> list[Span | Mention]:
    return [*script.spans, *script.mentions]


def words_under(script: Script, part: Span | Mention) -> str:
    return next((turn.text[part.start : part.end] for turn in script.turns if turn.id == part.turn), "")


def number_of(script: Script, turn: str) -> int:
    return next((at for at, each in enumerate(script.turns) if each.id == turn), -1)


def place_of(script: Script, part: Span | Mention) -> tuple[int, int]:
    return number_of(script, part.turn), part.start


def hanzi(text: str) -> int:
    return sum("一" <= char <= "龥" or char == "〇" for char in text)


# events and their words


def carried(id: str) -> Claim:
    """Some words of the text carry the event, all of them in one turn."""

    def holds(_: Plan, script: Script, __: Blueprint) -> bool:
        turns = {span.turn for span in script.spans if span.target == id and span.kind in TRIGGER_KINDS}
        return len(turns) == 1

    return holds


def by_its_person(id: str) -> Claim:
    """The plan's person of an event says it."""

    def holds(plan: Plan, script: Script, _: Blueprint) -> bool:
        trigger = script.trigger(id)
        return trigger is not None and script.turn(trigger).person == plan.event(id).person

    return holds


def in_order() -> Claim:
    """Events and candidates are said in the order of the beats."""

    def holds(plan: Plan, script: Script, _: Blueprint) -> bool:
        places: list[tuple[int, int]] = []
        for beat in plan.beats:
            spans = [span for span in script.spans if span.target == beat.ref and span.kind in TRIGGER_KINDS]
            if spans and beat.kind != "distractor":
                places.append(min(place_of(script, span) for span in spans))
        return all(one < two for one, two in pairwise(places))

    return holds


def held_turns(id: str) -> Claim:
    """An event that goes on after a hold is said in a later turn than the hold."""

    def holds(plan: Plan, script: Script, _: Blueprint) -> bool:
        before = plan.event(id).predecessor
        one, two = script.trigger(before or ""), script.trigger(id)
        return one is not None and two is not None and number_of(script, one) < number_of(script, two)

    return holds


def has(id: str, kind: SpanKind) -> Claim:
    """The text has words of this kind for the event or candidate."""
    return lambda plan, script, _: any(
        span.target == id and span.kind == kind and hanzi(words_under(script, span)) > 0 for span in script.spans
    )


def turn_says(id: str, pattern: str) -> Claim:
    """The trigger turn of an event has such words."""
    return lambda plan, script, _: bool(re.search(pattern, script.turn(script.trigger(id) or "").text))


def words_like(id: str, kind: SpanKind, pattern: str) -> Claim:
    """The words of an event's spans of one kind, taken together, have this in them."""
    return lambda plan, script, _: bool(
        re.search(pattern, "｜".join(words_under(script, s) for s in script.spans if s.target == id and s.kind == kind))
    )


def not_like(id: str, kind: SpanKind, pattern: str) -> Claim:
    """The words of an event's spans of one kind have this not in them."""
    like = words_like(id, kind, pattern)
    return lambda plan, script, blueprint: not like(plan, script, blueprint)


def names_its_obstacle(id: str) -> Claim:
    """The obstacle words of a hold share two characters in a row with what the scenario says of that obstacle."""

    def holds(plan: Plan, script: Script, blueprint: Blueprint) -> bool:
        said = "｜".join(words_under(script, s) for s in script.spans if s.target == id and s.kind == "obstacle")
        obstacle = next((each for each in blueprint.obstacles if each.id == plan.event(id).obstacle), None)
        if obstacle is None:
            return False
        known = "｜".join([obstacle.how, *(line for lines in obstacle.lines.values() for line in lines)])
        return any(hanzi(said[at : at + 2]) == 2 and said[at : at + 2] in known for at in range(len(said)))

    return holds


# who


def may(id: str) -> Claim:
    """The table of authority gives the person of an event the right to it."""

    def holds(plan: Plan, _: Script, blueprint: Blueprint) -> bool:
        event = plan.event(id)
        return blueprint.may(plan.person(event.person).role, event.scope, event.action)

    return holds


def may_not(candidate: str) -> Claim:
    """Whoever names an unauthorised candidate may neither start nor advance the matter."""

    def holds(plan: Plan, _: Script, blueprint: Blueprint) -> bool:
        found = next(each for each in plan.candidates if each.id == candidate)
        key = next(each.key for each in plan.trajectories if each.id == found.trajectory)
        role = plan.person(found.person).role
        field = blueprint.field(key)
        return not any(blueprint.may(role, s, a) for s in field.scopes for a in ("start", "advance"))

    return holds


def cast_speaks() -> Claim:
    """The script's cast is the plan's, everybody in it speaks, and nobody else."""
    return lambda plan, script, _: (
        script.cast == plan.cast and {turn.person for turn in script.turns} == {person.id for person in plan.cast}
    )


def none_of(turn: int, forms: tuple[str, ...]) -> Claim:
    """The speaker of a turn does not go by any of these names in it."""
    return lambda plan, script, _: not any(form in script.turns[turn].text for form in forms)


def calls_fit(forms: Callable[[Person], tuple[str, ...]]) -> Claim:
    """Whom a turn calls by name at its head has spoken just before it or speaks within the next two turns; where the
    whole turn is one question, he answers it.
    """

    def holds(plan: Plan, script: Script, _: Blueprint) -> bool:
        for at, turn in enumerate(script.turns):
            near = {script.turns[n].person for n in (at - 1, at + 1, at + 2) if 0 <= n < len(script.turns)}
            if re.fullmatch("[^。！？…]+？", turn.text) and at + 1 < len(script.turns):
                near = {script.turns[at + 1].person}
            for person in plan.cast:
                heads = tuple(f"{form}{mark}" for form in forms(person) for mark in "，早")
                if turn.text.startswith(heads) and person.id != turn.person and person.id not in near:
                    return False
        return True

    return holds


# the talk


def open_unclosed(turn: int, trajectory: str, words: str) -> Claim:
    """A turn does not say these closing words while the plan has the matter unsettled there."""

    def holds(plan: Plan, script: Script, _: Blueprint) -> bool:
        last: Event | None = None
        for event in next(each for each in plan.trajectories if each.id == trajectory).events:
            trigger = script.trigger(event.id)
            if trigger is not None and number_of(script, trigger) <= turn:
                last = event
        return words not in script.turns[turn].text or (last is not None and last.action == "settle")

    return holds


def only_speech(turn: int) -> Claim:
    """A turn has 汉字, the punctuation of speech and terms of the closed table, and something to speak."""

    def holds(_: Plan, script: Script, __: Blueprint) -> bool:
        text = script.turns[turn].text
        for term in sorted(TERMS, key=len, reverse=True):
            text = text.replace(term, "")
        return hanzi(script.turns[turn].text) > 0 and all(
            hanzi(char) or char in "，。？！、；：…—“”‘’《》·" for char in text
        )

    return holds


def free_of(turn: int, words: str) -> Claim:
    """A turn does not have these words, which the spec keeps out of every turn."""
    return lambda plan, script, _: words not in script.turns[turn].text


def hanzi_within(low: int, high: int) -> Claim:
    """The dialogue is as long as the settings ask."""
    return lambda plan, script, _: low <= sum(hanzi(turn.text) for turn in script.turns) <= high


def said_once() -> Claim:
    """No turn of ten characters or more comes back word for word."""

    def holds(_: Plan, script: Script, __: Blueprint) -> bool:
        texts = [turn.text for turn in script.turns if len(turn.text) >= 10]
        return len(texts) == len(set(texts))

    return holds


def speakers_alternate() -> Claim:
    """Whoever has spoken lets somebody else speak before he speaks again: a turn is one utterance."""
    return lambda plan, script, _: all(one.person != two.person for one, two in pairwise(script.turns))


def another_story(than: tuple[Turn, ...]) -> Claim:
    """Fewer than half of the turns are those of another dialogue with other names."""

    def holds(plan: Plan, script: Script, _: Blueprint) -> bool:
        names = re.compile("|".join(re.escape(person.name[0]) for person in plan.cast))
        texts = {re.sub(r"[^，。？！、；：…]{0,3}$", "", turn.text) for turn in than}
        close = sum(any(_like(turn.text, text, names) for text in texts) for turn in script.turns)
        return 2 * close < len(script.turns)

    return holds


# the frame


def ids_agree() -> Claim:
    """Family, scenario and anchor date are the plan's, turns are numbered in their order."""
    return lambda plan, script, _: (
        (script.family, script.scenario, script.anchor_date) == (plan.family, plan.scenario, plan.anchor_date)
        and [turn.id for turn in script.turns] == sorted(turn.id for turn in script.turns)
    )


def ranges_fit() -> Claim:
    """Every span and mention lies inside its turn."""
    return lambda plan, script, _: all(
        0 <= part.start < part.end <= len(script.turn(part.turn).text) for part in parts(script)
    )


def targets_known() -> Claim:
    """Spans and mentions name what the plan has, antecedents name mentions."""

    def holds(plan: Plan, script: Script, _: Blueprint) -> bool:
        known: set[str | None] = {event.id for _, _, event in plan.events()}
        known |= {each.id for each in plan.candidates} | {each.id for each in plan.distractors} | {None}
        mentions = {mention.id for mention in script.mentions} | {None}
        return all(part.target in known for part in parts(script)) and all(
            span.antecedent in mentions for span in script.spans
        )

    return holds


def _like(text: str, other: str, names: re.Pattern[str]) -> bool:
    return len(other) > 3 and (other in text or names.sub("", other) in names.sub("", text))
