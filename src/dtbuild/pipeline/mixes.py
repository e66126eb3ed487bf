"""The speech stage, second half: takes of a recording, with gaps and room tone, at one loudness.

Gaps, overlaps and the room are drawn by family, so that its variants share the room and every gap between turns that
they share.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from dtbuild.errors import SynthesisError
from dtbuild.fingerprint import digest
from dtbuild.pipeline.desk import Desk, Recording
from dtbuild.pipeline.folder import Folder
from dtbuild.records.ids import family_of
from dtbuild.records.sound import Take, Timeline
from dtbuild.seeds import derive
from dtbuild.speech.gaps import gaps
from dtbuild.speech.mixing import mix, place, render
from dtbuild.speech.overlaps import carrying, free_tails, overlaps
from dtbuild.speech.roomtone import choose
from dtbuild.speech.wav import read_wav, write_blocks

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Audio = NDArray[np.float32]


def mix_all(recordings: Sequence[Recording], takes: Mapping[str, Take], desk: Desk) -> dict[str, Timeline]:
    """The timeline of every recording, mixed of these takes; one that cannot be mixed quarantines its family.

    Raises StorageError when the disk is full; what is mixed stays.
    """
    timelines = {}
    with desk.watcher.stage("mix", len(recordings), "recordings") as step:
        for each in recordings:
            inputs = _inputs(each, takes, desk)
            stored = desk.folder.derived("mix", each.id, Timeline, inputs)
            try:
                timelines[each.id] = stored or _mix(each, takes, desk, inputs)
            except SynthesisError as error:
                desk.quarantine.add(each.id, "mix", str(error))
            step(made=stored is None)
    return timelines


def _inputs(each: Recording, takes: Mapping[str, Take], desk: Desk) -> str:
    # what words carry decides where a turn may be spoken over, and nothing else of a mix
    carried = [each.script.spans, each.script.mentions] if desk.config.mix.overlap else []
    said = [[turn.id, turn.person, turn.text, takes[each.takes[turn.id][0]]] for turn in each.script.turns]
    return digest([said, desk.config.mix, carried])


def _mix(each: Recording, takes: Mapping[str, Take], desk: Desk, inputs: str) -> Timeline:
    settings, seed = desk.config.mix, derive(desk.config.seed, "mix", family_of(each.id))
    order = [(turn.id, turn.person, turn.text) for turn in each.script.turns]
    read = partial(_read, desk.folder)
    lengths = {turn: takes[each.takes[turn][0]].samples for turn, _, _ in order}
    pauses = gaps(order, seed)
    early = overlaps(
        order,
        lengths,
        free_tails(each.script, each.spoken),
        carrying(each.script),
        share=settings.overlap,
        seed=seed,
    )
    placements = place([(turn, each.takes[turn][0], lengths[turn]) for turn, _, _ in order], pauses, early)
    samples = max(one.end for one in placements) + pauses[-1]
    tone = choose(settings.room_tone, seed) if settings.room_tone else None
    timeline = mix(each.id, placements, samples, read, tone)
    write_blocks(desk.folder.path("mix", each.id, ".wav"), samples, render(timeline, read))
    desk.folder.write("mix", each.id, timeline, inputs, beside=(".wav",))
    return timeline


def _read(folder: Folder, take: str) -> Audio:
    return read_wav(folder.path("takes", take, ".wav"))
