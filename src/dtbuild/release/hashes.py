"""The two hashes that identify a cohort.

`content_hash` covers what is equal on any machine: config, plans, chains without evidence, scripts and verdicts.
`audio_hash` covers the WAV files whatever their names, and is equal on one machine with the same engine files.
Both can be recomputed from a released folder, which is how a validator finds a changed word or sample.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from dtbuild.fingerprint import digest
from dtbuild.records.cohort import Gold, Review
from dtbuild.records.plan import Plan
from dtbuild.records.script import Script
from dtbuild.release.chains import without_evidence


def content_hash(
    config: Mapping[str, Any],
    plans: Iterable[Plan],
    gold: Iterable[Gold],
    scripts: Iterable[Script],
    reviews: Iterable[Review],
) -> str:
    """Digest of everything that decides an answer; the order of the arguments' items does not matter."""
    return digest(
        {
            "config": config,
            "plans": {plan.family: plan for plan in plans},
            "chains": {one.recording: _chains(one) for one in gold},
            "scripts": {script.recording: script for script in scripts},
            "verdicts": {review.recording: review.verdicts for review in reviews},
        }
    )


def audio_hash(hashes: Sequence[str]) -> str:
    """sha256 over the sorted sha256 hashes of the WAV files, one a line.

    >>> audio_hash(["b", "a"]) == hashlib.sha256(b"a\\nb\\n").hexdigest()
    True
    """
    return hashlib.sha256("".join(f"{each}\n" for each in sorted(hashes)).encode()).hexdigest()


def _chains(gold: Gold) -> dict[str, Any]:
    return {
        "speakers": gold.speakers,
        "trajectories": without_evidence(gold),
        "candidates": gold.candidates,
        "phenomena": gold.phenomena,
    }
