"""Whether the times of a recording agree: windows with one another, with the TextGrid, and with the words of the text.

A TextGrid has the time of every 汉字; which of them carry an event follows from the spans of the script. So an anchor is
recomputed here from script and TextGrid, and one that is a sample off is found.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from dtbuild.errors import Unspeakable
from dtbuild.lexicon import spoken
from dtbuild.records.cohort import Gold, GoldEvent, GoldTrajectory, Window
from dtbuild.records.script import TRIGGER_KINDS, Script
from dtbuild.records.spoken import SpokenChar
from dtbuild.records.verdict import Finding, finding
from dtbuild.timebase import to_microseconds


class Rules(NamedTuple):
    """What a cohort's manifest says of its times: whether it is aligned, how wide the coarse window is, and whether
    two people may speak at once."""

    aligned: bool = True
    coarse_turns: int = 0
    overlap: bool = False


def windows(gold: Gold, rules: Rules) -> Iterator[Finding]:
    """Every event has its windows; anchor in utterance in coarse in recording; nothing is empty or out of order."""
    whole = Window(start_us=0, end_us=gold.duration_us)
    yield from _turns(gold, whole, rules)
    turns = {each.turn: each.window for each in gold.turns}
    for trajectory, event in _events(gold):
        where = _place(gold, trajectory, event)
        evidence = event.evidence
        if evidence.utterance != turns.get(evidence.turn):
            found = _times(evidence.utterance)
            yield finding("window", where, "utterance is not its turn", f"the window of {evidence.turn}", found)
        yield from _alignment(where, event, rules)
        for index, each in enumerate(evidence.anchor):
            yield from _nested(where, (f"anchor[{index}]", each), ("utterance", evidence.utterance))
        yield from _nested(where, ("utterance", evidence.utterance), ("coarse", evidence.coarse))
        yield from _nested(where, ("coarse", evidence.coarse), ("recording", whole))
        yield from _covered(where, gold, event)
        wanted = _coarse(gold, evidence.turn, rules.coarse_turns)
        if wanted is not None and evidence.coarse != wanted:
            message = f"coarse is not the turn and {rules.coarse_turns} each side"
            yield finding("coarse", where, message, _times(wanted), _times(evidence.coarse))
        for before, after in itertools.pairwise(evidence.anchor):
            if after.start_us < before.end_us:
                yield finding("window", where, "anchor out of order", f"from {before.end_us} µs", _times(after))


def textgrid(tiers: Sequence[Any], gold: Gold, script: Script, rules: Rules) -> Iterator[Finding]:
    """Turns and characters of every speaker and the anchor of every event, as gold and the script have them."""
    where = f"textgrids/{gold.recording}.TextGrid"
    named = {tier.name: tier.labels for tier in tiers}
    kinds = ("turns", "characters") if rules.aligned else ("turns",)
    expected = [f"{each.speaker} {what}" for each in gold.speakers for what in kinds]
    if rules.aligned:
        expected += [f"event {event.event_id}" for _, event in _events(gold)]
    if sorted(named) != sorted(expected):
        yield finding("textgrid", where, "tiers", sorted(expected), sorted(named))
        return
    texts = {turn.id: turn.text for turn in script.turns}
    for speaker in (each.speaker for each in gold.speakers):
        mine = [(turn.window, texts.get(turn.turn, "")) for turn in gold.turns if turn.speaker == speaker]
        found = [(_window(each), each.text) for each in named[f"{speaker} turns"]]
        if found != sorted(mine, key=lambda one: one[0].start_us):
            other = sum(one not in mine for one in found)
            place, message = f"{where} {speaker} turns", "times and texts of turns"
            yield finding("textgrid", place, message, f"{len(mine)} as in gold", f"{len(found)}, {other} of them other")
    if not rules.aligned:
        return
    timed = characters(tiers, gold)
    chars: dict[str, tuple[SpokenChar, ...]] = {}
    for turn in gold.turns:
        try:
            chars[turn.turn] = spoken(texts.get(turn.turn, "")).chars
        except Unspeakable as error:
            yield finding(
                "turns", f"scripts/{gold.recording}.json {turn.turn}", error.what, error.expected, error.found
            )
            continue
        said = "".join(char.hanzi for char in chars[turn.turn])
        found_text = "".join(text for text, _ in timed[turn.turn])
        if said != found_text:
            yield finding("textgrid", f"{where} {turn.turn}", "characters", said, found_text)
    for trajectory, event in _events(gold):
        place = f"{where} {trajectory.key} {event.event_id}"
        shown = tuple(_window(each) for each in named[f"event {event.event_id}"])
        if shown != event.evidence.anchor:
            yield finding("textgrid", place, "tier of the event", _list(event.evidence.anchor), _list(shown))
        own, times = chars.get(event.evidence.turn, ()), timed.get(event.evidence.turn, [])
        if len(own) != len(times):
            continue  # told above
        wanted = _anchor(event, script, own, [window for _, window in times])
        if wanted != event.evidence.anchor:
            message = "anchor is not the time of the event's words"
            yield finding("anchor", place, message, _list(wanted), _list(event.evidence.anchor))


def characters(tiers: Sequence[Any], gold: Gold) -> dict[str, list[tuple[str, Window]]]:
    """The 汉字 that a TextGrid has inside each turn of gold, with their times."""
    named = {tier.name: tier.labels for tier in tiers}
    found: dict[str, list[tuple[str, Window]]] = {}
    for turn in gold.turns:
        labels = ((each.text, _window(each)) for each in named.get(f"{turn.speaker} characters", ()))
        found[turn.turn] = [(text, window) for text, window in labels if window.inside(turn.window)]
    return found


def _turns(gold: Gold, whole: Window, rules: Rules) -> Iterator[Finding]:
    latest, before = 0, None
    for turn in gold.turns:
        where = f"gold/{gold.recording}.json {turn.turn}"
        yield from _nested(where, ("turn", turn.window), ("recording", whole))
        if turn.window.start_us < latest:
            yield finding("order", where, "starts early", f"from {latest} µs", _times(turn.window))
        elif before is not None and turn.window.start_us < before.window.end_us:
            alone = "the config allows no overlap" if turn.speaker != before.speaker else "one person cannot say both"
            if turn.speaker == before.speaker or not rules.overlap:
                found = f"{before.window.end_us - turn.window.start_us} µs shared"
                yield finding("overlap", where, f"overlaps {before.turn}", f"none: {alone}", found)
        if before is None or turn.window.end_us > before.window.end_us:
            before = turn
        latest = turn.window.start_us


def _alignment(where: str, event: GoldEvent, rules: Rules) -> Iterator[Finding]:
    evidence = event.evidence
    scores = [evidence.score, evidence.anchor_score, evidence.anchor_lowest]
    if not rules.aligned:
        if evidence.anchor or any(score is not None for score in scores):
            expected = "neither anchor nor score: the cohort has no alignment"
            yield finding(
                "alignment", where, "evidence of an alignment", expected, f"anchor {len(evidence.anchor)} long"
            )
        return
    if not evidence.anchor:
        yield finding("alignment", where, "no anchor", "at least one interval", "none")
    if evidence.score is None:
        yield finding("alignment", where, "no score", "that of its turn", "none")
    if evidence.anchor_score is not None and evidence.anchor_lowest is not None:
        if evidence.anchor_lowest > evidence.anchor_score:
            expected = f"at most the mean {evidence.anchor_score}"
            yield finding("alignment", where, "lowest score", expected, evidence.anchor_lowest)
    elif (evidence.anchor_score is None) != (evidence.anchor_lowest is None):
        yield finding("alignment", where, "scores of the anchor", "mean and lowest, or neither", "one of them")


def _covered(where: str, gold: Gold, event: GoldEvent) -> Iterator[Finding]:
    """Another turn over the words of an event: they could not be told from its words."""
    for turn in gold.turns:
        for part in event.evidence.anchor:
            over = min(part.end_us, turn.window.end_us) - max(part.start_us, turn.window.start_us)
            if turn.turn != event.evidence.turn and over > 0:
                message = f"{turn.turn} is heard over the event's words"
                yield finding("overlap", where, message, "no other turn there", f"{over} µs shared")


def _coarse(gold: Gold, turn: str, turns: int) -> Window | None:
    at = next((index for index, each in enumerate(gold.turns) if each.turn == turn), None)
    if at is None:
        return None  # the trigger's own check tells it
    near = [each.window for each in gold.turns[max(0, at - turns) : at + turns + 1]]
    end = min(gold.duration_us, max(each.end_us for each in near))
    return Window(start_us=max(0, min(each.start_us for each in near)), end_us=end)


def _anchor(
    event: GoldEvent, script: Script, chars: Sequence[SpokenChar], times: Sequence[Window]
) -> tuple[Window, ...]:
    spans = [
        span
        for span in script.spans
        if span.target == event.event_id and span.kind in TRIGGER_KINDS and span.turn == event.evidence.turn
    ]
    joined: list[Window] = []
    for char, time in zip(chars, times, strict=True):
        if not any(char.start < span.end and span.start < char.end for span in spans):
            continue
        if joined and time.start_us <= joined[-1].end_us:
            joined[-1] = Window(start_us=joined[-1].start_us, end_us=max(joined[-1].end_us, time.end_us))
        else:
            joined.append(time)
    return tuple(joined)


def _events(gold: Gold) -> Iterator[tuple[GoldTrajectory, GoldEvent]]:
    for trajectory in gold.trajectories:
        for event in trajectory.events:
            yield trajectory, event


def _place(gold: Gold, trajectory: GoldTrajectory, event: GoldEvent) -> str:
    return f"gold/{gold.recording}.json {trajectory.key} {event.event_id}"


def _nested(where: str, inner: tuple[str, Window], outer: tuple[str, Window]) -> Iterator[Finding]:
    (name, each), (holder, hull) = inner, outer
    if each.length_us <= 0:
        yield finding("window", where, f"{name} is empty", "start before end", _times(each))
    if not each.inside(hull):
        yield finding("window", where, f"{name} leaves the {holder}", f"inside {_times(hull)}", _times(each))


def _window(label: Any) -> Window:
    return Window(start_us=to_microseconds(label.start), end_us=to_microseconds(label.end))


def _times(each: Window) -> str:
    return f"[{each.start_us}, {each.end_us}) µs"


def _list(windows: Iterable[Window]) -> str:
    return ", ".join(map(_times, windows)) or "none"
