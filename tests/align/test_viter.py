"""The viter adapter with our own model, on four turns that Kokoro spoke (`tests/data/align`)."""

from __future__ import annotations

import hashlib
import multiprocessing
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
import soundfile
import viter
from numpy.typing import NDArray

from align.sounds import readings
from dtbuild.align.aligner import Aligner, TurnAudio
from dtbuild.align.floors import floors
from dtbuild.align.levels import FRAME, levels, loudness
from dtbuild.align.plausibility import check
from dtbuild.align.reading import ReadingModel
from dtbuild.align.viter import MODEL, ViterAligner
from dtbuild.errors import AlignmentError, AssetError, MissingExtra
from dtbuild.records.sound import TurnAlignment
from dtbuild.records.spoken import Spoken, SpokenChar
from dtbuild.timebase import RATE

DATA = Path(__file__).parent.parent / "data" / "align"
OFFSET = 50_000


class Said(msgspec.Struct):
    turn: str
    speaker: str
    spoken: Spoken


SAID = msgspec.json.decode((DATA / "said.json").read_bytes(), type=list[Said])
TURNS = tuple(
    TurnAudio(one.turn, one.spoken, one.speaker, DATA / f"{one.turn}.flac", at * OFFSET) for at, one in enumerate(SAID)
)


def sound(turn: str) -> NDArray[np.float32]:
    samples: NDArray[np.float32] = soundfile.read(DATA / f"{turn}.flac", dtype="float32")[0]
    return samples


@pytest.fixture(scope="module")
def aligner() -> ViterAligner:
    return ViterAligner(threads=2)


@pytest.fixture(scope="module")
def aligned(aligner: ViterAligner) -> tuple[TurnAlignment, ...]:
    return aligner.align(TURNS)


def test_every_character_of_every_turn_has_its_time(aligned: tuple[TurnAlignment, ...]) -> None:
    for turn, one in zip(TURNS, aligned, strict=True):
        assert one.turn == turn.turn
        assert [time.hanzi for time in one.chars] == [char.hanzi for char in turn.spoken.chars]
        edges = [edge for time in one.chars for edge in time.interval]
        assert edges == sorted(edges) and all(time.start < time.end for time in one.chars)
        assert turn.offset <= edges[0] and edges[-1] <= turn.offset + len(sound(turn.turn))


def test_the_gate_passes_them(aligned: tuple[TurnAlignment, ...]) -> None:
    verdict = check("r", TURNS, aligned, inputs="x")
    assert (verdict.outcome, verdict.findings) == ("pass", ())


def test_turn_edges_meet_the_edges_of_energy(aligned: tuple[TurnAlignment, ...]) -> None:
    for turn, one in zip(TURNS, aligned, strict=True):
        level = levels(sound(turn.turn))
        loud = np.flatnonzero(level > loudness(level) - 35) * FRAME
        assert abs(one.chars[0].start - turn.offset - int(loud[0])) < 0.06 * RATE
        assert abs(one.chars[-1].end - turn.offset - int(loud[-1])) < 0.12 * RATE


def test_the_comma_of_a_turn_is_a_pause_between_the_right_characters(aligned: tuple[TurnAlignment, ...]) -> None:
    one = aligned[0]
    gaps = {a.hanzi + b.hanzi: b.start - a.end for a, b in zip(one.chars, one.chars[1:], strict=False)}
    assert max(gaps, key=lambda pair: gaps[pair]) == "着这" and gaps["着这"] > 0.15 * RATE
    assert gaps["增值"] == gaps["税发"] == gaps["票我"] == 0


def test_same_takes_same_times_whatever_else_is_aligned(
    aligner: ViterAligner, aligned: tuple[TurnAlignment, ...]
) -> None:
    assert aligner.align(TURNS) == aligned
    others = [TurnAudio("x", TURNS[2].spoken, "v7", sound("t003"))]
    aligner.align(others)
    assert aligner.align(TURNS) == aligned
    assert aligner.align(list(reversed(TURNS))) == tuple(reversed(aligned))


def test_the_offset_moves_times_and_nothing_else(aligner: ViterAligner, aligned: tuple[TurnAlignment, ...]) -> None:
    from_memory = [TurnAudio(one.turn, one.spoken, one.speaker, sound(one.turn), one.offset + 777) for one in TURNS]
    for old, moved in zip(aligned, aligner.align(from_memory), strict=True):
        assert [(c.start + 777, c.end + 777) for c in old.chars] == [(c.start, c.end) for c in moved.chars]
        assert old.score == moved.score


def _in_a_process(queue: multiprocessing.Queue[object]) -> None:
    queue.put(ViterAligner(threads=1).align(TURNS))


def test_two_processes_at_once_agree_with_this_one(aligned: tuple[TurnAlignment, ...]) -> None:
    context = multiprocessing.get_context("spawn")
    queue: multiprocessing.Queue[object] = context.Queue()
    children = [context.Process(target=_in_a_process, args=(queue,)) for _ in range(2)]
    for child in children:
        child.start()
    found = [queue.get(timeout=120) for _ in children]
    for child in children:
        child.join()
    assert found == [aligned, aligned]


