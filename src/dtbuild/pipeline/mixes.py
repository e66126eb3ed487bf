"""The speech stage, second half: takes of a recording, with gaps, at one loudness."""

from __future__ import annotations

from collections.abc import Sequence

from dtbuild.errors import SynthesisError
from dtbuild.pipeline.desk import Desk, Recording, text_digest
from dtbuild.records.ids import family_of
from dtbuild.records.sound import Timeline
from dtbuild.seeds import derive
from dtbuild.speech.mixing import gaps, mix
from dtbuild.speech.wav import read_wav, write_wav


def mix_all(recordings: Sequence[Recording], desk: Desk) -> dict[str, Timeline]:
    """The timeline of every recording; one that cannot be brought to loudness quarantines its family."""
    timelines = {}
    with desk.watcher.stage("mix", len(recordings), "recordings") as step:
        for each in recordings:
            inputs = text_digest(each)
            stored = desk.folder.derived("mix", each.id, Timeline, inputs)
            try:
                timelines[each.id] = stored or _mix(each, desk, inputs)
            except SynthesisError as error:
                desk.quarantine.add(each.id, "mix", str(error))
            step(made=stored is None)
    return timelines


def _mix(each: Recording, desk: Desk, inputs: str) -> Timeline:
    order = [(turn.id, turn.person, turn.text) for turn in each.script.turns]
    takes = [each.takes[turn][0] for turn, _, _ in order]
    placed = [
        (turn, id, read_wav(desk.folder.path("takes", id, ".wav")))
        for (turn, _, _), id in zip(order, takes, strict=True)
    ]
    pauses = gaps(order, seed=derive(desk.config.seed, "gaps", family_of(each.id)))
    audio, timeline = mix(each.id, placed, pauses)
    write_wav(desk.folder.path("mix", each.id, ".wav"), audio)
    desk.folder.write("mix", each.id, timeline, inputs, beside=(".wav",))
    return timeline
