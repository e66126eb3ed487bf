"""Randomness derived per item: the same seed and keys give the same stream in any process, order or job count.

>>> rng(7, "gold", "sc0007q", 0).random() == rng(7, "gold", "sc0007q", 0).random()
True
>>> derive(7, "gold") != derive(7, "script")
True
"""

from __future__ import annotations

import hashlib
import random


def derive(seed: int, *keys: str | int) -> int:
    """A 64-bit seed for one purpose and item. Keys are typed and length-prefixed: ("a", "b") ≠ ("ab",)."""
    digest = hashlib.blake2b(digest_size=8, person=b"dtbuild-seed-1")
    for key in (seed, *keys):
        data = f"{type(key).__name__}:{key}".encode()
        digest.update(len(data).to_bytes(4, "big") + data)
    return int.from_bytes(digest.digest(), "big")


def rng(seed: int, *keys: str | int) -> random.Random:
    """A generator of its own for one item; never share one between items."""
    return random.Random(derive(seed, *keys))
