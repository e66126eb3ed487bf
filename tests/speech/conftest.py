"""One real engine for the whole session."""

from __future__ import annotations

import pytest

from dtbuild.speech.kokoro import KokoroEngine


@pytest.fixture(scope="session")
def kokoro() -> KokoroEngine:
    """The real engine. Without its files this fails and names `dtbuild assets`: it is never skipped."""
    return KokoroEngine()
