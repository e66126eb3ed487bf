"""Write the first ten families of the default seed to docs/samples, unselected: scripts beside their gold.

    python scripts/write_samples.py            rewrite docs/samples
    python scripts/write_samples.py --check    exit 1 when they are not what the writer writes today

A table a recording: turn, speaker, text with the event's words in bold, and what the turn carries; and of each pair
the two texts side by side, as `dtbuild show --text` prints them. The first pair is also quoted in the guide.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from dtbuild.blueprint.load import load
from dtbuild.lexicon import say
from dtbuild.pipeline import resolve
from dtbuild.pipeline.admission import write_texts
from dtbuild.pipeline.folder import Folder
from dtbuild.pipeline.text import Admitted, TextStages
from dtbuild.records.blueprint import Blueprint
from dtbuild.records.plan import Plan
from dtbuild.records.script import TRIGGER_KINDS, Script, Turn, speakers
from dtbuild.records.values import Value
from dtbuild.release.matching import SIGNS
from dtbuild.release.reading import Reading, labels_of, text_of_plan
from dtbuild.release.schema import public_schema
from dtbuild.release.side_by_side import side_by_side

FOLDER = Path(__file__).parents[1] / "docs" / "samples"
FAMILIES = 10
WIDTH = 120
"""Columns of the pages side by side."""
GUIDE = FOLDER.parent / "first_cohort.md"
MARK = "<!-- quoted by scripts/write_samples.py -->\n"


def main() -> int:
    config = resolve(scenario="supply_chain", groups=FAMILIES)
    pages: dict[str, str] = {}
    families: list[Admitted] = []
    with tempfile.TemporaryDirectory() as scratch:
        folder, blueprint = Folder(Path(scratch)), load(config.scenario)
        stages = TextStages(config, folder, blueprint)
        for outcome in write_texts(config, folder, blueprint, until="variants", jobs=1):
            if outcome.attempt is None:
                raise SystemExit(f"family {outcome.family} was rejected: {outcome.reason}")
            family = stages.admitted(outcome.group, outcome.attempt)
            families.append(family)
            pages |= dict(pages_of(family, stages.blueprint))
    pages["README.md"] = index(config.seed, families)
    guide = GUIDE.read_text("utf-8")
    quoting = quoted(guide, excerpt(families, stages.blueprint))
    FOLDER.mkdir(parents=True, exist_ok=True)
    there = {path.name: path for pattern in ("*.md", "*.txt") for path in FOLDER.glob(pattern)}
    stale = sorted({*pages} ^ {*there})
    stale += [name for name, text in pages.items() if name in there and there[name].read_text("utf-8") != text]
    stale += [GUIDE.name] if quoting != guide else []
    if "--check" not in sys.argv:
        GUIDE.write_text(quoting, "utf-8")
        for path in there.values():
            path.unlink()
        for name, text in pages.items():
            (FOLDER / name).write_text(text, "utf-8")
    print(f"{len(stale)} of {len(pages) + 1} pages differed" if stale else "all samples are current")
    return int(bool(stale) and "--check" in sys.argv)


def pages_of(family: Admitted, blueprint: Blueprint) -> Iterator[tuple[str, str]]:
    """Name and text of every page of a family."""
    for plan, script in zip(family.plans, family.scripts, strict=True):
        yield f"{script.recording}.md", page(plan, script, blueprint)
    if family.variant:
        yield f"{family.family}.txt", both(family, blueprint, WIDTH) + "\n"


def both(family: Admitted, blueprint: Blueprint, width: int) -> str:
    """A and B of a pair side by side."""
    assert family.variant is not None
    a, b = map(text_of_plan, family.plans, family.scripts)
    schema = public_schema(blueprint)
    reading = Reading(family.family, schema.title, labels_of(schema), a, b, family.variant.kind)
    return side_by_side(reading, width=width)


def excerpt(families: Sequence[Admitted], blueprint: Blueprint) -> str:
    """The first pair with other words, or else the first: around its first turn that differs, and what does in gold."""
    pairs = [both(each, blueprint, 96).splitlines() for each in families if each.variant]
    lines = next((each for each in pairs if each[1].startswith("≠")), pairs[0])
    rules = [at for at, line in enumerate(lines) if line and set(line) <= set("─┼┴")]
    turns = [at for at in range(rules[0] + 1, rules[1]) if lines[at][:3].strip()] + [rules[1]]
    first = next(number for number, at in enumerate(turns) if set(lines[at]) & set(SIGNS))
    around = lines[turns[max(0, first - 2)] : turns[min(first + 3, len(turns) - 1)]]
    return "\n".join([*lines[: rules[0] + 1], "…", *around, "…", *lines[rules[1] : rules[1] + 4]])


def quoted(guide: str, words: str) -> str:
    """The guide with these words in the block after the mark."""
    before, after = guide.split(MARK)
    return f"{before}{MARK}```\n{words}\n```{after.split('```', 2)[2]}"


def index(seed: int, families: Sequence[Admitted]) -> str:
    lines = [
        "# Samples",
        "",
        f"The first {len(families)} families of `supply_chain`, seed {seed}, as the writer wrote them: none left out, none edited.",
        "`scripts/write_samples.py` writes these pages; CI checks that they are current.",
        "",
        "| family | one recording a page, with its gold | side by side |",
        "|---|---|---|",
        *map(row, families),
        "",
    ]
    return "\n".join(lines)


def row(family: Admitted) -> str:
    recordings = ", ".join(f"[{each.recording}]({each.recording}.md)" for each in family.scripts)
    kind = f"[{family.variant.kind.replace('_', ' ')}]({family.family}.txt)" if family.variant else ""
    return f"| {family.family} | {recordings} | {kind} |"


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
