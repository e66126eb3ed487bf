"""The score of a turn: high for its own text, low for another."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from dtbuild.align import fit
from dtbuild.align.fit import FitModel, cepstra
from dtbuild.errors import AssetError
from dtbuild.timebase import RATE


class Span(NamedTuple):
    label: str
    start: float
    end: float


NOTES = {"a": 300.0, "b": 900.0, "c": 2_000.0}


def tone(labels: str, seed: int, noise: float = 0.01) -> tuple[NDArray[np.float32], list[Span]]:
    """0.1 s of a noisy tone for each label."""
    rng = np.random.default_rng(seed)
    time = np.arange(RATE // 10) / RATE
    parts = [0.3 * np.sin(2 * np.pi * NOTES[one] * time) + rng.normal(0, noise, len(time)) for one in labels]
    spans = [Span(one, at / 10, (at + 1) / 10) for at, one in enumerate(labels)]
    return np.concatenate(parts).astype(np.float32), spans


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> FitModel:
    takes = [("v", *tone("abcacbbca", seed)) for seed in range(6)]
    path = tmp_path_factory.mktemp("fit") / "m.fit.json"
    path.write_bytes(fit.train(takes))
    return FitModel.load(path)


def test_the_right_text_scores_above_a_wrong_one(model: FitModel) -> None:
    sound, right = tone("abcabc", 99)
    wrong = [Span(label, one.start, one.end) for label, one in zip("bcabca", right, strict=True)]
    good, bad = model.scores([("v", sound, right), ("v", sound, wrong)])
    assert good > 0.3 > 0 > bad >= fit.FLOOR


def test_silence_and_unknown_phones_take_no_part_and_nothing_is_the_floor(model: FitModel) -> None:
    sound, right = tone("abcabc", 99)
    extra = [*right, Span("sil", 0.0, 0.6), Span("zzz", 0.0, 0.6)]
    assert model.scores([("v", sound, extra)]) == model.scores([("v", sound, right)])
    assert model.scores([("v", sound, [])]) == [fit.FLOOR]


def test_a_voice_is_normalised_over_its_own_turns_only(model: FitModel) -> None:
    one, other = tone("abcabc", 1, noise=0.4), tone("aaaaaaaaaaaa", 2)
    alone = model.scores([("v", *one)])
    assert model.scores([("v", *one), ("w", *other)])[:1] == alone
    assert model.scores([("v", *one), ("v", *other)])[:1] != alone


def test_training_is_a_function_of_its_takes(tmp_path: Path) -> None:
    takes = [("v", *tone("abcacb", seed)) for seed in range(4)]
    assert fit.train(takes) == fit.train(takes)


def test_a_missing_or_foreign_table_is_an_asset_fault(tmp_path: Path) -> None:
    with pytest.raises(AssetError, match="score model"):
        FitModel.load(tmp_path / "none.json")
    (tmp_path / "x.json").write_text('{"format":"dtbuild.fit/9","phones":{}}')
    with pytest.raises(AssetError, match=r"dtbuild\.fit/1"):
        FitModel.load(tmp_path / "x.json")


@pytest.mark.parametrize("length", [1, 239, 240, 24_000])
def test_frames_are_10_ms_apart(length: int) -> None:
    frames = cepstra(np.ones(length, np.float32))
    assert frames.shape == (max(1, length // 240), fit.CEPSTRA) and np.isfinite(frames).all()
