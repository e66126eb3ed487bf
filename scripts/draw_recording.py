"""Draw one released recording: waveform, a lane a speaker, and the state of every decision over time.

    python scripts/draw_recording.py cohorts/supply_chain-s20260131 sc00015-a docs/recording.svg
    python scripts/draw_recording.py cohorts/supply_chain-s20260131 sc00015-a docs/recording.png

The ending of the file decides: SVG for a page, PNG (with one event close up; `recording_picture`, needs the extra
[plots]) to look at. Bars in a lane are turns. In a decision's row the band is its state (active, held, settled), a mark is an event at
its anchor window, with what was said of the value.
"""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Iterator
from html import escape
from pathlib import Path

import numpy as np
import soundfile

from dtbuild.align.textgrid import read_textgrid
from dtbuild.boundary import load
from dtbuild.lexicon import say
from dtbuild.records.cohort import Gold, GoldEvent, GoldTrajectory, PublicSchema
from dtbuild.records.plan import state_after
from dtbuild.records.script import Script, speakers
from dtbuild.release.timing import characters

WIDTH, LEFT, RIGHT, WAVE, LANE, ROW, LABEL = 1400, 190, 30, 90, 26, 66, 110
LANES = ("#4878a8", "#b8653a", "#5b8c5a", "#8a6aa8")
STATES = {"active": "#bcd4ec", "held": "#f4d79a", "settled": "#bfe0bd"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cohort", type=Path)
    parser.add_argument("recording")
    parser.add_argument("target", type=Path)
    options = parser.parse_args()
    release = options.cohort / "release"
    gold = load(release / "gold" / f"{options.recording}.json", Gold)
    script = load(release / "scripts" / f"{options.recording}.json", Script)
    schema = load(release / "public" / "schema.json", PublicSchema)
    samples, _ = soundfile.read(release / "public" / "audio" / f"{options.recording}.wav", dtype="float32")
    if options.target.suffix == ".png":
        import recording_picture

        turn = recording_picture.close_up(gold).evidence.turn
        grid = read_textgrid(release / "textgrids" / f"{options.recording}.TextGrid")
        times = [(window.start_us / 1e6, window.end_us / 1e6) for _, window in characters(grid, gold)[turn]]
        recording_picture.draw(options.target, gold, script, schema, samples, times)
    else:
        options.target.write_text(draw(gold, script, schema, samples), "utf-8")


def draw(gold: Gold, script: Script, schema: PublicSchema, samples: np.ndarray) -> str:
    """The picture as SVG text; the same recording gives the same bytes."""
    scale = (WIDTH - LEFT - RIGHT) / gold.duration_us
    heights = [ROW + 30 * max(_levels(each, scale)) for each in gold.trajectories]
    height = 40 + WAVE + LANE * len(gold.speakers) + sum(heights) + 60
    lanes = 40 + WAVE
    rows = lanes + LANE * len(gold.speakers) + 26
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{height}" fill="white"/>',
        f'<text x="12" y="24" font-size="15" font-weight="bold">{gold.recording}</text>',
        *_clock(gold, scale, height),
        _wave(samples, 40, 40 + WAVE),
    ]
    label = speakers(script)
    for number, each in enumerate(gold.speakers):
        y = lanes + LANE * number
        parts.append(f'<text x="12" y="{y + 17}">{each.speaker} {escape(each.name)} · {escape(each.title)}</text>')
    order = {each.speaker: number for number, each in enumerate(gold.speakers)}
    windows = {turn.turn: turn.window for turn in gold.turns}
    for turn in script.turns:
        window, lane = windows[turn.id], order[label[turn.person]]
        x, width = LEFT + window.start_us * scale, window.length_us * scale
        parts.append(
            f'<rect x="{x:.1f}" y="{lanes + LANE * lane + 4}" width="{width:.1f}" height="{LANE - 8}" rx="2" '
            f'fill="{LANES[lane % 4]}"><title>{escape(turn.text)}</title></rect>'
        )
    names = {(field.entity, field.field): field.label for field in schema.fields}
    for number, trajectory in enumerate(gold.trajectories):
        name = names.get((trajectory.entity, trajectory.field), trajectory.field)
        parts += _row(trajectory, name, rows + sum(heights[:number]), scale, gold.duration_us)
    x = LEFT
    for state, colour in STATES.items():
        parts.append(f'<rect x="{x}" y="{height - 22}" width="14" height="12" fill="{colour}"/>')
        parts.append(f'<text x="{x + 19}" y="{height - 12}">{state}</text>')
        x += 90
    return "\n".join([*parts, "</svg>", ""])


