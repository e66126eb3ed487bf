"""Was the text read as it stands? Evidence for a word that was left out and for one that was said twice.

An aligner gives every character a time whatever was said: a word too many is stretched over its neighbours or
taken for a pause, a word too few is squeezed between them. So each take is also read with one jump in its text,
over or back by one to three characters, anywhere (`dtbuild.align.trellis`), and what the best such path gains is
weighed together with how long the characters around it then last. The gain of a take is compared with those of
takes known to be right (`dtbuild.align.floors`).

The scores of frames come from Gaussians for the beginning, middle and end of every phone (`trained`), as log
ratios to the mixture of all of them: an end is told from a beginning, so that a vowel said twice is no long
vowel. In quiet frames silence has the better of everything. Lengths are compared with those of their initial,
final, place in the phrase and lightness, and with the tempo of the take.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import msgspec

from dtbuild.align.fit import FitModel, Phone, PhoneStats, frames_of
from dtbuild.align.levels import levels, loudness
from dtbuild.align.phones import CODAS, INITIALS, phones
from dtbuild.align.tables import load_table
from dtbuild.align.trellis import Jump, Trellis, layout
from dtbuild.records.sound import CharTime, Slip
from dtbuild.records.spoken import Spoken, SpokenChar

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

PARTS = 3
"""Beginning, middle and end of a phone."""
REACH = 3
"""Most characters left out or said twice that are looked for."""
FLOOR = -8.0
"""Least score of a frame: one odd frame must not decide."""
QUIET_DB, QUIET_SCORE = 30.0, 2.0
"""A frame this far below the loud frames is quiet: silence scores at least this much there, and no phone more."""
LENGTH_WEIGHT = 3.0
"""Nats of sound that one nat of length counts."""
LENGTH_CAP = 18.0
"""Most nats against one length."""
CANDIDATES = 8
PRIOR_FRAMES = 30.0
"""How many frames the score table's Gaussian of a phone counts for in each of its parts."""
_STATES: dict[str, tuple[int, ...]] = {"initial": (0, 1, 2), "final": (0, 1, 1, 1, 2), "coda": (0, 1, 2)}
_LIGHT: dict[str, tuple[int, ...]] = {"initial": (1,), "final": (0, 1, 2), "coda": (1,)}
"""Parts that the 10 ms states of a phone stand for; a light syllable may be short."""


class ReadingFile(msgspec.Struct, frozen=True):
    """`parts`: Gaussians of each phone. Lengths are logarithms of frames: `base` and what each feature adds."""

    format: str
    parts: dict[str, tuple[PhoneStats, ...]]
    base: float
    lengths: dict[str, float]
    spread: float


class Read(NamedTuple):
    """A take to train on: its `features`, the phones found in it, its text and the times of its characters."""

    frames: Any
    phones: Sequence[Phone]
    spoken: Spoken
    chars: Sequence[CharTime]


