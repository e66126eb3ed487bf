"""The TextGrid of a recording: turns, characters and event anchors, a tier each, for Praat and ELAN."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from dtbuild.align.textgrid import Label, Tier, speaker_tiers, write_textgrid
from dtbuild.records.evidence import EventEvidence
from dtbuild.records.script import Script, speakers
from dtbuild.records.sound import Alignment, Timeline
from dtbuild.store import placing


def write_grid(
    path: Path, script: Script, timeline: Timeline, alignment: Alignment, events: Sequence[EventEvidence]
) -> None:
    """Two tiers a speaker, then one tier an event: anchors of two events may overlap, labels of a tier may not."""
    label = speakers(script)
    places = {place.turn: place for place in timeline.placements}
    chars = {turn.turn: turn.chars for turn in alignment.turns}
    rows = []
    for turn in script.turns:
        place = places[turn.id]
        whole = Label(place.start, place.start + place.samples, turn.text)
        rows.append((label[turn.person], whole, [Label(c.start, c.end, c.hanzi) for c in chars[turn.id]]))
    anchors = [
        Tier(f"event {each.event}", tuple(Label(part.start, part.end, each.event) for part in each.anchor))
        for each in events
    ]
    with placing(path) as temporary:
        write_textgrid(temporary, [*speaker_tiers(rows), *anchors], samples=timeline.samples)
