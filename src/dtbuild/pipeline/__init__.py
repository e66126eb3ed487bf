"""Builds cohorts and reads them: everything the commands generate, validate and stats do, for use from Python.

>>> from pathlib import Path
>>> from tempfile import TemporaryDirectory
>>> from dtbuild.pipeline import generate, plan_run, resolve
>>> config = resolve(scenario="supply_chain", groups=2)
>>> with TemporaryDirectory() as folder:
...     "2 families" in plan_run(config, out=Path(folder), until="variants")
...     report = generate(config, out=Path(folder), until="variants")
True
>>> report.families, report.recordings, report.withheld
(2, 3, ())

A whole run makes `folder/release`, which `validate` and `stats` read. With more than one job, workers are started
afresh and import the main module: a script calls `generate` under `if __name__ == "__main__":`.
"""

from dtbuild.pipeline.config import Config, load_config
from dtbuild.pipeline.progress import Progress, Silent
from dtbuild.pipeline.publish import stats, validate
from dtbuild.pipeline.report import RunReport
from dtbuild.pipeline.run import STAGES, generate, plan_run, resolve

__all__ = [
    "STAGES",
    "Config",
    "Progress",
    "RunReport",
    "Silent",
    "generate",
    "load_config",
    "plan_run",
    "resolve",
    "stats",
    "validate",
]
