"""Builds cohorts: everything the `dtbuild generate` command does, for use from Python."""

from dtbuild.pipeline.config import Config, load_config
from dtbuild.pipeline.report import RunReport
from dtbuild.pipeline.run import STAGES, Progress, Silent, generate, plan_run, resolve

__all__ = ["STAGES", "Config", "Progress", "RunReport", "Silent", "generate", "load_config", "plan_run", "resolve"]
