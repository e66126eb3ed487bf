"""The part `faults`: every case before both gates, and clean turns before them for false alarms."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from audio_bench.aligning import Times
from audio_bench.corpus import Corpus, Said, audio_of
from audio_bench.faults import CERTAIN, Case, Planting, Result, Subject, matrix, missed, other_voice, plant
from audio_bench.gates import Answer, alignment_gate, lay, link, speech_gate
from audio_bench.recordings import Part, pattern
from dtbuild.pipeline.folder import Folder
from dtbuild.seeds import rng
from dtbuild.speech.words import segmenter
from text_bench.report import Figure

SHARE, ALARMS = 0.95, 0.02
"""Least share of a kind that is caught; most of the turns that are refused without a planted fault. Nobody has listened
to those: what the engine spoiled is among them, so the share of false alarms is at most this."""
COMPANY = 4
"""Clean turns of the same voice that stand in a recording with the turn asked about."""


def faults(
    root: Path, scratch: Path, corpus: Corpus, times: dict[str, Times], wanted: int, seed: int, jobs: int
) -> list[Figure]:
    """Figures of the planted faults; prints kinds by gates, and what slipped through. `scratch` is an empty folder."""
    source, target = Folder(root), Folder(scratch)
    clean = [each for each in corpus.said if each.clean]
    for each in clean:
        link(source, target, each.take)
    subjects = [
        Subject(each, audio_of(root, each), found.refined.chars)
        for each in clean
        if (found := times.get(each.name)) is not None and found.refined is not None
    ]
    planting = Planting(segmenter())
    cases = [*plant(planting.kinds | planting.beside, subjects, wanted, seed), *_twins(root, corpus, subjects)]
    run = _Run(root, target, clean, jobs, seed)
    results = run.results(cases)
    kinds = [*planting.kinds, *planting.beside, "same words, other voice"]
    print(f"\nFaults and the gates that catch them:\n\n{matrix(results, kinds)}\n")
    print("\n".join(missed(results)))
    first = [each for each in corpus.said if not each.twin]
    refused = {each.name: each.codes for each in first if not each.clean} | run.refused_clean()
    for name, codes in refused.items():
        print(f"refused as first spoken: {name} {', '.join(codes)}")
    share = len(refused) / max(1, len(first))
    return [
        *(_figure(kind, [each for each in results if each.case.kind == kind], wanted) for kind in planting.kinds),
        Figure(
            "turns without a planted fault that a gate refuses, as first spoken",
            f"{len(refused)} of {len(first)} ({share:.1%})",
            f"<= {ALARMS:.0%}",
            share <= ALARMS,
        ),
    ]


def _figure(kind: str, own: Sequence[Result], wanted: int) -> Figure:
    caught = sum(each.caught for each in own)
    least = 1.0 if kind in CERTAIN else SHARE
    return Figure(
        f"planted: {kind}",
        f"{caught} of {len(own)}",
        f">= {least:.0%} of {wanted}",
        len(own) >= wanted and caught >= least * len(own),
    )


def _twins(root: Path, corpus: Corpus, subjects: Sequence[Subject]) -> list[Case]:
    by_name = {each.said.name: each for each in subjects}
    return [
        other_voice(by_name[each.twin], audio_of(root, each), each.voice.id)
        for each in corpus.said
        if each.twin in by_name and each.passed
    ]


class _Run(NamedTuple):
    root: Path
    target: Folder
    clean: Sequence[Said]
    jobs: int
    seed: int

    def results(self, cases: Sequence[Case]) -> list[Result]:
        speech = [
            speech_gate(case.audio, case.request, case.subject.audio, f"{case.kind}, {case.subject.said.name}")
            for case in cases
        ]
        asked: dict[int, tuple[Part, ...]] = {}
        for at, case in enumerate(cases):
            take = f"case{at:04}"
            if lay(self.target, take, case.audio):
                part = Part(case.subject.said.text, case.request, take, len(case.audio))
                asked[at] = (*self._company(case.subject.said, at), part)
        answers = dict(zip(asked, self._ask(list(asked.values())), strict=True))
        return [Result(case, speech[at], _of_suspect(asked.get(at), answers.get(at))) for at, case in enumerate(cases)]

    def refused_clean(self) -> dict[str, tuple[str, ...]]:
        """Clean turns that a gate refuses: each voice's turns as one recording."""
        found: dict[str, tuple[str, ...]] = {}
        for each in self.clean:
            audio = audio_of(self.root, each)
            codes = speech_gate(audio, each.request, audio, each.name)
            if codes:
                found[each.name] = codes
        voices = list(dict.fromkeys(each.voice.id for each in self.clean))
        groups = [[each for each in self.clean if each.voice.id == voice] for voice in voices]
        asked = [tuple(_part(each) for each in group) for group in groups]
        for group, answer in zip(groups, self._ask(asked), strict=True):
            for at, codes in answer.codes.items():
                found[group[at].name] = found.get(group[at].name, ()) + codes
            if answer.others:
                found[f"voice {group[0].voice.id}"] = answer.others
        return found

    def _ask(self, asked: Sequence[tuple[Part, ...]]) -> list[Answer]:
        like = pattern(self.root / "texts")
        return alignment_gate(self.target.root, asked, like, self.jobs, self.seed)

    def _company(self, said: Said, at: int) -> tuple[Part, ...]:
        """Other clean turns of the voice that the turn is said to have, COMPANY of them or all there are."""
        others = [each for each in self.clean if each.voice.id == said.voice.id and each.name != said.name]
        draw = rng(self.seed, "company", at)
        return tuple(_part(each) for each in draw.sample(others, min(COMPANY, len(others))))


def _part(said: Said) -> Part:
    return Part(said.text, said.request, said.take, said.samples)


def _of_suspect(asked: tuple[Part, ...] | None, answer: Answer | None) -> tuple[str, ...]:
    """What was found of the case's own turn; a finding that names no turn is held to be of it."""
    if asked is None or answer is None:
        return ()
    return answer.codes.get(len(asked) - 1, ()) + answer.others
