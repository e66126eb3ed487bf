"""The evidence stage: the windows of every event, and the TextGrid of a recording for Praat and ELAN."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from dtbuild.align.textgrid import Label, Tier, speaker_tiers, write_textgrid
from dtbuild.errors import AlignmentError
from dtbuild.evidence.windows import windows
from dtbuild.fingerprint import digest
from dtbuild.pipeline.desk import Desk, Recording
from dtbuild.records.evidence import EventEvidence
from dtbuild.records.script import Script, speakers
from dtbuild.records.sound import Alignment, Timeline

Events = tuple[EventEvidence, ...]


class EvidenceItem(msgspec.Struct, frozen=True, kw_only=True):
    """The windows of a recording as stored; its TextGrid lies beside."""

    events: Events


def find_windows(
    recordings: Sequence[Recording],
    timelines: Mapping[str, Timeline],
    alignments: Mapping[str, Alignment] | None,
    desk: Desk,
) -> dict[str, Events]:
    """Windows by recording; an event without a window quarantines its family. None: a cohort without alignment."""
    found = {}
    with desk.watcher.stage("evidence", len(recordings), "recordings") as step:
        for each in recordings:
            timeline, alignment = timelines[each.id], alignments[each.id] if alignments is not None else None
            inputs = digest([each.script, timeline, alignment, desk.config.evidence])
            stored = desk.folder.derived("evidence", each.id, EvidenceItem, inputs)
            try:
                item = stored or _window(each, timeline, alignment, desk, inputs)
                found[each.id] = item.events
            except AlignmentError as error:
                desk.quarantine.add(each.id, "windows", str(error))
            step(made=stored is None)
    return found


def _window(each: Recording, timeline: Timeline, alignment: Alignment | None, desk: Desk, inputs: str) -> EvidenceItem:
    events = windows(
        each.script,
        timeline,
        alignment,
        each.spoken,
        targets=[event.id for _, _, event in each.plan.events()],
        coarse_turns=desk.config.evidence.coarse_turns,
    )
    item = EvidenceItem(events=events)
    _write_grid(desk.folder.path("evidence", each.id, ".TextGrid"), each.script, timeline, alignment, events)
    desk.folder.write("evidence", each.id, item, inputs, beside=(".TextGrid",))
    return item


def _write_grid(path: Path, script: Script, timeline: Timeline, alignment: Alignment | None, events: Events) -> None:
    """Two tiers a speaker, then one tier an event: anchors of two events may overlap, labels of a tier may not.

    Without an alignment there are the turns of each speaker and nothing else.
    """
    label = speakers(script)
    places = {place.turn: place for place in timeline.placements}
    chars = {turn.turn: turn.chars for turn in alignment.turns} if alignment else {}
    rows = []
    for turn in script.turns:
        place = places[turn.id]
        whole = Label(place.start, place.start + place.samples, turn.text)
        rows.append((label[turn.person], whole, [Label(c.start, c.end, c.hanzi) for c in chars.get(turn.id, ())]))
    anchors = [
        Tier(f"event {each.event}", tuple(Label(part.start, part.end, each.event) for part in each.anchor))
        for each in events
        if each.anchor
    ]
    tiers = [tier for tier in speaker_tiers(rows) if alignment or not tier.name.endswith(" characters")]
    write_textgrid(path, [*tiers, *anchors], samples=timeline.samples)
