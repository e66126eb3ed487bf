"""Kokoro-82M on the CPU."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING
import logging
import random

from dtbuild.records.sound import SpeechRequest
from dtbuild.speech.phonemes import pieces, symbols
from dtbuild.speech.symbols import SYMBOLS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Audio = NDArray[np.float32]


class KokoroEngine:
    name = "kokoro"

    def __init__(self, folder: Path | None = None) -> None:
        import jieba
        import onnxruntime as ort

        jieba.setLogLevel(logging.WARNING)
        self._words = jieba.lcut
        self.folder = folder or Path.home() / ".cache/dtbuild/bootstrap"
        o = ort.SessionOptions()
        o.intra_op_num_threads = 1
        o.inter_op_num_threads = 1
        self._session = ort.InferenceSession(self.folder / "model.onnx", o, providers=["CPUExecutionProvider"])
        self._styles = {}
        self.fingerprint = "bootstrap"

    def _style(self, name):
        import numpy as np

        if name not in self._styles:
            self._styles[name] = np.fromfile(self.folder / f"{name}.bin", "<f4").reshape(510, 1, 256)
        return self._styles[name]

    def speak(self, request: SpeechRequest) -> Audio:
        import numpy as np

        text = symbols(pieces(request.spoken, self._words))
        tokens = [SYMBOLS[c] for c in text]
        style = sum(p.weight * self._style(p.style)[len(tokens) - 1] for p in request.voice.recipe)
        speed = request.voice.rate * request.delivery.rate * random.Random(request.seed).uniform(0.97, 1.03)
        audio = self._session.run(
            None,
            {
                "tokens": np.array([[0, *tokens, 0]], np.int64),
                "style": style.astype(np.float32),
                "speed": np.array([speed], np.float32),
            },
        )[0]
        env = np.abs(audio[: len(audio) // 240 * 240].reshape(-1, 240)).max(1)
        loud = np.flatnonzero(env > 0.01)
        return audio[max(0, loud[0] * 240 - 720) : (loud[-1] + 1) * 240 + 720]
