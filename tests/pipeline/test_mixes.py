"""Mixes in a cohort: rebuilt from their takes, shared by a pair, with overlaps where the config wants them."""

from __future__ import annotations

import errno
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from conftest import TONE, hashes, manifest_of, record, run, stamps
from dtbuild.errors import SettingsError
from dtbuild.pipeline import validate
from dtbuild.pipeline.config import load_config
from dtbuild.records.sound import Timeline
from dtbuild.speech.mixing import render
from dtbuild.speech.overlaps import LEAST, MOST
from dtbuild.speech.wav import SCALE, read_wav, write_blocks


def timeline(cohort: Path, recording: str) -> Timeline:
    return msgspec.convert(record(cohort / "work" / "mix" / f"{recording}.json"), Timeline)


def recordings(cohort: Path) -> list[str]:
    return sorted(each["recording"] for each in manifest_of(cohort)["recordings"])


def reader(cohort: Path) -> Callable[[str], Any]:
    return lambda take: read_wav(cohort / "work" / "takes" / f"{take}.wav")


@pytest.fixture(scope="module")
def overlapping(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cohort whose back-channels begin early wherever they may."""
    root = tmp_path_factory.mktemp("overlap")
    (root / "c.yaml").write_text(TONE.replace("groups: 2", "groups: 4") + "mix: {overlap: 1.0}\n", "utf-8")
    assert run(root / "c.yaml", root / "cohort") == 0
    return root / "cohort"


def test_a_recording_is_rebuilt_from_takes_and_timeline(tone_cohort: Path, overlapping: Path, tmp_path: Path) -> None:
    for cohort in (tone_cohort, overlapping):
        for name in recordings(cohort):
            each = timeline(cohort, name)
            write_blocks(tmp_path / "again.wav", each.samples, render(each, reader(cohort)))
            released = cohort / "release" / "public" / "audio" / f"{name}.wav"
            assert (tmp_path / "again.wav").read_bytes() == released.read_bytes()


def test_without_overlap_every_turn_waits_for_the_one_before(tone_cohort: Path) -> None:
    for name in recordings(tone_cohort):
        each = timeline(tone_cohort, name)
        assert not any(each.overlaps())
        turns = [
            turn["id"] for turn in json.loads((tone_cohort / "release/scripts" / f"{name}.json").read_bytes())["turns"]
        ]
        assert [one.turn for one in each.placements] == turns
        gaps = [b.start - a.end for a, b in zip(each.placements, each.placements[1:], strict=False)]
        assert min(gaps) >= 1_200
        samples = sum(one.samples for one in each.placements) + sum(gaps) + each.placements[0].start
        assert each.samples - samples == 14_400
        audio = read_wav(tone_cohort / "work" / "mix" / f"{name}.wav")
        quiet = audio[: each.placements[0].start].astype(np.float64)
        assert each.room_tone is not None
        assert 10 * np.log10(np.mean(quiet**2)) == pytest.approx(each.room_tone.level_db, abs=1.5)
        assert np.abs(audio).max() <= 10 ** (-1 / 20) + 1 / SCALE


def test_a_pair_shares_the_room_and_the_gaps_between_shared_turns(tone_cohort: Path) -> None:
    (family,) = (each["family"] for each in manifest_of(tone_cohort)["pairs"])
    one, two = (timeline(tone_cohort, f"{family}-{variant}") for variant in "ab")
    assert one.room_tone == two.room_tone

    def gaps(each: Timeline) -> list[tuple[str, str, int]]:
        pairs = zip(each.placements, each.placements[1:], strict=False)
        return [(before.take, after.take, after.start - before.end) for before, after in pairs]

    said = [gaps(one), gaps(two)]
    shared = {(a, b) for a, b, _ in said[0]} & {(a, b) for a, b, _ in said[1]}
    assert len(shared) > len(said[0]) // 2
    alike = [[each for each in found if each[:2] in shared] for found in said]
    assert alike[0] == alike[1] and said[0] != said[1]


def test_overlaps_are_short_true_and_over_no_evidence(overlapping: Path) -> None:
    assert validate(overlapping) == []
    count = 0
    for name in recordings(overlapping):
        each = timeline(overlapping, name)
        gold = json.loads((overlapping / "release/gold" / f"{name}.json").read_bytes())
        windows = {turn["turn"]: (turn["window"]["start_us"], turn["window"]["end_us"]) for turn in gold["turns"]}
        events = [
            event["evidence"]
            for chain in gold["trajectories"]
            for cycle in chain["cycles"]
            for event in cycle["events"]
        ]
        anchors = [(part["start_us"], part["end_us"], one["turn"]) for one in events for part in one["anchor"]]
        script = json.loads((overlapping / "release/scripts" / f"{name}.json").read_bytes())
        people = {turn["id"]: turn["person"] for turn in script["turns"]}
        for before, one, shared in zip(each.placements, each.placements[1:], each.overlaps()[1:], strict=False):
            for placed in (before, one):
                start, end = windows[placed.turn]
                assert start == round(placed.start / 0.024) and end == round(placed.end / 0.024)
            if shared:
                count += 1
                assert LEAST <= shared <= MOST and people[before.turn] != people[one.turn]
                start, end = windows[one.turn]
                assert not [each for each in anchors if each[0] < end and start < each[1]]
    assert count >= 3


@pytest.mark.parametrize(
    ("mix", "found"),
    [
        ("{overlap: 1.5}", "mix.overlap: expected a share from 0 to 1, found 1.5"),
        ("{room_tone: [-62.0, -70.0]}", "mix.room_tone: expected [quietest, loudest] dBFS"),
        ("{room_tone: [-40.0, -40.0]}", "found [-40.0, -40.0]"),
    ],
)
def test_what_a_config_may_not_say(mix: str, found: str, tmp_path: Path) -> None:
    (tmp_path / "c.yaml").write_text(f"{TONE}mix: {mix}\n", "utf-8")
    with pytest.raises(SettingsError, match=re.escape(found)):
        load_config(tmp_path / "c.yaml")


def test_room_tone_may_be_left_out(tmp_path: Path) -> None:
    (tmp_path / "c.yaml").write_text(f"{TONE}mix: {{room_tone: null}}\n", "utf-8")
    assert load_config(tmp_path / "c.yaml").mix.room_tone is None


def test_a_disk_that_fills_within_a_mix(
    cohort: Path,
    tone_config: Path,
    tone_cohort: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    lost = sorted((cohort / "work" / "mix").glob("*"))[-1]
    lost.unlink()
    before = stamps(cohort / "work" / "takes")
    opened = Path.open

    class Full:
        """A file on a disk with room for 1 MB more."""

        def __init__(self, file: Any) -> None:
            self._file, self._room = file, 1_000_000

        def __enter__(self) -> Full:
            return self

        def __exit__(self, *_: object) -> None:
            self._file.close()

        def write(self, data: bytes) -> int:
            self._room -= len(data)
            if self._room < 0:
                raise OSError(errno.ENOSPC, "No space left on device")
            return int(self._file.write(data))

    def open_(self: Path, mode: str = "r", *rest: Any, **more: Any) -> Any:
        file = opened(self, mode, *rest, **more)
        return Full(file) if mode == "wb" and self.suffix == ".wav" and self.parent.name == "mix" else file

    monkeypatch.setattr(Path, "open", open_)
    assert run(tone_config, cohort) == 1
    message = capsys.readouterr().err
    assert f"cannot write {lost.with_suffix('.wav')}; found a full disk; next: free some space" in message
    assert not [path for path in cohort.rglob(".tmp-*")]
    monkeypatch.undo()
    assert run(tone_config, cohort) == 0
    assert hashes(cohort) == hashes(tone_cohort) and stamps(cohort / "work" / "takes") == before
