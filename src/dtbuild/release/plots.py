"""The figures of a cohort as pictures: six PNG files for people, drawn with matplotlib, which is imported here alone.

Labels are ids and English words, never 汉字, so no font has to be there; a name with other characters is written in
escapes. Nothing reads the pictures back, and they are no part of a release.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from dtbuild.errors import MissingExtra
from dtbuild.records.cohort import Evidence, Gold, Stats
from dtbuild.release.folder import golds, manifest_of, release_of, reviews, scripts
from dtbuild.release.stats import measure
from dtbuild.store import placing

BLUE, ORANGE, GREEN = "#4878a8", "#b8653a", "#5b8c5a"
_BINS = 24


def plots(cohort: Path, out: Path) -> list[Path]:
    """Draw the figures of a released cohort into the folder `out`; the files that were written.

    Raises FolderError when there is no release, MissingExtra without matplotlib, StorageError when it cannot be
    written.
    """
    draw = _Drawing()
    root = release_of(cohort)
    gold, manifest = golds(root), manifest_of(root)
    data = _Data(gold, measure(gold, scripts(root), reviews(root)))
    title = _latin(f"{manifest.scenario}, seed {manifest.seed}: {len(gold)} recordings")
    written = []
    for name, panel in _PANELS.items():
        path = out / f"{name}.png"
        draw.picture(path, title, panel(data))
        written.append(path)
    return written


class Histogram(NamedTuple):
    """Numbers by series; `unit` stands under the axis."""

    what: str
    unit: str
    series: Mapping[str, Sequence[float]]


class Bars(NamedTuple):
    """One bar a name."""

    what: str
    unit: str
    bars: Mapping[str, float]


class _Data(NamedTuple):
    gold: Sequence[Gold]
    figures: Stats

    @property
    def evidence(self) -> list[Evidence]:
        return [event.evidence for one in self.gold for each in one.trajectories for event in each.events]


Panel = Histogram | Bars


def _lengths(data: _Data) -> list[Panel]:
    return [
        Histogram("recordings by duration", "seconds", {"": [one.duration_us / 1e6 for one in data.gold]}),
        Histogram("recordings by turns", "turns", {"": [float(len(one.turns)) for one in data.gold]}),
        Histogram(
            "turns by length", "seconds", {"": [turn.window.length_us / 1e6 for one in data.gold for turn in one.turns]}
        ),
    ]


def _voices(data: _Data) -> list[Panel]:
    said = data.figures.voices
    pace = {name: each.characters * 1e6 / each.speech_us if each.speech_us else 0.0 for name, each in said.items()}
    return [
        Bars("pace of voices, pauses in turns included", "characters a second", pace),
        Bars("turns of voices", "turns", {name: float(each.turns) for name, each in said.items()}),
    ]


def _events(data: _Data) -> list[Panel]:
    figures = data.figures
    return [
        Bars("events by action", "events", _floats(figures.actions)),
        Bars("events by type of value", "events", _floats(figures.values)),
        Bars("chains by number of events", "chains", _floats(figures.chain_length)),
        Bars("chains by field", "chains", _floats(figures.fields)),
    ]


def _phenomena(data: _Data) -> list[Panel]:
    whole = data.figures.recordings or 1
    rates = {name: 100 * count / whole for name, count in data.figures.phenomena.items()}
    return [Bars("recordings that show a phenomenon", "% of recordings", rates)]


def _windows(data: _Data) -> list[Panel]:
    series = {
        "utterance": [each.utterance.length_us / 1e6 for each in data.evidence],
        "coarse": [each.coarse.length_us / 1e6 for each in data.evidence],
        "anchor": [sum(part.length_us for part in each.anchor) / 1e6 for each in data.evidence if each.anchor],
    }
    return [Histogram(f"{name} windows of events", "seconds", {"": lengths}) for name, lengths in series.items()]


def _scores(data: _Data) -> list[Panel]:
    series = {
        "turn of the event": [each.score for each in data.evidence if each.score is not None],
        "mean of the anchor": [each.anchor_score for each in data.evidence if each.anchor_score is not None],
        "least of the anchor": [each.anchor_lowest for each in data.evidence if each.anchor_lowest is not None],
    }
    return [Histogram("events by alignment score", "score", {name: own for name, own in series.items() if own})]


_PANELS: dict[str, Callable[[_Data], list[Panel]]] = {
    "lengths": _lengths,
    "voices": _voices,
    "events": _events,
    "phenomena": _phenomena,
    "windows": _windows,
    "scores": _scores,
}


class _Drawing:
    """matplotlib without its global state: no window system, no style of the user."""

    def __init__(self) -> None:
        try:
            import matplotlib
            from matplotlib.backends.backend_agg import FigureCanvasAgg
            from matplotlib.figure import Figure
        except ImportError as error:
            raise MissingExtra(
                "matplotlib is not installed", expected="the extra [plots]", fix="pip install 'dtbuild[plots]'"
            ) from error
        self._figure, self._canvas, self._rules = Figure, FigureCanvasAgg, matplotlib.rc_context

    def picture(self, path: Path, title: str, panels: Sequence[Panel]) -> None:
        sizes = [max(1.9, 0.24 * len(each.bars) + 0.9) if isinstance(each, Bars) else 2.4 for each in panels]
        with self._rules({"font.family": "DejaVu Sans", "font.size": 9, "axes.titlesize": 10}):
            figure = self._figure(figsize=(8, 0.5 + sum(sizes)), layout="constrained")
            self._canvas(figure)
            figure.suptitle(title, fontsize=11)
            axes = figure.subplots(len(panels), 1, squeeze=False, gridspec_kw={"height_ratios": sizes})
            for axis, panel in zip(axes[:, 0], panels, strict=True):
                axis.set_title(panel.what, loc="left")
                axis.spines[["top", "right"]].set_visible(False)
                if isinstance(panel, Bars):
                    self._bars(axis, panel)
                else:
                    self._histogram(axis, panel)
            with placing(path) as temporary:
                figure.savefig(temporary, format="png", dpi=110, metadata={"Software": None})

    def _bars(self, axis: Any, panel: Bars) -> None:
        names, values = [_latin(name) for name in panel.bars], [*panel.bars.values()]
        if not names:
            self._nothing(axis)
            return
        drawn = axis.barh(range(len(names)), values, color=BLUE, height=0.7)
        axis.set_yticks(range(len(names)), names)
        axis.invert_yaxis()
        axis.set_xlabel(panel.unit)
        axis.bar_label(drawn, labels=[f"{value:,.4g}" for value in values], padding=3, fontsize=8)
        axis.margins(x=0.12)

    def _histogram(self, axis: Any, panel: Histogram) -> None:
        numbers = [number for own in panel.series.values() for number in own]
        if not numbers:
            self._nothing(axis)
            return
        low, high = min(numbers), max(numbers)
        for (name, own), colour in zip(panel.series.items(), (BLUE, ORANGE, GREEN), strict=False):
            edges = [low + (high - low or 1) * step / _BINS for step in range(_BINS + 1)]
            filled = len(panel.series) == 1
            axis.hist(own, bins=edges, color=colour, label=f"{name} ({len(own)})", histtype="bar" if filled else "step")
            axis.axvline(sorted(own)[len(own) // 2], color=colour if not filled else "#333", linewidth=1, linestyle=":")
        axis.set_xlabel(f"{panel.unit} (dotted: median)")
        axis.yaxis.get_major_locator().set_params(integer=True)
        if len(panel.series) > 1:
            axis.legend(frameon=False, fontsize=8)

    def _nothing(self, axis: Any) -> None:
        axis.text(0.5, 0.5, "none in this cohort", ha="center", va="center", transform=axis.transAxes)
        axis.set_axis_off()


def _floats(counts: Mapping[str, int]) -> dict[str, float]:
    return {name: float(count) for name, count in counts.items()}


def _latin(text: str) -> str:
    """The text in ASCII; what is not is escaped, since a font that lacks it would draw a box.

    >>> _latin("f01 月")
    'f01 \\\\u6708'
    """
    return text.encode("ascii", "backslashreplace").decode()
