"""How well the sound under each phone fits that phone: the score of a turn.

viter returns times without a likelihood. This measure stands in: one Gaussian with a diagonal covariance per
phone over 13 cepstral coefficients and their slopes, trained with the aligner. A phone scores the mean over its
frames of log p(x | phone) − log p(x), p(x) being the mixture of all phones; a turn scores the mean over the
phones of its characters. In nats a phone; right texts lie well above 0, other texts of the same length around
or below it. It is a goodness of pronunciation in its simplest form (Witt and Young, 2000), not a probability.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import msgspec

from dtbuild.align.tables import load_table
from dtbuild.timebase import RATE

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

HOP = RATE // 100
"""Samples between frames: 10 ms."""
WINDOW = RATE // 40
"""Samples of a frame: 25 ms."""
CEPSTRA = 13
FLOOR = -10.0
"""Least score of one phone: a single misplaced phone must not decide over a turn."""
_BANDS = 26
_LOW, _HIGH = 60.0, 7600.0


class Phone(Protocol):
    """One aligned phone of a take, in seconds: what is read of viter's phones."""

    @property
    def label(self) -> str: ...
    @property
    def start(self) -> float: ...
    @property
    def end(self) -> float: ...


class Sound(NamedTuple):
    """A take with its phones; takes of one `speaker` are normalised together."""

    speaker: str
    samples: Any
    phones: Sequence[Phone]


class PhoneStats(msgspec.Struct, frozen=True):
    prior: float
    mean: tuple[float, ...]
    std: tuple[float, ...]


class FitFile(msgspec.Struct, frozen=True):
    format: str
    phones: dict[str, PhoneStats]


class FitModel:
    """The Gaussians as loaded from a JSON file, and the score they give."""

    FORMAT = "dtbuild.fit/1"

    def __init__(self, phones: dict[str, PhoneStats], sha256: str) -> None:
        import numpy as np

        self.sha256 = sha256
        self._index = {label: at for at, label in enumerate(phones)}
        stats = phones.values()
        self._mean = np.array([one.mean for one in stats])
        self._std = np.array([one.std for one in stats])
        self._prior = np.log(np.array([one.prior for one in stats]))

    @classmethod
    def load(cls, path: Path) -> FitModel:
        """Reads the file beside an acoustic model; raises `AssetError` if it is missing or broken."""
        file, sha256 = load_table("score model", path, FitFile, cls.FORMAT, script="scripts/train_aligner.py")
        return cls(file.phones, sha256)

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(self._index)

    def gaussian(self, label: str) -> tuple[NDArray[float64], NDArray[float64]]:
        """Means and variances of a phone."""
        at = self._index[label]
        mean: NDArray[float64] = self._mean[at]
        variance: NDArray[float64] = self._std[at] ** 2
        return mean, variance

    def scores(self, takes: Iterable[tuple[str, Any, Sequence[Phone]]]) -> list[float]:
        """One score a take, in order; `takes` hold speaker, samples, and phones with label, start and end."""
        sounds = [Sound(*take) for take in takes]
        return [
            mean_fit(self.fits(frames, sound.phones)) for sound, frames in zip(sounds, features(sounds), strict=True)
        ]

    def fits(self, frames: NDArray[float64], phones: Sequence[Phone]) -> list[float]:
        """One score a phone of a take with these `features`, in order; silence and unknown phones have none."""
        import numpy as np

        each = (frames[:, None, :] - self._mean) / self._std
        likelihood = -0.5 * (each * each).sum(axis=2) - np.log(self._std).sum(axis=1)
        whole = np.logaddexp.reduce(likelihood + self._prior, axis=1)
        return [
            max(FLOOR, float((likelihood[part, self._index[phone.label]] - whole[part]).mean()))
            for phone in phones
            if phone.label in self._index and phone.label != "sil"
            for part in (frames_of(phone, len(frames)),)
        ]


def mean_fit(fits: Sequence[float]) -> float:
    """Score of phones together; `FLOOR` where there is none."""
    return round(sum(fits) / len(fits), 4) if fits else FLOOR


