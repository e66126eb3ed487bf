"""docs/samples is what the writer writes: unselected, unedited, and of every pair both texts side by side."""

from __future__ import annotations

import re
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
SCRIPT = ROOT / "scripts" / "write_samples.py"


def test_the_samples_are_current() -> None:
    done = subprocess.run([sys.executable, SCRIPT, "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_pages_of_two_families(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One alone and one pair, in their order: a page a recording, and the pair side by side with every word of both."""
    script: dict[str, Any] = runpy.run_path(str(SCRIPT))
    main = script["main"]
    pages, guide = tmp_path / "samples", tmp_path / "guide.md"
    pages.mkdir()
    guide.write_text(f"Before.\n\n{script['MARK']}```\nold\n```\n\nAfter.\n", "utf-8")
    main.__globals__.update(FOLDER=pages, FAMILIES=2, GUIDE=guide)
    monkeypatch.setattr(sys, "argv", ["write_samples.py"])
    (pages / "gone.txt").write_text("a page of a family that is no longer there", "utf-8")
    assert main() == 0
    names = sorted(path.name for path in pages.iterdir())
    single, pair = sorted({name.split("-")[0] for name in names if "-" in name})
    assert names == ["README.md", f"{single}-a.md", f"{pair}-a.md", f"{pair}-b.md", f"{pair}.txt"]

    readme = (pages / "README.md").read_text("utf-8")
    assert re.findall(r"\]\((.*?)\)", readme) == [f"{single}-a.md", f"{pair}-a.md", f"{pair}-b.md", f"{pair}.txt"]
    page = (pages / f"{pair}.txt").read_text("utf-8")
    shown = "".join(re.findall(r"\w", page))
    first = re.findall(r"^\| 1 \| S1 \| (.*?) \|", (pages / f"{pair}-a.md").read_text("utf-8"), re.MULTILINE)
    assert "".join(re.findall(r"\w", first[0]))[:10] in shown
    assert page.endswith("\n") and f"A  {pair}-a" in page and f"B  {pair}-b" in page

    block = re.fullmatch(r"Before\.\n\n<!--.*?-->\n```\n(.*)\n```\n\nAfter\.\n", guide.read_text("utf-8"), re.DOTALL)
    assert block and re.search(r" [≠↔<>] ", block[1]) and "Gold: " in block[1] and f"A  {pair}-a" in block[1]

    monkeypatch.setattr(sys, "argv", ["write_samples.py", "--check"])
    assert main() == 0
    (pages / f"{pair}.txt").write_text(page.replace("\n 1  ", "\n 1 "), "utf-8")
    assert main() == 1
