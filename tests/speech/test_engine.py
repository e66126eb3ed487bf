"""Engines by name, the stand-in, and what doctor says of each."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from dtbuild.errors import UnknownName
from dtbuild.speech.doctor import doctor
from dtbuild.speech.engine import ENGINES, ToneEngine, fingerprint_of, make_engine
from dtbuild.timebase import RATE

from .asking import request


def test_the_stand_in_speaks_a_function_of_the_request() -> None:
    one, two = request("行，五个月。", "xing2 wu3 ge4 yue4"), request("嗯。", "en1")
    first = ToneEngine().speak(one)
    engine = ToneEngine()
    engine.speak(two)
    assert np.array_equal(engine.speak(one), first)
    assert len(first) / RATE == pytest.approx(4 * 0.18 + 0.22, abs=0.01)
    assert first.dtype == np.float32 and 0.3 < float(np.abs(first).max()) < 1.0


def test_voices_differ() -> None:
    said = [ToneEngine().speak(request("好。", "hao3", style)) for style in ("zf_xiaoxiao", "zm_yunxi")]
    assert not np.array_equal(*said)


def test_engines_by_name() -> None:
    assert make_engine("tone").fingerprint == fingerprint_of("tone") == "tone-1"
    for ask in (make_engine, fingerprint_of):
        with pytest.raises(UnknownName, match="kokoro, tone"):
            ask("cosyvoice")


def test_the_fingerprint_of_kokoro_loads_no_model() -> None:
    code = (
        "import sys; from dtbuild.speech.engine import fingerprint_of; print(fingerprint_of('kokoro'));"
        "assert not {'onnxruntime', 'numpy', 'jieba', 'misaki', 'onnx', 'scipy', 'soxr'} & set(sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == fingerprint_of("kokoro")


def test_doctor_tells_the_truth_about_each_engine() -> None:
    reports = {report.name: report for report in doctor()}
    assert set(ENGINES) <= set(reports)
    assert reports["kokoro"].can_run, reports["kokoro"].why_not
    assert "stand-in" in reports["tone"].why_not
    assert not reports["cosyvoice"].can_run and reports["cosyvoice"].why_not