def train(takes: Iterable[tuple[str, Any, Sequence[Phone]]]) -> bytes:
    """JSON of the Gaussians of aligned takes; a phone with fewer than 20 frames is left out."""
    import numpy as np

    sounds = [Sound(*take) for take in takes]
    frames_by: dict[str, list[NDArray[float64]]] = {}
    for sound, frames in zip(sounds, features(sounds), strict=True):
        for phone in sound.phones:
            frames_by.setdefault(phone.label, []).append(frames[frames_of(phone, len(frames))])
    joined = {label: np.concatenate(parts) for label, parts in sorted(frames_by.items())}
    joined = {label: frames for label, frames in joined.items() if len(frames) >= 20}
    total = sum(len(frames) for frames in joined.values())
    phones = {
        label: PhoneStats(
            prior=round(len(frames) / total, 6),
            mean=tuple(round(float(value), 3) for value in frames.mean(axis=0)),
            std=tuple(round(max(0.05, float(value)), 3) for value in frames.std(axis=0)),
        )
        for label, frames in joined.items()
    }
    return msgspec.json.encode(FitFile(FitModel.FORMAT, phones))


def cepstra(samples: Any) -> NDArray[float64]:
    """Cepstral coefficients, one row each 10 ms; frame t is centred on sample t · 240 + 120."""
    import numpy as np

    sound = np.asarray(samples, dtype=np.float64)
    count = max(1, len(sound) // HOP)
    before = (WINDOW - HOP) // 2
    padded = np.pad(sound, (before, WINDOW + HOP))
    padded[1:] -= 0.97 * padded[:-1]
    at = np.arange(count)[:, None] * HOP + np.arange(WINDOW)
    power = np.abs(np.fft.rfft(padded[at] * np.hanning(WINDOW), 1024)) ** 2
    banks, cosines = _tables()
    result: NDArray[float64] = np.log(power @ banks + 1e-8) @ cosines
    return result


def features(sounds: Sequence[Sound]) -> list[NDArray[float64]]:
    """Cepstra of each take less the mean of their speaker, and slopes beside them: what both tables are of."""
    import numpy as np

    plain = [cepstra(sound.samples) for sound in sounds]
    means = {
        speaker: np.concatenate([c for s, c in zip(sounds, plain, strict=True) if s.speaker == speaker]).mean(0)
        for speaker in sorted({sound.speaker for sound in sounds})
    }
    return [with_slopes(frames - means[sound.speaker]) for sound, frames in zip(sounds, plain, strict=True)]


def with_slopes(frames: NDArray[float64]) -> NDArray[float64]:
    """Frames with the slope of each coefficient over five of them beside it."""
    import numpy as np

    edge = np.pad(frames, ((2, 2), (0, 0)), mode="edge")
    slopes = (2 * (edge[4:] - edge[:-4]) + edge[3:-1] - edge[1:-3]) / 10
    return np.concatenate([frames, slopes], axis=1)


def frames_of(phone: Phone, count: int) -> slice:
    """Frames whose centre lies in the phone; the nearest one where none does."""
    start = min(count - 1, max(0, round(phone.start * 100)))
    return slice(start, min(count, max(start + 1, round(phone.end * 100))))


@functools.cache
def _tables() -> tuple[NDArray[float64], NDArray[float64]]:
    """Triangular mel filters (bins × bands) and the cosine transform (bands × cepstra)."""
    import numpy as np

    def mel(hertz: Any) -> Any:
        return 1127.0 * np.log1p(hertz / 700.0)

    edges = np.linspace(mel(_LOW), mel(_HIGH), _BANDS + 2)
    bins = mel(np.arange(513) * RATE / 1024)[:, None]
    rise = (bins - edges[:-2]) / (edges[1:-1] - edges[:-2])
    fall = (edges[2:] - bins) / (edges[2:] - edges[1:-1])
    banks = np.clip(np.minimum(rise, fall), 0, None)
    band = np.arange(_BANDS) + 0.5
    cosines = np.cos(np.pi * np.arange(CEPSTRA)[None, :] * band[:, None] / _BANDS) * np.sqrt(2 / _BANDS)
    return banks, cosines
