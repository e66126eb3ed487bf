"""Write the JSON Schemas of every file dtbuild reads or writes to src/dtbuild/schemas, from the records themselves.

`work-<stage>` are the item files of a cohort's `work/<stage>`: a record in the envelope of `pipeline.folder`.
Run it after a record has changed; tests/test_schemas.py fails until then. `--check` writes nothing.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from dtbuild.boundary import schema_of
from dtbuild.pipeline.alignments import AlignItem
from dtbuild.pipeline.config import Config
from dtbuild.pipeline.evidence import EvidenceItem
from dtbuild.pipeline.folder import RunFile
from dtbuild.pipeline.publish import Built
from dtbuild.pipeline.retakes import RetakeItem
from dtbuild.pipeline.takes import TakeItem
from dtbuild.records.blueprint import Blueprint
from dtbuild.records.cohort import Gold, Manifest, PublicSchema, Query, Review, Stats
from dtbuild.records.plan import Plan
from dtbuild.records.script import Script
from dtbuild.records.sound import Alignment, Timeline
from dtbuild.records.variant import Variant
from dtbuild.records.verdict import Verdict
from dtbuild.speech.casting import Population

FOLDER = Path(__file__).parents[1] / "src" / "dtbuild" / "schemas"
KINDS = {
    "alignment": Alignment,
    "blueprint": Blueprint,
    "config": Config,
    "gold": Gold,
    "manifest": Manifest,
    "plan": Plan,
    "public-schema": PublicSchema,
    "query": Query,
    "review": Review,
    "run": RunFile,
    "script": Script,
    "stats": Stats,
    "timeline": Timeline,
    "variant": Variant,
    "voices": Population,
}
ITEMS = {
    "gold": Plan,
    "script": Script,
    "review": Verdict,
    "variants": Variant,
    "takes": TakeItem,
    "mix": Timeline,
    "align": AlignItem,
    "retakes": RetakeItem,
    "evidence": EvidenceItem,
    "release": Built,
}
"""Record of the items in `work/<stage>`."""


def main() -> int:
    """Exit 1 with --check when a published schema differs from its record."""
    stale = []
    schemas = {name: schema_of(kind) for name, kind in KINDS.items()}
    schemas |= {f"work-{stage}": item_schema(kind) for stage, kind in ITEMS.items()}
    for name, schema in schemas.items():
        path = FOLDER / f"{name}.schema.json"
        text = json.dumps(schema, ensure_ascii=False, indent=1, sort_keys=True) + "\n"
        if not path.is_file() or path.read_text("utf-8") != text:
            stale.append(path.name)
            if "--check" not in sys.argv:
                path.write_text(text, "utf-8")
    print(
        f"{len(stale)} of {len(schemas)} schemas differed: {', '.join(stale)}" if stale else "all schemas are current"
    )
    return int(bool(stale) and "--check" in sys.argv)


def item_schema(kind: type[Any]) -> dict[str, Any]:
    """The schema of an item file that holds this record."""
    schema = schema_of(kind)
    sha256 = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
    record = {"$ref": schema.pop("$ref")}
    return schema | {
        "type": "object",
        "properties": {
            "format": {"const": "dtbuild.item/1"},
            "inputs": {"type": "string", "description": "Digest of what the record was made from."},
            "made": {**sha256, "description": "Digest of the record as made: another one means an edit by hand."},
            "files": {
                "type": "object",
                "additionalProperties": sha256,
                "description": "sha256 by suffix of the files beside the item.",
            },
            "record": record,
        },
        "required": ["format", "inputs", "made", "record"],
        "additionalProperties": False,
    }


if __name__ == "__main__":
    sys.exit(main())
