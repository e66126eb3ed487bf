"""A release as others get it: the same bytes wherever it is made, and whole for readers that know nothing of dtbuild."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import manifest_of, run
from dtbuild.align.even import EvenAligner
from dtbuild.pipeline import validate


def contents(root: Path) -> dict[str, bytes]:
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    "environment",
    [
        {"TZ": "Asia/Shanghai", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONHASHSEED": "1"},
        pytest.param({"TZ": "America/St_Johns", "LC_ALL": "C.UTF-8", "PYTHONHASHSEED": "2"}, marks=pytest.mark.slow),
    ],
    ids=["Shanghai, plain C", "Newfoundland, UTF-8"],
)
def test_place_zone_umask_and_locale_do_not_show(
    environment: dict[str, str], tone_config: Path, tone_cohort: Path, tmp_path: Path
) -> None:
    out = tmp_path / "别处 的 folder" / "cohort"
    shutil.copytree(tone_cohort, out, ignore=shutil.ignore_patterns("release", "evidence"))
    shutil.copyfile(tone_config, out.parent / "配置.yaml")
    words = [sys.executable, "-m", "dtbuild", "generate", "--config", "配置.yaml", "--out", "cohort", "--jobs", "1"]
    done = subprocess.run(
        words, cwd=out.parent, env=os.environ | environment, umask=0o077, capture_output=True, timeout=300
    )
    assert done.returncode == 0, done.stderr.decode("utf-8", "replace")
    assert contents(out / "release") == contents(tone_cohort / "release")


def test_other_readers_load_it_from_another_folder(tone_cohort: Path, tmp_path: Path) -> None:
    import soundfile
    from praatio import textgrid

    root = tmp_path / "我的 数据"
    shutil.copytree(tone_cohort / "release", root)
    manifest = json.loads((root / "manifest.json").read_text("utf-8"))
    assert len(manifest["recordings"]) == 3
    for entry in manifest["recordings"]:
        assert {file["path"] for file in entry["files"]} <= contents(root).keys()
        name = entry["recording"]
        query = json.loads((root / "public" / "queries" / f"{name}.json").read_text("utf-8"))
        samples, rate = soundfile.read(root / "public" / query["audio"], dtype="int16")
        assert (rate, samples.ndim) == (24_000, 1) and len(samples) * 1e6 / rate == pytest.approx(
            entry["duration_us"], abs=1
        )
        grid = textgrid.openTextgrid(str(root / "textgrids" / f"{name}.TextGrid"), includeEmptyIntervals=False)
        assert grid.maxTimestamp == pytest.approx(len(samples) / rate, abs=1e-6)
        gold = json.loads((root / "gold" / f"{name}.json").read_text("utf-8"))
        for trajectory in gold["trajectories"]:
            for event in (event for cycle in trajectory["cycles"] for event in cycle["events"]):
                parts = [(part["start_us"], part["end_us"]) for part in event["evidence"]["anchor"]]
                tier = grid.getTier(f"event {event['event_id']}")
                assert [(round(one.start * 1e6), round(one.end * 1e6)) for one in tier.entries] == parts
                said = grid.getTier(f"{event['speaker']} characters").entries
                for start, end in parts:
                    part = samples[start * rate // 1_000_000 : end * rate // 1_000_000]
                    assert abs(part).max() > 500  # the words can be heard there
                    assert any(start <= round(one.start * 1e6) and round(one.end * 1e6) <= end for one in said)


def test_another_version_of_the_aligner_is_told_though_it_gives_the_same_times(
    cohort: Path, tone_config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(EvenAligner, "fingerprint", "even-9")
    assert run(tone_config, cohort) == 0 and validate(cohort) == []
    assert manifest_of(cohort)["aligner"]["fingerprint"] == "even-9"
