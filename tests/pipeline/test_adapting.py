"""The cohort's own model: trained once for the same takes, again for others or when it is damaged."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
import soundfile

from align.test_viter import DATA, SAID
from dtbuild.align.adapt import Figures
from dtbuild.errors import SettingsError
from dtbuild.pipeline import adapting
from dtbuild.pipeline.adapting import AdaptItem, own_model
from dtbuild.pipeline.config import AlignSettings, Config, checked, identity
from dtbuild.pipeline.desk import Desk, Quarantine, Recording
from dtbuild.pipeline.folder import Folder
from dtbuild.pipeline.progress import Counting, Silent
from dtbuild.records.sound import SpeechRequest, Take, Voice

FIGURES = Figures(score=1.0, least=0.5, edges_median=9.0, edges_p95=40.0)


def desk(root: Path) -> Desk:
    config = Config(scenario="supply_chain", align=AlignSettings(adapt=True))
    return Desk(config, Folder(root), 1, False, Counting(Silent()), Quarantine())


def model_of(at: Desk, aligner: str, count: int = len(SAID), *, other: str = "") -> Path:
    """The model of a recording with so many takes; `other`: the id of one whose sound is another than its first."""
    spoken = recordings(at.folder.root, count)
    takes = {
        id: Take(id=id, text="", voice=request.voice.id, samples=1, sha256="b" if id == other else "a")
        for id, request in spoken[0].takes.values()
    }
    return own_model(spoken, takes, at, aligner)


def recordings(root: Path, count: int = len(SAID)) -> list[Recording]:
    """One recording of so many of the takes in tests/data/align, spoken into the folder."""
    takes = {}
    for one in SAID[:count]:
        voice = Voice(id=one.speaker, gender="female", engine="e", recipe=(), licence="-", attribution="-")
        takes[one.turn] = (f"take-{one.turn}", SpeechRequest(spoken=one.spoken, voice=voice))
        path = Folder(root).path("takes", f"take-{one.turn}", ".wav")
        path.parent.mkdir(parents=True, exist_ok=True)
        soundfile.write(path, *soundfile.read(DATA / f"{one.turn}.flac", dtype="int16"))
    each: Any = SimpleNamespace(takes=takes)
    return [each]


@pytest.fixture
def trained(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Number of takes of each training, which writes a model of that number here and now."""
    seen: list[int] = []

    @contextmanager
    def asking(work: Callable[..., Any], **options: Any) -> Iterator[Any]:
        def ask(wanted: Any) -> Callable[[], AdaptItem]:
            seen.append(len(wanted.takes))
            wanted.out.parent.mkdir(parents=True, exist_ok=True)
            wanted.out.write_bytes(b"model of %d" % len(wanted.takes))
            return lambda: AdaptItem(turns=len(wanted.takes), seconds=400.0, before=FIGURES, after=FIGURES)

        yield ask

    monkeypatch.setattr(adapting, "asking", asking)
    return seen


def test_it_is_made_once_and_again_for_other_takes_another_aligner_or_damage(
    tmp_path: Path, trained: list[int]
) -> None:
    path = model_of(desk(tmp_path), "a")
    assert path.is_file() and tmp_path in path.parents
    again = desk(tmp_path)
    assert model_of(again, "a") == path and trained == [4] and again.watcher.made == 0
    model_of(desk(tmp_path), "a", 3)
    model_of(desk(tmp_path), "b", 3)
    assert trained == [4, 3, 3]
    model_of(desk(tmp_path), "b", 3, other=f"take-{SAID[0].turn}")
    assert trained == [4, 3, 3, 3]
    path.write_bytes(b"damaged")
    model_of(desk(tmp_path), "b", 3, other=f"take-{SAID[0].turn}")
    assert trained == [4, 3, 3, 3, 3] and path.read_bytes() == b"model of 3"


def test_too_little_speech_ends_the_run_by_name(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"align\.adapt: too little speech .*at least 300 s.*leave --adapt out"):
        model_of(desk(tmp_path), "a")
    assert not list((tmp_path / "work").rglob("*.viter"))


def test_it_is_part_of_the_identity_and_needs_the_aligner_viter() -> None:
    config = Config(scenario="supply_chain")
    own = msgspec.structs.replace(config, align=AlignSettings(adapt=True))
    assert identity(config) != identity(own)
    with pytest.raises(SettingsError, match=r"align\.adapt: expected the aligner viter, found even"):
        checked(msgspec.structs.replace(config, align=AlignSettings(aligner="even", adapt=True)))
