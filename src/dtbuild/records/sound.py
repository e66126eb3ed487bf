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
    pitch: float = 1.0
    """Factor on every frequency, formants included, at unchanged length: under 1 a larger speaker, over 1 a smaller."""
    gain_db: float = 0.0
    """Level offset of the voice, the same in every turn, so that the voices of a population are about equally loud."""
    chars_per_second: float = 0.0
    """Measured at `rate`: 汉字 a second over whole turns, inner pauses included; 0 where nobody measured."""
    sha256: str = ""
    """Of the recipe and the engine files it names (`dtbuild.speech.kokoro.recipe_sha256`); empty where nobody pinned."""


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

    @property
    def end(self) -> int:
        return self.start + self.samples


class RoomTone(msgspec.Struct, frozen=True, kw_only=True):
    """Noise of a quiet room under a whole recording: RMS in dBFS, and the seed its samples follow from."""

    level_db: float
    seed: int


class Timeline(msgspec.Struct, frozen=True, kw_only=True):
    """Where every turn lies in a recording of `samples` samples, in the order of turns and starts: with the takes it
    is all that the recording is made from, sample by sample.

    `gain_db` is the one gain of all takes, after which the room tone is added. `loudness` is what the recording
    reaches, in LUFS; None where nobody measured. A turn that starts before the one before it has ended overlaps it.
    """

    recording: str
    samples: int
    gain_db: float
    loudness: float | None = None
    room_tone: RoomTone | None = None
    placements: tuple[Placement, ...]

    def overlaps(self) -> tuple[int, ...]:
        """By placement: samples that it shares with what was placed before it, 0 where it follows a gap."""
        ends = [0]
        for each in self.placements:
            ends.append(max(ends[-1], each.end))
        return tuple(max(0, end - each.start) for end, each in zip(ends, self.placements, strict=False))


class CharTime(msgspec.Struct, frozen=True, array_like=True):
    """Interval of one spoken 汉字, in samples from the start of the recording."""

    hanzi: str
    start: int
    end: int

    @property
    def interval(self) -> Interval:
        return Interval(self.start, self.end)


class Slip(msgspec.Struct, frozen=True, array_like=True):
    """Evidence, in nats, that `count` characters from index `at` are not in the sound, or are there twice."""

    kind: Literal["skipped", "repeated"]
    at: int
    count: int
    gain: float


class TurnAlignment(msgspec.Struct, frozen=True, kw_only=True):
    """One `CharTime` for each `SpokenChar` of the turn, in order; `score` is the aligner's, higher is better.

    `fits` has the same for each character, in order, and `slips` the best evidence of each kind, whatever it is worth;
    both are empty from an aligner that has none. `rung` says which step of its ladder gave the times (1 is the first).
    """

    turn: str
    score: float
    chars: tuple[CharTime, ...]
    fits: tuple[float, ...] = ()
    slips: tuple[Slip, ...] = ()
    rung: int = 1

    def moved(self, by: int) -> TurnAlignment:
        """The same turn, so many samples later."""
        chars = tuple(CharTime(char.hanzi, char.start + by, char.end + by) for char in self.chars)
        return msgspec.structs.replace(self, chars=chars)


class Alignment(msgspec.Struct, frozen=True, kw_only=True):
    recording: str
    aligner: str
    turns: tuple[TurnAlignment, ...]