class ReadingModel:
    """The tables as loaded from a JSON file, and the evidence they give."""

    FORMAT = "dtbuild.reading/1"

    def __init__(self, file: ReadingFile, sha256: str) -> None:
        import numpy as np

        self.sha256 = sha256
        self._file = file
        self._column = {label: at * PARTS for at, label in enumerate(file.parts)}
        stats = [part for parts in file.parts.values() for part in parts]
        mean, std = np.array([one.mean for one in stats]), np.array([one.std for one in stats])
        self._precision = std**-2
        self._weighted = mean * self._precision
        self._offset = -0.5 * (mean * self._weighted).sum(axis=1) - np.log(std).sum(axis=1)
        self._prior = np.log(np.array([one.prior for one in stats]))

    @classmethod
    def load(cls, path: Path) -> ReadingModel:
        """Reads the file beside an acoustic model; raises `AssetError` if it is missing, broken or of another format."""
        file, sha256 = load_table("reading model", path, ReadingFile, cls.FORMAT, script="scripts/calibrate_aligner.py")
        return cls(file, sha256)

    def slips(self, frames: NDArray[float64], samples: Any, spoken: Spoken) -> tuple[Slip, ...]:
        """The best evidence of each kind in a take with these `features`; none for a take too short for its text."""
        where = layout([self._columns(char) for char in spoken.chars], self._column["sil"])
        if len(frames) < len(where.columns) - len(where.silences):
            return ()
        trellis = Trellis(self._scores(frames, samples), where)
        usual = _Lengths(self._file, spoken, trellis.lengths())
        found = []
        for kind, way in (("skipped", 1), ("repeated", -1)):
            jumps = [jump for by in range(1, REACH + 1) for jump in trellis.jumps(way * by)]
            jumps = sorted(jumps, reverse=True)[:CANDIDATES]
            if jumps:
                gain, jump = max((_weighed(trellis, usual, jump), jump) for jump in jumps)
                found.append(_slip(kind, gain, jump))
        return tuple(found)

    def _columns(self, char: SpokenChar) -> list[int]:
        states = _LIGHT if char.pinyin.endswith("5") else _STATES
        return [
            self._column[label] + part
            for label in phones(char.pinyin)
            if label in self._column
            for part in states[_class(label)]
        ] or [self._column["sil"] + 1]

    def _scores(self, frames: NDArray[float64], samples: Any) -> Any:
        import numpy as np

        found = frames @ self._weighted.T - 0.5 * (frames * frames) @ self._precision.T + self._offset
        weighed = found + self._prior
        most = weighed.max(axis=1)
        whole = most + np.log(np.exp(weighed - most[:, None]).sum(axis=1))
        scores = np.maximum(found - whole[:, None], FLOOR).astype(np.float32)
        level = levels(samples)
        quiet = (level < loudness(level) - QUIET_DB)[: len(scores)]
        silence = slice(self._column["sil"], self._column["sil"] + PARTS)
        hush = scores[:, silence].max(axis=1)
        hush[quiet] = np.maximum(hush[quiet], QUIET_SCORE)
        scores[quiet] = np.minimum(scores[quiet], QUIET_SCORE)
        scores[:, silence] = hush[:, None]
        return scores


class _Lengths:
    """How unusual a character's length is, in nats: half the squared distance in spreads, at this take's tempo."""

    def __init__(self, file: ReadingFile, spoken: Spoken, read: dict[int, int]) -> None:
        import numpy as np

        self.read = read
        self._spread = file.spread
        usual = [file.base + sum(file.lengths.get(one, 0.0) for one in names) for names in _traits(spoken)]
        off = [float(np.log(read[at])) - usual[at] for at in read]
        tempo = float(np.median(off)) if len(off) >= 4 else 0.0
        self._usual = [one + tempo for one in usual]

    def against(self, char: int, frames: int) -> float:
        import numpy as np

        off = (float(np.log(max(1, frames))) - self._usual[char]) / self._spread
        return min(off * off / 2, LENGTH_CAP)


def _weighed(trellis: Trellis, usual: _Lengths, jump: Jump) -> float:
    """Gain of a jump, with what the lengths around it say for it."""
    back = jump.done - jump.next
    touched = range(jump.next, jump.done) if back > 0 else range(max(0, jump.done - 1), jump.next + 1)
    each = back if back > 0 else 1
    plain = sum(usual.against(char, usual.read[char]) for char in touched if char in usual.read)
    before = trellis.lengths_before(jump.frame, jump.done, each)
    after = trellis.lengths_after(jump.frame, jump.next, each)
    jumped = sum(usual.against(*one) for lengths in (before, after) for one in lengths.items())
    return jump.gain + LENGTH_WEIGHT * (plain - jumped)


def _slip(kind: Literal["skipped", "repeated"] | str, gain: float, jump: Jump) -> Slip:
    at, end = sorted((jump.done, jump.next))
    return Slip("skipped" if kind == "skipped" else "repeated", at, end - at, round(gain, 2))


