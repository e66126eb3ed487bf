"""Whether a script is whole in itself: ids, people, and ranges that still fit the text after an edit by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from dtbuild.records.ids import recording_id, turn_id
from dtbuild.records.script import Mention, Span
from dtbuild.review.case import Case, parts
from dtbuild.review.rule import Fault


def ranges(case: Case) -> Iterator[Fault]:
    """Every span and mention lies in a turn that exists, inside its text, and selects a word.

    Whether the words still say the value is the business of the rules on numbers.
    """
    script = case.script
    lengths = {turn.id: len(turn.text) for turn in script.turns}
    texts = {turn.id: turn.text for turn in script.turns}
    for part in parts(script):
        name = _name(part)
        length = lengths.get(part.turn)
        if length is None:
            yield Fault(part.turn, f"{name}: turn {part.turn} does not exist", "the id of a turn of this script")
        elif not 0 <= part.start < part.end <= length:
            yield Fault(part.turn, f"{name}: range {part.start}–{part.end} does not fit a turn of {length} characters")
        elif not any(char.isalnum() for char in texts[part.turn][part.start : part.end]):
            yield Fault(part.turn, f"{name}: no word in it", found=texts[part.turn][part.start : part.end])


def identity(case: Case) -> Iterator[Fault]:
    """Recording, family, scenario and anchor date are the plan's; turns are numbered from 1 without a gap."""
    script, plan = case.script, case.plan
    pairs = (
        ("family", plan.family, script.family),
        ("scenario", plan.scenario, script.scenario),
        ("anchor date", plan.anchor_date, script.anchor_date),
    )
    for name, expected, found in pairs:
        if expected != found:
            yield Fault(script.recording, f"{name} is not the plan's", expected, found)
    if script.recording not in {recording_id(plan.family, variant) for variant in "ab"}:
        yield Fault(
            script.recording,
            "recording id is not one of the family's",
            f"{plan.family}-a or -b",
            script.recording,
        )
    if not script.turns:
        yield Fault(script.recording, "no turn at all")
    for number, turn in enumerate(script.turns, 1):
        if turn.id != turn_id(script.recording, number):
            yield Fault(turn.id, "turn id out of order", turn_id(script.recording, number), turn.id)
    for id, times in Counter(mention.id for mention in script.mentions).items():
        if times > 1:
            yield Fault(id, f"mention id stands {times} times", "unique mention ids")


def cast(case: Case) -> Iterator[Fault]:
    """The script's cast is the plan's, two to four people; each speaks, and nobody else does."""
    script, plan = case.script, case.plan
    if script.cast != plan.cast:
        yield Fault(
            script.recording,
            "cast is not the plan's",
            ", ".join(f"{person.id} {person.name} ({person.role})" for person in plan.cast),
            ", ".join(f"{person.id} {person.name} ({person.role})" for person in script.cast),
        )
    if not 2 <= len(plan.cast) <= 4:
        yield Fault(script.recording, "cast size", "2 to 4 people", str(len(plan.cast)))
    for what, values in (("person id", [p.id for p in plan.cast]), ("name", [p.name for p in plan.cast])):
        for value, times in Counter(values).items():
            if times > 1:
                yield Fault(value, f"{what} stands {times} times in the cast")
    members = {person.id for person in plan.cast}
    spoke = {turn.person for turn in script.turns}
    for turn in script.turns:
        if turn.person not in members:
            yield Fault(turn.id, "speaker is not in the cast", ", ".join(sorted(members)), turn.person)
    for person in plan.cast:
        if person.id not in spoke:
            yield Fault(person.id, f"{person.name} never speaks")


def targets(case: Case) -> Iterator[Fault]:
    """Spans name an event or candidate of the plan, mentions what their role asks for; antecedents exist."""
    for span in case.script.spans:
        if span.target not in case.events and span.target not in case.candidates:
            yield Fault(span.turn, f"{_name(span)}: target {span.target!r} is not in the plan")
        if span.antecedent is not None and span.antecedent not in case.mentions:
            yield Fault(span.turn, f"{_name(span)}: antecedent {span.antecedent!r} is no mention")
    for mention in case.script.mentions:
        role, target = mention.role, mention.target
        if role in {"event", "echo", "premise"} and target not in case.events:
            yield Fault(mention.turn, f"{_name(mention)}: target {target!r} is no event of the plan")
        elif role == "unauthorised" and target not in case.candidates:
            yield Fault(mention.turn, f"{_name(mention)}: target {target!r} is no candidate of the plan")
        elif role == "distractor" and target is not None and target not in case.distractors:
            yield Fault(mention.turn, f"{_name(mention)}: target {target!r} is no distractor of the plan")


def _name(part: Span | Mention) -> str:
    return f"{part.kind} span of {part.target}" if isinstance(part, Span) else f"mention {part.id}"
