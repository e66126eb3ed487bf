"""The speech stage, first half: every take once, in workers that hold the engine."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from dtbuild.errors import AssetError, FormatError, Unspeakable
from dtbuild.pipeline.desk import Desk, Recording
from dtbuild.pipeline.folder import Folder
from dtbuild.pipeline.workers import run_items
from dtbuild.records.sound import SpeechRequest, Take
from dtbuild.records.verdict import Finding, Verdict
from dtbuild.speech.engine import SpeechEngine, make_engine
from dtbuild.speech.takes import GATE, speak_turn
from dtbuild.speech.wav import write_wav


class TakeItem(msgspec.Struct, frozen=True, kw_only=True):
    """A spoken turn as stored: the take where the gate passed it, None where no retake did.

    `way`: the number of the way it was spoken (`dtbuild.speech.ways`), 0 for the first; `tried`: how many ways were
    tried so far, in all runs. Warnings of the verdict say what was wrong with the takes before.
    """

    take: Take | None
    verdict: Verdict
    way: int = 0
    tried: int = 1


def speak(recordings: Sequence[Recording], desk: Desk, engine: str) -> dict[str, Take]:
    """Speak what is missing, one take once; families with a turn that no retake saved are quarantined.

    Returns the takes by their ids. A take whose file was lost is spoken first in the way that made it.

    `engine` is the fingerprint that takes are keyed by. Raises AssetError or MissingExtra when the engine cannot
    run, StorageError when the disk is full; takes that are made stay.
    """
    wanted = {id: (turn, request) for each in recordings for turn, (id, request) in each.takes.items()}
    takes: dict[str, Take] = {}
    failed: dict[str, Verdict] = {}
    missing = []
    for id, (turn, request) in wanted.items():
        item = desk.folder.derived("takes", id, TakeItem, id)
        if item is not None and item.take is not None:
            takes[id] = item.take
        elif item is not None and not desk.retry:
            failed[id] = item.verdict
        else:
            missing.append(_Wanted(id, turn, request, item or _last(desk.folder, id)))
    setup = (desk.config.speech.engine, engine, str(desk.folder.root))
    with desk.watcher.stage("speech", len(wanted), "takes") as step:
        for _ in range(len(wanted) - len(missing)):
            step(made=False)
        for spoken, made in run_items(_speak, missing, jobs=desk.jobs, setup=_prepare, arguments=setup):
            if made.take is not None:
                takes[spoken.id] = made.take
            else:
                failed[spoken.id] = made.verdict
            step(made=True)
    for each in recordings:
        for turn, (id, _) in each.takes.items():
            if id in failed:
                desk.quarantine.add(turn, f"take {id[:12]}", failed[id].findings)
    return takes


class _Wanted(NamedTuple):
    id: str
    turn: str
    request: SpeechRequest
    last: TakeItem | None


class _Tools(NamedTuple):
    """What a worker loads once."""

    engine: SpeechEngine
    folder: Folder


_tools: _Tools


def _prepare(name: str, fingerprint: str, root: str) -> None:
    global _tools
    engine = make_engine(name)
    if engine.fingerprint != fingerprint:
        raise AssetError(
            f"speech engine {name}",
            expected=f"fingerprint {fingerprint[:12]}…, as when the run began",
            found=f"{engine.fingerprint[:12]}…",
            fix="dtbuild assets, then run again",
        )
    _tools = _Tools(engine, Folder(Path(root)))


def _last(folder: Folder, id: str) -> TakeItem | None:
    """The item of a take whose sound is lost or damaged, None where it cannot be read either."""
    try:
        item = folder.stored("takes", id, TakeItem)
    except FormatError:
        return None
    return None if item is None or item.edited else item.record


def _speak(wanted: _Wanted) -> TakeItem:
    folder, id, last = _tools.folder, wanted.id, wanted.last
    way, tried = (last.way, last.tried) if last else (0, 0)
    try:
        spoke = speak_turn(_tools.engine, wanted.request, turn=wanted.turn, way=way, tried=tried)
    except Unspeakable as error:
        finding = Finding(code="speech.unspeakable", where=wanted.turn, message=str(error))
        reviewer = f"gate/{_tools.engine.name}"
        verdict = Verdict(
            gate=GATE, subject=wanted.turn, reviewer=reviewer, outcome="fail", inputs=id, findings=(finding,)
        )
        item = TakeItem(take=None, verdict=verdict, tried=0)
        folder.write("takes", id, item, id)
        return item
    if spoke.verdict.outcome == "pass":
        write_wav(folder.path("takes", id, ".wav"), spoke.audio)
        item = TakeItem(take=spoke.take, verdict=spoke.verdict, way=spoke.way, tried=spoke.tried)
        if last and last.take == spoke.take:
            item = last  # with what its verdict says of the takes before it
        folder.write("takes", id, item, id, beside=(".wav",))
    else:
        item = TakeItem(take=None, verdict=spoke.verdict, tried=spoke.tried)
        folder.write("takes", id, item, id)
    return item
