"""A retry whose alignment asked for a further round spoke a turn that had just failed again, in its next ways."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from conftest import record, run
from dtbuild.align.aligner import TurnAudio
from dtbuild.align.even import EvenAligner
from dtbuild.errors import AlignmentError
from dtbuild.records.sound import SpeechRequest
from dtbuild.speech.engine import ToneEngine
from dtbuild.speech.ways import FIRST, FURTHER

SPEAK, ALIGN = ToneEngine.speak, EvenAligner.align


def test_a_retry_tries_so_many_ways_and_no_more(
    tone_config: Path, tone_cohort: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In one family a turn is never good; in the other an alignment fails once, so that there is a second round."""
    mixes = sorted((tone_cohort / "work" / "mix").glob("*-a.json"))
    lost, other = (record(path)["placements"][0]["take"] for path in mixes)
    take = record(tone_cohort / "work" / "takes" / f"{lost}.json")["take"]
    refused = set[str]()

    def speak(self: ToneEngine, request: SpeechRequest) -> Any:
        silent = (request.voice.id, request.spoken.text) == (take["voice"], take["text"])
        return SPEAK(self, request) * (not silent)

    def align(self: EvenAligner, turns: Sequence[TurnAudio]) -> Any:
        for turn in turns:
            if isinstance(turn.audio, Path) and turn.audio.stem in refused:
                raise AlignmentError(f"turn {turn.turn}: the sound does not fit", turn=turn.turn)
        return ALIGN(self, turns)

    monkeypatch.setattr(ToneEngine, "speak", speak)
    assert run(tone_config, tmp_path) == 1
    refused.add(other)
    for item in (tmp_path / "work" / "align").glob("*.json"):
        item.unlink()
    monkeypatch.setattr(EvenAligner, "align", align)
    assert run(tone_config, tmp_path, "--retry-quarantined") == 1
    assert list((tmp_path / "work" / "retakes").glob("*.json")), "no second round"
    assert record(tmp_path / "work" / "takes" / f"{lost}.json")["tried"] == FIRST + FURTHER
