"""A label at samples 1 to 2 was written as 4.167e-05, which no reader of plain decimals takes."""

from __future__ import annotations

from pathlib import Path

from dtbuild.align.textgrid import Label, Tier, read_textgrid, write_textgrid


def test_the_first_samples_are_written_out(tmp_path: Path) -> None:
    tiers = (Tier("a", (Label(1, 2, "1e-05"), Label(2, 3, "行"))),)
    write_textgrid(tmp_path / "a.TextGrid", tiers, samples=24_000)
    text = (tmp_path / "a.TextGrid").read_text("utf-8")
    assert "xmin = 0.00004167" in text and text.count("e-05") == 1
    assert read_textgrid(tmp_path / "a.TextGrid") == tiers
