"""A sound that a retry had saved, lost later, was looked for among the first ways again and its family withheld."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from conftest import hashes, record, run, stamps
from dtbuild.records.sound import SpeechRequest
from dtbuild.speech.engine import ToneEngine
from dtbuild.speech.ways import FIRST, WAYS

SPEAK = ToneEngine.speak


def test_it_is_spoken_first_in_the_way_that_made_it(
    tone_config: Path, tone_cohort: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One turn is good in one way alone, which only a retry reaches."""
    id = min(path.stem for path in (tone_cohort / "work" / "takes").glob("*.json"))
    take = record(tone_cohort / "work" / "takes" / f"{id}.json")["take"]
    good = WAYS[FIRST + 1]
    calls: list[SpeechRequest] = []

    def speak(self: ToneEngine, request: SpeechRequest) -> Any:
        if (request.voice.id, request.spoken.text) != (take["voice"], take["text"]):
            return SPEAK(self, request)
        calls.append(request)
        shift = (request.delivery.split, request.delivery.style_shift)
        return SPEAK(self, request) * (shift == (good.split, good.style_shift))

    monkeypatch.setattr(ToneEngine, "speak", speak)
    assert run(tone_config, tmp_path) == 1
    assert run(tone_config, tmp_path, "--retry-quarantined") == 0
    path = tmp_path / "work" / "takes" / f"{id}.wav"
    sound, item, before = path.read_bytes(), path.with_suffix(".json").read_bytes(), hashes(tmp_path)
    assert record(path.with_suffix(".json"))["way"] == FIRST + 1
    path.unlink()
    calls.clear()
    assert run(tone_config, tmp_path) == 0
    assert path.read_bytes() == sound and path.with_suffix(".json").read_bytes() == item
    assert len({request.seed for request in calls}) == 1 and hashes(tmp_path) == before
    done = stamps(tmp_path)
    assert run(tone_config, tmp_path) == 0 and stamps(tmp_path) == done
