"""The published schemas are those of the records, valid draft 2020-12, and refuse what the records refuse."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

ROOT = Path(__file__).parents[1]
SCHEMAS = sorted((ROOT / "src" / "dtbuild" / "schemas").glob("*.schema.json"))


def test_published_schemas_are_current() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "scripts" / "make_schemas.py", "--check"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("path", SCHEMAS, ids=lambda path: path.stem)
def test_each_is_a_valid_schema_with_its_format_pinned(path: Path) -> None:
    schema = json.loads(path.read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["$schema"].endswith("2020-12/schema")
