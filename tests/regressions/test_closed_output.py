"""`dtbuild show … >&-` ended in an internal fault: Python has None for an output that is closed from the start."""

from __future__ import annotations

from dtbuild.release.terminal import wants_color


def test_a_closed_output_wants_no_colour() -> None:
    assert wants_color(None, {}) is False
