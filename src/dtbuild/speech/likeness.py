"""Whether a take is in the voice it claims: a profile of each voice of a population, and how takes fit them.

A profile is a point: means and spreads of twelve cepstral coefficients over the loud frames, and quartiles of the
pitch. A take's distance to it is a Mahalanobis distance with the spread that takes of one voice have, all voices
taken together. A take is another voice's when its own profile lies much farther than the nearest other one: the
distance itself says little, for it grows with anything unusual in the words.

Profiles are found by recipe and pitch, not by id, so a population of your own meets no wrong ones: a voice without a
profile is passed over, as are turns under `LEAST` 汉字, whose few vowels decide more than the voice. Measured and
written by `scripts/choose_voices.py`.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Literal

import msgspec

from dtbuild import resources
from dtbuild.errors import AssetError
from dtbuild.records.sound import SpeechRequest, Voice
from dtbuild.records.verdict import Finding
from dtbuild.timebase import RATE

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Audio = NDArray[np.float32]
    Floats = NDArray[np.float64]

LEAST = 6
"""汉字 of the shortest turn that is looked at."""
LIMIT = 15.0
"""How much farther the claimed voice may lie than the nearest other one (squared deviations)."""
_FILE = "kokoro.profiles.json"
_HOP, _WINDOW, _SIZE, _BANDS, _CEPSTRA = RATE // 100, RATE // 40, 1024, 26, 13
_LOW, _HIGH = 60.0, 7600.0
_FRAME = RATE // 20
_LAGS = (RATE // 400, RATE // 70)


class Profiles(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`voices/kokoro.profiles.json`: a point for each voice (`key`), and the inverse of their common covariance."""

    format: Literal["dtbuild.profiles/1"] = "dtbuild.profiles/1"
    points: dict[str, tuple[float, ...]]
    inverse: tuple[tuple[float, ...], ...]


def other_voice(audio: Audio, request: SpeechRequest, *, where: str) -> list[Finding]:
    """A finding where the take fits another voice of the population far better than the one asked for."""
    key_, profiles = key(request.voice), shipped()
    if key_ not in profiles.points or len(request.spoken.chars) < LEAST:
        return []
    farther = excess(point(audio), key_, profiles)
    if farther <= LIMIT:
        return []
    expected = f"a take in the voice {request.voice.id}, at most {LIMIT:.0f} farther than the nearest voice"
    found = f"{farther:.0f} farther"
    return [
        Finding(
            code="speech.other_voice",
            where=where,
            message=f"expected {expected}, found {found}",
            expected=expected,
            found=found,
            turn=where,
        )
    ]


def key(voice: Voice) -> str:
    """What a profile is kept under: recipe and pitch; empty for a voice whose recipe nobody pinned."""
    return f"{voice.sha256[:16]}/{voice.pitch:.2f}" if voice.sha256 else ""


def excess(found: Floats, claimed: str, profiles: Profiles) -> float:
    """How much farther a take lies from the claimed voice than from the nearest other one; negative if it is nearer."""
    import numpy as np

    names, points, inverse = _arrays(profiles)
    off = found - points
    distances = np.einsum("ij,jk,ik->i", off, inverse, off)
    own = names.index(claimed)
    return float(distances[own] - np.delete(distances, own).min())


def point(audio: Audio) -> Floats:
    """Where a take lies among profiles."""
    import numpy as np

    cepstra = _cepstra(audio)
    low, high = np.percentile(cepstra[:, 0], (2, 95))
    loud = cepstra[cepstra[:, 0] >= high - 0.35 * (high - low)][:, 1:]
    result: Floats = np.concatenate([loud.mean(0), np.log(loud.std(0) + 0.1), _pitch(audio)])
    return result


@functools.cache
def shipped() -> Profiles:
    """Raises `AssetError` when the file is missing or broken."""
    path = resources.folder("voices") / _FILE
    try:
        return msgspec.json.decode(path.read_bytes(), type=Profiles)
    except (OSError, msgspec.DecodeError) as error:
        raise AssetError(
            f"voice profiles {path}", found=str(error), fix="reinstall dtbuild, or run scripts/choose_voices.py"
        ) from error


