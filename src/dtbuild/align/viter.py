"""Forced alignment with viter (the recipe of the Montreal Forced Aligner, in one wheel) and our own model.

One 汉字 is one word of the transcript, with the pronunciation its `SpokenChar` gives, so results map to
characters by index and no tokeniser can split them again. Audio goes in as samples: no file, folder or server
is shared, and two runs at once cannot meet. Features are normalised over the turns that one voice has in the
recording; nothing is adapted. Scoring runs on the CPU: a GPU would change the last bits.

viter writes its progress to file descriptor 2 and cannot be told not to. `align` catches that text for the
time of a call and quotes it when a turn fails.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib.metadata
import os
import tempfile
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dtbuild.align.aligner import TurnAudio, samples_of
from dtbuild.align.fit import FitModel
from dtbuild.align.mapping import character_times
from dtbuild.align.phones import phones, transcript
from dtbuild.align.plausibility import room_for
from dtbuild.align.repair import repair
from dtbuild.errors import AlignmentError, AssetError, MissingExtra
from dtbuild.records.sound import CharTime, TurnAlignment
from dtbuild.timebase import RATE

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

MODEL = Path(__file__).parent / "model" / "mandarin.viter"
"""Our acoustic model; `model/README.md` says how it is made."""

RULES = "1"
"""Counts changes of our own rules on the way from audio to times and gate."""

BEAMS: tuple[tuple[float, float], ...] = ((10.0, 40.0), (100.0, 400.0), (1000.0, 4000.0))
"""The retry ladder: beam and retry beam of each round. A turn that fails the last one is refused."""

_stderr = threading.Lock()


def fingerprint_of(model: Path = MODEL) -> str:
    """Version of viter, model, score table and rules, without loading any of them."""
    try:
        version = importlib.metadata.version("viter")
        parts = [hashlib.sha256(path.read_bytes()).hexdigest()[:16] for path in (model, _table(model))]
    except importlib.metadata.PackageNotFoundError as error:
        raise _missing_viter() from error
    except OSError as error:
        raise AssetError(
            f"acoustic model {model} is missing",
            found=str(error),
            fix="reinstall dtbuild, or run scripts/train_aligner.py",
        ) from error
    return ":".join([f"viter-{version}", *parts, RULES])


class ViterAligner:
    """`Aligner` over viter. `threads` bounds viter's pool; it takes effect once a process, at the first
    aligner made there, and changes no result.
    """

    name = "viter"

    def __init__(self, model: Path = MODEL, *, threads: int | None = None) -> None:
        if threads is not None:
            os.environ.setdefault("RAYON_NUM_THREADS", str(threads))
        try:
            import viter
        except ImportError as error:
            raise _missing_viter() from error
        self.fingerprint = fingerprint_of(model)
        try:
            self._model: Any = viter.Model(model, cpu=True)
        except viter.ViterError as error:
            raise AssetError(
                f"acoustic model {model} cannot be read", found=str(error), fix="reinstall dtbuild"
            ) from error
        self._error: type[Exception] = viter.ViterError
        self._phones = set(self._model.phones)
        self._fit = FitModel.load(_table(model))

    def align(self, turns: Sequence[TurnAudio]) -> tuple[TurnAlignment, ...]:
        """Aligns the turns of one recording; see `dtbuild.align.aligner.Aligner`."""
        if not turns:
            return ()
        _check_turns(turns)
        audio = [samples_of(turn) for turn in turns]
        for turn, sound in zip(turns, audio, strict=True):
            room_for(turn.turn, turn.spoken, len(sound))
        texts = [self.transcript(turn) for turn in turns]
        found: list[Any] = [None] * len(turns)
        said = ""
        for beam, retry in BEAMS:
            if not any(one is None for one in found):
                break
            # everything again: the normalisation of a voice needs all of its turns
            results, said = self._run(turns, audio, texts, beam, retry)
            found = [old if old is not None else fresh for old, fresh in zip(found, results, strict=True)]
        times = [
            repair(_times_of(turn, one, len(sound), said), sound)
            for turn, one, sound in zip(turns, found, audio, strict=True)
        ]
        scores = self._fit.scores(
            [(turn.speaker, sound, one.phones) for turn, one, sound in zip(turns, found, audio, strict=True)]
        )
        return tuple(
            TurnAlignment(
                turn=turn.turn,
                score=score,
                chars=tuple(CharTime(c.hanzi, c.start + turn.offset, c.end + turn.offset) for c in chars),
            )
            for turn, chars, score in zip(turns, times, scores, strict=True)
        )

    def transcript(self, turn: TurnAudio) -> str:
        """The turn as viter reads it; raises `AlignmentError` for a syllable that the model does not know."""
        syllables = [_phones(turn, at) for at in range(len(turn.spoken.chars))]
        unknown = sorted({phone for syllable in syllables for phone in syllable} - self._phones)
        if unknown:
            raise AlignmentError(
                f"turn {turn.turn}: the acoustic model lacks {', '.join(unknown)}",
                fix="train it on speech with these phones (scripts/train_aligner.py)",
            )
        return transcript(syllables)

    def _run(
        self,
        turns: Sequence[TurnAudio],
        audio: list[NDArray[float32]],
        texts: list[str],
        beam: float,
        retry: float,
    ) -> tuple[list[Any], str]:
        items = [(sound, text, RATE) for sound, text in zip(audio, texts, strict=True)]
        speakers = [turn.speaker for turn in turns]
        with _caught_stderr() as said:
            try:
                results = self._model.align_many(items, speakers=speakers, beam=beam, retry_beam=retry)
            except self._error as error:
                raise AlignmentError(
                    f"viter failed on the recording of turns {turns[0].turn} to {turns[-1].turn}",
                    found=str(error),
                    fix="report it with these takes; the model or viter itself is at fault",
                ) from error
            text = said()
        if len(results) != len(turns):
            raise AlignmentError(
                f"viter on turns {turns[0].turn} to {turns[-1].turn}",
                expected=f"{len(turns)} results",
                found=str(len(results)),
            )
        return list(results), text


def _check_turns(turns: Sequence[TurnAudio]) -> None:
    seen: set[str] = set()
    for turn in turns:
        if turn.turn in seen:
            raise AlignmentError(f"turn {turn.turn} is given twice in one recording")
        seen.add(turn.turn)
        if not turn.spoken.chars:
            raise AlignmentError(
                f"turn {turn.turn} has no spoken 汉字", found=repr(turn.spoken.text), fix="correct the script"
            )
        if turn.offset < 0:
            raise AlignmentError(f"turn {turn.turn} starts before its recording", found=str(turn.offset))


def _times_of(turn: TurnAudio, found: Any, samples: int, said: str) -> tuple[CharTime, ...]:
    if found is None:
        raise AlignmentError(
            f"turn {turn.turn} cannot be aligned, not even with a beam of {BEAMS[-1][1]:g}",
            expected=f"speech that says {turn.spoken.text}",
            found=" ".join(said.split())[-200:] or "no path",
            fix="speak the turn again",
        )
    return character_times(turn, found.words, samples)


def _phones(turn: TurnAudio, at: int) -> tuple[str, ...]:
    char = turn.spoken.chars[at]
    try:
        return phones(char.pinyin)
    except AlignmentError as error:
        raise AlignmentError(
            f"turn {turn.turn}, character {at} {char.hanzi}: {error.what}",
            expected=error.expected,
            fix=error.fix,
        ) from error


@contextlib.contextmanager
def _caught_stderr() -> Iterator[functools.partial[str]]:
    """File descriptor 2 into a nameless temporary file; the value gives what it holds."""
    with _stderr, tempfile.TemporaryFile() as file:
        keep = os.dup(2)
        try:
            os.dup2(file.fileno(), 2)
            yield functools.partial(_read, file)
        finally:
            os.dup2(keep, 2)
            os.close(keep)


def _read(file: Any) -> str:
    file.seek(0)
    return str(file.read().decode("utf-8", "replace"))


def _table(model: Path) -> Path:
    return model.with_suffix(".fit.json")


def _missing_viter() -> MissingExtra:
    return MissingExtra("viter is not installed", expected="the extra [align]", fix="pip install 'dtbuild[align]'")