def _clock(gold: Gold, scale: float, height: int) -> Iterator[str]:
    for second in range(0, gold.duration_us // 1_000_000 + 1, 15):
        x = LEFT + second * 1_000_000 * scale
        yield f'<line x1="{x:.1f}" y1="34" x2="{x:.1f}" y2="{height - 30}" stroke="#eee"/>'
        yield f'<text x="{x:.1f}" y="28" fill="#888" text-anchor="middle">{second // 60}:{second % 60:02d}</text>'


def _wave(samples: np.ndarray, top: int, bottom: int) -> str:
    columns = WIDTH - LEFT - RIGHT
    edges = np.linspace(0, len(samples), columns + 1).astype(int)
    middle, reach = (top + bottom) / 2, (bottom - top) / 2 - 4
    peaks = [float(np.abs(samples[a:b]).max()) if b > a else 0.0 for a, b in itertools.pairwise(edges)]
    loudest = max(peaks) or 1.0
    lines = [
        f"M{LEFT + x} {middle - peak / loudest * reach:.1f}V{middle + peak / loudest * reach:.1f}"
        for x, peak in enumerate(peaks)
    ]
    return f'<path d="{"".join(lines)}" stroke="#9aa5b1" stroke-width="1" fill="none"/>'


def _row(trajectory: GoldTrajectory, name: str, top: int, scale: float, duration: int) -> Iterator[str]:
    yield f'<text x="12" y="{top + 16}" font-weight="bold">{escape(name)}</text>'
    if trajectory.instance:
        yield f'<text x="12" y="{top + 32}" fill="#666">{escape(trajectory.instance)}</text>'
    events = trajectory.events
    for number, (event, level) in enumerate(zip(events, _levels(trajectory, scale), strict=True)):
        begin = _begin(event)
        end = _begin(events[number + 1]) if number + 1 < len(events) else duration
        x, width = LEFT + begin * scale, (end - begin) * scale
        state = state_after(event.action)
        yield f'<rect x="{x:.1f}" y="{top + 4}" width="{width:.1f}" height="18" fill="{STATES[state]}"/>'
        for part in event.evidence.anchor:
            at, long = LEFT + part.start_us * scale, max(2.0, part.length_us * scale)
            yield f'<rect x="{at:.1f}" y="{top + 4}" width="{long:.1f}" height="18" fill="#222" opacity="0.55"/>'
        value = say(event.value) if event.value is not None else ""
        result = f" · {event.result}" if event.result else ""
        yield f'<text x="{x:.1f}" y="{top + 36 + 30 * level}">{event.action} {escape(event.speaker)}{result}</text>'
        yield f'<text x="{x:.1f}" y="{top + 50 + 30 * level}" fill="#555">{escape(value)}</text>'


def _levels(trajectory: GoldTrajectory, scale: float) -> list[int]:
    """0 or 1 for each event: a label that would run into the one before stands a level lower."""
    levels, free = [], [-1.0, -1.0]
    for event in trajectory.events:
        x = _begin(event) * scale
        level = 0 if x >= free[0] or free[0] <= free[1] else 1
        free[level] = x + LABEL
        levels.append(level)
    return levels


def _begin(event: GoldEvent) -> int:
    """Where the event's words begin, or its turn in a cohort without alignment."""
    return (*event.evidence.anchor, event.evidence.utterance)[0].start_us


if __name__ == "__main__":
    main()