def made(takes: dict[str, list[Audio]]) -> Profiles:
    """Profiles of voices by their takes, at least two each; the covariance leans on its diagonal (0.3 of it).

    Raises ValueError for a voice with fewer takes.
    """
    import numpy as np

    for name, audios in takes.items():
        if len(audios) < 2:
            raise ValueError(f"{name}: {len(audios)} take, expected at least 2")
    every = {name: np.array([point(audio) for audio in audios]) for name, audios in takes.items()}
    points = {name: found.mean(0) for name, found in every.items()}
    off = np.concatenate(
        [(found - points[name]) * (len(found) / (len(found) - 1)) ** 0.5 for name, found in every.items()]
    )
    spread = off.T @ off / len(off)
    inverse = np.linalg.inv(0.7 * spread + 0.3 * np.diag(np.diag(spread)))
    return Profiles(
        points={name: tuple(round(float(value), 4) for value in found) for name, found in points.items()},
        inverse=tuple(tuple(float(f"{value:.5g}") for value in row) for row in inverse),
    )


def _pitch(audio: Audio) -> Floats:
    """Quartiles of the pitch in octaves, over loud voiced frames of 50 ms; 7.5 where there are none."""
    import numpy as np

    frames = audio[: len(audio) // _FRAME * _FRAME].reshape(-1, _FRAME).astype(np.float64)
    frames = frames - frames.mean(axis=1, keepdims=True)
    power = (frames**2).mean(axis=1)
    frames = frames[power > 0.1 * np.percentile(power, 90)] if len(frames) else frames
    shape = np.fft.irfft(np.abs(np.fft.rfft(frames, 2048)) ** 2)
    lags = _LAGS[0] + shape[:, _LAGS[0] : _LAGS[1]].argmax(axis=1)
    voiced = shape[np.arange(len(shape)), lags] > 0.5 * shape[:, 0]
    octaves = np.log2(RATE / lags[voiced])
    result: Floats = np.percentile(octaves, (25, 50, 75)) if len(octaves) else np.full(3, 7.5)
    return result


def _cepstra(audio: Audio) -> Floats:
    """Cepstral coefficients of the preemphasised sound, a row each 10 ms."""
    import numpy as np

    sound = np.pad(audio.astype(np.float64), (0, _WINDOW))
    sound[1:] -= 0.97 * sound[:-1]
    frames = np.lib.stride_tricks.sliding_window_view(sound, _WINDOW)[::_HOP]
    power = np.abs(np.fft.rfft(frames * np.hanning(_WINDOW), _SIZE)) ** 2
    banks, cosines = _tables()
    result: Floats = np.log(power @ banks + 1e-8) @ cosines
    return result


@functools.cache
def _tables() -> tuple[Floats, Floats]:
    """Triangular mel filters (bins × bands) and the cosine transform (bands × cepstra)."""
    import numpy as np

    edges = np.linspace(1127 * np.log1p(_LOW / 700), 1127 * np.log1p(_HIGH / 700), _BANDS + 2)
    bins = 1127 * np.log1p(np.arange(_SIZE // 2 + 1)[:, None] * RATE / _SIZE / 700)
    rise = (bins - edges[:-2]) / (edges[1:-1] - edges[:-2])
    fall = (edges[2:] - bins) / (edges[2:] - edges[1:-1])
    banks = np.clip(np.minimum(rise, fall), 0, None)
    band = np.arange(_BANDS) + 0.5
    cosines = np.cos(np.pi * np.arange(_CEPSTRA)[None, :] * band[:, None] / _BANDS) * np.sqrt(2 / _BANDS)
    return banks, cosines


@functools.lru_cache(maxsize=4)
def _arrays_of(
    names: tuple[str, ...], points: tuple[tuple[float, ...], ...], inverse: tuple[tuple[float, ...], ...]
) -> tuple[list[str], Floats, Floats]:
    import numpy as np

    return list(names), np.array(points), np.array(inverse)


def _arrays(profiles: Profiles) -> tuple[list[str], Floats, Floats]:
    return _arrays_of(tuple(profiles.points), tuple(profiles.points.values()), profiles.inverse)
