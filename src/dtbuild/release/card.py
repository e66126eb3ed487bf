"""The data card of a release: the shipped template, filled from the manifest and the figures and nothing else.

>>> fill("{{a}} of {{b}}", {"a": "1", "b": "2"})
'1 of 2'
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from dtbuild import resources
from dtbuild.records.cohort import Manifest, PublicSchema, Stats
from dtbuild.release.stats import figure_groups

TEMPLATE = "data_card.md"

_COMMENT = re.compile(r"<!--.*?-->\n+", re.DOTALL)
_NAME = re.compile(r"\{\{(\w+)\}\}")


def data_card(manifest: Manifest, figures: Stats, schema: PublicSchema) -> str:
    """The card as Markdown. The manifest may lack its own entry for the card: hashes of files are not stated."""
    template = _COMMENT.sub("", resources.text(TEMPLATE))
    return fill(template, _values(manifest, figures, schema))


def fill(template: str, values: Mapping[str, str]) -> str:
    """The template with every `{{name}}` replaced. Raises KeyError for a name that has no value."""
    return _NAME.sub(lambda match: values[match[1]], template)


def _values(manifest: Manifest, figures: Stats, schema: PublicSchema) -> dict[str, str]:
    edited = [each.recording for each in manifest.recordings if each.edited]
    return {
        "name": f"{manifest.scenario}, seed {manifest.seed}",
        "title": schema.title,
        "scenario": manifest.scenario,
        "seed": str(manifest.seed),
        "dtbuild": manifest.dtbuild,
        "recordings": f"{figures.recordings:,}",
        "hours": f"{figures.duration.total_us / 3.6e9:.2f}",
        "engine": manifest.engine.name,
        "engine_fingerprint": manifest.engine.fingerprint[:12],
        "talk": _talk(manifest),
        **_alignment(manifest),
        "reviews": _reviews(figures),
        "figures": _figures(figures),
        "pairs": _pairs(manifest),
        "fields": str(len(schema.fields)),
        "scopes": str(len(schema.scopes)),
        "withheld": "; ".join(f"{each.family} ({each.reason})" for each in manifest.withheld) or "none",
        "edited": ", ".join(edited) or "none",
        "config_fingerprint": manifest.config_fingerprint,
        "content_hash": manifest.content_hash,
        "audio_hash": manifest.audio_hash,
        "cast": str(len(manifest.voices)),
        "mixed": str(sum(len(voice.recipe) > 1 for voice in manifest.voices)),
        "voices": _voices(manifest),
        "assets": _assets(manifest),
    }


def _talk(manifest: Manifest) -> str:
    """What the mix adds to the turns, by its config."""
    mix = manifest.config.get("mix")
    mix = mix if isinstance(mix, dict) else {}
    share = mix.get("overlap") or 0
    overlap = f"{share:.0%} of the short assents that could begin early do; else people" if share else "People"
    room = "under them lies the steady noise of a quiet room" if mix.get("room_tone") else "the room is silent"
    return f"{overlap} speak one after another; {room}."


def _alignment(manifest: Manifest) -> dict[str, str]:
    """What the card says of times, with an aligner and without."""
    if manifest.aligner is None:
        return {
            "grain": "turn",
            "alignment": "`alignment: none`. No character was timed, and the speech was gated by the speech gate alone: "
            "no aligner\n   compared it with its text.",
            "evidence": "Of each event: `utterance`, its turn; `coarse`, the window that scores use. There is no "
            "`anchor` and no score.",
            "times": "No character has a time in this cohort, and nothing has checked that each word of a turn can be "
            "heard.",
            "timed": "turns",
        }
    return {
        "grain": "character",
        "alignment": f"Forced alignment of every 汉字 by `{manifest.aligner.name}` (`{manifest.aligner.fingerprint}`).",
        "evidence": "Of each event: `anchor`, the words that carry it; `utterance`, its turn; `coarse`, the window "
        "that\n   scores use.",
        "times": "Character times come from an aligner, not from a person. `score` says how well a turn fits, "
        "`anchor_score` how well\n  the event's own words do; edges next to a pause are surer than edges inside a phrase.",
        "timed": "turns and characters",
    }


def _reviews(figures: Stats) -> str:
    lines = []
    for name, outcomes in figures.verdicts.items():
        counts = ", ".join(f"{outcomes.get(key, 0):,} {word}" for key, word in _OUTCOMES.items())
        lines.append(f"   - {name}: {counts}")
    return "\n".join(lines) or "   - no verdict is stored"


_OUTCOMES = {"pass": "passed", "fail": "failed", "no_verdict": "without a verdict"}


def _figures(figures: Stats) -> str:
    rows = [
        (title if not index else "", name, value)
        for title, table in figure_groups(figures)
        for index, (name, value) in enumerate(table)
    ]
    return _table(("", "what", "figure"), rows)


def _pairs(manifest: Manifest) -> str:
    if not manifest.pairs:
        return "There are no pairs in this cohort."
    rows = [
        (
            f"`{pair.family}`",
            (pair.factor or "not declared").replace("_", " "),
            str(pair.turns_changed),
            "; ".join(
                f"{_event(each.trajectory, each.event)} {each.what}: {each.a} → {each.b}" for each in pair.changes
            ),
        )
        for pair in manifest.pairs
    ]
    return _table(("family", "change", "turns that differ", "what differs in gold, A → B"), rows)


def _event(trajectory: str, event: str | None) -> str:
    return " ".join(part for part in (trajectory, event) if part)


def _voices(manifest: Manifest) -> str:
    rows = [
        (
            f"`{voice.id}`",
            voice.gender,
            " + ".join(f"{part.weight:g} {part.style}" for part in voice.recipe),
            voice.licence,
            voice.attribution,
        )
        for voice in manifest.voices
    ]
    return _table(("voice", "gender", f"recipe ({manifest.engine.name})", "licence", "attribution"), rows)


def _assets(manifest: Manifest) -> str:
    rows = [
        (
            each.kind,
            f"{each.package} {each.version}",
            f"`{each.file}`",
            each.licence,
            each.attribution + (f" (derived from {each.derived_from})" if each.derived_from else ""),
            f"`{each.sha256[:12]}`",
        )
        for each in manifest.assets
    ]
    return _table(("asset", "package", "file", "licence", "attribution", "sha256"), rows)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(_cell(text) for text in row) + " |" for row in lines)


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())
