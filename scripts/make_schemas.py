"""Write the JSON Schemas of every file dtbuild reads or writes to src/dtbuild/schemas, from the records themselves.

Run it after a record has changed; tests/test_schemas.py fails until then. `--check` writes nothing.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from dtbuild.boundary import schema_of
from dtbuild.pipeline.config import Config
from dtbuild.records.blueprint import Blueprint
from dtbuild.records.cohort import Gold, Manifest, PublicSchema, Query, Review, Stats
from dtbuild.records.plan import Plan
from dtbuild.records.script import Script
from dtbuild.records.sound import Alignment, Timeline

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
    "script": Script,
    "stats": Stats,
    "timeline": Timeline,
}


def main() -> int:
    """Exit 1 with --check when a published schema differs from its record."""
    stale = []
    for name, kind in KINDS.items():
        path = FOLDER / f"{name}.schema.json"
        text = json.dumps(schema_of(kind), ensure_ascii=False, indent=1, sort_keys=True) + "\n"
        if not path.is_file() or path.read_text("utf-8") != text:
            stale.append(path.name)
            if "--check" not in sys.argv:
                path.write_text(text, "utf-8")
    print(f"{len(stale)} of {len(KINDS)} schemas differed: {', '.join(stale)}" if stale else "all schemas are current")
    return int(bool(stale) and "--check" in sys.argv)


if __name__ == "__main__":
    sys.exit(main())
