"""The text stages of one family: gold, script, review, and the B recording of a pair.

A family is tried with sub-seeds 0, 1, … until every rule passes; the verdict of each try is kept. What is judged
here depends on the family alone, so families can be tried side by side; whether one is too near an admitted family of
lower index is asked afterwards (`dtbuild.pipeline.admission`), which also stores verdicts and B recordings.

Plans and scripts may be edited by hand. An edited one is judged like any other and, where it passes, marked; where
it does not, its family is named rather than tried again.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from dtbuild.blueprint.load import told
from dtbuild.errors import BlueprintError, FormatError, Incomplete, Unspeakable
from dtbuild.fingerprint import digest
from dtbuild.gold.phenomena import shown
from dtbuild.gold.planner import plan as make_plan
from dtbuild.gold.rules import check as check_chains
from dtbuild.pipeline.config import Config
from dtbuild.pipeline.edits import unusable
from dtbuild.pipeline.folder import Folder, Item
from dtbuild.records.blueprint import Blueprint
from dtbuild.records.ids import family_id, recording_id
from dtbuild.records.plan import Plan
from dtbuild.records.script import Script
from dtbuild.records.variant import Variant
from dtbuild.records.verdict import Finding, Verdict
from dtbuild.review.neighbours import particulars, shingles
from dtbuild.review.rules import alone, review
from dtbuild.script.amend import amend
from dtbuild.script.writer import write as write_script
from dtbuild.variants.change import Steps, make_variant

STAGES = ("gold", "script", "review", "variants")


class Try(msgspec.Struct, frozen=True, kw_only=True):
    """What one sub-seed came to, its neighbours aside.

    `fault` says why it leads nowhere, None where nothing is wrong with it. `verdict` is the review's of A alone, None
    where it did not get so far, and `kept` the one that lies in the folder for the same texts, with what it says of
    neighbours; `inputs` is the digest of these texts. `grams` are the script's shingles, eight bytes each.
    `recordings` counts those made: 0 before the review, 2 with a B. `variant` is the file of a B that does not lie in
    the folder yet.
    """

    attempt: int
    edited: bool = False
    fault: str | None = None
    verdict: Verdict | None = None
    kept: Verdict | None = None
    inputs: str = ""
    grams: bytes = b""
    recordings: int = 0
    variant: bytes | None = None


class Tried(msgspec.Struct, frozen=True, kw_only=True):
    """The tries of a family from some sub-seed on, up to one that ends them; `made` are the stages stored."""

    tries: tuple[Try, ...]
    made: frozenset[str]


class Admitted(NamedTuple):
    """A family that passed: one (plan, script, verdicts) a recording, A first."""

    family: str
    attempt: int
    plans: tuple[Plan, ...]
    scripts: tuple[Script, ...]
    verdicts: tuple[tuple[Verdict, ...], ...]
    variant: Variant | None


FAILED_TRY = (BlueprintError, Incomplete, Unspeakable)
"""What planner, writer and variants raise for a sub-seed that leads nowhere: the next one is tried."""


class TextStages:
    """Reads, or makes, the text items of a folder up to the stage `until`; plans and scripts are stored when made."""

    def __init__(self, config: Config, folder: Folder, blueprint: Blueprint, until: str = STAGES[-1]) -> None:
        self.config, self.folder, self.blueprint = config, folder, blueprint
        self._wanted = STAGES[: STAGES.index(until) + 1]
        self._identity = digest([config.seed, config.gold, digest(blueprint)])
        self._hide = particulars(blueprint)
        self._made: set[str] = set()

    def tried(self, index: int, first: int) -> Tried:
        """Tries sub-seeds from `first` on, to one that passes, an edited one, or the last allowed."""
        self._made = set()
        tries: list[Try] = []
        for attempt in range(first, self.config.review.attempts):
            tries.append(self._try(index, attempt))
            if tries[-1].edited or tries[-1].fault is None:
                break
        return Tried(tries=tuple(tries), made=frozenset(self._made))

    def admitted(self, index: int, attempt: int) -> Admitted:
        """A family as it lies in the folder, admitted with this sub-seed."""
        key = self.key(index, attempt)
        item = self._gold(index, attempt)
        plan, script = item.record, self._script(index, attempt, item)
        verdict = self.folder.stored("review", key, Verdict)
        variant = self.folder.stored("variants", key, Variant) if plan.change else None
        if verdict is None or (plan.change and variant is None):
            raise FormatError(f"family {plan.family}", found="a file of it removed meanwhile", fix="run again")
        b = variant.record if variant else None
        return Admitted(
            family=plan.family,
            attempt=attempt,
            plans=(plan, b.plan) if b else (plan,),
            scripts=(script, b.script) if b else (script,),
            verdicts=((verdict.record,), b.verdicts) if b else ((verdict.record,),),
            variant=b,
        )

    def key(self, index: int, attempt: int) -> str:
        """The name of a try's items."""
        return f"{family_id(self.blueprint.code, index)}.{attempt}"

    def _try(self, index: int, attempt: int) -> Try:
        found = Try(attempt=attempt)
        try:
            plan = self._gold(index, attempt)
            found = replace(found, edited=plan.edited)
            if "script" not in self._wanted:
                return found
            script = self._script(index, attempt, plan)
            if "review" not in self._wanted:
                return found
            found = self._reviewed(index, replace(found, edited=script.edited), plan.record, script)
            if found.fault is None and "variants" in self._wanted and plan.record.change:
                found = self._paired(index, found, plan.record, script)
        except FAILED_TRY as error:
            bare = found.edited and found.verdict is None
            found = replace(found, fault=f"the hand-edited plan leads nowhere: {error}" if bare else str(error))
        except _EditRefused as error:
            found = replace(found, edited=True, fault=str(error))
        return found

    def _gold(self, index: int, attempt: int) -> Item[Plan]:
        inputs = digest([self._identity, index, attempt, self.config.change(index), self.config.pairs])
        key = self.key(index, attempt)
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
            pairs=self.config.pairs,
        )
        self._write("gold", key, plan, inputs)
        return Item(plan, edited=False)

    def _script(self, index: int, attempt: int, item: Item[Plan]) -> Script:
        """The script of a plan, marked as edited when it or the plan was."""
        plan = item.record
        inputs = digest([digest(plan), self.config.script, self._identity])
        key = self.key(index, attempt)
        if item.edited:
            pair = self.config.is_pair(index)
            found = unusable(plan, self.blueprint, attempt=attempt, pair=pair) or check_chains(plan, self.blueprint)
            wrong = [finding for finding in found if finding.level == "error"]
            if wrong:
                raise _EditRefused(f"the hand-edited plan does not pass: {reason_of(wrong)}")
        stored = self.folder.read("script", key, Script, inputs)
        if stored:
            return replace(stored.record, edited=stored.edited or item.edited)
        script = write_script(
            plan,
            self.blueprint,
            recording=recording_id(plan.family, "a"),
            seed=self.config.seed,
            chars=self.config.script.chars,
            turns=self.config.script.turns,
        )
        self._write("script", key, script, inputs)
        return replace(script, edited=item.edited)

    def _reviewed(self, index: int, found: Try, plan: Plan, script: Script) -> Try:
        inputs = digest([digest(plan), digest(script), self._identity])
        kept = self.folder.derived("review", self.key(index, found.attempt), Verdict, inputs)
        verdict = alone(kept) if kept else self._review(plan, script)
        return replace(
            found,
            fault=reason_of(verdict.findings) if verdict.outcome != "pass" else None,
            verdict=verdict,
            kept=kept,
            inputs=inputs,
            grams=array("Q", shingles(script, self._hide)).tobytes(),
            recordings=1,
        )

    def _paired(self, index: int, found: Try, plan: Plan, script: Script) -> Try:
        key, inputs = self.key(index, found.attempt), digest([digest(plan), digest(script), self._identity])
        stored = self.folder.read("variants", key, Variant, inputs)
        if stored and stored.edited:
            raise FormatError(
                f"file {self.folder.path('variants', key)}",
                expected="the variant as it was made: B follows from plan and script of A",
                found="one edited by hand",
                fix=f"edit {self.folder.path('script', key)} instead, and delete this file: it is made again",
            )
        variant = stored.record if stored else self._variant(plan, script)
        wrong = next((each for each in variant.verdicts if each.outcome != "pass"), None)
        return replace(
            found,
            fault=reason_of(wrong.findings) if wrong else None,
            recordings=2,
            variant=None if stored else self.folder.packed(variant, inputs),
        )

    def _variant(self, plan: Plan, script: Script) -> Variant:
        return make_variant(
            plan,
            script,
            self.blueprint,
            recording=recording_id(plan.family, "b"),
            steps=Steps(check_chains=check_chains, shown=shown, review=self._review, amend=self._amend),
        )

    def _amend(self, plan: Plan, script: Script) -> Script:
        b = recording_id(plan.family, "b")
        return amend(plan, script, self.blueprint, recording=b, seed=self.config.seed)

    def _review(self, plan: Plan, script: Script) -> Verdict:
        return review(plan, script, self.blueprint, chars=self.config.script.chars, turns=self.config.script.turns)

    def _write(self, stage: str, key: str, record: object, inputs: str) -> None:
        self.folder.write(stage, key, record, inputs)
        self._made.add(stage)


class _EditRefused(Exception):
    """A plan or script edited by hand does not pass: its family is named, and no other try made instead."""


def reason_of(findings: Sequence[Finding]) -> str:
    """The first findings of a verdict, for a message."""
    return "; ".join(f"{each.code} at {told(each)}" for each in findings[:3])
