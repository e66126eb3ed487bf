"""docs/formats.md speaks of every key and every finding there is."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from dtbuild.records import cohort
from dtbuild.records.cohort import Gold, Manifest, PublicSchema, Query, Review, Stats
from dtbuild.records.plan import Plan
from dtbuild.records.script import Mention, Script, Span, Turn
from dtbuild.release import advice as advice_module

ROOT = Path(__file__).parents[2]
DOCS = (ROOT / "docs" / "formats.md").read_text("utf-8")
FILES: tuple[Any, ...] = (Gold, Manifest, PublicSchema, Query, Review, Stats, Plan, Script)
PARTS = [
    each
    for name, each in vars(cohort).items()
    if isinstance(each, type) and issubclass(each, msgspec.Struct) and name not in ("Bundle", "RunInfo", "Spread")
    if each.__module__ == cohort.__name__
]


@pytest.mark.parametrize(
    "kind", [*dict.fromkeys([*FILES, *PARTS, Turn, Span, Mention])], ids=lambda kind: kind.__name__
)
def test_every_key_is_described(kind: Any) -> None:
    missing = [
        field.encode_name
        for field in msgspec.structs.fields(kind)
        if field.name != "format" and not re.search(rf"[`\"]{field.encode_name}[`\"]", DOCS)
    ]
    assert missing == []


@pytest.mark.parametrize("kind", FILES, ids=lambda kind: kind.__name__)
def test_every_format_is_named(kind: Any) -> None:
    name = next(field.default for field in msgspec.structs.fields(kind) if field.name == "format")
    assert name in DOCS


def test_every_finding_is_described() -> None:
    listed = DOCS.split("checks\n")[-1]
    source = "".join(path.read_text("utf-8") for path in (ROOT / "src" / "dtbuild" / "release").glob("*.py"))
    codes = set(re.findall(r"finding\(\s*\"(\w+)\"", source))
    assert len(codes) > 30 and codes <= advice_module.ADVICE.keys()
    assert sorted(code for code in codes if f"`{code}`" not in listed) == []
