"""The text stages of one family: gold, script, review, and the B recording of a pair.

A family is tried with sub-seeds 0, 1, … until every rule passes; the verdict of each try is kept. Near-duplicate
checks compare a family with the admitted families of lower index alone, so they run in index order and the
outcome is the same for any number of jobs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from msgspec.structs import replace

from dtbuild.blueprint.load import load as load_blueprint
from dtbuild.errors import DtbuildError
from dtbuild.fingerprint import digest
from dtbuild.gold.planner import plan as make_plan
from dtbuild.gold.rules import check as check_chains
from dtbuild.pipeline.config import Config
from dtbuild.pipeline.folder import Folder
from dtbuild.records.blueprint import Blueprint
from dtbuild.records.ids import family_id, recording_id
from dtbuild.records.plan import Plan
from dtbuild.records.script import Script
from dtbuild.records.variant import Variant
from dtbuild.records.verdict import Verdict
from dtbuild.review.neighbours import Neighbours
from dtbuild.review.rules import review
from dtbuild.script.writer import write as write_script
from dtbuild.variants.swap import make_variant


class Admitted(NamedTuple):
    """A family that passed: one (plan, script, verdicts) a recording, A first."""

    family: str
    attempt: int
    plans: tuple[Plan, ...]
    scripts: tuple[Script, ...]
    verdicts: tuple[tuple[Verdict, ...], ...]
    variant: Variant | None


class Rejected(NamedTuple):
    """A family that no sub-seed brought through, with what the last verdict found."""

    family: str
    reason: str


class TextStages:
    """Reads, or makes and stores, the text items of a folder; each method returns what the folder then holds."""

    def __init__(self, config: Config, folder: Folder, blueprint: Blueprint | None = None) -> None:
        self.config, self.folder = config, folder
        self.blueprint = blueprint or load_blueprint(config.scenario)
        self.made = 0
        self._identity = digest([config.scenario, config.seed, config.gold, digest(self.blueprint)])

    def family(self, index: int) -> str:
        return family_id(self.blueprint.code, index)

    def gold(self, index: int, attempt: int = 0) -> Plan:
        key = f"{self.family(index)}.{attempt}"
        inputs = digest([self._identity, index, attempt, self.config.is_pair(index)])
        stored = self.folder.read("gold", key, Plan, inputs)
        if stored:
            return stored.record
        plan = make_plan(
            self.blueprint,
            self.config.gold,
            seed=self.config.seed,
            index=index,
            attempt=attempt,
            pair=self.config.is_pair(index),
        )
        self._write("gold", key, plan, inputs)
        return plan

    def script(self, index: int, attempt: int = 0) -> Script:
        plan = self.gold(index, attempt)
        key = f"{self.family(index)}.{attempt}"
        inputs = digest([digest(plan), self.config.script, self._identity])
        stored = self.folder.read("script", key, Script, inputs)
        if stored:
            return replace(stored.record, edited=True) if stored.edited else stored.record
        script = write_script(
            plan,
            self.blueprint,
            recording=recording_id(plan.family, "a"),
            seed=self.config.seed,
            chars=self.config.script.chars,
        )
        self._write("script", key, script, inputs)
        return script

    def admissions(self, groups: int, *, variants: bool) -> Iterator[Admitted | Rejected]:
        """Every family in index order: reviewed, tried again where needed, and given its B when it is a pair."""
        neighbours = Neighbours(self.blueprint)
        chain = ""
        for index in range(1, groups + 1):
            outcome = self._admit(index, neighbours, chain, variants)
            if isinstance(outcome, Admitted):
                neighbours.add(outcome.scripts[0])
                chain = digest([chain, digest(outcome.scripts[0])])
            yield outcome

    def _admit(self, index: int, neighbours: Neighbours, chain: str, variants: bool) -> Admitted | Rejected:
        reason = ""
        for attempt in range(self.config.review.attempts):
            plan, script = self.gold(index, attempt), self.script(index, attempt)
            verdict = self._review(f"{plan.family}.{attempt}", plan, script, neighbours, chain)
            if verdict.outcome == "pass" and not (variants and plan.swap):
                return Admitted(plan.family, attempt, (plan,), (script,), ((verdict,),), None)
            if verdict.outcome == "pass":
                variant = self._variant(attempt, plan, script)
                if all(each.outcome == "pass" for each in variant.verdicts):
                    plans, scripts = (plan, variant.plan), (script, variant.script)
                    verdicts = ((verdict,), variant.verdicts)
                    return Admitted(plan.family, attempt, plans, scripts, verdicts, variant)
                verdict = next(each for each in variant.verdicts if each.outcome != "pass")
            reason = "; ".join(f"{each.code} at {each.where}: {each.message}" for each in verdict.findings[:3])
            if script.edited:
                return Rejected(plan.family, f"the hand-edited script does not pass: {reason}")
        return Rejected(self.family(index), f"{self.config.review.attempts} tries, the last: {reason}")

    def _review(self, key: str, plan: Plan, script: Script, neighbours: Neighbours, chain: str) -> Verdict:
        inputs = digest([digest(plan), digest(script), chain, self._identity])
        stored = self.folder.read("review", key, Verdict, inputs)
        if stored and not stored.edited:
            return stored.record
        verdict = review(plan, script, self.blueprint, chars=self.config.script.chars, neighbours=neighbours)
        self._write("review", key, verdict, inputs)
        return verdict

    def _variant(self, attempt: int, plan: Plan, script: Script) -> Variant:
        key = f"{plan.family}.{attempt}"
        inputs = digest([digest(plan), digest(script), self._identity])
        stored = self.folder.read("variants", key, Variant, inputs)
        if stored and not stored.edited:
            return stored.record
        variant = make_variant(
            plan,
            script,
            self.blueprint,
            recording=recording_id(plan.family, "b"),
            check_chains=check_chains,
            review=lambda p, s: review(p, s, self.blueprint, chars=self.config.script.chars),
        )
        self._write("variants", key, variant, inputs)
        return variant

    def _write(self, stage: str, key: str, record: object, inputs: str) -> None:
        self.folder.write(stage, key, record, inputs)
        self.made += 1


def first_tries(stages: TextStages, until: str) -> Callable[[int], None]:
    """The work on one index that needs no other family: plan and, unless the run ends at gold, script."""

    def work(index: int) -> None:
        if until == "gold":
            stages.gold(index)
        else:
            stages.script(index)

    return work


def named(family: str, error: Exception) -> Rejected:
    """A family whose text stage raised: kept out and named. Anything but our own errors is a defect and goes up."""
    if isinstance(error, DtbuildError):
        return Rejected(family, str(error))
    raise error
