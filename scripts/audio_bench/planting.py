"""Plants one fault in one take, or in what it is said to say; nothing else of it changes.

Words are found in the text by the engine's own dictionary and in the sound by the aligned times of their characters,
which are samples of the take. Every planter is a function of its arguments: what is drawn is drawn by the caller.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from audio_bench.energy import ends, stretches
from dtbuild.records.sound import CharTime
from dtbuild.records.spoken import Spoken, SpokenChar
from dtbuild.timebase import RATE

Audio = NDArray[np.float32]

SECOND = RATE
TONE = 3000.0
"""Hertz."""
TONE_DOWN = -12.0
"""Level of the tone against the speech, dB."""
TONE_SECONDS = (0.5, 0.9)
CLIPPED = 0.015
"""Share of samples that clipping reaches."""


class Word(NamedTuple):
    """Characters [first, last) of a turn, next to each other in its text."""

    first: int
    last: int

    def said(self, spoken: Spoken) -> str:
        return "".join(char.hanzi for char in spoken.chars[self.first : self.last])


def words(spoken: Spoken, cut: Callable[[str], Sequence[str]]) -> list[Word]:
    """Words of two or three 汉字, in order; `cut` parts a run of 汉字 into words."""
    found, at = [], 0
    while at < len(spoken.chars):
        end = at + 1
        while end < len(spoken.chars) and spoken.chars[end].at == spoken.chars[end - 1].at + 1:
            end += 1
        for word in cut("".join(char.hanzi for char in spoken.chars[at:end])):
            if 2 <= len(word) <= 3:
                found.append(Word(at, at + len(word)))
            at += len(word)
    return found


def span(chars: Sequence[CharTime], word: Word) -> tuple[int, int]:
    """Samples of a word: from the start of its first character to the end of its last."""
    return chars[word.first].start, chars[word.last - 1].end


def cut_word(audio: Audio, chars: Sequence[CharTime], word: Word) -> Audio:
    start, end = span(chars, word)
    return np.concatenate([audio[:start], audio[end:]])


def double_word(audio: Audio, chars: Sequence[CharTime], word: Word) -> Audio:
    start, end = span(chars, word)
    return np.concatenate([audio[:end], audio[start:end], audio[end:]])


def add_silence(audio: Audio, at: int, samples: int = SECOND) -> Audio:
    return np.concatenate([audio[:at], np.zeros(samples, np.float32), audio[at:]])


def add_tone(audio: Audio, start: int, samples: int) -> Audio:
    """A steady tone over [start, start + samples), 5 ms fades, TONE_DOWN under the mean power of the speech."""
    speech = np.concatenate([audio[one:other] for one, other in stretches(audio)]).astype(np.float64)
    peak = math.sqrt(2 * float(np.mean(speech**2))) * 10 ** (TONE_DOWN / 20)
    at = np.arange(samples)
    fade = np.minimum(1.0, np.minimum(at + 1, samples - at) / (RATE / 200))
    out = audio.copy()
    out[start : start + samples] += (peak * fade * np.sin(2 * math.pi * TONE * at / RATE)).astype(np.float32)
    return out


def clip(audio: Audio) -> Audio:
    """Gain until CLIPPED of the samples stand at full scale."""
    gain = 1.0 / float(np.quantile(np.abs(audio), 1 - CLIPPED))
    clipped: Audio = np.clip(audio * np.float32(gain), -1.0, 1.0)
    return clipped


def add_nan(audio: Audio, at: int, samples: int) -> Audio:
    out = audio.copy()
    out[at : at + samples] = np.nan
    return out


def another_word(spoken: Spoken, word: Word, chars: Sequence[SpokenChar]) -> Spoken:
    """The text with other 汉字 in place of a word, one for one."""
    text, said = list(spoken.text), list(spoken.chars)
    for at, new in zip(range(word.first, word.last), chars, strict=True):
        said[at] = replace(said[at], hanzi=new.hanzi, pinyin=new.pinyin)
        text[said[at].at] = new.hanzi
    return Spoken(text="".join(text), chars=tuple(said))


def joined(one: Spoken, other: Spoken) -> Spoken:
    """Two texts as one."""
    moved = (
        replace(char, at=char.at + len(one.text), start=char.start + len(one.text), end=char.end + len(one.text))
        for char in other.chars
    )
    return Spoken(text=one.text + other.text, chars=(*one.chars, *moved))


def inner_edge(chars: Sequence[CharTime], draw: random.Random) -> int:
    """A sample between two characters of a turn."""
    return chars[draw.randrange(1, len(chars))].start


def tone_place(audio: Audio, draw: random.Random) -> tuple[int, int] | None:
    """Start and length of a tone inside the speech, None where it has no room."""
    samples = round(draw.uniform(*TONE_SECONDS) * RATE)
    start, end = ends(audio)
    return (draw.randrange(start, end - samples + 1), samples) if end - start >= samples else None
