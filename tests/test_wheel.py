"""The wheel carries what the command needs: installed alone, it works from any folder."""

from __future__ import annotations

import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.mark.slow
def test_an_empty_environment_lists_scenarios_from_another_folder(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(tmp_path), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    home = tmp_path / "a folder 名"
    venv.create(home / "env", with_pip=True)
    python = home / "env" / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", str(wheel)], check=True, cwd=home)

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([python, "-m", "dtbuild", *words], cwd=home, capture_output=True, text=True)

    listed = run("scenarios")
    assert listed.returncode == 0 and listed.stdout.startswith("supply_chain")
    text = run("generate", "--scenario", "supply_chain", "--groups", "1", "--until", "gold", "--out", str(home / "c"))
    assert text.returncode == 0 and len(list((home / "c" / "work" / "gold").glob("*.json"))) == 1
    packages = subprocess.run([python, "-m", "pip", "list"], capture_output=True, text=True, check=True).stdout
    assert "torch" not in packages and "onnxruntime" not in packages
    doctor = run("doctor")
    assert doctor.returncode == 0 and "dtbuild[speech]" in doctor.stdout