def trained(takes: Iterable[Read], base: FitModel) -> bytes:
    """JSON of the tables of takes that are known to be right; the Gaussians of `base` stand in where they are few."""
    import numpy as np

    takes = list(takes)
    rows: dict[str, list[list[Any]]] = {label: [[] for _ in range(PARTS)] for label in base.labels}
    for take in takes:
        for phone in take.phones:
            if phone.label in rows:
                part = frames_of(phone, len(take.frames))
                count = part.stop - part.start
                for at in range(count):
                    rows[phone.label][at * PARTS // count].append(take.frames[part.start + at])
    total = sum(len(part) for parts in rows.values() for part in parts)
    parts: dict[str, tuple[PhoneStats, ...]] = {}
    for label, found in rows.items():
        mean, variance = base.gaussian(label)
        parts[label] = tuple(_part(np.array(part), mean, variance, total) for part in found)
    lengths, start, spread = _trained_lengths(takes)
    return msgspec.json.encode(ReadingFile(ReadingModel.FORMAT, parts, start, lengths, spread))


def _part(rows: Any, mean: Any, variance: Any, total: int) -> PhoneStats:
    import numpy as np

    count, prior = len(rows), PRIOR_FRAMES
    own = (rows.sum(axis=0) if count else 0) + prior * mean
    centre = own / (count + prior)
    spread = ((rows - centre) ** 2).sum(axis=0) if count else 0
    spread = (spread + prior * (variance + (mean - centre) ** 2)) / (count + prior)
    return PhoneStats(
        prior=round((count + 2) / (total + 2), 7),
        mean=tuple(round(float(value), 3) for value in centre),
        std=tuple(round(max(0.05, float(value)), 3) for value in np.sqrt(spread)),
    )


def _trained_lengths(takes: Sequence[Read]) -> tuple[dict[str, float], float, float]:
    """Ridge regression of log frames on traits."""
    import numpy as np

    names = sorted({name for take in takes for traits in _traits(take.spoken) for name in traits})
    index = {name: at for at, name in enumerate(names)}
    rows = [[index[name] for name in traits] for take in takes for traits in _traits(take.spoken)]
    frames = np.log([(char.end - char.start) / 240 for take in takes for char in take.chars])
    matrix = np.zeros((len(rows), len(names) + 1))
    matrix[:, -1] = 1
    for row, columns in enumerate(rows):
        matrix[row, columns] = 1
    ridge = 2.0 * np.diag([1.0] * len(names) + [0.0])
    weights = np.linalg.solve(matrix.T @ matrix + ridge, matrix.T @ frames)
    spread = float((frames - matrix @ weights).std())
    return (
        {name: round(float(weights[at]), 4) for name, at in index.items()},
        round(float(weights[-1]), 4),
        round(spread, 4),
    )


def _traits(spoken: Spoken) -> list[tuple[str, ...]]:
    """What the usual length of each character is made up of."""
    chars = spoken.chars
    out = []
    for at, char in enumerate(chars):
        initial, final = _syllable(char.pinyin)
        traits = [f"initial {initial}", f"final {final}"]
        if at + 1 == len(chars) or chars[at + 1].at != char.at + 1:
            traits.append("last")
        if at == 0 or chars[at - 1].at != char.at - 1:
            traits.append("first")
        if char.pinyin.endswith("5"):
            traits.append("light")
        out.append(tuple(traits))
    return out


@functools.cache
def _syllable(pinyin: str) -> tuple[str, str]:
    found = phones(pinyin)
    kinds = Counter({_class(label): 1 for label in found})
    initial = found[0] if kinds["initial"] else ""
    return initial, next(label for label in found if _class(label) == "final")


def _class(label: str) -> str:
    return "initial" if label in INITIALS else "coda" if label in CODAS.values() else "final"
