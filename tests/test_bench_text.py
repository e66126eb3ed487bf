"""What `scripts/bench_text.py` makes of its figures: a figure that falls short fails the run, others do not."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import bench_text
from dtbuild.store import write_json
from review.sample import blueprint, sample
from text_bench.families import Run, tries
from text_bench.kind import Damaged, Kind, Subject
from text_bench.matrix import idle, rows, rules_table, table
from text_bench.report import Figure
from text_bench.speed import FLAT, SECONDS, speed


@pytest.mark.parametrize(("holds", "code"), [(True, 0), (None, 0), (False, 1)])
def test_exit_code(
    holds: bool | None, code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(
        bench_text, "measure", lambda *_: [Figure("kinds", "30", ">= 20", True), Figure("x", "1", "2", holds)]
    )
    assert bench_text.main([]) == code
    assert ("SHORT" in capsys.readouterr().out) == bool(code)


def test_quick_claims_nothing_that_needs_large_counts(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    figures = [Figure("large", "1", "2", False), Figure("small", "1", "1", True, small=True)]
    monkeypatch.setattr(bench_text, "measure", lambda *_: figures)
    assert bench_text.main(["--quick"]) == 0
    assert capsys.readouterr().out.startswith("quick: ")
    figures[1] = figures[1]._replace(holds=False)
    assert bench_text.main(["--quick"]) == 1


def test_a_kind_that_slips_through_is_told() -> None:
    """A harmless change proved by a claim of its own: no rule can find it."""

    def harmless(subject: Subject, _: object) -> Damaged:
        script = subject.script
        return Damaged(subject.plan, script, lambda plan, it, blueprint, seen=[0]: seen.append(0) or len(seen) == 2)

    subjects = [Subject(*sample(), blueprint(), (380, 1090))]
    (row,) = rows(subjects, [Kind("harmless", "order", harmless)], wanted=1, seed=1)
    assert (row.instances, row.caught, row.missed) == (1, 0, ("sc00007",))
    assert "order" in idle([row])
    assert "harmless" in table([row]) and "| order | 0 | — |" in rules_table([row])


def test_slow_or_growing_runs_fall_short(tmp_path: Path) -> None:
    def holds(small: Run, large: Run) -> list[bool | None]:
        return [figure.holds for figure in speed(small, 250, large, 1000, tmp_path, tmp_path / "again")]

    small = Run(5, 9, 200_000_000, 0)
    assert holds(small, Run(SECONDS, 90, 220_000_000, 0)) == [True, True, None]
    assert holds(small, Run(SECONDS + 1, 90, int(FLAT * 201_000_000), 0)) == [False, False, None]
    assert holds(small, Run(5, 9, 1, 1)) == [False]


def test_tries_come_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    plan, _ = sample()
    for attempt in (10, 2, 0):
        write_json(tmp_path / "work" / "gold" / f"{plan.family}.{attempt}.json", {"record": plan})
    found = tries(tmp_path)
    assert [each.attempt for each in found] == [0, 2, 10]
    assert all(each.plan == plan and each.script is None and not each.passed for each in found)


def test_it_is_run_as_a_script(tmp_path: Path) -> None:
    """In a folder of its own, where only the script's own place can lead to its parts."""
    words = [sys.executable, bench_text.__file__, "--help"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "--quick" in done.stdout
