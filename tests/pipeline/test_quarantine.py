"""A turn, mix, alignment or window that fails withholds its family whole; the others are released; a retry mends."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from conftest import hashes, manifest_of, record, run, stamps
from dtbuild.errors import AlignmentError, SynthesisError, Unspeakable
from dtbuild.pipeline import validate
from dtbuild.records.sound import SpeechRequest
from dtbuild.speech.engine import ToneEngine

SPEAK = ToneEngine.speak
SLOW = pytest.mark.slow


@pytest.fixture(scope="module")
def broken(tone_cohort: Path) -> tuple[str, str, str]:
    """(family, voice, text) of one turn of the pair that B alone has."""

    work = tone_cohort / "work"
    (b,) = (work / "mix").glob("*-b.json")
    family = b.stem.partition("-")[0]
    takes_a, takes_b = (
        {each["take"] for each in record(work / "mix" / f"{family}-{variant}.json")["placements"]} for variant in "ab"
    )
    take = record(work / "takes" / f"{min(takes_b - takes_a)}.json")["take"]
    return family, take["voice"], take["text"]


@pytest.mark.parametrize(
    "fault", ["silence", pytest.param("engine", marks=SLOW), pytest.param("unspeakable", marks=SLOW)]
)
def test_a_failed_turn_withholds_its_family_until_a_retry(
    fault: str,
    broken: tuple[str, str, str],
    tone_config: Path,
    tone_cohort: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    family, *voice_and_text = broken

    def speak(self: ToneEngine, request: SpeechRequest) -> Any:
        if [request.voice.id, request.spoken.text] != voice_and_text:
            return SPEAK(self, request)
        if fault == "engine":
            raise SynthesisError("the engine", found="a fault")
        if fault == "unspeakable":
            raise Unspeakable("character 'x'", fix="write it in 汉字")
        return SPEAK(self, request) * 0

    monkeypatch.setattr(ToneEngine, "speak", speak)
    assert run(tone_config, tmp_path) == 1
    shown = capsys.readouterr()
    reason = {"silence": "speech.silent", "engine": "speech.engine", "unspeakable": "speech.unspeakable"}[fault]
    assert f"withheld {family}: take " in shown.out and reason in shown.out and f"of {family}-b-t" in shown.out
    assert f"1 withheld: {family}" in shown.err and "--retry-quarantined" in shown.err
    manifest = manifest_of(tmp_path)
    whole = {each["family"] for each in manifest_of(tone_cohort)["recordings"]}
    assert {each["family"] for each in manifest["recordings"]} == whole - {family}
    assert [each["family"] for each in manifest["withheld"]] == [family] and validate(tmp_path) == []

    before = stamps(tmp_path)
    monkeypatch.setattr(ToneEngine, "speak", SPEAK)
    assert run(tone_config, tmp_path) == 1  # a plain rerun tries nothing again
    assert "nothing left to do" in capsys.readouterr().out and stamps(tmp_path) == before

    takes = stamps(tmp_path / "work" / "takes")
    assert run(tone_config, tmp_path, "--retry-quarantined") == 0
    assert hashes(tmp_path) == hashes(tone_cohort) and validate(tmp_path) == []
    changed = [name for name, stamp in stamps(tmp_path / "work" / "takes").items() if takes.get(name) != stamp]
    assert len(changed) == 2  # the take and its item


@pytest.mark.parametrize(
    ("place", "error", "part"),
    [
        pytest.param("dtbuild.pipeline.mixes.mix", SynthesisError, "mix of", marks=SLOW),
        pytest.param("dtbuild.pipeline.evidence.windows", AlignmentError, "windows of", marks=SLOW),
        ("dtbuild.align.even.EvenAligner._align", AlignmentError, "alignment of"),
    ],
)
def test_a_failed_recording_withholds_its_family(
    place: str,
    error: type[Exception],
    part: str,
    tone_config: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    module, _, name = place.rpartition(".")
    import importlib

    try:
        owner: Any = importlib.import_module(module)
    except ModuleNotFoundError:
        owner = getattr(importlib.import_module(module.rpartition(".")[0]), module.rpartition(".")[2])
    real = getattr(owner, name)
    broken: list[str] = []

    def fail(*arguments: Any, **options: Any) -> Any:
        text = repr(arguments)
        if not broken:
            broken.append(next(word for word in text.replace("'", " ").split() if word.startswith("sc0")).split("-")[0])
        if broken[0] in text:
            raise error("this recording", found="a fault")
        return real(*arguments, **options)

    monkeypatch.setattr(owner, name, fail)
    assert run(tone_config, tmp_path) == 1
    out = capsys.readouterr().out
    assert f"withheld {broken[0]}: {part} {broken[0]}-" in out and "a fault" in out
    assert broken[0] not in {each["family"] for each in manifest_of(tmp_path)["recordings"]}
    assert validate(tmp_path) == []
