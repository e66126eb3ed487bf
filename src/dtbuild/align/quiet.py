"""Keeps what a library writes to file descriptor 2: viter writes its progress there and cannot be told not to."""

from __future__ import annotations

import contextlib
import functools
import os
import tempfile
import threading
from collections.abc import Iterator
from typing import Any

_stderr = threading.Lock()


@contextlib.contextmanager
def caught_stderr() -> Iterator[functools.partial[str]]:
    """File descriptor 2 into a nameless temporary file; the value gives what it holds."""
    with _stderr, tempfile.TemporaryFile() as file:
        keep = os.dup(2)
        try:
            os.dup2(file.fileno(), 2)
            yield functools.partial(_read, file)
        finally:
            os.dup2(keep, 2)
            os.close(keep)


def _read(file: Any) -> str:
    file.seek(0)
    return str(file.read().decode("utf-8", "replace"))
