"""What must hold of one released recording. Each check yields findings that name file, item, expected, found.

The times of a recording are compared with one another (anchor in utterance in coarse in recording, TextGrid,
WAV) and its words with its gold (spans, mentions, triggers); legality of chains and the declared numbers are
judged by the checkers the caller brings, which are those the builder used.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from dtbuild.errors import FormatError
from dtbuild.lexicon.characters import is_hanzi
from dtbuild.records.cohort import Gold, GoldEvent, PublicSchema, RecordingEntry, Window
from dtbuild.records.ids import is_family_id, recording_id, turn_id
from dtbuild.records.script import TRIGGER_KINDS, Mention, Script, Span, speakers
from dtbuild.records.verdict import Finding, finding
from dtbuild.release.wav import read_header
from dtbuild.timebase import RATE, to_microseconds


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


def audio(path: Path, gold: Gold) -> Iterator[Finding]:
    """24 kHz, mono, 16 bit integers, nothing beside the samples, and as long as gold says."""
    where = f"public/audio/{path.name}"
    try:
        header = read_header(path)
    except FormatError as error:
        yield finding("wav", where, "cannot be read as WAV", error.expected, error.found)
        return
    form = (header.coding, header.rate, header.channels, header.bits)
    if form != (1, RATE, 1, 16):
        expected, found = (f"coding {c}, {r} Hz, {n} channel(s), {b} bit" for c, r, n, b in ((1, RATE, 1, 16), form))
        yield finding("wav", where, "wrong kind of samples", expected, found)
    if header.chunks != ("fmt ", "data"):
        yield finding("wav", where, "chunks beside the samples", "fmt, data", ", ".join(header.chunks))
    if to_microseconds(header.frames) != gold.duration_us:
        yield finding("duration", where, "length", f"{gold.duration_us} µs", f"{to_microseconds(header.frames)} µs")


def windows(gold: Gold) -> Iterator[Finding]:
    """Every event has windows; anchor in utterance in coarse in recording; nothing is empty or out of order."""
    whole = Window(start_us=0, end_us=gold.duration_us)
    turns = {each.turn: each.window for each in gold.turns}
    latest = 0
    for turn in gold.turns:
        yield from _nested(f"gold/{gold.recording}.json {turn.turn}", ("turn", turn.window), ("recording", whole))
        if turn.window.start_us < latest:
            expected = f"from {latest} µs"
            yield finding(
                "order", f"gold/{gold.recording}.json {turn.turn}", "starts early", expected, _times(turn.window)
            )
        latest = turn.window.start_us
    for trajectory in gold.trajectories:
        for event in trajectory.events:
            where = f"gold/{gold.recording}.json {trajectory.key} {event.event_id}"
            evidence = event.evidence
            if evidence.utterance != turns.get(evidence.turn):
                found = _times(evidence.utterance)
                yield finding("window", where, "utterance is not its turn", f"the window of {evidence.turn}", found)
            if not evidence.anchor:
                yield finding("window", where, "no anchor", "at least one interval", "none")
            for index, each in enumerate(evidence.anchor):
                yield from _nested(where, (f"anchor[{index}]", each), ("utterance", evidence.utterance))
            yield from _nested(where, ("utterance", evidence.utterance), ("coarse", evidence.coarse))
            yield from _nested(where, ("coarse", evidence.coarse), ("recording", whole))
            for before, after in zip(evidence.anchor, evidence.anchor[1:], strict=False):
                if after.start_us < before.end_us:
                    yield finding("window", where, "anchor out of order", f"from {before.end_us} µs", _times(after))


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


def textgrid(tiers: Sequence[Any], gold: Gold, script: Script) -> Iterator[Finding]:
    """Turns and characters of every speaker, as gold has them; each 汉字 of an event's words is timed in the anchor.

    Tiers named `event …` show anchors and may be there.
    """
    where = f"textgrids/{gold.recording}.TextGrid"
    named = {tier.name: tier.labels for tier in tiers if not tier.name.startswith("event ")}
    expected = [f"{each.speaker} {what}" for each in gold.speakers for what in ("turns", "characters")]
    if sorted(named) != sorted(expected):
        yield finding("textgrid", where, "tiers", sorted(expected), sorted(named))
        return
    for speaker in (each.speaker for each in gold.speakers):
        mine = [(turn.window.start_us, turn.window.end_us) for turn in gold.turns if turn.speaker == speaker]
        times = [(to_microseconds(each.start), to_microseconds(each.end)) for each in named[f"{speaker} turns"]]
        if times != sorted(mine):
            found = f"{len(times)} turns, {sum(one not in mine for one in times)} at other times"
            yield finding("textgrid", f"{where} {speaker} turns", "times of turns", f"{len(mine)} as in gold", found)
    for trajectory in gold.trajectories:
        for event in trajectory.events:
            timed = _timed(event, named.get(f"{event.speaker} characters", ()))
            wanted = _words(event, script)
            if timed < wanted:
                place = f"{where} {trajectory.key} {event.event_id}"
                message = "characters of the event's words without a time in the anchor"
                yield finding("anchor", place, message, f"{wanted} or more", timed)


def _nested(where: str, inner: tuple[str, Window], outer: tuple[str, Window]) -> Iterator[Finding]:
    (name, each), (holder, hull) = inner, outer
    if each.length_us <= 0:
        yield finding("window", where, f"{name} is empty", "start before end", _times(each))
    if not each.inside(hull):
        yield finding("window", where, f"{name} leaves the {holder}", f"inside {_times(hull)}", _times(each))


def _timed(event: GoldEvent, labels: Sequence[Any]) -> int:
    middles = [to_microseconds((label.start + label.end) // 2) for label in labels]
    return sum(any(each.start_us <= middle < each.end_us for each in event.evidence.anchor) for middle in middles)


def _words(event: GoldEvent, script: Script) -> int:
    # a Latin term is spoken as 汉字 whose number only its table knows, so 汉字 alone are a floor
    text = next((turn.text for turn in script.turns if turn.id == event.evidence.turn), "")
    places = {
        index
        for span in script.spans
        if span.target == event.event_id and span.kind in TRIGGER_KINDS and span.turn == event.evidence.turn
        for index in range(span.start, span.end)
    }
    return sum(index < len(text) and is_hanzi(text[index]) for index in places)


def _times(each: Window) -> str:
    return f"[{each.start_us}, {each.end_us}) µs"
