"""A file of nothing but opening brackets ended in an internal fault."""

from __future__ import annotations

import pytest

from dtbuild.boundary import parse
from dtbuild.errors import FormatError
from dtbuild.records.script import Script


@pytest.mark.parametrize("data", [b"[" * 100_000, b'{"a":' * 100_000])
def test_json_nested_without_end_is_named(data: bytes) -> None:
    with pytest.raises(FormatError, match=r"file x\.json"):
        parse(data, Script, "x.json")
