"""Forced alignment with viter (the recipe of the Montreal Forced Aligner, in one wheel) and our own model.

One 汉字 is one word of the transcript, with the pronunciation its `SpokenChar` gives, so results map to
characters by index and no tokeniser can split them again. Audio goes in as samples: no file, folder or server
is shared, and two runs at once cannot meet. Features are normalised over the turns that one voice has in the
recording. Scoring runs on the CPU: a GPU would change the last bits.

The ladder: a beam of 10, wider ones, then the turn in parts (`dtbuild.align.split`). A turn climbs it that finds no
path, or whose score is under the floor; of the rungs that gave times, the one with the best score counts.

What viter writes to file descriptor 2 is caught for the time of a call and quoted when a turn fails.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from dtbuild.align.aligner import TurnAudio, samples_of
from dtbuild.align.fit import FitModel, Sound, features, mean_fit
from dtbuild.align.floors import TABLES, floors
from dtbuild.align.mapping import character_times
from dtbuild.align.phones import phones, transcript
from dtbuild.align.plausibility import room_for
from dtbuild.align.quiet import caught_stderr
from dtbuild.align.reading import ReadingModel
from dtbuild.align.repair import repair
from dtbuild.align.split import moved, parts_of, seams_hold
from dtbuild.errors import AlignmentError, AssetError, MissingExtra
from dtbuild.fingerprint import sha256_file
from dtbuild.records.sound import CharTime, TurnAlignment
from dtbuild.timebase import RATE

if TYPE_CHECKING:
    from numpy import float32, float64
    from numpy.typing import NDArray

MODEL = TABLES
"""Our acoustic model; `model/README.md` says how it is made."""

RULES = "2"
"""Counts changes of our own rules on the way from audio to times and gate."""

VERSIONS = (0, 5, 1), (0, 6, 0)
"""The versions of viter, from and below, that read the model's format."""

BEAMS: tuple[tuple[float, float], ...] = ((10.0, 40.0), (100.0, 400.0), (1000.0, 4000.0))
"""The first rungs of the ladder: beam and retry beam. The rung after them is the turn in parts."""


def fingerprint_of(model: Path = MODEL) -> str:
    """Version of viter, model, tables, floors and rules, without loading any of them.

    Raises `MissingExtra` without viter or for a version that does not read the model, `AssetError` for a file that is
    missing.
    """
    files = (model, *(TABLES.with_suffix(suffix) for suffix in (".fit.json", ".reading.json", ".floors.json")))
    try:
        version = importlib.metadata.version("viter")
        parts = [hashlib.sha256(path.read_bytes()).hexdigest()[:16] for path in files]
    except importlib.metadata.PackageNotFoundError as error:
        raise _missing_viter() from error
    except OSError as error:
        raise AssetError(
            f"acoustic model {model} is missing",
            found=str(error),
            fix="reinstall dtbuild, or run scripts/train_aligner.py",
        ) from error
    _check_version(version)
    return ":".join([f"viter-{version}", *parts, RULES])


def check_files() -> None:
    """Raises `AssetError` unless our model and its tables are as they were made; loads no model."""
    made = msgspec.json.decode(MODEL.with_name("made.json").read_bytes(), type=dict[str, Any])
    for key, path in (("model_sha256", MODEL), ("fit_sha256", MODEL.with_suffix(".fit.json"))):
        if (found := sha256_file(path)) != made[key]:
            raise AssetError(
                f"acoustic model {path}",
                expected=f"sha256 {made[key][:12]}…",
                found=f"{found[:12]}…",
                fix="reinstall dtbuild, or run scripts/train_aligner.py",
            )
    floors()
    ReadingModel.load(MODEL.with_suffix(".reading.json"))


def train(corpus: Path, out: Path, *, threads: int | None = None, **recipe: Any) -> None:
    """Trains a model on a folder of WAVs and transcripts; raises `AlignmentError` when viter fails."""
    viter = _viter(threads)
    with caught_stderr() as said:
        try:
            viter.train(corpus, out, cpu=True, quiet=True, **recipe)
        except viter.ViterError as error:
            raise AlignmentError(
                "viter could not train a model", found=f"{error} {' '.join(said().split())[-200:]}".strip()
            ) from error


class Heard(NamedTuple):
    """What was found of a turn: viter's words and phones in seconds of the take, on which rung of the ladder."""

    words: Sequence[Any]
    phones: Sequence[Any]
    rung: int


