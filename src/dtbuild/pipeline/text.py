"""The text stages of one family: gold, script, review, and the B recording of a pair.

A family is tried with sub-seeds 0, 1, … until every rule passes; the verdict of each try is kept. Near-duplicate
checks compare a family with the admitted families of lower index alone, so they run in index order and the
outcome is the same for any number of jobs.

Plans and scripts may be edited by hand. An edited one is judged like any other and, where it passes, marked; where
it does not, its family is named rather than tried again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from dtbuild.blueprint.load import told
from dtbuild.errors import BlueprintError, FormatError, Incomplete, Unspeakable
from dtbuild.fingerprint import digest
from dtbuild.gold.phenomena import shown
from dtbuild.gold.planner import plan as make_plan
from dtbuild.gold.rules import check as check_chains
from dtbuild.pipeline.config import Config
from dtbuild.pipeline.folder import Folder, Item
from dtbuild.records.blueprint import Blueprint
from dtbuild.records.ids import family_id, recording_id
from dtbuild.records.plan import Plan
from dtbuild.records.script import Script
from dtbuild.records.variant import Variant
from dtbuild.records.verdict import Finding, Verdict
from dtbuild.review.neighbours import Neighbours
from dtbuild.review.rules import review
from dtbuild.script.amend import amend
from dtbuild.script.writer import write as write_script
from dtbuild.variants.change import Steps, make_variant


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


FAILED_TRY = (BlueprintError, Incomplete, Unspeakable)
"""What planner, writer and variants raise for a sub-seed that leads nowhere: the next one is tried."""


class TextStages:
    """Reads, or makes and stores, the text items of a folder; each method returns what the folder then holds.

    `made` holds the stage and index of every family something was stored for.
    """

    def __init__(self, config: Config, folder: Folder, blueprint: Blueprint) -> None:
        self.config, self.folder, self.blueprint = config, folder, blueprint
        self.made: set[tuple[str, int]] = set()
        self._identity = digest([config.seed, config.gold, digest(blueprint)])

    def gold(self, index: int, attempt: int) -> Item[Plan]:
        """The plan of a try. Raises a FAILED_TRY when the sub-seed leads nowhere."""
        inputs = digest([self._identity, index, attempt, self.config.change(index)])
        key = self._key(index, attempt)
        stored = self.folder.read("gold", key, Plan, inputs)
        if stored:
            return stored
        plan = make_plan(
            self.blueprint,
            self.config.gold,
            seed=self.config.seed,
            index=index,
            attempt=attempt,
            change=self.config.change(index),
        )
        self._write("gold", index, attempt, plan, inputs)
        return Item(plan, edited=False)

    def script(self, index: int, attempt: int) -> Script:
        """The script of a try, marked as edited when it or its plan was. Raises a FAILED_TRY as `gold` does."""
        plan, plan_edited = self.gold(index, attempt)
        inputs = digest([digest(plan), self.config.script, self._identity])
        key = self._key(index, attempt)
        stored = self.folder.read("script", key, Script, inputs)
        if stored:
            return replace(stored.record, edited=stored.edited or plan_edited)
        if plan_edited:
            wrong = [finding for finding in check_chains(plan, self.blueprint) if finding.level == "error"]
            if wrong:
                raise _EditRefused(f"the hand-edited plan does not pass: {_told(wrong)}")
        script = write_script(
            plan,
            self.blueprint,
            recording=recording_id(plan.family, "a"),
            seed=self.config.seed,
            chars=self.config.script.chars,
        )
        self._write("script", index, attempt, script, inputs)
        return replace(script, edited=plan_edited)

    def drafts(self, groups: int, *, scripts: bool) -> Iterator[Rejected | None]:
        """Makes the first plan (and script) that can be made of every family, in index order."""
        for index in range(1, groups + 1):
            yield self._draft(index, scripts)

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

    def _draft(self, index: int, scripts: bool) -> Rejected | None:
        reason = ""
        for attempt in range(self.config.review.attempts):
            try:
                self.script(index, attempt) if scripts else self.gold(index, attempt)
            except FAILED_TRY as error:
                reason = str(error)
            except _EditRefused as error:
                return Rejected(self._family(index), str(error))
            else:
                return None
        return self._rejected(index, reason)

    def _admit(self, index: int, neighbours: Neighbours, chain: str, variants: bool) -> Admitted | Rejected:
        reason = ""
        for attempt in range(self.config.review.attempts):
            try:
                plan, script = self.gold(index, attempt).record, self.script(index, attempt)
                verdict = self._review(index, attempt, plan, script, neighbours, chain)
                if verdict.outcome == "pass":
                    if not (variants and plan.change):
                        return Admitted(plan.family, attempt, (plan,), (script,), ((verdict,),), None)
                    variant = self._variant(index, attempt, plan, script)
                    verdict = next((each for each in variant.verdicts if each.outcome != "pass"), verdict)
                    if verdict.outcome == "pass":
                        plans, scripts = (plan, variant.plan), (script, variant.script)
                        return Admitted(plan.family, attempt, plans, scripts, ((verdict,), variant.verdicts), variant)
                reason = _told(verdict.findings)
                if script.edited:
                    raise _EditRefused(f"the hand-edited script does not pass: {reason}")
            except FAILED_TRY as error:
                reason = str(error)
            except _EditRefused as error:
                return Rejected(self._family(index), str(error))
        return self._rejected(index, reason)

    def _review(
        self, index: int, attempt: int, plan: Plan, script: Script, neighbours: Neighbours, chain: str
    ) -> Verdict:
        key, inputs = self._key(index, attempt), digest([digest(plan), digest(script), chain, self._identity])
        verdict = self.folder.derived("review", key, Verdict, inputs)
        if verdict is None:
            verdict = review(plan, script, self.blueprint, chars=self.config.script.chars, neighbours=neighbours)
            self._write("review", index, attempt, verdict, inputs)
        return verdict

    def _variant(self, index: int, attempt: int, plan: Plan, script: Script) -> Variant:
        key, inputs = self._key(index, attempt), digest([digest(plan), digest(script), self._identity])
        stored = self.folder.read("variants", key, Variant, inputs)
        if stored and stored.edited:
            raise FormatError(
                f"file {self.folder.path('variants', key)}",
                expected="the variant as it was made: B follows from plan and script of A",
                found="one edited by hand",
                fix=f"edit {self.folder.path('script', key)} instead, and delete this file: it is made again",
            )
        if stored:
            return stored.record
        variant = make_variant(
            plan,
            script,
            self.blueprint,
            recording=recording_id(plan.family, "b"),
            steps=Steps(check_chains=check_chains, shown=shown, review=self._judge, amend=self._amend),
        )
        self._write("variants", index, attempt, variant, inputs)
        return variant

    def _judge(self, plan: Plan, script: Script) -> Verdict:
        return review(plan, script, self.blueprint, chars=self.config.script.chars)

    def _amend(self, plan: Plan, script: Script) -> Script:
        b = recording_id(plan.family, "b")
        return amend(plan, script, self.blueprint, recording=b, seed=self.config.seed)

    def _key(self, index: int, attempt: int) -> str:
        return f"{self._family(index)}.{attempt}"

    def _family(self, index: int) -> str:
        return family_id(self.blueprint.code, index)

    def _rejected(self, index: int, reason: str) -> Rejected:
        return Rejected(self._family(index), f"{self.config.review.attempts} tries, the last: {reason}")

    def _write(self, stage: str, index: int, attempt: int, record: object, inputs: str) -> None:
        self.folder.write(stage, self._key(index, attempt), record, inputs)
        self.made.add((stage, index))


class _EditRefused(Exception):
    """A plan or script edited by hand does not pass: its family is named, and no other try made instead."""


def _told(findings: Sequence[Finding]) -> str:
    return "; ".join(f"{each.code} at {told(each)}" for each in findings[:3])
