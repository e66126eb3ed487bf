"""Identity of values: a digest over canonical JSON, equal in any process and on any machine.

Canonical: keys sorted, no blanks, UTF-8, decimals as the strings they are stored as; a value that JSON cannot
hold is an error, never its repr. `SCHEME` is part of every digest, so that a change of these rules is seen.

>>> digest({"b": 1, "a": "二"}) == digest({"a": "二", "b": 1})
True
>>> digest(1) == digest("1")
False
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import msgspec

SCHEME = "dtbuild.fingerprint/1"

_encoder = msgspec.json.Encoder(order="sorted")


def canonical(value: Any) -> bytes:
    """Canonical JSON of a record or plain JSON value; raises TypeError for anything else."""
    return _encoder.encode(value)


def digest(value: Any) -> str:
    """sha256 (hex) of the scheme's name and the canonical JSON."""
    return hashlib.sha256(SCHEME.encode() + b"\n" + canonical(value)).hexdigest()


def sha256_file(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
