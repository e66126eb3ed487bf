"""A model of the cohort's own: the same turns give the same bytes; too little speech is refused by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from align.test_viter import TURNS
from dtbuild.align.adapt import LEAST, check_enough, figures, phrases, speech_seconds, train
from dtbuild.align.viter import ViterAligner, fingerprint_of
from dtbuild.errors import AlignmentError, SettingsError


def test_phrases_are_words_and_pauses_lie_between_them_only() -> None:
    words = phrases(TURNS[0].spoken).split("|")[1:]
    marks = sum(b.at != a.at + 1 for a, b in zip(TURNS[0].spoken.chars, TURNS[0].spoken.chars[1:], strict=False))
    assert len(words) == marks + 1


def test_too_little_speech_is_refused_by_name() -> None:
    seconds = speech_seconds(TURNS)
    assert 5 < seconds < LEAST
    with pytest.raises(SettingsError, match=rf"align\.adapt: too little speech.*at least 300 s; found {seconds:.0f} s"):
        check_enough(seconds)
    check_enough(LEAST)


def test_figures_say_how_a_model_does() -> None:
    found = figures(TURNS, ViterAligner(threads=1))
    assert found.least > -1 and found.score >= found.least and found.edges_p95 < 120
    assert found.text().startswith("score ")


def test_what_cannot_train_is_named(tmp_path: Path) -> None:
    with pytest.raises(AlignmentError, match="viter could not train a model"):
        train((), tmp_path / "x.viter", threads=1)


@pytest.mark.slow
def test_the_same_turns_give_the_same_times_in_any_order(tmp_path: Path) -> None:
    turns = list(TURNS)
    train(turns, tmp_path / "a.viter", threads=1)
    train(turns[::-1], tmp_path / "b.viter", threads=1)
    own, again = (ViterAligner(tmp_path / name, threads=1) for name in ("a.viter", "b.viter"))
    assert own.align(turns) == again.align(turns)
    assert own.align(turns) != ViterAligner(threads=1).align(turns)
    assert fingerprint_of(tmp_path / "a.viter") != fingerprint_of()
    assert own.fingerprint == fingerprint_of(tmp_path / "a.viter")
    assert [len(one.chars) for one in own.align(turns)] == [len(turn.spoken.chars) for turn in turns]