def test_another_text_scores_below_the_floor_and_its_own_above(
    aligner: ViterAligner, aligned: tuple[TurnAlignment, ...]
) -> None:
    swapped = [
        TurnAudio("a", TURNS[2].spoken, "v0", sound("t001")),
        TurnAudio("b", TURNS[0].spoken, "v1", sound("t003")),
    ]
    for one in aligned:
        assert one.score > floors().least_score(len(one.chars))
    for one in aligner.align(swapped):
        assert one.score < floors().least_score(len(one.chars)) - 1


def test_a_polyphone_is_aligned_as_it_is_said(aligner: ViterAligner, aligned: tuple[TurnAlignment, ...]) -> None:
    turn = TURNS[2]
    assert [c.pinyin for c in turn.spoken.chars if c.hanzi == "行"] == ["hang2", "hang2", "xing2"]
    other = {"hang2": "xing2", "xing2": "hang2"}
    chars = tuple(
        msgspec.structs.replace(c, pinyin=other[c.pinyin]) if c.hanzi == "行" else c for c in turn.spoken.chars
    )
    misread = TurnAudio(turn.turn, Spoken(turn.spoken.text, chars), turn.speaker, turn.audio)
    (right,) = aligner.align([turn])
    (wrong,) = aligner.align([misread])
    assert wrong.score < right.score


def test_what_cannot_be_aligned_names_its_turn(aligner: ViterAligner) -> None:
    text = Spoken("好" * 5, tuple(SpokenChar("好", "hao3", i, i, i + 1) for i in range(5)))
    with pytest.raises(AlignmentError, match=r"turn t9: 5 characters cannot fit in 0\.12 s"):
        aligner.align([TURNS[0], TurnAudio("t9", text, "v0", sound("t001")[:2_880])])
    with pytest.raises(AlignmentError, match="turn t9: its audio cannot be aligned"):
        aligner.align([TurnAudio("t9", text, "v0", np.full(9_000, np.nan, np.float32))])
    with pytest.raises(AlignmentError, match=r"turn t9: its audio cannot be aligned.*24000 Hz.*shape"):
        aligner.align([TurnAudio("t9", text, "v0", np.zeros((9_000, 2), np.float32))])
    with pytest.raises(AlignmentError, match="turn t9 has no spoken"):
        aligner.align([TurnAudio("t9", Spoken("。", ()), "v0", sound("t001"))])
    with pytest.raises(AlignmentError, match="turn t001 is given twice"):
        aligner.align([TURNS[0], TURNS[0]])
    odd = Spoken("A", (SpokenChar("A", "A1", 0, 0, 1),))
    with pytest.raises(AlignmentError, match="turn t9, character 0 A: pinyin 'A1'"):
        aligner.align([TurnAudio("t9", odd, "v0", sound("t001"))])
    with pytest.raises(AlignmentError, match=r"t9: none\.wav cannot be read"):
        aligner.align([TurnAudio("t9", text, "v0", Path("none.wav"))])
    assert aligner.align([]) == ()


def test_files_of_another_rate_are_refused(aligner: ViterAligner, tmp_path: Path) -> None:
    soundfile.write(tmp_path / "x.wav", sound("t001"), 16_000)
    with pytest.raises(AlignmentError, match=r"turn t001: its audio cannot be aligned.*16000 Hz"):
        aligner.align([TurnAudio("t001", TURNS[0].spoken, "v0", tmp_path / "x.wav")])


def test_silence_does_not_pass_for_speech(aligner: ViterAligner) -> None:
    silent = TurnAudio("t9", TURNS[0].spoken, "v0", np.zeros(5 * RATE, np.float32))
    try:
        found = aligner.align([silent])
    except AlignmentError as error:
        assert "turn t9" in str(error)
    else:
        assert check("r", [silent], found, inputs="x").outcome == "fail"


def test_the_model_knows_every_syllable(aligner: ViterAligner) -> None:
    known = readings() | {"n2", "er2", "r5", "de5", "yo5", "hng5"}
    chars = tuple(SpokenChar("字", reading, at, at, at + 1) for at, reading in enumerate(sorted(known)))
    turn = TurnAudio("t9", Spoken("字" * len(chars), chars), "v0", sound("t001"))
    assert aligner.transcript(turn).count("|") == len(chars) > 1_200


def test_viter_keeps_quiet(aligner: ViterAligner, capfd: pytest.CaptureFixture[str]) -> None:
    aligner.align(TURNS[3:])
    assert capfd.readouterr() == ("", "")
    os.write(2, b"after\n")
    assert capfd.readouterr().err == "after\n"


def test_a_missing_or_broken_model_is_an_asset_fault(tmp_path: Path) -> None:
    with pytest.raises(AssetError, match="is missing"):
        ViterAligner(tmp_path / "none.viter")
    (tmp_path / "x.viter").write_bytes(b"VITR broken")
    with pytest.raises(AssetError, match="cannot be read"):
        ViterAligner(tmp_path / "x.viter")
    for damaged in (MODEL.read_bytes()[:100_000], b"", b"VITR\x07" + MODEL.read_bytes()[5:]):
        (tmp_path / "x.viter").write_bytes(damaged)
        with pytest.raises(AssetError, match=r"x\.viter cannot be read.*in the format of viter 0.*next: "):
            ViterAligner(tmp_path / "x.viter")


