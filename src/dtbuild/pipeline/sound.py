"""The sound stages: takes and mixes, alignment, evidence windows.

A take is keyed by its own content, so a turn that A and B share is spoken once and an edited script costs only
its changed turns. Models are loaded in the workers alone. A turn that fails its gate, or whose alignment does,
quarantines its family: it is withheld whole, by name, and the others go on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from dtbuild.align.make import fingerprint_of as aligner_fingerprint
from dtbuild.errors import DtbuildError
from dtbuild.evidence.windows import windows
from dtbuild.fingerprint import digest
from dtbuild.lexicon import spoken
from dtbuild.pipeline.config import Config
from dtbuild.pipeline.folder import Folder
from dtbuild.pipeline.grid import write_grid
from dtbuild.pipeline.text import Admitted
from dtbuild.pipeline.workers import run_items
from dtbuild.records.cohort import Bundle, Withheld
from dtbuild.records.evidence import EventEvidence
from dtbuild.records.ids import family_of
from dtbuild.records.plan import Plan
from dtbuild.records.script import Script
from dtbuild.records.sound import Alignment, SpeechRequest, Take, Timeline, Voice
from dtbuild.records.spoken import Spoken
from dtbuild.records.variant import VariantKind
from dtbuild.records.verdict import Verdict
from dtbuild.seeds import derive
from dtbuild.speech.casting import cast, load_voices
from dtbuild.speech.engine import fingerprint_of as engine_fingerprint
from dtbuild.speech.mixing import gaps, mix
from dtbuild.speech.takes import speak_turn, take_id
from dtbuild.speech.wav import read_wav, write_wav

if TYPE_CHECKING:
    from dtbuild.pipeline.run import Progress


class Recording(NamedTuple):
    """One recording on its way to sound: its texts, voices and takes, turn by turn."""

    id: str
    plan: Plan
    script: Script
    verdicts: tuple[Verdict, ...]
    spoken: dict[str, Spoken]
    voices: dict[str, Voice]
    takes: dict[str, tuple[str, SpeechRequest]]
    factor: VariantKind | None


class TakeItem(msgspec.Struct, frozen=True, kw_only=True):
    """A spoken turn as stored: the take where the gate passed it, None where no retake did."""

    take: Take | None
    verdict: Verdict


class AlignItem(msgspec.Struct, frozen=True, kw_only=True):
    alignment: Alignment | None
    verdict: Verdict


class EvidenceItem(msgspec.Struct, frozen=True, kw_only=True):
    events: tuple[EventEvidence, ...]


class SoundStages:
    """Runs speech, align and evidence over admitted families; `withheld` names those that fell out."""

    def __init__(self, config: Config, folder: Folder, *, jobs: int, retry_quarantined: bool = False) -> None:
        self.config, self.folder, self.jobs, self.retry = config, folder, jobs, retry_quarantined
        self.made = 0
        self.withheld: list[Withheld] = []
        self._voices = load_voices(config.speech.voices)
        self._engine = engine_fingerprint(config.speech.engine)
        self._aligner = aligner_fingerprint(config.align.aligner)

    def run(self, families: Sequence[Admitted], stages: Sequence[str], watcher: Progress) -> list[Bundle]:
        """Bundles of the recordings that came through, in order; empty before the evidence stage is reached."""
        recordings = [each for family in families for each in self._recordings(family)]
        recordings = self._speak(recordings, watcher)
        timelines = self._mix(recordings, watcher)
        if "align" not in stages:
            return []
        recordings = self._withhold(recordings)
        alignments = self._align(recordings, timelines, watcher)
        if "evidence" not in stages:
            return []
        recordings = self._withhold(recordings)
        return self._evidence(recordings, timelines, alignments, watcher)

    def _recordings(self, family: Admitted) -> list[Recording]:
        people = [(person.id, person.gender) for person in family.plans[0].cast]
        voices = cast(self._voices, people, seed=derive(self.config.seed, "cast", family.family))
        found = []
        for plan, script, verdicts in zip(family.plans, family.scripts, family.verdicts, strict=True):
            texts = {turn.id: spoken(turn.text) for turn in script.turns}
            takes, seen = {}, Counter[tuple[str, str]]()
            for turn in script.turns:
                key = (turn.person, turn.text)
                seen[key] += 1
                request = SpeechRequest(
                    spoken=texts[turn.id],
                    voice=voices[turn.person],
                    seed=derive(self.config.seed, "take", family.family, *key, seen[key]),
                )
                takes[turn.id] = (take_id(request, self._engine), request)
            factor = family.variant.kind if family.variant and plan is family.variant.plan else None
            found.append(Recording(script.recording, plan, script, verdicts, texts, voices, takes, factor))
        return found

    def _speak(self, recordings: list[Recording], watcher: Progress) -> list[Recording]:
        """Speak what is missing, one take once; families with a turn that no retake saved are withheld."""
        wanted = {id: (turn, request) for each in recordings for turn, (id, request) in each.takes.items()}
        missing = [(id, *wanted[id]) for id in wanted if not self._spoken(id)]
        watcher.begin("speech", len(wanted), "takes")
        for _ in range(len(wanted) - len(missing)):
            watcher.step(made=False)
        setup = (self.config.speech.engine, self._engine, str(self.folder.root))
        for (id, turn, _), outcome in run_items(
            _speak_one, missing, jobs=self.jobs, setup=_load_engine, arguments=setup
        ):
            if isinstance(outcome, Exception):
                raise outcome
            self.made += 1
            watcher.step(made=True)
            if outcome.outcome != "pass":
                self._quarantine(turn, outcome, f"take {id[:12]}")
        watcher.end()
        for id, (turn, _) in wanted.items():
            item = self.folder.read("takes", id, TakeItem, id)
            if item is None or item.record.take is None:
                self._quarantine(turn, item.record.verdict if item else None, f"take {id[:12]}")
        return self._withhold(recordings)

    def _spoken(self, id: str) -> bool:
        item = self.folder.read("takes", id, TakeItem, id)
        if item is None or (item.record.take is None and self.retry):
            return False
        return item.record.take is None or self.folder.path("takes", id, ".wav").is_file()

    def _mix(self, recordings: list[Recording], watcher: Progress) -> dict[str, Timeline]:
        watcher.begin("mix", len(recordings), "recordings")
        timelines = {}
        for each in recordings:
            order = [(turn.id, turn.person, turn.text) for turn in each.script.turns]
            takes = [each.takes[turn.id][0] for turn in each.script.turns]
            inputs = digest([order, takes])
            item = self.folder.read("mix", each.id, Timeline, inputs)
            wav = self.folder.path("mix", each.id, ".wav")
            made = item is None or item.edited or not wav.is_file()
            if item is None or made:
                audio = [read_wav(self.folder.path("takes", id, ".wav")) for id in takes]
                pauses = gaps(order, seed=derive(self.config.seed, "gaps", family_of(each.id)))
                placed = [(turn, id, sound) for (turn, *_), id, sound in zip(order, takes, audio, strict=True)]
                mixed, timeline = mix(each.id, placed, pauses)
                write_wav(wav, mixed)
                self.folder.write("mix", each.id, timeline, inputs)
            else:
                timeline = item.record
            timelines[each.id] = timeline
            self.made += made
            watcher.step(made=made)
        watcher.end()
        return timelines

    def _align(
        self, recordings: list[Recording], timelines: dict[str, Timeline], watcher: Progress
    ) -> dict[str, Alignment]:
        inputs = {each.id: digest([self._aligner, timelines[each.id], *each.spoken.values()]) for each in recordings}
        watcher.begin("align", len(recordings), "recordings")
        missing = []
        for each in recordings:
            item = self.folder.read("align", each.id, AlignItem, inputs[each.id])
            if item is None or item.edited or (item.record.alignment is None and self.retry):
                missing.append((each, timelines[each.id], inputs[each.id]))
            else:
                watcher.step(made=False)
        setup = (self.config.align.aligner, str(self.folder.root))
        for _, outcome in run_items(_align_one, missing, jobs=self.jobs, setup=_load_aligner, arguments=setup):
            if isinstance(outcome, Exception):
                raise outcome
            self.made += 1
            watcher.step(made=True)
        watcher.end()
        found = {}
        for each in recordings:
            item = self.folder.read("align", each.id, AlignItem, inputs[each.id])
            if item is None or item.record.alignment is None:
                self._quarantine(each.id, item.record.verdict if item else None, "alignment")
            else:
                found[each.id] = item.record.alignment
        return found

    def _evidence(
        self,
        recordings: list[Recording],
        timelines: dict[str, Timeline],
        alignments: dict[str, Alignment],
        watcher: Progress,
    ) -> list[Bundle]:
        watcher.begin("evidence", len(recordings), "recordings")
        bundles = []
        for each in recordings:
            timeline, alignment = timelines[each.id], alignments[each.id]
            inputs = digest([each.script, timeline, alignment, self.config.evidence])
            item = self.folder.read("evidence", each.id, EvidenceItem, inputs)
            grid = self.folder.path("evidence", each.id, ".TextGrid")
            made = item is None or item.edited or not grid.is_file()
            if item is None or made:
                events = windows(
                    each.script,
                    timeline,
                    alignment,
                    each.spoken,
                    targets=[event.id for _, _, event in each.plan.events()],
                    coarse_turns=self.config.evidence.coarse_turns,
                )
                write_grid(grid, each.script, timeline, alignment, events)
                self.folder.write("evidence", each.id, EvidenceItem(events=events), inputs)
            else:
                events = item.record.events
            bundles.append(self._bundle(each, timeline, events, grid))
            self.made += made
            watcher.step(made=made)
        watcher.end()
        return bundles

    def _bundle(self, each: Recording, timeline: Timeline, events: tuple[EventEvidence, ...], grid: Path) -> Bundle:
        return Bundle(
            recording=each.id,
            plan=each.plan,
            script=each.script,
            verdicts=each.verdicts,
            timeline=timeline,
            evidence=events,
            voices={person: voice.id for person, voice in each.voices.items()},
            wav=self.folder.path("mix", each.id, ".wav"),
            textgrid=grid,
            factor=each.factor,
        )

    def _quarantine(self, where: str, verdict: Verdict | None, what: str) -> None:
        family = family_of(where)
        if all(each.family != family for each in self.withheld):
            findings = verdict.findings[:2] if verdict else ()
            reason = "; ".join(f"{each.code}: {each.message}" for each in findings) or "no result"
            self.withheld.append(Withheld(family=family, reason=f"{what} of {where} quarantined: {reason}"))

    def _withhold(self, recordings: list[Recording]) -> list[Recording]:
        out = {each.family for each in self.withheld}
        return [each for each in recordings if each.plan.family not in out]


# --- in the workers: one engine and one aligner a process ------------------------------------------------

_tools: dict[str, Any] = {}


def _load_engine(name: str, fingerprint: str, root: str) -> None:
    from dtbuild.speech.engine import make_engine

    _tools.update(engine=make_engine(name), folder=Folder(Path(root)))
    if _tools["engine"].fingerprint != fingerprint:
        raise DtbuildError(
            f"speech engine {name}",
            expected=f"fingerprint {fingerprint[:16]}",
            found=str(_tools["engine"].fingerprint)[:16],
            fix="dtbuild assets, then run again",
        )


def _speak_one(item: tuple[str, str, SpeechRequest]) -> Verdict:
    id, turn, request = item
    folder: Folder = _tools["folder"]
    audio, take, verdict = speak_turn(_tools["engine"], request, turn=turn)
    if verdict.outcome == "pass":
        write_wav(folder.path("takes", id, ".wav"), audio)
    folder.write("takes", id, TakeItem(take=take if verdict.outcome == "pass" else None, verdict=verdict), id)
    return verdict


def _load_aligner(name: str, root: str) -> None:
    from dtbuild.align.make import make_aligner

    _tools.update(aligner=make_aligner(name), folder=Folder(Path(root)))


def _align_one(item: tuple[Recording, Timeline, str]) -> None:
    from dtbuild.align.aligner import TurnAudio
    from dtbuild.align.plausibility import check
    from dtbuild.errors import AlignmentError
    from dtbuild.records.verdict import Finding

    each, timeline, inputs = item
    folder: Folder = _tools["folder"]
    voices = {turn.id: each.voices[turn.person].id for turn in each.script.turns}
    turns = [
        TurnAudio(
            turn=place.turn,
            spoken=each.spoken[place.turn],
            speaker=voices[place.turn],
            audio=folder.path("takes", place.take, ".wav"),
            offset=place.start,
        )
        for place in timeline.placements
    ]
    try:
        aligned = _tools["aligner"].align(turns)
        verdict = check(each.id, turns, aligned, inputs=inputs)
    except AlignmentError as error:
        finding = Finding(code="align.failed", where=each.id, message=str(error))
        aligned = ()
        verdict = Verdict(
            gate="align", subject=each.id, reviewer="viter", outcome="fail", inputs=inputs, findings=(finding,)
        )
    passed = verdict.outcome == "pass"
    alignment = Alignment(recording=each.id, aligner=_tools["aligner"].name, turns=aligned) if passed else None
    folder.write("align", each.id, AlignItem(alignment=alignment, verdict=verdict), inputs)
