"""Kokoro-82M on the CPU: the only importer of onnxruntime.

Determinism: one thread inside and one outside the graph, no random node in it (`dequantise` refuses one), every
run of the same arrays; so the audio of a request is the same whatever was spoken before, in whatever process,
with however many workers. `seed` therefore moves the speaking rate alone, by at most `WOBBLE`: two turns of one
person are never clockwork, and a retake with another seed is another take.

Memory: weights are mapped from the file and shared by workers; the arena gives its growth back after each run;
run length is bounded by `chunks.BUDGET`. Measured with two workers: 0.62 GB each at the peak, 0.25 of it the
shared weights (`scripts/bench_speech.py speed`).
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING

from dtbuild.errors import AssetError, MissingExtra, RunError, SynthesisError, UnknownName
from dtbuild.fingerprint import digest
from dtbuild.records.sound import SpeechRequest, Voice, VoicePart
from dtbuild.speech.assets import assets, kokoro_files
from dtbuild.speech.chunks import SPLITS, STRONG, last_mark, split_runs
from dtbuild.speech.phonemes import Piece, pieces, require_whole, symbols
from dtbuild.speech.pitch import shifted
from dtbuild.speech.silence import trim
from dtbuild.speech.symbols import LIMIT, SYMBOLS
from dtbuild.speech.words import segmenter
from dtbuild.timebase import to_samples

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Audio = NDArray[np.float32]

RECIPE = "kokoro-2"
"""Changes whenever the way from a request to samples does."""

WOBBLE = 0.03
STRONG_PAUSE, WEAK_PAUSE = 0.28, 0.14
"""Seconds of silence put between two runs of a turn, by the mark they were cut at; a hard cut gets none."""

HEADROOM = 0.4
"""One factor for everything Kokoro says: some voices peak over full scale, and a take must never be clipped."""

STYLES, WIDTH = 510, 256
_PACKAGES = ("onnxruntime", "jieba", "soxr")
_NO_MEMORY = re.compile(r"bad_alloc|(?i:out of memory|failed to allocate|allocate memory)")
_FEWER_JOBS = "free some memory, or run with fewer --jobs: it resumes"


def fingerprint() -> str:
    """Identity of files, recipe and the libraries whose numbers or words reach the audio; loads no model.

    Raises `MissingExtra` when one of them is not installed.
    """
    try:
        libraries = {name: version(name) for name in _PACKAGES}
    except PackageNotFoundError as error:
        raise _missing(str(error.name)) from error
    return digest([RECIPE, assets().identity, libraries])


def recipe_sha256(recipe: Sequence[VoicePart]) -> str:
    """What `Voice.sha256` pins: styles, weights and the style files as `voices/assets/kokoro.yaml` lists them.

    Raises `UnknownName` for a style that is not listed.
    """
    files = {Path(note.file).stem: note.sha256 for note in assets().styles}
    for part in recipe:
        if part.style not in files:
            raise _unknown_style(part.style, files)
    return digest([[part.style, part.weight, files[part.style]] for part in recipe])


class KokoroEngine:
    """A loaded Kokoro. Raises `MissingExtra` or `AssetError` when it cannot run here."""

    name = "kokoro"

    def __init__(self) -> None:
        try:
            import numpy as np
            import onnxruntime
        except ImportError as error:
            raise _missing(str(error.name)) from error
        self._np = np
        files = kokoro_files()
        self._paths = files.styles
        self._styles: dict[str, NDArray[np.float32]] = {}
        self._pinned: set[Voice] = set()
        self._words = segmenter()
        self.fingerprint = fingerprint()
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.enable_mem_pattern = False  # every run has another length; patterns would be kept for each
        self._run_options = onnxruntime.RunOptions()
        self._run_options.add_run_config_entry("memory.enable_memory_arena_shrinkage", "cpu:0")
        self._session = onnxruntime.InferenceSession(str(files.graph), options, providers=["CPUExecutionProvider"])

    def speak(self, request: SpeechRequest) -> Audio:
        """Audio of one turn, edges trimmed.

        Raises `Unspeakable` for text it cannot say, `UnknownName` for a style it lacks, `SynthesisError` when
        the request asks for what Kokoro cannot do or the run fails, `RunError` when memory is full.
        """
        np = self._np
        self._refuse(request)
        runs = split_runs(pieces(request.spoken, self._words), request.delivery.split)
        require_whole(request.spoken, [symbols(run) for run in runs])
        speed = request.voice.rate * request.delivery.rate
        speed *= 1.0 + random.Random(request.seed).uniform(-WOBBLE, WOBBLE)
        parts: list[Audio] = []
        for index, run in enumerate(runs):
            parts.append(trim(self._run(run, request.voice, speed, request.delivery.style_shift)))
            mark = last_mark(run)
            if mark and index < len(runs) - 1:
                pause = STRONG_PAUSE if mark in STRONG else WEAK_PAUSE
                parts.append(np.zeros(to_samples(pause / speed), dtype=np.float32))
        return parts[0] if len(parts) == 1 else np.concatenate(parts)

    def _run(self, run: Sequence[Piece], voice: Voice, speed: float, shift: int) -> Audio:
        np = self._np
        text = symbols(run)
        unknown = sorted(set(text) - SYMBOLS.keys())
        if unknown or len(text) > LIMIT:
            raise SynthesisError(
                f"symbols {text[:40]!r}", expected=f"at most {LIMIT} known symbols", found=f"{len(text)}, {unknown}"
            )
        tokens = [0, *(SYMBOLS[symbol] for symbol in text), 0]
        inputs = {
            "tokens": np.array([tokens], dtype=np.int64),
            "style": self._style(voice, len(text) + shift),
            "speed": np.array([speed / voice.pitch], dtype=np.float32),
        }
        try:
            audio: Audio = self._session.run(None, inputs, self._run_options)[0].reshape(-1)
        except Exception as error:  # onnxruntime raises classes of its own, bound to no public base
            if isinstance(error, MemoryError) or _NO_MEMORY.search(str(error)):
                # the machine is at fault, not the request: another way to speak the turn would change the cohort
                raise RunError(
                    f"no memory left to speak {text[:40]!r}", found=str(error).partition("\n")[0], fix=_FEWER_JOBS
                ) from error
            raise SynthesisError(f"Kokoro on {text[:40]!r}", found=str(error).partition("\n")[0]) from error
        scaled: Audio = audio * np.float32(HEADROOM * 10 ** (voice.gain_db / 20))
        return scaled if voice.pitch == 1.0 else shifted(scaled, voice.pitch)

    def _style(self, voice: Voice, length: int) -> NDArray[np.float32]:
        """Styles are tabled by the number of symbols; a mixed voice is the weighted sum of its parts' rows.

        `length` past either end of the table takes the row there.
        """
        length = min(max(length, 1), STYLES)
        np = self._np
        total = sum(part.weight for part in voice.recipe)
        row = np.zeros((1, WIDTH), dtype=np.float64)
        for part in voice.recipe:
            row += part.weight / total * self._table(part.style)[length - 1]
        style: Audio = row.astype(np.float32)
        return style

    def _table(self, style: str) -> NDArray[np.float32]:
        if style not in self._styles:
            if style not in self._paths:
                raise _unknown_style(style, self._paths)
            table = self._np.fromfile(self._paths[style], dtype="<f4")
            self._styles[style] = table.reshape(STYLES, 1, WIDTH)
        return self._styles[style]

    def _require_pinned(self, voice: Voice) -> None:
        """Once a voice: that it is the one its population was measured with."""
        if voice in self._pinned or not voice.sha256:
            return
        if (found := recipe_sha256(voice.recipe)) != voice.sha256:
            raise AssetError(
                f"voice {voice.id}",
                expected=f"sha256 {voice.sha256[:12]}… of its recipe and style files",
                found=f"{found[:12]}…",
                fix="restore its entry in voices/, or measure it again: scripts/choose_voices.py",
            )
        self._pinned.add(voice)

    def _refuse(self, request: SpeechRequest) -> None:
        delivery = request.delivery
        if request.voice.engine != self.name or not request.voice.recipe:
            raise SynthesisError(
                f"voice {request.voice.id}", expected="a recipe for kokoro", found=f"engine {request.voice.engine!r}"
            )
        self._require_pinned(request.voice)
        if (
            delivery.pitch
            or delivery.gain
            or not 0.5 <= delivery.rate <= 2.0
            or delivery.split not in range(len(SPLITS))
        ):
            raise SynthesisError(
                f"delivery of {request.spoken.text[:20]!r}",
                expected=f"pitch 0, gain 0, rate 0.5-2, split under {len(SPLITS)}: Kokoro can do no other",
                found=f"pitch {delivery.pitch}, gain {delivery.gain}, rate {delivery.rate}, split {delivery.split}",
            )


def _unknown_style(style: str, known: Iterable[str]) -> UnknownName:
    return UnknownName(f"style {style!r}", expected=f"one of {', '.join(sorted(known))}")


def _missing(what: str) -> MissingExtra:
    return MissingExtra(f"package {what}", expected="the extra `speech`", fix="pip install 'dtbuild[speech]'")
