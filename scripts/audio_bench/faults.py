"""Faults planted in clean turns, and which gate of the pipeline finds them.

Eight kinds that must be found, and three printed beside them that no limit holds to: the same words in another
voice, one word that the text has otherwise, and takes as they are (false alarms, which have a limit of their own).
Turns are drawn with a seed from all that the fault can be planted in, whatever their length.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from audio_bench.corpus import Said
from audio_bench.planting import (
    Audio,
    Word,
    add_nan,
    add_silence,
    add_tone,
    another_word,
    clip,
    cut_word,
    double_word,
    inner_edge,
    tone_place,
    words,
)
from dtbuild.records.sound import CharTime, SpeechRequest
from dtbuild.records.spoken import Spoken
from dtbuild.seeds import rng

CERTAIN = ("a second of silence", "clipping", "NaN")
"""Kinds of which none may slip through."""
LIKE = 0.8, 1.25
"""Another turn's length in 汉字 against this one's, where a text or a take is exchanged."""


class Subject(NamedTuple):
    """A clean turn with its sound and the times of its characters in it."""

    said: Said
    audio: Audio
    chars: tuple[CharTime, ...]


class Case(NamedTuple):
    """A turn with its fault: what it is said to say by which voice (`request`), and the take. `detail` for people."""

    kind: str
    subject: Subject
    request: SpeechRequest
    audio: Audio
    detail: str


Planter = Callable[[Subject, Sequence[Subject], random.Random], Case | None]
"""A case from a subject and all the others, None where the fault finds no place in it."""


class Planting:
    """The kinds, in the order in which they are printed; `cut` parts a run of 汉字 into words."""

    def __init__(self, cut: Callable[[str], Sequence[str]]) -> None:
        self._cut = cut
        self.kinds: dict[str, Planter] = {
            "word cut": self._word_cut,
            "word doubled": self._word_doubled,
            "a second of silence": _silence,
            "other voice's turn": _other_voice,
            "wrong text": _wrong_text,
            "3 kHz tone": _tone,
            "clipping": _clipping,
            "NaN": _nan,
        }
        self.beside: dict[str, Planter] = {"one word differs": self._one_word}

    def _word_cut(self, one: Subject, others: Sequence[Subject], draw: random.Random) -> Case | None:
        word = self._word(one, draw)
        return word and _case("word cut", one, cut_word(one.audio, one.chars, word), word.said(one.said.spoken))

    def _word_doubled(self, one: Subject, others: Sequence[Subject], draw: random.Random) -> Case | None:
        word = self._word(one, draw)
        return word and _case("word doubled", one, double_word(one.audio, one.chars, word), word.said(one.said.spoken))

    def _one_word(self, one: Subject, others: Sequence[Subject], draw: random.Random) -> Case | None:
        word = self._word(one, draw)
        if word is None:
            return None
        own = one.said.spoken.chars[word.first : word.last]
        for other in draw.sample(others, len(others)):
            for each in words(other.said.spoken, self._cut):
                chars = other.said.spoken.chars[each.first : each.last]
                if len(chars) == len(own) and all(
                    a.pinyin[:-1] != b.pinyin[:-1] for a, b in zip(chars, own, strict=True)
                ):
                    told = another_word(one.said.spoken, word, chars)
                    detail = f"{word.said(one.said.spoken)} told as {each.said(other.said.spoken)}"
                    return _case("one word differs", one, one.audio, detail, spoken=told)
        return None

    def _word(self, one: Subject, draw: random.Random) -> Word | None:
        """A word of the turn that is not all of it."""
        found = [word for word in words(one.said.spoken, self._cut) if word.last - word.first < len(one.chars)]
        return draw.choice(found) if found else None


def plant(kinds: dict[str, Planter], subjects: Sequence[Subject], wanted: int, seed: int) -> Iterator[Case]:
    """`wanted` cases of each kind, fewer where fewer turns can carry it."""
    for kind, planter in kinds.items():
        draw, made = rng(seed, "plant", kind), 0
        for one in draw.sample(subjects, len(subjects)):
            case = planter(one, subjects, draw) if made < wanted else None
            if case is not None:
                made += 1
                yield case


def other_voice(one: Subject, audio: Audio, voice: str) -> Case:
    """The same words in another voice."""
    return _case("same words, other voice", one, audio, f"{one.said.voice.id} spoken by {voice}")


def _silence(one: Subject, others: Sequence[Subject], draw: random.Random) -> Case | None:
    if len(one.chars) < 2:
        return None
    at = inner_edge(one.chars, draw)
    return _case("a second of silence", one, add_silence(one.audio, at), f"at {at / 24:.0f} ms")


def _other_voice(one: Subject, others: Sequence[Subject], draw: random.Random) -> Case | None:
    found = _like(one, [each for each in others if each.said.voice.id != one.said.voice.id], draw)
    return found and _case("other voice's turn", one, found.audio, f"{found.said.voice.id}: {found.said.text}")


def _wrong_text(one: Subject, others: Sequence[Subject], draw: random.Random) -> Case | None:
    found = _like(one, others, draw)
    return found and _case("wrong text", one, one.audio, f"told as {found.said.text}", spoken=found.said.spoken)


def _tone(one: Subject, others: Sequence[Subject], draw: random.Random) -> Case | None:
    place = tone_place(one.audio, draw)
    return place and _case("3 kHz tone", one, add_tone(one.audio, *place), f"{place[1] / 24:.0f} ms")


def _clipping(one: Subject, others: Sequence[Subject], draw: random.Random) -> Case | None:
    return _case("clipping", one, clip(one.audio), "")


def _nan(one: Subject, others: Sequence[Subject], draw: random.Random) -> Case | None:
    samples = draw.randint(1, 240)
    return _case(
        "NaN", one, add_nan(one.audio, draw.randrange(len(one.audio) - samples), samples), f"{samples} samples"
    )


def _case(kind: str, one: Subject, audio: Audio, detail: str, *, spoken: Spoken | None = None) -> Case:
    request = one.said.request
    if spoken is not None:
        request = SpeechRequest(spoken=spoken, voice=request.voice, delivery=request.delivery, seed=request.seed)
    return Case(kind, one, request, audio, detail)


def _like(one: Subject, others: Sequence[Subject], draw: random.Random) -> Subject | None:
    """A turn of like length that says something else."""
    said = [char.pinyin for char in one.said.spoken.chars]
    found = [
        each
        for each in others
        if LIKE[0] <= len(each.chars) / len(one.chars) <= LIKE[1]
        and [char.pinyin for char in each.said.spoken.chars] != said
    ]
    return draw.choice(found) if found else None


class Result(NamedTuple):
    """What the gates said of a case: their codes, none where they passed it."""

    case: Case
    speech: tuple[str, ...]
    alignment: tuple[str, ...]

    @property
    def caught(self) -> bool:
        return bool(self.speech or self.alignment)


def matrix(results: Sequence[Result], kinds: Sequence[str]) -> str:
    """Kinds by gates, as a table."""
    lines = ["| kind | n | speech gate | alignment gate | either | by |", "|---|---|---|---|---|---|"]
    for kind in kinds:
        own = [each for each in results if each.case.kind == kind]
        if not own:
            continue
        codes = Counter(code for each in own for code in (*each.speech, *each.alignment))
        by = ", ".join(f"{code} {n}" for code, n in codes.most_common(5))
        counts = (
            sum(map(bool, column)) for column in zip(*((e.speech, e.alignment, e.caught) for e in own), strict=True)
        )
        lines.append(f"| {kind} | {len(own)} | {' | '.join(map(str, counts))} | {by} |")
    return "\n".join(lines)


def missed(results: Sequence[Result]) -> Iterator[str]:
    """A line for each case that slipped through."""
    for each in results:
        if not each.caught:
            said = each.case.subject.said
            yield f"slipped through, {each.case.kind}: {said.name} {said.voice.id} {said.text} ({each.case.detail})"
