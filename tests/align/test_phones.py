"""Pinyin → phones."""

from __future__ import annotations

import pytest

from align.sounds import readings
from dtbuild.align.phones import FINALS, INITIALS, phones, transcript
from dtbuild.errors import AlignmentError


@pytest.mark.parametrize(
    ("pinyin", "expected"),
    [
        ("hang2", "h ang nx"), ("xing2", "x ing nx"), ("zi5", "z ii"), ("ri4", "r iii"), ("ji1", "j i"),
        ("ju1", "j v"), ("nv3", "n v"), ("lve4", "l ve"), ("nue4", "n ve"), ("quan2", "q van nn"),
        ("liu4", "l iou"), ("gui4", "g uei"), ("lun2", "l uen nn"), ("jun1", "j vn nn"),
        ("yi1", "i"), ("ya4", "ia"), ("ye3", "ie"), ("you3", "iou"), ("yong4", "iong nx"), ("yin2", "in nn"),
        ("wu3", "u"), ("wo3", "uo"), ("wei4", "uei"), ("wen4", "uen nn"), ("weng1", "ueng nx"), ("wang2", "uang nx"),
        ("yu2", "v"), ("yue4", "ve"), ("yuan2", "van nn"), ("yun2", "vn nn"), ("er4", "er"), ("r5", "er"),
        ("ai4", "ai"), ("bo1", "b o"), ("duo1", "d uo"), ("shui3", "sh uei"),
        ("de5", "d ex"), ("de2", "d e"), ("le5", "l ex"), ("men5", "m en nn"), ("n2", "en nn"), ("ng4", "en nn"),
        ("hng5", "h en nn"), ("e5", "e"), ("ê4", "ei"),
    ],
)  # fmt: skip
def test_syllables(pinyin: str, expected: str) -> None:
    assert " ".join(phones(pinyin)) == expected


@pytest.mark.parametrize("pinyin", ["", "4", "ma", "ma6", "xx1", "bang", "qwang1", "LPR", "好"])
def test_what_is_no_syllable_is_refused(pinyin: str) -> None:
    with pytest.raises(AlignmentError, match="Mandarin syllable"):
        phones(pinyin)


def test_tones_share_phones_and_only_the_reduced_vowel_is_apart() -> None:
    assert {phones(f"ma{tone}") for tone in "12345"} == {("m", "a")}
    assert {phones(f"ne{tone}") for tone in "1234"} == {("n", "e")} != {phones("ne5")}


def test_every_reading_in_use_becomes_known_phones() -> None:
    seen = {phone for reading in readings() for phone in phones(reading)}
    assert seen >= {*INITIALS, *FINALS} - {"io", "ex"}


def test_one_word_a_syllable_even_when_it_is_alone() -> None:
    assert transcript([("d", "uei")]) == "| d uei"
    assert transcript([("d", "uei"), ("en", "nn")]) == "| d uei | en nn"
