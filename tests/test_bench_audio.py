"""`scripts/bench_audio.py`: that it plants what it says, measures what it says, and tells when a figure falls short."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bench_audio
from audio_bench import catching, gates, planting
from audio_bench.corpus import Said, few
from audio_bench.edges import close, offsets
from audio_bench.energy import ends, pauses
from audio_bench.faults import Planting, Result, Subject, matrix, missed, plant
from audio_bench.kills import _moment
from audio_bench.planting import Audio, Word
from audio_bench.process import Held, growth, held
from audio_bench.soak import _memory, left_over
from audio_bench.splices import EDGE, pairs, splice
from dtbuild.lexicon import spoken
from dtbuild.records.sound import CharTime, SpeechRequest, TurnAlignment, Voice, VoicePart
from dtbuild.records.verdict import Finding
from dtbuild.seeds import rng
from dtbuild.timebase import RATE
from text_bench.report import Figure

MS = RATE // 1000
TEXTS = ("发票补到了，编号也对。", "保证金原来是五十万。", "合同缺一页，明天补。", "利息按月付，本金到期还。")


def cut(run: str) -> list[str]:
    """Two 汉字 a word."""
    return [run[at : at + 2] for at in range(0, len(run), 2)]


def voice(id: str = "f01") -> Voice:
    part = VoicePart(style="zf_001", weight=1.0)
    return Voice(id=id, gender="female", engine="kokoro", recipe=(part,), licence="-", attribution="-")


def noise(milliseconds: int, level: float = 0.2, seed: int = 1) -> Audio:
    return (level * np.random.default_rng(seed).uniform(-1, 1, milliseconds * MS)).astype(np.float32)


def quiet(milliseconds: int) -> Audio:
    return np.zeros(milliseconds * MS, np.float32)


def subject(text: str = TEXTS[0], number: int = 0, by: str = "f01") -> Subject:
    """A turn of 200 ms a character, 50 ms of silence before and after."""
    told = spoken(text)
    chars = tuple(CharTime(c.hanzi, (50 + 200 * n) * MS, (250 + 200 * n) * MS) for n, c in enumerate(told.chars))
    audio = np.concatenate([quiet(50), noise(200 * len(chars), seed=number), quiet(50)])
    said = Said(
        name=f"t{number}", family="sc00015", text=text, spoken=told, voice=voice(by), seed=number, take=f"k{number}",
        tries=1, passed=True, samples=len(audio),
    )  # fmt: skip
    return Subject(said, audio, chars)


def subjects() -> list[Subject]:
    return [subject(text, number, f"f0{number % 2 + 1}") for number, text in enumerate(TEXTS)]


def test_a_small_corpus_has_fewer_voices_and_each_of_them_often_enough() -> None:
    population = [voice(f"f{at:02}") for at in range(24)]
    assert few(population, 300) == population
    assert [each.id for each in few(population, 20)] == ["f00", "f04", "f09", "f14", "f19"]
    assert len(few(population, 2)) == 1


def test_words_are_runs_of_the_text() -> None:
    told = spoken("发票补到了，编号也对。")
    found = planting.words(told, cut)
    assert [word.said(told) for word in found] == ["发票", "补到", "编号", "也对"]
    assert all(told.chars[word.last - 1].at - told.chars[word.first].at == 1 for word in found)


@given(first=st.integers(0, 7), length=st.integers(2, 3))
def test_a_word_cut_takes_exactly_the_word(first: int, length: int) -> None:
    one = subject()
    word = Word(first, min(first + length, len(one.chars)))
    numbered = np.arange(len(one.audio), dtype=np.float32)
    left = planting.cut_word(numbered, one.chars, word)
    gone = sorted(set(numbered.astype(int)) - set(left.astype(int)))
    assert gone == list(range(one.chars[word.first].start, one.chars[word.last - 1].end))
    assert (np.diff(left) > 0).all()


@given(first=st.integers(0, 7), length=st.integers(2, 3))
def test_a_word_doubled_is_said_again_at_once(first: int, length: int) -> None:
    one = subject()
    word = Word(first, min(first + length, len(one.chars)))
    start, end = planting.span(one.chars, word)
    numbered = np.arange(len(one.audio), dtype=np.float32)
    found = planting.double_word(numbered, one.chars, word).astype(int).tolist()
    assert found == [*range(end), *range(start, end), *range(end, len(numbered))]


def test_a_second_of_silence_lies_between_two_characters() -> None:
    one = subject()
    at = planting.inner_edge(one.chars, rng(1, "edge"))
    assert at in {char.start for char in one.chars[1:]}
    found = planting.add_silence(one.audio, at)
    assert len(found) == len(one.audio) + RATE and not found[at : at + RATE].any()
    assert np.array_equal(np.concatenate([found[:at], found[at + RATE :]]), one.audio)


def test_a_tone_lies_in_the_speech_twelve_decibels_under_it() -> None:
    one = subject()
    place = planting.tone_place(one.audio, rng(1, "tone"))
    assert place is not None
    start, samples = place
    assert samples >= RATE // 2 and start >= 50 * MS and start + samples <= len(one.audio) - 49 * MS
    tone = planting.add_tone(one.audio, start, samples) - one.audio
    assert not tone[:start].any() and not tone[start + samples :].any()
    spectrum = np.abs(np.fft.rfft(tone))
    assert abs(int(spectrum.argmax()) * RATE / len(tone) - planting.TONE) < 5
    level = 10 * np.log10(np.mean(tone[start : start + samples] ** 2) / np.mean(one.audio[50 * MS : -50 * MS] ** 2))
    assert level == pytest.approx(-12, abs=0.3)
    assert planting.tone_place(noise(300), rng(1, "tone")) is None


def test_clipping_and_nan() -> None:
    audio = subject().audio
    clipped = planting.clip(audio)
    assert (np.abs(clipped) == 1.0).mean() >= 0.01 and np.abs(clipped).max() == 1.0
    assert np.array_equal(np.sign(clipped), np.sign(audio))
    assert np.flatnonzero(np.isnan(planting.add_nan(audio, 7, 3))).tolist() == [7, 8, 9]
    assert not np.isnan(audio).any()


def test_texts_that_are_changed_or_joined_hold_together() -> None:
    one, other = spoken(TEXTS[0]), spoken(TEXTS[2])
    changed = planting.another_word(one, Word(0, 2), other.chars[0:2])
    assert changed.text == "合同补到了，编号也对。"
    for told in (changed, planting.joined(one, other)):
        assert [told.text[char.at] for char in told.chars] == [char.hanzi for char in told.chars]
    assert changed.chars[0].pinyin == other.chars[0].pinyin and changed.chars[2:] == one.chars[2:]


def test_every_kind_changes_the_take_or_the_text() -> None:
    kinds = Planting(cut)
    every = kinds.kinds | kinds.beside
    cases = list(plant(every, subjects(), 2, 1))
    assert {kind: sum(case.kind == kind for case in cases) for kind in every} == dict.fromkeys(every, 2)
    for case in cases:
        same = np.array_equal(case.audio, case.subject.audio)
        assert same == (case.request.spoken != case.subject.said.spoken), case.kind
        assert case.request.voice == case.subject.said.voice
    again = list(plant(every, subjects(), 2, 1))
    assert [(case.kind, case.subject.said.name, case.detail) for case in again] == [
        (case.kind, case.subject.said.name, case.detail) for case in cases
    ]
    assert any(
        [c.subject.said.name for c in plant(every, subjects(), 2, seed)] != [c.subject.said.name for c in cases]
        for seed in (2, 3, 4)
    )


def test_another_voices_turn_is_another_voices() -> None:
    own = subjects()
    spoken_by = {each.audio.tobytes(): each.said.voice.id for each in own}
    for case in plant({"x": Planting(cut).kinds["other voice's turn"]}, own, 4, 1):
        assert spoken_by[case.audio.tobytes()] != case.request.voice.id


@given(before=st.integers(20, 300), length=st.integers(60, 900), level=st.floats(0.01, 0.9))
def test_ends_of_sound(before: int, length: int, level: float) -> None:
    audio = np.concatenate([quiet(before), noise(length, level), quiet(40)])
    start, end = ends(audio)
    assert abs(start - before * MS) <= 4 * MS and abs(end - (before + length) * MS) <= 4 * MS


def test_a_click_is_no_sound_and_a_soft_onset_is() -> None:
    click = quiet(100)
    click[1000:1005] = 0.9
    audio = np.concatenate([click, noise(500), quiet(50)])
    assert abs(ends(audio)[0] - 100 * MS) <= 4 * MS
    soft = np.concatenate([quiet(50), noise(100, 0.2 * 10 ** (-30 / 20)), noise(500), quiet(50)])
    assert abs(ends(soft)[0] - 50 * MS) <= 4 * MS
    assert ends(quiet(300)) == (0, 0)


def test_pauses_lie_between_sounds() -> None:
    ((start, end),) = pauses(np.concatenate([noise(300), quiet(120), noise(300, seed=2)]))
    assert abs(start - 300 * MS) <= 4 * MS and abs(end - 420 * MS) <= 4 * MS


@pytest.mark.parametrize("pause", [0, 100 * MS])
def test_a_splice_is_joined_where_it_says(pause: int) -> None:
    one, other = np.concatenate([quiet(50), noise(300), quiet(50)]), np.concatenate([quiet(20), noise(200, seed=2)])
    audio, end = splice(one, other, pause)
    assert abs(end - EDGE - 300 * MS) <= 8 * MS
    assert not audio[end : end + pause].any() and audio[end + pause : end + pause + 4 * MS].any()
    assert len(audio) == pytest.approx(2 * EDGE + 500 * MS + pause, abs=16 * MS)


def test_spliced_pairs_are_of_one_voice() -> None:
    found = pairs([each.said for each in subjects()], 10, rng(1, "pairs"))
    assert len(found) == 4 and len(set((one.name, other.name) for one, other in found)) == 4
    assert all(one.voice == other.voice and one.name != other.name for one, other in found)


def test_distances_and_their_limits() -> None:
    one = TurnAlignment(turn="t", score=0.0, chars=(CharTime("好", 240, 4_800), CharTime("的", 4_800, 9_600)))
    assert offsets(one, (0, 9_624)) == (10.0, -1.0)
    assert close("edges", [10.0] * 19 + [-130.0], 20).holds
    assert not close("edges", [10.0] * 18 + [-130.0] * 2, 20).holds
    assert not close("edges", [41.0] * 20, 20).holds
    assert not close("edges", [1.0] * 19, 20).holds and not close("edges", [], 1).holds


def result(kind: str, speech: Sequence[str] = (), alignment: Sequence[str] = ()) -> Result:
    one = subject()
    case = SimpleNamespace(kind=kind, subject=one, request=one.said.request, audio=one.audio, detail="票")
    return Result(case, tuple(speech), tuple(alignment))  # type: ignore[arg-type]


def test_table_of_faults() -> None:
    both = [
        result("word cut", ["speech.too_fast"], ["align.score"]),
        result("word cut", (), ["align.score"]),
        result("word cut"),
    ]
    line = matrix(both, ["word cut", "NaN"]).splitlines()[-1]
    assert line == "| word cut | 3 | 1 | 2 | 2 | align.score 2, speech.too_fast 1 |"
    assert list(missed(both)) == [f"slipped through, word cut: t0 f01 {TEXTS[0]} (票)"]


@pytest.mark.parametrize(
    ("kind", "caught", "of", "holds"),
    [
        ("word cut", 24, 25, True),
        ("word cut", 23, 25, False),
        ("NaN", 24, 25, False),
        ("NaN", 25, 25, True),
        ("word cut", 24, 24, False),
    ],
)
def test_shares_of_a_kind_that_must_be_caught(kind: str, caught: int, of: int, holds: bool) -> None:
    own = [result(kind, ["speech.nan"] if at < caught else ()) for at in range(of)]
    assert catching._figure(kind, own, 25).holds is holds


def test_a_take_is_refused_where_the_engine_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    said = subject().said

    def passing(engine: gates.Replayed, request: SpeechRequest, *, turn: str) -> SimpleNamespace:
        engine.speak(request)
        return SimpleNamespace(verdict=SimpleNamespace(findings=(Finding(code="hint", where=turn, message=""),)))

    def refusing(engine: gates.Replayed, request: SpeechRequest, *, turn: str) -> SimpleNamespace:
        heard.extend(float(engine.speak(request)[0]) for _ in range(3))
        return SimpleNamespace(verdict=SimpleNamespace(findings=(Finding(code="bad", where=turn, message=""),)))

    heard: list[float] = []
    takes = np.full(9, 1, np.float32), np.full(9, 2, np.float32)
    monkeypatch.setattr(gates, "speak_turn", passing)
    assert gates.speech_gate(takes[0], said.request, takes[1], "t") == ()
    monkeypatch.setattr(gates, "speak_turn", refusing)
    assert gates.speech_gate(takes[0], said.request, takes[1], "t") == ("bad",)
    assert heard == [1.0, 2.0, 2.0]


def test_the_speech_gate_itself_is_asked() -> None:
    one = subject()
    assert "speech.nan" in gates.speech_gate(np.full(9_000, np.nan, np.float32), one.said.request, one.audio, "t")


def test_findings_go_to_the_turn_they_name() -> None:
    turns = [SimpleNamespace(id=f"ab00012-a-t{at:03}") for at in (1, 2)]
    recording = SimpleNamespace(id="ab00012-a", script=SimpleNamespace(turns=turns))
    findings = [
        Finding(code="align.length", where="ab00012-a-t002[3] 票", message="too short"),
        Finding(code="align.failed", where="ab00012-a", message="turn ab00012-a-t001 cannot be aligned"),
        Finding(code="align.odd", where="ab00012-a", message="all of it"),
        Finding(code="hint", where="ab00012-a-t001", message="", level="warning"),
    ]
    codes, others = gates._answer(recording, findings)  # type: ignore[arg-type]
    assert codes == {1: ("align.length",), 0: ("align.failed",)} and others == ("align.odd",)


def test_a_worker_that_grows_falls_short() -> None:
    flat = [Held(1, 500, 9) for _ in range(40)]
    leak = [Held(2, 500 + 5 * at, 9 + at // 8) for at in range(40)]
    assert all(figure.holds for figure in _memory("speech", flat))
    assert [figure.holds for figure in _memory("speech", flat + leak)] == [False, False]
    assert growth(flat[:3]) == {} and not _memory("speech", flat[:3])[0].holds


def test_temporary_files_are_counted(tmp_path: Path) -> None:
    (tmp_path / "tmp").mkdir()
    (tmp_path / "tmp" / ".ses").touch()
    assert [figure.holds for figure in left_over([tmp_path], held())] == [True, True]
    (tmp_path / "tmp" / "left").touch()
    (tmp_path / ".tmp-x.wav").touch()
    with (tmp_path / "open").open("w"):
        figures = left_over([tmp_path], Held(1, 1, 0))
    assert next((figure.reached, figure.holds) for figure in figures) == ("2", False) and not figures[1].holds


def test_a_kill_waits_for_something_made_in_the_stage_or_after_it(tmp_path: Path) -> None:
    takes, mixes = tmp_path / "work" / "takes", tmp_path / "work" / "mix"
    takes.mkdir(parents=True)
    (takes / "old.json").touch()
    moment = _moment(tmp_path, "speech", 0.05)
    assert not moment()
    (takes / ".tmp-x.json").touch()
    assert not moment()
    mixes.mkdir()
    (mixes / "one.json").touch()
    assert not moment()
    time.sleep(0.06)
    assert moment()


@pytest.mark.parametrize(("holds", "code"), [(True, 0), (None, 0), (False, 1)])
def test_exit_code(
    holds: bool | None, code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TMPDIR", "/tmp")
    monkeypatch.setattr(bench_audio, "measure", lambda *_, **__: [Figure("x", "1", "2", holds)])
    assert bench_audio.main([]) == code
    assert ("SHORT" in capsys.readouterr().out) == bool(code)


def test_quick_claims_nothing_that_needs_large_counts(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TMPDIR", "/tmp")
    figures = [Figure("large", "1", "2", False), Figure("small", "1", "1", True, small=True)]
    monkeypatch.setattr(bench_audio, "measure", lambda *_, **__: figures)
    assert bench_audio.main(["--quick"]) == 0
    assert capsys.readouterr().out.startswith("quick: ")
    figures[1] = figures[1]._replace(holds=False)
    assert bench_audio.main(["--quick"]) == 1


def test_it_is_run_as_a_script(tmp_path: Path) -> None:
    words = [sys.executable, bench_audio.__file__, "--help"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "--quick" in done.stdout
