"""Write the first five families of the default seed to docs/samples, unselected: scripts beside their gold.

    python scripts/write_samples.py            rewrite docs/samples
    python scripts/write_samples.py --check    exit 1 when they are not what the writer writes today

A table a recording: turn, speaker, text with the event's words in bold, and what the turn carries.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from dtbuild.blueprint.load import load
from dtbuild.lexicon import say
from dtbuild.pipeline import generate, resolve
from dtbuild.pipeline.folder import Folder
from dtbuild.pipeline.text import Admitted, TextStages
from dtbuild.records.blueprint import Blueprint
from dtbuild.records.plan import Plan
from dtbuild.records.script import TRIGGER_KINDS, Script, Turn, speakers
from dtbuild.records.values import Value

FOLDER = Path(__file__).parents[1] / "docs" / "samples"
FAMILIES = 5


def main() -> int:
    config = resolve(scenario="supply_chain", groups=FAMILIES)
    pages = {}
    with tempfile.TemporaryDirectory() as scratch:
        generate(config, out=Path(scratch) / "c", until="variants")
        stages = TextStages(config, Folder(Path(scratch) / "c"), load(config.scenario))
        for family in stages.admissions(FAMILIES, variants=True):
            if not isinstance(family, Admitted):
                raise SystemExit(f"family {family.family} was rejected: {family.reason}")
            for plan, script in zip(family.plans, family.scripts, strict=True):
                pages[f"{script.recording}.md"] = page(plan, script, stages.blueprint)
    pages["README.md"] = index(config.seed, pages)
    FOLDER.mkdir(parents=True, exist_ok=True)
    stale = sorted({*pages} ^ {path.name for path in FOLDER.glob("*.md")})
    stale += [name for name, text in pages.items() if name not in stale and (FOLDER / name).read_text("utf-8") != text]
    if "--check" not in sys.argv:
        for path in FOLDER.glob("*.md"):
            path.unlink()
        for name, text in pages.items():
            (FOLDER / name).write_text(text, "utf-8")
    print(f"{len(stale)} of {len(pages)} pages differed" if stale else "all samples are current")
    return int(bool(stale) and "--check" in sys.argv)


def index(seed: int, pages: dict[str, str]) -> str:
    lines = [
        "# Samples",
        "",
        f"The first {FAMILIES} families of `supply_chain`, seed {seed}, as the writer wrote them: none left out, none edited.",
        "`scripts/write_samples.py` writes these pages; CI checks that they are current.",
        "",
        *(f"- [{Path(name).stem}]({name})" for name in sorted(pages)),
        "",
    ]
    return "\n".join(lines)


def page(plan: Plan, script: Script, blueprint: Blueprint) -> str:
    label = speakers(script)
    people = " · ".join(
        f"{label[each.id]} {each.name}, {each.title}" for each in sorted(script.cast, key=lambda p: label[p.id])
    )
    rows = [
        f"| {number} | {label[turn.person]} | {marked(turn, script)} | {'; '.join(carried(turn, plan, script))} |"
        for number, turn in enumerate(script.turns, 1)
    ]
    chains = [f"- {line}" for line in chain_lines(plan, blueprint, label)]
    head = [
        f"# {script.recording}",
        "",
        people,
        "",
        f"Planned: {', '.join(plan.phenomena) or 'nothing in particular'}.",
        "",
    ]
    table = ["| turn | who | text | what it carries |", "|---|---|---|---|", *rows]
    return "\n".join([*head, *table, "", "Gold", "", *chains, ""])


def marked(turn: Turn, script: Script) -> str:
    """The turn's text with the words of its events in bold."""
    bold = [False] * len(turn.text)
    for span in script.spans:
        if span.turn == turn.id and span.kind in TRIGGER_KINDS:
            bold[span.start : span.end] = [True] * (span.end - span.start)
    out, on = "", False
    for char, wanted in zip(turn.text, bold, strict=True):
        if wanted != on:
            out, on = out + "**", wanted
        out += char
    return out + ("**" if on else "")


def carried(turn: Turn, plan: Plan, script: Script) -> Iterator[str]:
    for trajectory, _, event in plan.events():
        if script.trigger(event.id) == turn.id:
            result = f", {event.result}" if event.result else ""
            yield f"{event.id} {trajectory.key} **{event.action}** {said(event.value)}{result}"
    for span in script.spans:
        if span.turn == turn.id and span.kind == "authority":
            yield f"authority for {span.target}"
    for mention in script.mentions:
        if mention.turn == turn.id and mention.role != "event":
            of = f" of {mention.target}" if mention.target else ""
            yield f"{turn.text[mention.start : mention.end]}: {mention.role}{of}"


def chain_lines(plan: Plan, blueprint: Blueprint, label: dict[str, str]) -> Iterator[str]:
    for trajectory in plan.trajectories:
        cycles = [
            " → ".join(
                f"{event.id} {event.action} {said(event.value)} ({label[event.person]})" for event in cycle.events
            )
            for cycle in trajectory.cycles
        ]
        name = blueprint.field(trajectory.key).said[0]
        yield f"{name} (`{trajectory.key}`{', ' + trajectory.instance if trajectory.instance else ''}): {' ‖ '.join(cycles)}"


def said(value: Value | None) -> str:
    return "–" if value is None else say(value)


if __name__ == "__main__":
    sys.exit(main())
