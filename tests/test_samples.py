"""docs/samples is what the writer writes: unselected, unedited."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_the_samples_are_current() -> None:
    words = [sys.executable, ROOT / "scripts" / "write_samples.py", "--check"]
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
