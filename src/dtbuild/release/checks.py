"""What must hold of the names and words of one released recording. Findings name file, item, expected, found.

Its words are compared with its gold (spans, mentions, triggers), its ids with one another; its times are judged in
`timing`, its sound in `listen`; legality of chains and the declared numbers by the checkers the caller brings, which
are those the builder used.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from dtbuild.records.cohort import Gold, PublicSchema, RecordingEntry
from dtbuild.records.ids import is_family_id, recording_id, turn_id
from dtbuild.records.script import TRIGGER_KINDS, Mention, Script, Span, speakers
from dtbuild.records.sound import Voice
from dtbuild.records.verdict import Finding, finding


def identity(entry: RecordingEntry, gold: Gold, script: Script) -> Iterator[Finding]:
    """Ids with their check character, and gold, script and manifest that speak of the same recording."""
    name = entry.recording
    if not is_family_id(entry.family):
        yield finding("id", f"manifest.json {name}", "family id does not have its check character", found=entry.family)
    if name != recording_id(entry.family, entry.variant):
        expected = recording_id(entry.family, entry.variant)
        yield finding("id", f"manifest.json {name}", "recording id is not family and variant", expected, name)
    for file, record in (("gold", gold), ("scripts", script)):
        if (record.recording, record.family) != (name, entry.family):
            found = f"{record.recording} of {record.family}"
            yield finding("id", f"{file}/{name}.json", "is about another recording", f"{name} of {entry.family}", found)
    if (gold.variant, gold.duration_us, len(gold.speakers)) != (entry.variant, entry.duration_us, entry.speakers):
        yield finding(
            "manifest",
            f"manifest.json {name}",
            "variant, duration and speakers differ from gold",
            (gold.variant, gold.duration_us, len(gold.speakers)),
            (entry.variant, entry.duration_us, entry.speakers),
        )
    for number, turn in enumerate(script.turns, 1):
        if turn.id != turn_id(name, number):
            yield finding("id", f"scripts/{name}.json turn {number}", "turn id", turn_id(name, number), turn.id)
    said = speakers(script)
    labelled = {each.person: each.speaker for each in gold.speakers}
    if said != labelled:
        yield finding("speakers", f"gold/{name}.json", "speakers are not in the order of first speech", said, labelled)


def twice(where: str, what: str, names: Iterable[str]) -> Iterator[Finding]:
    """Names that stand more than once among those that must differ."""
    for name, count in Counter(names).items():
        if count > 1:
            yield finding("twice", where, f"{what} {name}", "once", f"{count} times")


def ids(gold: Gold, script: Script) -> Iterator[Finding]:
    """No id of a recording names two things."""
    where = f"gold/{gold.recording}.json"
    events = [event.event_id for trajectory in gold.trajectories for event in trajectory.events]
    yield from twice(where, "event or candidate", [*events, *(each.candidate_id for each in gold.candidates)])
    for trajectory in gold.trajectories:
        yield from twice(where, f"cycle of {trajectory.key}", [cycle.cycle_id for cycle in trajectory.cycles])
        for cycle in trajectory.cycles:
            for before, event in zip((None, *cycle.events), cycle.events, strict=False):
                wanted = before.event_id if before else None
                if event.predecessor != wanted:
                    place, message = f"{where} {trajectory.key} {event.event_id}", "is not the event before it"
                    yield finding("predecessor", place, message, wanted or "none", event.predecessor or "none")
    chains = [f"{each.key} {each.instance or ''}".strip() for each in gold.trajectories]
    yield from twice(where, "chain", chains)
    yield from twice(where, "turn", [turn.turn for turn in gold.turns])
    for what, names in (
        ("speaker", [each.speaker for each in gold.speakers]),
        ("person", [each.person for each in gold.speakers]),
        ("voice", [each.voice for each in gold.speakers]),
    ):
        yield from twice(where, what, names)
    where = f"scripts/{script.recording}.json"
    yield from twice(where, "turn", [turn.id for turn in script.turns])
    yield from twice(where, "mention", [mention.id for mention in script.mentions])


def voices(gold: Gold, known: dict[str, Voice]) -> Iterator[Finding]:
    """Everybody speaks with a voice of the manifest, of his gender."""
    for each in gold.speakers:
        where = f"gold/{gold.recording}.json {each.speaker}"
        voice = known.get(each.voice)
        if voice is None:
            yield finding("voice", where, "is no voice of the manifest", ", ".join(sorted(known)), each.voice)
        elif voice.gender != each.gender:
            yield finding("voice", where, f"gender of {each.voice}", each.gender, voice.gender)


def text(gold: Gold, script: Script) -> Iterator[Finding]:
    """Spans and mentions inside their turns, each event's words in the one turn its evidence names."""
    name = script.recording
    lengths = {turn.id: len(turn.text) for turn in script.turns}
    order = {turn.id: index for index, turn in enumerate(script.turns)}
    persons = {turn.id: turn.person for turn in script.turns}
    who = {each.speaker: each.person for each in gold.speakers}
    heard = [(each.turn, who.get(each.speaker)) for each in gold.turns]
    if heard != list(persons.items()):
        found = f"{len(heard)} turns, {sum(each not in persons.items() for each in heard)} of them other"
        yield finding("turns", f"gold/{name}.json", "turns", f"the script's {len(persons)} turns and persons", found)
    spans = [(f"span {index} ({each.kind} of {each.target})", each) for index, each in enumerate(script.spans)]
    ranges: list[tuple[str, Span | Mention]] = [*spans, *((f"mention {each.id}", each) for each in script.mentions)]
    for item, each in ranges:
        length = lengths.get(each.turn)
        if length is None or not 0 <= each.start < each.end <= length:
            expected = "a turn of this script" if length is None else f"inside [0, {length})"
            yield finding(
                "span", f"scripts/{name}.json {item}", f"in {each.turn}", expected, f"[{each.start}, {each.end})"
            )
    known = {event.event_id for trajectory in gold.trajectories for event in trajectory.events}
    known |= {candidate.candidate_id for candidate in gold.candidates}
    for item, span in spans:
        if span.target not in known:
            yield finding("span", f"scripts/{name}.json {item}", "target", "an event or candidate of gold", span.target)
    for trajectory in gold.trajectories:
        latest = -1
        for event in trajectory.events:
            where = f"gold/{name}.json {trajectory.key} {event.event_id}"
            turns = sorted({s.turn for s in script.spans if s.target == event.event_id and s.kind in TRIGGER_KINDS})
            if turns != [event.evidence.turn]:
                yield finding("trigger", where, "words of the event", f"all in {event.evidence.turn}", turns or "none")
            if persons.get(event.evidence.turn) != who.get(event.speaker):
                yield finding("trigger", where, "is said by another", event.speaker, persons.get(event.evidence.turn))
            now = order.get(event.evidence.turn, -1)
            if now < latest:
                yield finding("order", where, "is heard before its predecessor", "a later turn", event.evidence.turn)
            latest = now


def allowed(gold: Gold, schema: PublicSchema) -> Iterator[Finding]:
    """Everything an answer must name is in the public schema: entity and field, scope, value type, result."""
    fields = {(field.entity, field.field): field for field in schema.fields}
    for trajectory in gold.trajectories:
        where = f"gold/{gold.recording}.json {trajectory.key}"
        field = fields.get((trajectory.entity, trajectory.field))
        if field is None:
            yield finding("schema", where, "is no field of public/schema.json", found=trajectory.key)
            continue
        for event in trajectory.events:
            kind = None if event.value is None else type(event.value).__name__.lower()
            place = f"{where} {event.event_id}"
            if kind is not None and kind not in field.values:
                yield finding("schema", place, "value type", " or ".join(field.values), kind)
            if event.scope not in schema.scopes:
                yield finding("schema", place, "scope", "one of public/schema.json", event.scope)
            if event.result is not None and event.result not in schema.results:
                yield finding("schema", place, "result", " or ".join(schema.results), event.result)
