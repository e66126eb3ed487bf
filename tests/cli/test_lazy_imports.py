"""`dtbuild --help` and `import dtbuild.cli.main` load no numeric, speech or network library."""

from __future__ import annotations

import subprocess
import sys

HEAVY = {
    "numpy",
    "scipy",
    "onnxruntime",
    "onnx",
    "httpx",
    "viter",
    "torch",
    "soundfile",
    "librosa",
    "pypinyin",
    "jieba",
}


def loaded(code: str) -> set[str]:
    program = f"{code}\nimport sys\nprint('|'.join(sorted({{name.split('.')[0] for name in sys.modules}})))"
    out = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    return set(out.strip().splitlines()[-1].split("|"))


def test_help_is_light() -> None:
    assert not HEAVY & loaded("from dtbuild.cli.main import call\nassert call(['--help'], debug=False) == 0")


def test_records_and_lexicon_are_light() -> None:
    assert not HEAVY & loaded(
        "import dtbuild.records.cohort, dtbuild.lexicon, dtbuild.gold.planner, dtbuild.script.writer"
    )
