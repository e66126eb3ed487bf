"""What a process holds at a moment: memory and open files."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from statistics import median

import msgspec

GROWTH = 1.10
"""Memory is flat when a worker's last quarter holds at most this much of what its second quarter held."""


class Held(msgspec.Struct, frozen=True):
    """Resident bytes and open file descriptors of a process."""

    pid: int
    resident: int
    files: int


def held() -> Held:
    """What this process holds now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return Held(os.getpid(), pages * os.sysconf("SC_PAGE_SIZE"), len(os.listdir("/proc/self/fd")))


def growth(series: Sequence[Held]) -> dict[int, tuple[int, int, int]]:
    """By worker: median memory of its second quarter and of its last, and how many open files it gained meanwhile.

    The first quarter is warm-up: libraries, caches and arenas fill once.

    >>> flat = [Held(1, 100 + (at < 2) * 50, 7) for at in range(16)]
    >>> growth(flat)
    {1: (100, 100, 0)}
    """
    found = {}
    for pid in sorted({each.pid for each in series}):
        own = [each for each in series if each.pid == pid]
        quarter = len(own) // 4
        if not quarter:
            continue
        second, last = own[quarter : 2 * quarter], own[-quarter:]
        found[pid] = (
            int(median(each.resident for each in second)),
            int(median(each.resident for each in last)),
            last[-1].files - second[0].files,
        )
    return found
