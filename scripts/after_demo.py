"""After `make demo`: name one WAV to play and the command that shows it."""

from __future__ import annotations

import sys
from pathlib import Path

release = Path(sys.argv[1]) / "release"
wav = min((release / "public" / "audio").glob("*.wav"))
print(f"\nlisten:  {wav}")
print(f"read:    .venv/bin/dtbuild show {sys.argv[1]} {wav.stem}")
