"""Ranges that no longer fit after somebody has edited a text by hand."""

from __future__ import annotations

from msgspec.structs import replace

from dtbuild.records.script import Script
from dtbuild.records.verdict import Finding
from dtbuild.review.rules import counts, review
from review.sample import blueprint, sample


def _edited(number: int, text: str) -> Script:
    _, script = sample()
    turns = list(script.turns)
    turns[number - 1] = replace(turns[number - 1], text=text)
    return replace(script, turns=tuple(turns), edited=True)


def _ranges(script: Script) -> list[Finding]:
    verdict = review(sample()[0], script, blueprint())
    return [finding for finding in verdict.findings if finding.code == "ranges"]


def test_a_whole_script_has_no_stale_range() -> None:
    assert _ranges(sample()[1]) == []


def test_a_shortened_turn_names_what_no_longer_fits() -> None:
    findings = _ranges(_edited(4, "就按八百万做。"))
    assert {finding.where for finding in findings} == {"sc00007-a-t004"}
    assert any("mention m2" in finding.message for finding in findings)


def test_a_range_on_punctuation_is_no_range() -> None:
    findings = _ranges(_edited(13, "……五个月也行，能对上回款就行。" * 2))
    assert not any("no word" in finding.message for finding in findings)
    assert any("no word" in finding.message for finding in _ranges(_edited(13, "…………………五个月也行。")))


def test_ranges_that_slipped_are_found_by_what_they_say() -> None:
    plan, _ = sample()
    # the turn grew at its head, and every range in it now covers other words
    script = _edited(14, "行啊，那就五个月，到期日跟着账期走，这条我定了。")
    assert _ranges(script) == []
    assert counts(review(plan, script, blueprint()))["mention-value"]


def test_an_edit_that_keeps_its_numbers_passes() -> None:
    plan, _ = sample()
    script = _edited(24, "那可太好了，我回去跟老板说一声，等您费率的消息。")
    assert review(plan, script, blueprint()).outcome == "pass"
