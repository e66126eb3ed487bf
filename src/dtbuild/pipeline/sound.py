"""The sound stages in order: takes and mixes, alignment (where the config wants one), evidence windows.

Models are loaded in the workers alone. A turn whose alignment fails is spoken another way, mixed and aligned again;
one that no retake saves quarantines its family: it is withheld whole, by name, and the others go on.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from dtbuild.align.make import fingerprint_of as aligner_fingerprint
from dtbuild.pipeline.adapting import own_model
from dtbuild.pipeline.alignments import Aligned, align_all
from dtbuild.pipeline.desk import Desk, Recording, recordings_of
from dtbuild.pipeline.evidence import Events, find_windows
from dtbuild.pipeline.mixes import mix_all
from dtbuild.pipeline.retakes import Retakes
from dtbuild.pipeline.takes import speak
from dtbuild.pipeline.text import Admitted
from dtbuild.records.bundle import Bundle
from dtbuild.records.evidence import NO_ALIGNER
from dtbuild.records.sound import Alignment, Timeline
from dtbuild.speech.casting import load_table, load_voices
from dtbuild.speech.engine import fingerprint_of as engine_fingerprint


def sound(families: Sequence[Admitted], stages: Sequence[str], desk: Desk) -> tuple[list[Recording], list[Bundle]]:
    """Recordings that came through these stages, in order, and their bundles once evidence is among the stages."""
    config, rest = desk.config, desk.quarantine.rest
    voices, table = load_voices(config.speech.voices), load_table(config.speech.voices)
    engine = engine_fingerprint(config.speech.engine)
    aligned = config.align.aligner != NO_ALIGNER
    aligner = aligner_fingerprint(config.align.aligner) if aligned else NO_ALIGNER
    first = [each for family in families for each in recordings_of(family, config, voices, engine, table)]
    retakes = Retakes(desk.folder, engine, aligner, retry=desk.retry)
    items: dict[str, Aligned] = {}
    model: Path | None = None
    if "align" in stages and config.align.adapt:
        model = own_model(first, speak(first, desk, engine), desk, aligner)
    while True:
        recordings = [retakes.applied(each) for each in first]
        takes = speak(rest(recordings), desk, engine)
        timelines = mix_all(rest(recordings), takes, desk)
        if "align" not in stages:
            return rest(recordings), []
        if not aligned:
            break
        sounds = {id: take.sha256 for id, take in takes.items()}
        items = align_all(rest(recordings), sounds, timelines, desk, model)
        if not retakes.ask(first, items):
            break
    for each in rest(recordings) if aligned else ():
        if items[each.id].alignment is None:
            desk.quarantine.add(each.id, "alignment", items[each.id].findings)
    alignments: dict[str, Alignment] | None = None
    if aligned:
        alignments = {id: item.alignment for id, item in items.items() if item.alignment is not None}
    if "evidence" not in stages:
        return rest(recordings), []
    events = find_windows(rest(recordings), timelines, alignments, desk)
    whole = rest(recordings)
    return whole, [_bundle(each, timelines[each.id], events[each.id], desk) for each in whole]


def _bundle(each: Recording, timeline: Timeline, events: Events, desk: Desk) -> Bundle:
    return Bundle(
        recording=each.id,
        plan=each.plan,
        script=each.script,
        verdicts=each.verdicts,
        timeline=timeline,
        evidence=events,
        voices={person: voice.id for person, voice in each.voices.items()},
        wav=desk.folder.path("mix", each.id, ".wav"),
        textgrid=desk.folder.path("evidence", each.id, ".TextGrid"),
        factor=each.factor,
    )
