"""The kinds of damage are honest: they know nothing of review, prove themselves, and strike where a seed draws."""

from __future__ import annotations

import ast
import random
import subprocess
import sys
from pathlib import Path

import pytest

import text_bench
from review.sample import blueprint, sample
from text_bench.kind import Damaged, Kind, Subject, strike
from text_bench.kinds import KINDS

FOLDER = Path(text_bench.__path__[0])
DAMAGE = sorted(
    [*FOLDER.glob("damage_*.py"), *FOLDER.glob("claims*.py"), *(FOLDER / f"{n}.py" for n in ("edits", "kind", "kinds"))]
)
"""Everything that damages and proves. `matrix` judges, and is not among them."""
JUDGES = ("dtbuild.review", "dtbuild.variants", "dtbuild.pipeline", "text_bench.matrix")


def _imports(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


@pytest.mark.parametrize("path", DAMAGE, ids=lambda path: path.stem)
def test_damage_imports_no_judge(path: Path) -> None:
    assert not [name for name in _imports(path) if name.startswith(JUDGES)]


def test_damage_brings_no_judge_along() -> None:
    code = "import sys, text_bench.kinds; print([n for n in sys.modules if n.startswith(('dtbuild.review', 'dtbuild.variants'))])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=FOLDER.parent, check=True)
    assert done.stdout.strip() == "[]"


def test_at_least_twenty_kinds_with_names_of_their_own() -> None:
    assert len({kind.name for kind in KINDS}) == len(KINDS) >= 20


def test_a_seed_draws_the_place() -> None:
    subject = Subject(*sample(), blueprint(), (380, 1090))
    kind = next(kind for kind in KINDS if kind.name == "undeclared number")
    texts = {
        tuple(turn.text for turn in damaged.script.turns) for s in range(10) if (damaged := strike(kind, subject, s))
    }
    assert len(texts) > 2
    again = strike(kind, subject, 3)
    assert again is not None and again.script == strike(kind, subject, 3).script  # type: ignore[union-attr]


def test_what_cannot_be_proved_is_no_instance() -> None:
    def harmless(subject: Subject, rng: random.Random) -> Damaged:
        return Damaged(subject.plan, subject.script, lambda plan, script, blueprint: True)

    def false_before(subject: Subject, rng: random.Random) -> Damaged:
        return Damaged(subject.plan, subject.script, lambda plan, script, blueprint: False)

    subject = Subject(*sample(), blueprint(), (380, 1090))
    assert strike(Kind("harmless", "order", harmless), subject, 1) is None
    assert strike(Kind("false before", "order", false_before), subject, 1) is None
