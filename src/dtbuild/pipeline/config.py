"""What a cohort is made from: a config in YAML, resolved to one frozen record.

Everything in it but `groups` is the cohort's identity: family k depends on the config, the seed and k alone, so a
folder can be extended by running it again with more groups, and never mixes two configs.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from dtbuild import __version__, resources
from dtbuild.errors import SettingsError
from dtbuild.fingerprint import digest, sha256_file
from dtbuild.gold.settings import GoldSettings, pairs_to
from dtbuild.records.variant import VariantKind
from dtbuild.settings import decode, load_yaml

SEED = 20260131


class ScriptSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How long a recording is wanted to be, the speaking rate (汉字 a second, gaps included) to plan with, and how many
    turns a dialogue may have, ends included."""

    seconds: tuple[float, float] = (112.0, 235.0)
    rate: float = 4.0
    turns: tuple[int, int] = (20, 80)

    @property
    def chars(self) -> tuple[int, int]:
        low, high = self.seconds
        return round(low * self.rate), round(high * self.rate)


class ReviewSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`attempts`: how many sub-seeds a family may try before it is named as rejected."""

    attempts: int = 8


class SpeechSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    engine: str = "kokoro"
    voices: str = "kokoro"


class MixSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`overlap`: share of the back-channels that could begin early and do. `room_tone`: lowest and highest level of a
    family's room in dBFS RMS; None for digital silence in the gaps."""

    overlap: float = 0.0
    room_tone: tuple[float, float] | None = (-70.0, -62.0)


class AlignSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`adapt`: times come from a model trained on the cohort's own turns."""

    aligner: str = "viter"
    adapt: bool = False


class EvidenceSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`coarse_turns`: turns each side of the trigger in the coarse window; 0 for synthetic speech (spec, 5)."""

    coarse_turns: int = 0


class Config(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`groups` is the number of families, `pairs` the share of them that have an A and a B recording."""

    format: str = "dtbuild.config/1"
    kind: str = "decision_trace"
    scenario: str
    seed: int = SEED
    groups: int = 4
    pairs: float = 0.5
    gold: GoldSettings = GoldSettings()
    script: ScriptSettings = ScriptSettings()
    review: ReviewSettings = ReviewSettings()
    speech: SpeechSettings = SpeechSettings()
    mix: MixSettings = MixSettings()
    align: AlignSettings = AlignSettings()
    evidence: EvidenceSettings = EvidenceSettings()

    def is_pair(self, index: int) -> bool:
        """Whether group `index` (from 1) is a pair; depends on the share and the index alone."""
        return pairs_to(index, self.pairs) > pairs_to(index - 1, self.pairs)

    def change(self, index: int) -> VariantKind | None:
        """What variant B of group `index` changes, None where the group is no pair; depends on config and index."""
        return self.gold.variant(pairs_to(index, self.pairs)) if self.is_pair(index) else None


def load_config(name_or_path: str | Path) -> Config:
    """Read a config by shipped name or path. Raises UnknownName, or SettingsError listing every fault with its line."""
    document = load_yaml(resources.find("configs", name_or_path))
    try:
        return checked(decode(document, Config))
    except SettingsError as error:
        if str(document.name) in error.what:
            raise
        what = f"file {document.name}: {error.what}"
        raise SettingsError(what, expected=error.expected, found=error.found, fix="mend these values") from error


def checked(config: Config) -> Config:
    """The config itself; raises SettingsError listing every value out of its range."""
    faults = _faults(config)
    if faults:
        raise SettingsError("config", found="; ".join(faults), fix="mend these values")
    return config


def identity(config: Config) -> str:
    """Fingerprint of everything a cohort depends on but its size: config, blueprint, voices, dtbuild version.

    A file counts by what is in it, not by its path. Raises UnknownName when a file is not there.
    """
    files = [resources.find("blueprints", config.scenario), resources.find("voices", config.speech.voices)]
    return digest([__version__, placeless(config, groups=0), [sha256_file(path) for path in files]])


def placeless(config: Config, **changes: object) -> Config:
    """The config with paths of blueprint and voices reduced to their names: equal on any machine."""
    voices = msgspec.structs.replace(config.speech, voices=Path(config.speech.voices).stem)
    return msgspec.structs.replace(config, scenario=Path(config.scenario).stem, speech=voices, **changes)


def _faults(config: Config) -> list[str]:
    low, high = config.script.seconds
    weights = config.gold.speakers
    twos = weights.get("2", 0.0) / sum(weights.values())
    # the default weights are no wish: where nearly all families are pairs they give way
    room = twos + config.pairs <= 1 + 1e-9 or weights == GoldSettings().speakers or not 0 <= config.pairs <= 1
    quiet, loud = config.mix.room_tone or (-90.0, -50.0)
    checks = [
        (config.format == "dtbuild.config/1", f"format: expected dtbuild.config/1, found {config.format}"),
        (config.kind == "decision_trace", f"kind: expected decision_trace, found {config.kind}"),
        (1 <= config.groups <= 9999, f"groups: expected 1 to 9999, found {config.groups}"),
        (0 <= config.seed < 2**63, f"seed: expected 0 to 2^63 - 1, found {config.seed}"),
        (0 <= config.pairs <= 1, f"pairs: expected a share from 0 to 1, found {config.pairs}"),
        (
            room,
            f"gold.speakers: expected at most {1 - config.pairs:.2f} of the families with two people, since pairs "
            f"(pairs: {config.pairs}) need three, found {twos:.2f}: lower pairs or that weight",
        ),
        (0 < low < high, f"script.seconds: expected [shortest, longest], found [{low}, {high}]"),
        (
            0 < config.script.turns[0] < config.script.turns[1],
            f"script.turns: expected [fewest, most], found {list(config.script.turns)}",
        ),
        (1 <= config.script.rate <= 10, f"script.rate: expected 1 to 10 汉字 a second, found {config.script.rate}"),
        (0 <= config.mix.overlap <= 1, f"mix.overlap: expected a share from 0 to 1, found {config.mix.overlap}"),
        (
            -90 <= quiet <= loud <= -50,
            f"mix.room_tone: expected [quietest, loudest] dBFS from -90 to -50, or null, found [{quiet}, {loud}]",
        ),
        (
            config.align.aligner == "viter" or not config.align.adapt,
            f"align.adapt: expected the aligner viter, found {config.align.aligner}",
        ),
        (1 <= config.review.attempts <= 100, f"review.attempts: expected 1 to 100, found {config.review.attempts}"),
        (
            0 <= config.evidence.coarse_turns <= 5,
            f"evidence.coarse_turns: expected 0 to 5, found {config.evidence.coarse_turns}",
        ),
    ]
    return [message for holds, message in checks if not holds]
