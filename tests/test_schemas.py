"""The published schemas are those of the records, valid draft 2020-12, and refuse what the records refuse."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest
from ruamel.yaml import YAML

ROOT = Path(__file__).parents[1]
SCHEMAS = sorted((ROOT / "src" / "dtbuild" / "schemas").glob("*.schema.json"))


def test_published_schemas_are_current() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "scripts" / "make_schemas.py", "--check"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


def validator(name: str) -> jsonschema.Draft202012Validator:
    path = ROOT / "src" / "dtbuild" / "schemas" / f"{name}.schema.json"
    return jsonschema.Draft202012Validator(json.loads(path.read_text("utf-8")))


def test_every_file_of_a_run_and_its_release_keeps_its_schema(tone_cohort: Path) -> None:
    validator("run").validate(json.loads((tone_cohort / "run.json").read_text("utf-8")))
    checked = set()
    for stage in (tone_cohort / "work").iterdir():
        schema = validator(f"work-{stage.name}")
        for path in stage.glob("*.json"):
            item = json.loads(path.read_text("utf-8"))
            schema.validate(item)
            item["record"]["unheard_of"] = item.pop("made")
            assert not schema.is_valid(item), path
            checked.add(stage.name)
    assert checked >= {"gold", "script", "review", "variants", "takes", "mix", "align", "evidence", "release"}
    kinds = {"gold": "gold", "scripts": "script", "plans": "plan", "reviews": "review", "public/queries": "query"}
    for folder, name in kinds.items():
        for path in (tone_cohort / "release" / folder).iterdir():
            validator(name).validate(json.loads(path.read_text("utf-8")))
    for file, name in (("manifest", "manifest"), ("stats", "stats"), ("public/schema", "public-schema")):
        validator(name).validate(json.loads((tone_cohort / "release" / f"{file}.json").read_text("utf-8")))


def test_the_shipped_voices_keep_their_schema() -> None:
    for path in (ROOT / "voices").glob("*.yaml"):
        validator("voices").validate(YAML(typ="safe").load(path))


@pytest.mark.parametrize("path", SCHEMAS, ids=lambda path: path.stem)
def test_each_is_a_valid_schema_with_its_format_pinned(path: Path) -> None:
    schema = json.loads(path.read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["$schema"].endswith("2020-12/schema")
