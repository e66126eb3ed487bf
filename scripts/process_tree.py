"""What a running command and all its children hold in memory, for the benches."""

from __future__ import annotations

import psutil


def tree_memory(process: psutil.Process) -> int:
    """Resident bytes of the process tree; pages that processes share count once for each. Those that end meanwhile
    are left out."""
    total = 0
    try:
        for each in [process, *process.children(recursive=True)]:
            total += each.memory_info().rss
    except psutil.Error:
        pass
    return total
