"""Voices, takes, timelines and alignments: values only, no audio.

Samples are at `timebase.RATE`. A take is content-addressed audio of one turn; a timeline places takes in a
recording; an alignment gives every spoken 汉字 of a recording its interval.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from dtbuild.records.spoken import Spoken
from dtbuild.timebase import Interval


class VoicePart(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A share of one engine style in a voice."""

    style: str
    weight: float


class Voice(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One entry of the voice population in `voices/`."""

    id: str
    gender: Literal["female", "male"]
    engine: str
    recipe: tuple[VoicePart, ...]
    licence: str
    attribution: str
    rate: float = 1.0
    """Factor on the engine's own speed, the same in every turn."""
    gain_db: float = 0.0
    """Level offset of the voice, the same in every turn, so that the voices of a population are about equally loud."""
    chars_per_second: float = 0.0
    """Measured at `rate`: 汉字 a second over whole turns, inner pauses included; 0 where nobody measured."""


class Delivery(msgspec.Struct, frozen=True, kw_only=True):
    """How a turn is spoken: neutral by default; an engine refuses what it cannot do.

    `split` and `style_shift` change nothing of what is asked for: they are other ways to the same words, for a
    turn that came out badly. An engine that has no runs or no rows of styles speaks as if they were 0.
    """

    rate: float = 1.0
    pitch: float = 0.0
    gain: float = 0.0
    split: int = 0
    """Where a turn is cut into runs: 0 only where it is too long for one, 1 after every sentence, 2 after every mark."""
    style_shift: int = 0
    """Rows away from the row of styles that the length of a run picks."""


class SpeechRequest(msgspec.Struct, frozen=True, kw_only=True):
    """One turn to speak. `seed` is derived from person, text and occurrence."""

    spoken: Spoken
    voice: Voice
    delivery: Delivery = Delivery()
    seed: int = 0


class Take(msgspec.Struct, frozen=True, kw_only=True):
    """Audio of one turn as stored: `id` addresses (text, voice, delivery, effects, engine); `samples` its length."""

    id: str
    text: str
    voice: str
    samples: int
    sha256: str


class Placement(msgspec.Struct, frozen=True, kw_only=True):
    """One take in a recording."""

    turn: str
    take: str
    start: int
    samples: int


class Timeline(msgspec.Struct, frozen=True, kw_only=True):
    """Where every turn lies in a recording of `samples` samples; one gain for the whole recording."""

    recording: str
    samples: int
    gain_db: float
    placements: tuple[Placement, ...]


class CharTime(msgspec.Struct, frozen=True, array_like=True):
    """Interval of one spoken 汉字, in samples from the start of the recording."""

    hanzi: str
    start: int
    end: int

    @property
    def interval(self) -> Interval:
        return Interval(self.start, self.end)


class TurnAlignment(msgspec.Struct, frozen=True, kw_only=True):
    """One `CharTime` for each `SpokenChar` of the turn, in order; `score` is the aligner's, higher is better.

    `fits` has the same for each character, in order; empty from an aligner that has no local scores.
    """

    turn: str
    score: float
    chars: tuple[CharTime, ...]
    fits: tuple[float, ...] = ()


class Alignment(msgspec.Struct, frozen=True, kw_only=True):
    recording: str
    aligner: str
    turns: tuple[TurnAlignment, ...]