class ViterAligner:
    """`Aligner` over viter. `threads` bounds viter's pool; it takes effect once a process, at the first
    aligner made there, and changes no result. `model` may be a cohort's own (`dtbuild.align.adapt`); score table,
    reading table and floors are always ours, so that figures of different models compare. Without `slips` no
    evidence of words skipped or repeated is looked for.
    """

    name = "viter"

    def __init__(self, model: Path = MODEL, *, threads: int | None = None, slips: bool = True) -> None:
        viter = _viter(threads)
        self.fingerprint = fingerprint_of(model) if slips else ""
        try:
            self._model: Any = viter.Model(model, cpu=True)
        except viter.ViterError as error:
            raise AssetError(
                f"acoustic model {model} cannot be read",
                expected=f"a model in the format of viter {viter.__version__}",
                found=str(error),
                fix="reinstall dtbuild, or delete the cohort's own model (work/adapt) and run again",
            ) from error
        self._error: type[Exception] = viter.ViterError
        self._phones = set(self._model.phones)
        self._fit = FitModel.load(TABLES.with_suffix(".fit.json"))
        self._reading = ReadingModel.load(TABLES.with_suffix(".reading.json")) if slips else None

    def align(self, turns: Sequence[TurnAudio], *, refine: bool = True) -> tuple[TurnAlignment, ...]:
        """Aligns the turns of one recording; see `dtbuild.align.aligner.Aligner`."""
        if not turns:
            return ()
        _check_turns(turns)
        audio = [samples_of(turn) for turn in turns]
        for turn, sound in zip(turns, audio, strict=True):
            room_for(turn.turn, turn.spoken, len(sound))
        frames = features([Sound(turn.speaker, sound, ()) for turn, sound in zip(turns, audio, strict=True)])
        found = self._heard(turns, audio, frames, refine=refine)
        out = []
        for turn, sound, rows, one in zip(turns, audio, frames, found, strict=True):
            times = character_times(turn, one.words, len(sound))
            if refine:
                times = repair(times, sound)
            out.append(
                TurnAlignment(
                    turn=turn.turn,
                    score=mean_fit(self._fit.fits(rows, one.phones)),
                    chars=tuple(CharTime(c.hanzi, c.start + turn.offset, c.end + turn.offset) for c in times),
                    fits=tuple(mean_fit(self._fit.fits(rows, word.phones)) for word in one.words),
                    slips=self._reading.slips(rows, sound, turn.spoken) if self._reading else (),
                    rung=one.rung,
                )
            )
        return tuple(out)

    def _heard(
        self,
        turns: Sequence[TurnAudio],
        audio: list[NDArray[float32]],
        frames: list[NDArray[float64]],
        *,
        refine: bool,
    ) -> list[Heard]:
        """The best of the ladder for each turn; raises `AlignmentError` for one that no rung gives times."""
        best: list[Heard | None] = [None] * len(turns)
        scores = [float("-inf")] * len(turns)
        said = ""

        def offer(at: int, found: Heard) -> None:
            score = mean_fit(self._fit.fits(frames[at], found.phones))
            if best[at] is None or score > scores[at]:
                best[at], scores[at] = found, score

        def open_turns() -> list[int]:
            if self._reading is None:
                return [at for at, one in enumerate(best) if one is None]
            return [at for at, turn in enumerate(turns) if scores[at] < floors().least_score(len(turn.spoken.chars))]

        texts = [self.transcript(turn) for turn in turns]
        for rung, (beam, retry) in enumerate(BEAMS, 1):
            wanted = open_turns()
            if not wanted:
                break
            # everything again: the normalisation of a voice needs all of its turns
            results, said = self._run(turns, audio, texts, beam, retry, refine)
            for at in wanted:
                if results[at] is not None:
                    offer(at, Heard(results[at].words, results[at].phones, rung))
        for at in open_turns():
            joined = self._in_parts(at, turns, audio, refine)
            if joined is not None:
                offer(at, joined)
        for turn, one in zip(turns, best, strict=True):
            if one is None:
                raise _no_path(turn, said)
        return [one for one in best if one is not None]

    def _in_parts(
        self, at: int, turns: Sequence[TurnAudio], audio: list[NDArray[float32]], refine: bool
    ) -> Heard | None:
        """A turn aligned part by part beside the others, None where it has no parts or they do not meet."""
        parts = parts_of(turns[at], audio[at])
        if not parts:
            return None
        every = [*turns[:at], *(part.turn for part in parts), *turns[at + 1 :]]
        sounds = [*audio[:at], *(part.samples for part in parts), *audio[at + 1 :]]
        results, _ = self._run(every, sounds, [self.transcript(turn) for turn in every], *BEAMS[-1], refine)
        own = results[at : at + len(parts)]
        if any(one is None for one in own):
            return None
        try:
            times = [
                character_times(part.turn, one.words, len(part.samples)) for part, one in zip(parts, own, strict=True)
            ]
        except AlignmentError:
            return None
        if not seams_hold(times):
            return None
        words = [word for part, one in zip(parts, own, strict=True) for word in moved(part, one.words)]
        phones = [phone for part, one in zip(parts, own, strict=True) for phone in moved(part, one.phones)]
        return Heard(words, phones, len(BEAMS) + 1)

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
        refine: bool,
    ) -> tuple[list[Any], str]:
        items = [(sound, text, RATE) for sound, text in zip(audio, texts, strict=True)]
        speakers = [turn.speaker for turn in turns]
        with caught_stderr() as said:
            try:
                results = self._model.align_many(items, speakers=speakers, beam=beam, retry_beam=retry, refine=refine)
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


def _no_path(turn: TurnAudio, said: str) -> AlignmentError:
    return AlignmentError(
        f"turn {turn.turn} cannot be aligned, not even with a beam of {BEAMS[-1][1]:g} or in parts",
        expected=f"speech that says {turn.spoken.text}",
        found=" ".join(said.split())[-200:] or "no path",
        fix="speak the turn again",
        turn=turn.turn,
    )


def _viter(threads: int | None) -> Any:
    """The package, in a version that fits; `threads` bounds its pool where nothing did before."""
    if threads is not None:
        os.environ.setdefault("RAYON_NUM_THREADS", str(threads))
    try:
        import viter
    except ImportError as error:
        raise _missing_viter() from error
    _check_version(viter.__version__)
    return viter


def _check_version(version: str) -> None:
    number = tuple(int(part) for part in re.findall(r"\d+", version)[:3])
    low, high = VERSIONS
    if not low <= number < high:
        raise MissingExtra(
            f"viter {version} does not fit the acoustic model",
            expected=f"at least {'.'.join(map(str, low))} and below {'.'.join(map(str, high))}",
            fix="pip install 'dtbuild[align]'",
        )


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


def _missing_viter() -> MissingExtra:
    return MissingExtra("viter is not installed", expected="the extra [align]", fix="pip install 'dtbuild[align]'")
