"""The rules of review in their order, and the verdict they give together.

Each rule is a pure function over one plan, its script and the scenario's blueprint, registered in `RULES` with its
code, what it holds and where the spec asks for it. A verdict passes when no rule of level "error" finds a fault.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from functools import lru_cache

from msgspec.structs import replace

from dtbuild.fingerprint import digest
from dtbuild.records.blueprint import Blueprint
from dtbuild.records.plan import Plan
from dtbuild.records.script import Script
from dtbuild.records.verdict import Verdict, outcome_of
from dtbuild.review import chain, closing, extent, numbers, rights, shape, wording
from dtbuild.review.case import Case
from dtbuild.review.neighbours import Neighbours
from dtbuild.review.rule import Rule

GATE = "script"
REVIEWER = "rules/1"
CHARS = (380, 1090)
"""汉字 of a recording of 95 to 272 s (spec, section 2) at 4 汉字 a second."""
TURNS = (1, 1000)
"""Turns of a dialogue where no settings say how many."""

RULES: tuple[Rule, ...] = (
    Rule(
        "identity",
        "ids, family, scenario and anchor date are the plan's; turns are numbered in order",
        "5 Ids",
        shape.identity,
    ),
    Rule("cast", "the cast is the plan's; each speaks and nobody else does", "5 Speakers", shape.cast),
    Rule("ranges", "spans and mentions fit the text", "5 Spans", shape.ranges),
    Rule("targets", "spans and mentions name what the plan has", "5 Spans", shape.targets),
    Rule("right", "each event's person has the right to it", "5 Authority", rights.event_rights),
    Rule(
        "candidate-right", "who names an unauthorised candidate has no right to", "5 Authority", rights.candidate_rights
    ),
    Rule(
        "authority-heard",
        "a listener knows before or in a settle that its speaker may",
        "5 Authority",
        rights.authority_heard,
    ),
    Rule(
        "limit-heard",
        "a listener knows before a candidate that its speaker may not",
        "5 Authority",
        rights.limits_heard,
    ),
    Rule("trigger", "each event has trigger spans, all in one turn", "5 Spans", chain.triggers),
    Rule("trigger-speaker", "the trigger is said by the event's person", "1; 5 Spans", chain.trigger_speakers),
    Rule("order", "events come in the order of their chain and of the beats", "1", chain.order),
    Rule("action", "an advance or hold has action words", "1; 5 What moves a chain", chain.actions),
    Rule("obstacle", "a hold names its obstacle and suspends", "1; 5 What moves a chain", chain.obstacles),
    Rule(
        "conclusion",
        "a settle is concluded in words that fit its result, with its scope",
        "1; 5 Result",
        chain.conclusions,
    ),
    Rule("reopening", "a later cycle is opened in words", "1; 5 Authority", chain.openings),
    Rule("resumption", "what clears an obstacle comes after the hold", "5 What moves a chain", chain.resumptions),
    Rule("undeclared", "every number in the text is declared", "5 Spans", numbers.undeclared),
    Rule("mention-value", "every declared mention reads as its value", "5 Spans", numbers.mention_values),
    Rule("mention-role", "a mention's value is its target's, an echo comes after it", "5 Spans", numbers.mention_roles),
    Rule("event-value", "each event's value is said, or licensed by an antecedent", "5 Spans", numbers.event_values),
    Rule("antecedent", "an antecedent is an earlier mention of the same chain", "5 Spans", numbers.antecedents),
    Rule(
        "planned-number",
        "planned candidates and distractors are said by their persons",
        "5 Authority",
        numbers.planned_numbers,
    ),
    Rule("early-settle", "no settling words over what gold leaves open", "1", closing.early),
    Rule("self-address", "nobody calls himself by name", "5 Speakers", wording.self_address),
    Rule("address", "who is called by name is in the exchange", "5 Speakers", wording.address),
    Rule("label", "no speaker labels", "5 Spans", wording.labels),
    Rule(
        "speakable",
        "every turn can be spoken, numbers in 汉字, no stage directions or markup",
        "5 Spans",
        wording.speakable,
    ),
    Rule("fictional", "no real institution", "2", wording.fictional),
    Rule("personal", "no personal data", "2", wording.personal),
    Rule("length", "the dialogue's 汉字 and turns lie in the windows of the settings", "2", extent.length),
    Rule("repeat", "no longer turn comes back word for word", "2", extent.repeats),
    Rule("alternation", "two turns in a row are by two people", "5 Spans", extent.alternation),
    Rule("near-duplicate", "no admitted family before is nearly the same", "5 Reproducible", extent.near_duplicate),
)


def review(
    plan: Plan,
    script: Script,
    blueprint: Blueprint,
    *,
    chars: tuple[int, int] = CHARS,
    turns: tuple[int, int] = TURNS,
    neighbours: Neighbours | None = None,
) -> Verdict:
    """Every rule's findings on one script, in the order of `RULES`; passes when none of them is an error.

    `chars` is the window of 汉字 and `turns` that of turns (both ends included); `neighbours` are the admitted families
    of lower numbers, or None where duplicates are not asked about (a B recording is not compared with its A).
    """
    case = Case(plan, script, blueprint, chars=chars, wanted_turns=turns, neighbours=neighbours)
    findings = tuple(finding for rule in RULES for finding in rule.findings(case))
    return Verdict(
        gate=GATE,
        subject=script.recording,
        reviewer=REVIEWER,
        outcome=outcome_of(findings),
        inputs=judged(plan, script, blueprint),
        findings=findings,
    )


def alone(verdict: Verdict) -> Verdict:
    """The verdict as `review` gives it where nobody asks about neighbours."""
    findings = tuple(finding for finding in verdict.findings if finding.code != _near().code)
    return replace(verdict, outcome=outcome_of(findings), findings=findings)


def among(verdict: Verdict, grams: Collection[int], neighbours: Neighbours) -> Verdict:
    """The verdict as `review` gives it with these neighbours; `grams` are the script's shingles.

    Rules look at one script alone but for near-duplicate, so families can be reviewed side by side, and this last
    question asked in the order of their numbers.
    """
    order = {rule.code: at for at, rule in enumerate(RULES)}
    found = (_near().finding(fault) for fault in extent.too_near(verdict.subject, grams, neighbours))
    findings = [*alone(verdict).findings, *found]
    findings.sort(key=lambda finding: order.get(finding.code, len(order)))
    return replace(verdict, outcome=outcome_of(findings), findings=tuple(findings))


def judged(plan: Plan, script: Script, blueprint: Blueprint) -> str:
    """Fingerprint of what was judged: the same for an unchanged plan, script and blueprint in any process."""
    return digest([plan, script, _identity(blueprint)])


def counts(verdict: Verdict) -> Counter[str]:
    """How often each rule found something."""
    return Counter(finding.code for finding in verdict.findings)


def _near() -> Rule:
    return next(rule for rule in RULES if rule.check is extent.near_duplicate)


@lru_cache(maxsize=16)
def _identity(blueprint: Blueprint) -> str:
    return digest(blueprint)
