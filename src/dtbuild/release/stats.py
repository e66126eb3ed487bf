"""Figures of a cohort, from a released folder or from the bundles it is made of.

Everything is counted, nothing estimated: rates and hours are derived where they are printed, so that figures
of two cohorts can be added. Families, not recordings, are the unit of any split (spec, section 2).

>>> spread([3_000_000, 1_000_000, 2_500_000]).median_us
2500000
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from dtbuild.lexicon.characters import hanzi_in
from dtbuild.records.bundle import Bundle
from dtbuild.records.cohort import Evidence, Gold, Review, Said, Scores, Spread, Stats
from dtbuild.records.plan import state_after
from dtbuild.records.script import Script
from dtbuild.release.chains import gold_of, review_of
from dtbuild.release.folder import golds, release_of, reviews, scripts
from dtbuild.release.terminal import cells, pad


def stats(source: Path | Sequence[Bundle]) -> Stats:
    """Figures of a cohort folder (or its release), or of bundles before they are released."""
    if isinstance(source, Path):
        root = release_of(source)
        return measure(golds(root), scripts(root), reviews(root))
    return measure(
        [gold_of(bundle) for bundle in source],
        [bundle.script for bundle in source],
        [review_of(bundle) for bundle in source],
    )


def measure(gold: Sequence[Gold], script: Sequence[Script], review: Sequence[Review]) -> Stats:
    """Figures of these recordings; `script` and `review` have one entry for each of `gold`, in any order."""
    trajectories = [each for one in gold for each in one.trajectories]
    text = {one.recording: one for one in script}
    events = [event for each in trajectories for event in each.events]
    variants = Counter(one.family for one in gold)
    return Stats(
        recordings=len(gold),
        families=len(variants),
        pairs=sum(count == 2 for count in variants.values()),
        duration=spread(one.duration_us for one in gold),
        turns=sum(len(one.turns) for one in script),
        characters=sum(hanzi_in(turn.text) for one in script for turn in one.turns),
        trajectories=len(trajectories),
        events=len(events),
        candidates=sum(len(one.candidates) for one in gold),
        speakers=_numbers(len(one.speakers) for one in gold),
        actions=_names(event.action for event in events),
        results=_names(event.result for event in events if event.result),
        terminal_states=_names(state_after(each.events[-1].action) for each in trajectories),
        chain_length=_numbers(len(each.events) for each in trajectories),
        cycles=_numbers(len(each.cycles) for each in trajectories),
        phenomena=_names(name for one in gold for name in set(one.phenomena)),
        values=_names(_kind(event.value) for event in events),
        mentions=_names(mention.role for one in script for mention in one.mentions),
        windows={
            "anchor": spread(
                sum(part.length_us for part in event.evidence.anchor) for event in events if event.evidence.anchor
            ),
            "utterance": spread(event.evidence.utterance.length_us for event in events),
            "coarse": spread(event.evidence.coarse.length_us for event in events),
        },
        fields=_names(each.key for each in trajectories),
        verdicts=_verdicts(review),
        voices=_voices((one, text[one.recording]) for one in gold if one.recording in text),
        scores=_scores([event.evidence for event in events]),
    )


def spread(lengths: Iterable[int]) -> Spread:
    """Count, sum, least, median and most; the median of an even count is the mean of the middle two, rounded down."""
    ordered = sorted(lengths)
    if not ordered:
        return Spread(count=0, total_us=0, min_us=0, median_us=0, max_us=0)
    middle = (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) // 2
    return Spread(count=len(ordered), total_us=sum(ordered), min_us=ordered[0], median_us=middle, max_us=ordered[-1])


def stats_text(figures: Stats) -> str:
    """The figures as a table for the terminal, names left, numbers right."""
    rows: list[tuple[str, str]] = []
    for title, table in figure_groups(figures):
        rows.append((title, ""))
        rows += [(f"  {name}", value) for name, value in table]
    left = max(cells(name) for name, _ in rows)
    right = max(len(value) for _, value in rows)
    return "\n".join(f"{pad(name, left)}  {value:>{right}}".rstrip() for name, value in rows)


def figure_groups(figures: Stats) -> list[tuple[str, list[tuple[str, str]]]]:
    """The figures in words: groups of (name, value), shared by the terminal table and the data card."""
    length = figures.duration
    cohort = [
        ("recordings", f"{figures.recordings:,}"),
        ("families", f"{figures.families:,}"),
        ("A/B pairs", f"{figures.pairs:,}"),
        ("hours", f"{length.total_us / 3.6e9:.2f}"),
        ("min / median / max duration, s", _three(length, 2)),
        ("turns", f"{figures.turns:,}"),
        ("characters (汉字)", f"{figures.characters:,}"),
        ("trajectories", f"{figures.trajectories:,}"),
        ("events", f"{figures.events:,}"),
        ("unauthorised candidates", f"{figures.candidates:,}"),
    ]
    windows = [
        (f"{name}, s (min / median / max)", _three(each, 3)) for name, each in figures.windows.items() if each.count
    ]
    voices = [(name, f"{each.turns:,} / {each.characters:,} / {_rate(each)}") for name, each in figures.voices.items()]
    scores = [
        (f"{name} (min / mean / median / max)",
         f"{each.min:.2f} / {each.total / each.count:.2f} / {each.median:.2f} / {each.max:.2f}")
        for name, each in figures.scores.items()
    ]  # fmt: skip
    verdicts = [
        (name, ", ".join(f"{count:,} {outcome}" for outcome, count in outcomes.items()))
        for name, outcomes in figures.verdicts.items()
    ]
    return [
        ("cohort", cohort),
        ("speakers in a recording", _shares(figures.speakers, figures.recordings)),
        ("events by action", _shares(figures.actions, figures.events)),
        ("results of settles", _shares(figures.results, sum(figures.results.values()))),
        ("terminal state of a chain", _shares(figures.terminal_states, figures.trajectories)),
        ("events in a chain", _shares(figures.chain_length, figures.trajectories)),
        ("cycles in a chain", _shares(figures.cycles, figures.trajectories)),
        ("recordings with a phenomenon", _shares(figures.phenomena, figures.recordings)),
        ("events by value type", _shares(figures.values, figures.events)),
        ("mentions by role", _shares(figures.mentions, sum(figures.mentions.values()))),
        ("chains by field", _shares(figures.fields, figures.trajectories)),
        ("windows", windows),
        ("alignment scores of events", scores or [("none", "nothing was aligned")]),
        ("voices: turns / 汉字 / 汉字 a second", voices),
        ("verdicts", verdicts),
    ]


def _three(each: Spread, digits: int) -> str:
    return " / ".join(f"{value / 1e6:.{digits}f}" for value in (each.min_us, each.median_us, each.max_us))


def _shares(counts: dict[str, int], whole: int) -> list[tuple[str, str]]:
    wide = max((len(f"{count:,}") for count in counts.values()), default=1)
    return [(name, f"{count:>{wide},} ({100 * count / whole:.1f} %)") for name, count in counts.items()]


def _voices(recordings: Iterable[tuple[Gold, Script]]) -> dict[str, Said]:
    turns: dict[str, list[tuple[int, int]]] = {}
    for gold, script in recordings:
        voice = {each.speaker: each.voice for each in gold.speakers}
        said = {turn.id: hanzi_in(turn.text) for turn in script.turns}
        for turn in gold.turns:
            own = turns.setdefault(voice.get(turn.speaker, turn.speaker), [])
            own.append((said.get(turn.turn, 0), turn.window.length_us))
    return {
        name: Said(turns=len(own), characters=sum(each for each, _ in own), speech_us=sum(each for _, each in own))
        for name, own in sorted(turns.items())
    }


def _scores(evidence: Sequence[Evidence]) -> dict[str, Scores]:
    named = {
        "turn": [each.score for each in evidence if each.score is not None],
        "anchor": [each.anchor_score for each in evidence if each.anchor_score is not None],
        "anchor_lowest": [each.anchor_lowest for each in evidence if each.anchor_lowest is not None],
    }
    return {
        name: Scores(
            count=len(scores),
            total=round(sum(scores), 4),
            min=min(scores),
            median=round(statistics.median(scores), 4),
            max=max(scores),
        )
        for name, scores in named.items()
        if scores
    }


def _rate(said: Said) -> str:
    return f"{said.characters * 1e6 / said.speech_us if said.speech_us else 0:.2f}"


def _verdicts(review: Sequence[Review]) -> dict[str, dict[str, int]]:
    found: dict[str, list[str]] = {}
    for one in review:
        for verdict in one.verdicts:
            found.setdefault(f"{verdict.gate} by {verdict.reviewer}", []).append(verdict.outcome)
    return {name: _names(found[name]) for name in sorted(found)}


def _names(items: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(items).items()))


def _numbers(items: Iterable[int]) -> dict[str, int]:
    return {str(number): count for number, count in sorted(Counter(items).items())}


def _kind(value: object) -> str:
    return "null" if value is None else type(value).__name__.lower()
