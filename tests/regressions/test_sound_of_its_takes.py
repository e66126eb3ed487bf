"""A mix and an alignment were kept by the ids of their takes, whatever those takes had come to sound like."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from conftest import record, run, stamps
from dtbuild.pipeline import validate
from dtbuild.pipeline.folder import Folder
from dtbuild.pipeline.takes import TakeItem
from dtbuild.speech.wav import pcm_sha256, read_wav, write_wav


def test_another_sound_of_a_take_is_mixed_and_aligned_again(cohort: Path, tone_config: Path) -> None:
    folder = Folder(cohort)
    id = min(path.stem for path in (cohort / "work" / "takes").glob("*.json"))
    stored = folder.stored("takes", id, TakeItem)
    assert stored is not None and stored.record.take is not None
    shorter = read_wav(folder.path("takes", id, ".wav"))[:-2400]
    write_wav(folder.path("takes", id, ".wav"), shorter)
    take = replace(stored.record.take, samples=len(shorter), sha256=pcm_sha256(shorter, "t"))
    folder.write("takes", id, replace(stored.record, take=take), id, beside=(".wav",))
    before = stamps(cohort)
    concerned = {
        path.stem
        for path in (cohort / "work" / "mix").glob("*.json")
        if any(each["take"] == id for each in record(path)["placements"])
    }
    assert run(tone_config, cohort) == 0 and validate(cohort) == []
    after = stamps(cohort)
    made = {name for name, stamp in after.items() if before.get(name) != stamp}
    assert {Path(name).stem for name in made if name.startswith("work/mix/")} == concerned
    aligned = {Path(name).stem for name in made if name.startswith("work/align/")}
    assert {name.rpartition("-")[0] for name in aligned} == concerned and len(aligned) == len(concerned)