def test_another_version_of_viter_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(viter, "__version__", "0.6.0")
    with pytest.raises(MissingExtra, match=r"viter 0\.6\.0 does not fit .*below 0\.6\.0"):
        ViterAligner()


def test_tables_of_another_format_are_refused_by_name(tmp_path: Path) -> None:
    for load, name in ((ReadingModel.load, "reading model"), (floors, "floors")):
        with pytest.raises(AssetError, match=name):
            load(tmp_path / "none.json")
        own = MODEL.with_suffix(".reading.json" if name == "reading model" else ".floors.json").read_text("utf-8")
        (tmp_path / "x.json").write_text(own.replace("/1", "/9", 1), "utf-8")
        with pytest.raises(AssetError, match=rf"{name}.*expected dtbuild\.\w+/1; found dtbuild\.\w+/9"):
            load(tmp_path / "x.json")
        (tmp_path / "x.json").write_text(own[:40], "utf-8")
        with pytest.raises(AssetError, match=name):
            load(tmp_path / "x.json")
        (tmp_path / "x.json").unlink()


@pytest.mark.parametrize("fault", ["cut", "doubled"])
@pytest.mark.parametrize(("at", "count"), [(2, 2), (5, 3), (8, 1)])
def test_a_word_cut_or_doubled_is_found_where_it_is(aligner: ViterAligner, fault: str, at: int, count: int) -> None:
    turn, whole = TURNS[2], sound("t003")
    (one,) = aligner.align([turn])
    start, end = (edge - turn.offset for edge in (one.chars[at].start, one.chars[at + count - 1].end))
    parts = (whole[:start], whole[end:]) if fault == "cut" else (whole[:end], whole[start:])
    changed = TurnAudio(turn.turn, turn.spoken, turn.speaker, np.concatenate(parts))
    findings = check("r", [changed], aligner.align([changed]), inputs="x").findings
    code = "align.skipped" if fault == "cut" else "align.repeated"
    found = [one for one in findings if one.code == code]
    assert found and found[0].turn == turn.turn and f"[{at}]" in found[0].where


def test_without_refinement_times_lie_on_the_grid_of_the_model(
    aligner: ViterAligner, aligned: tuple[TurnAlignment, ...]
) -> None:
    raw = aligner.align(TURNS, refine=False)
    edges = [edge - turn.offset for turn, one in zip(TURNS, raw, strict=True) for c in one.chars for edge in c.interval]
    lengths = {len(sound(turn.turn)) for turn in TURNS}
    assert all(edge % 240 == 0 or edge in lengths for edge in edges)
    assert [one.chars for one in raw] != [one.chars for one in aligned]


def test_a_turn_that_no_beam_finds_is_aligned_in_parts(monkeypatch: pytest.MonkeyPatch, aligner: ViterAligner) -> None:
    turn = TURNS[0]
    (plain,) = aligner.align([turn])
    run = aligner._run

    def blind(turns: Sequence[TurnAudio], *rest: Any) -> tuple[list[Any], str]:
        results, said = run(turns, *rest)
        return [None if one.turn == turn.turn else found for one, found in zip(turns, results, strict=True)], said

    monkeypatch.setattr(aligner, "_run", blind)
    (found,) = aligner.align([turn])
    assert (plain.rung, found.rung) == (1, 4)
    off = [abs(a.start - b.start) for a, b in zip(found.chars, plain.chars, strict=True)]
    assert max(off) < 0.05 * RATE and check("r", [turn], [found], inputs="x").outcome == "pass"
    with pytest.raises(AlignmentError, match="turn t9 cannot be aligned, not even with a beam of 4000 or in parts"):
        monkeypatch.setattr(aligner, "_run", lambda turns, *rest: ([None] * len(turns), "no path"))
        aligner.align([TurnAudio("t9", turn.spoken, turn.speaker, turn.audio)])


def test_the_fingerprint_names_version_and_model(aligner: ViterAligner) -> None:
    name: Aligner = aligner
    assert name.fingerprint.startswith("viter-0.") and name.fingerprint.count(":") == 5
    assert MODEL.stat().st_size < 4_000_000


def test_the_card_is_of_these_files() -> None:
    made = msgspec.json.decode((MODEL.parent / "made.json").read_bytes())
    for key, path in (("model_sha256", MODEL), ("fit_sha256", MODEL.with_suffix(".fit.json"))):
        assert made[key] == hashlib.sha256(path.read_bytes()).hexdigest()
    assert made["aligned"] == made["sentences"] and len(made["voices"]) >= 8


def test_importing_the_adapter_loads_neither_viter_nor_numpy() -> None:
    code = "import sys, dtbuild.align.viter; print(sorted({'viter', 'numpy', 'soundfile'} & set(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
