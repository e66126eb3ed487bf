"""What the sound stages share: recordings on their way to sound, and the families that fall out on it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from dtbuild.lexicon import spoken
from dtbuild.pipeline.config import Config
from dtbuild.pipeline.folder import Folder
from dtbuild.pipeline.progress import Counting
from dtbuild.pipeline.text import Admitted
from dtbuild.records.cohort import Withheld
from dtbuild.records.ids import family_of
from dtbuild.records.plan import Plan
from dtbuild.records.script import Script
from dtbuild.records.sound import SpeechRequest, Voice
from dtbuild.records.spoken import Spoken
from dtbuild.records.variant import VariantKind
from dtbuild.records.verdict import Finding, Verdict
from dtbuild.seeds import derive
from dtbuild.speech.casting import cast
from dtbuild.speech.similarity import Similarity
from dtbuild.speech.takes import take_id


class Recording(NamedTuple):
    """One recording on its way to sound: its texts, voices (by person) and takes, turn by turn."""

    id: str
    plan: Plan
    script: Script
    verdicts: tuple[Verdict, ...]
    spoken: dict[str, Spoken]
    voices: dict[str, Voice]
    takes: dict[str, tuple[str, SpeechRequest]]
    factor: VariantKind | None


class Quarantine:
    """Families that are withheld whole, each with the first reason found."""

    def __init__(self) -> None:
        self._reasons: dict[str, str] = {}

    @property
    def withheld(self) -> tuple[Withheld, ...]:
        return tuple(Withheld(family=family, reason=reason) for family, reason in self._reasons.items())

    def add(self, where: str, what: str, why: Sequence[Finding] | str) -> None:
        """`where` is a turn or a recording, `what` came to nothing, `why` are findings or an error's message."""
        if not isinstance(why, str):
            why = "; ".join(f"{each.code}: {each.message}" for each in why[:2])
        self._reasons.setdefault(family_of(where), f"{what} of {where} quarantined: {why}")

    def rest(self, recordings: Iterable[Recording]) -> list[Recording]:
        """The recordings of the other families."""
        return [each for each in recordings if each.plan.family not in self._reasons]


class Desk(NamedTuple):
    """Where the sound stages work, and by what rules; `retry` makes quarantined items again."""

    config: Config
    folder: Folder
    jobs: int
    retry: bool
    watcher: Counting
    quarantine: Quarantine


def recordings_of(
    family: Admitted, config: Config, voices: Sequence[Voice], engine: str, table: Similarity | None = None
) -> list[Recording]:
    """The recordings of a family, cast and cut into takes; `engine` is the engine's fingerprint.

    A take is keyed by its own content, so a turn that A and B share is spoken once and an edited script costs only
    its changed turns. `table` tells which voices may share a recording. Raises SettingsError when the population is too
    small for the cast.
    """
    people = [(person.id, person.gender) for person in family.plans[0].cast]
    by_person = cast(voices, people, seed=derive(config.seed, "cast", family.family), table=table)
    found = []
    for plan, script, verdicts in zip(family.plans, family.scripts, family.verdicts, strict=True):
        texts = {turn.id: spoken(turn.text) for turn in script.turns}
        takes: dict[str, tuple[str, SpeechRequest]] = {}
        seen = Counter[tuple[str, str]]()
        for turn in script.turns:
            key = (turn.person, turn.text)
            seen[key] += 1
            request = SpeechRequest(
                spoken=texts[turn.id],
                voice=by_person[turn.person],
                seed=derive(config.seed, "take", family.family, *key, seen[key]),
            )
            takes[turn.id] = (take_id(request, engine), request)
        factor = family.variant.kind if family.variant and plan is family.variant.plan else None
        found.append(Recording(script.recording, plan, script, verdicts, texts, by_person, takes, factor))
    return found
