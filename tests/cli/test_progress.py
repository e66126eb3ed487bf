"""A bar a stage on a terminal, plain lines elsewhere."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from pathlib import Path


def command(config: Path, out: Path) -> list[str]:
    words = ["generate", "--config", str(config), "--out", str(out), "--groups", "1", "--jobs", "1"]
    return [sys.executable, "-m", "dtbuild", *words]


def on_a_terminal(words: list[str]) -> str:
    parent, child = pty.openpty()
    fcntl.ioctl(child, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 100, 0, 0))
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=child)
    os.close(child)
    shown = b""
    while True:
        try:
            data = os.read(parent, 4096)
        except OSError:  # how Linux says that the other end is closed
            break
        if not data:
            break
        shown += data
    os.close(parent)
    assert process.wait() == 0
    return shown.decode()


def test_a_bar_a_stage_on_a_terminal_and_lines_elsewhere(tone_config: Path, tmp_path: Path) -> None:
    shown = on_a_terminal(command(tone_config, tmp_path / "terminal"))
    for stage in ("text", "speech", "mix", "align", "evidence", "release"):
        bars = [part for part in re.split(r"[\r\n]+", shown) if part.startswith(stage)]
        assert bars and "100%" in bars[-1] and "|" in bars[-1], stage
    assert " done (" not in shown

    plain = subprocess.run(command(tone_config, tmp_path / "plain"), capture_output=True, text=True)
    assert plain.returncode == 0
    assert not {"\r", "|", "%", "\x1b", "█"} & set(plain.stderr)
    for stage in ("text", "mix", "evidence", "release"):
        assert f"{stage}: 1 done (" in plain.stderr
    assert "speech: " in plain.stderr and " takes to do" in plain.stderr
    again = subprocess.run(command(tone_config, tmp_path / "plain"), capture_output=True, text=True)
    assert "complete already, nothing to do" in again.stdout and "(0 made, 1 kept)" in again.stderr
