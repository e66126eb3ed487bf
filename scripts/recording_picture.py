"""One released recording as a picture (PNG) for a person: what is heard, who speaks, what is decided, to the character.

Above, the whole recording: waveform, a lane a speaker, a row a decision with its state and the anchors of its events.
Below, one event close up: its waveform, the 汉字 at their times, and its three windows. 汉字 are drawn where a font of
this machine has them, pinyin where none has: never boxes.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
from matplotlib import font_manager, ft2font
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from dtbuild.lexicon import spoken
from dtbuild.records.cohort import Gold, GoldEvent, PublicSchema, Window
from dtbuild.records.plan import state_after
from dtbuild.records.script import Script, speakers
from dtbuild.release.brief import brief
from dtbuild.release.naming import letter
from dtbuild.release.terminal import cells

RATE = 24_000
LANES = ("#4878a8", "#b8653a", "#5b8c5a", "#8a6aa8")
STATES = {"active": "#bcd4ec", "held": "#f4d79a", "settled": "#bfe0bd"}
ANCHOR = "#c0392b"
MARGIN = 0.4
"""Seconds shown on each side of the turn that is drawn close up."""


def draw(path: Path, gold: Gold, script: Script, schema: PublicSchema, samples: Any, chars: list[tuple[float, float]]):
    """Write the picture. `chars` are the times in seconds of the 汉字 of the turn that `close_up` names."""
    font = cjk_font()
    rows, lanes = len(gold.trajectories), len(gold.speakers)
    heights = [1.1, 0.34 * lanes + 0.2, 0.78 * rows + 0.2, 2.3]
    with matplotlib.rc_context({"font.family": [*([font] if font else []), "DejaVu Sans"], "font.size": 9}):
        figure = Figure(figsize=(14, sum(heights) + 1.4), layout="constrained")
        FigureCanvasAgg(figure)
        wave, talk, chains, close = figure.subplots(4, 1, gridspec_kw={"height_ratios": heights})
        for axis in (wave, talk, chains):
            axis.set_xlim(0, gold.duration_us / 1e6)
            axis.spines[["top", "right"]].set_visible(False)
            axis.tick_params(labelbottom=axis is chains)
        title = f"{gold.recording} · {schema.title if font else gold.scenario} · {gold.duration_us / 1e6:.1f} s"
        wave.set_title(title, loc="left", fontsize=11)
        _wave(wave, samples, 0.0, len(samples) / RATE)
        _lanes(talk, gold, script, font is not None)
        _chains(chains, gold, schema, font is not None)
        event = close_up(gold)
        _close(close, gold, script, event, samples, chars, font is not None)
        chains.set_xlabel("seconds")
        figure.savefig(path, format="png", dpi=110, metadata={"Software": None})


def close_up(gold: Gold) -> GoldEvent:
    """The event that is drawn close up: of those whose turn lasts 3 to 7 s, the first with an anchor in pieces."""
    events = [event for trajectory in gold.trajectories for event in trajectory.events]
    fitting = [each for each in events if 3_000_000 <= each.evidence.utterance.length_us <= 7_000_000] or events
    return max(fitting, key=lambda each: min(2, len(each.evidence.anchor)))


def cjk_font() -> str | None:
    """The family name of a font here that has 汉字, registered; None where there is none."""
    wanted = (
        "cjk",
        "sourcehan",
        "source-han",
        "wqy",
        "wenquanyi",
        "simhei",
        "simsun",
        "msyh",
        "pingfang",
        "droidsansfallback",
    )
    files = sorted(file for file in font_manager.findSystemFonts() if any(name in file.lower() for name in wanted))
    for file in sorted(files, key=lambda file: ("regular" not in file.lower(), "sans" not in file.lower())):
        try:
            if ft2font.FT2Font(file).get_char_index(ord("额")):
                font_manager.fontManager.addfont(file)
                return str(font_manager.FontProperties(fname=file).get_name())
        except (OSError, RuntimeError):
            continue
    return None


def _wave(axis: Any, samples: Any, start: float, end: float, columns: int = 1_600) -> None:
    part = samples[round(start * RATE) : round(end * RATE)]
    edges = np.linspace(0, len(part), min(columns, len(part)) + 1).astype(int)
    low, high = (np.array([call(part[a:b]) for a, b in itertools.pairwise(edges)]) for call in (np.min, np.max))
    axis.fill_between(np.linspace(start, end, len(low)), low, high, color="#7b8794", linewidth=0.3)
    reach = float(max(abs(part.min()), abs(part.max()))) or 1.0
    axis.set_ylim(-reach * 1.05, reach * 1.05)
    axis.set_yticks([])
    axis.spines[["top", "right", "left"]].set_visible(False)


def _lanes(axis: Any, gold: Gold, script: Script, cjk: bool) -> None:
    order = {each.speaker: at for at, each in enumerate(gold.speakers)}
    tags = {event.evidence.turn for trajectory in gold.trajectories for event in trajectory.events}
    for turn in gold.turns:
        at = order[turn.speaker]
        axis.barh(at, turn.window.length_us / 1e6, left=turn.window.start_us / 1e6, height=0.62, linewidth=0,
                  color=LANES[at % 4], alpha=1.0 if turn.turn in tags else 0.45)  # fmt: skip
    names = [
        f"{each.speaker} {each.name} · {each.title}" if cjk else f"{each.speaker} {each.role}" for each in gold.speakers
    ]
    axis.set_yticks(range(len(names)), names)
    axis.invert_yaxis()
    axis.set_title("who speaks (full colour: turns that carry an event)", loc="left", fontsize=9)


def _chains(axis: Any, gold: Gold, schema: PublicSchema, cjk: bool) -> None:
    labels = {(field.entity, field.field): field.label for field in schema.fields}
    names = []
    for at, trajectory in enumerate(gold.trajectories):
        name = labels.get((trajectory.entity, trajectory.field), trajectory.key) if cjk else trajectory.key
        names.append(f"{letter(at)}  {name}" + (f"（{trajectory.instance}）" if cjk and trajectory.instance else ""))
        events = trajectory.events
        starts = [_first(event).start_us / 1e6 for event in events]
        free = [-1.0, -1.0, -1.0]  # where the next label may begin, level by level
        for number, (event, start) in enumerate(zip(events, starts, strict=True), 1):
            end = starts[number] if number < len(starts) else gold.duration_us / 1e6
            axis.barh(at, end - start, left=start, height=0.34, color=STATES[state_after(event.action)], linewidth=0)
            for part in event.evidence.anchor or (event.evidence.utterance,):
                axis.barh(at, part.length_us / 1e6, left=part.start_us / 1e6, height=0.34, color=ANCHOR, linewidth=0)
            text = f"{letter(at)}{number} {event.action}" + (f" {brief(event.value)}" if cjk else "")
            level = next((at for at, place in enumerate(free) if start >= place), free.index(min(free)))
            axis.text(start, at + 0.2 + 0.18 * level, text, fontsize=7, va="top", color="#333")
            free[level] = start + gold.duration_us / 1e6 * 0.0058 * cells(text)
    axis.set_yticks(range(len(names)), names)
    axis.set_ylim(len(names) - 0.2, -0.3)
    axis.set_title("what is decided (blue active, yellow held, green settled; red: the words of an event)", loc="left",
                   fontsize=9)  # fmt: skip


def _close(
    axis: Any, gold: Gold, script: Script, event: GoldEvent, samples: Any, chars: list[tuple[float, float]], cjk: bool
) -> None:
    evidence = event.evidence
    start = max(0.0, evidence.coarse.start_us / 1e6 - MARGIN)
    end = min(gold.duration_us / 1e6, evidence.coarse.end_us / 1e6 + MARGIN)
    _wave(axis, samples, start, end, 2_400)
    axis.set_xlim(start, end)
    low, high = axis.get_ylim()
    axis.set_ylim(low - 0.75 * (high - low), high)
    step = 0.17 * (high - low)
    windows: Iterable[tuple[str, tuple[Window, ...], str]] = (
        ("coarse", (evidence.coarse,), "#bcd4ec"),
        ("utterance", (evidence.utterance,), "#8fb3d6"),
        ("anchor", evidence.anchor, ANCHOR),
    )
    for number, (name, parts, colour) in enumerate(windows):
        y = low - step * (number + 2.1)
        for part in parts:
            axis.barh(y, part.length_us / 1e6, left=part.start_us / 1e6, height=step * 0.7, color=colour, linewidth=0)
        axis.text(start, y, name, va="center", fontsize=8)
    for part in evidence.anchor:
        axis.axvspan(part.start_us / 1e6, part.end_us / 1e6, color=ANCHOR, alpha=0.10, linewidth=0)
    text = next(turn.text for turn in script.turns if turn.id == evidence.turn)
    for char, (begin, finish) in zip(spoken(text).chars, chars, strict=False):
        axis.vlines((begin, finish), low, high, color="#555", linewidth=0.4, linestyle=":")
        axis.text((begin + finish) / 2, low - step * 0.7, char.hanzi if cjk else char.pinyin, ha="center", va="center",
                  fontsize=9 if cjk else 6, rotation=0 if cjk else 60)  # fmt: skip
    person = {label: person for person, label in speakers(script).items()}[event.speaker]
    name = next(each.name for each in script.cast if each.id == person) if cjk else event.speaker
    score = "" if evidence.score is None else f" · score of the turn {evidence.score:.2f}"
    score += "" if evidence.anchor_score is None else f", of the anchor {evidence.anchor_score:.2f}"
    axis.set_title(f"close up: {event.action} by {name}, {evidence.turn}{score}", loc="left", fontsize=9)
    axis.set_xlabel("seconds")


def _first(event: GoldEvent) -> Window:
    return event.evidence.anchor[0] if event.evidence.anchor else event.evidence.utterance
