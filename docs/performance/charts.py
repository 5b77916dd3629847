"""Draws the charts of docs/performance.md from benchmarks/results: `python -m docs.performance.charts`."""

from __future__ import annotations

from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, NullLocator

from benchmarks.charts import CHARTS, Chart, ratio_words

from ..papers.figures import style

IMAGES = Path(__file__).resolve().parent / "images"
_LINE = "#dfe3e9"
_MARKS = {
    "apsp": ("o", style.BLUE), "apsp, from a Graph": ("D", style.SKY), "apsp, 16 cores": ("D", style.SKY),
    "apsp, 2 GPUs": ("<", style.BLUE), "apsp, 4 GPUs": ("<", style.SKY), "SciPy": ("s", style.ORANGE),
    "NetworKit": ("^", style.GREEN), "Numba": ("v", style.PURPLE), "rustworkx": ("P", style.RED),
    "Triton": ("^", style.GREEN), "torch.compile": ("v", style.PURPLE), "PyTorch": ("P", style.RED),
    "CuPy": ("X", style.QUIET),
}  # fmt: skip


def draw(name: str, chart: Chart) -> None:
    """A line per input, from the least time to the largest; at the right, our time and the ratio."""
    drawn = style.figure(10.5, 1.5 + 0.36 * len(chart.rows))
    axes = drawn.subplots()
    for y, row in enumerate(chart.rows):
        times = [one.seconds for one in row.points]
        axes.hlines(y, min(times), max(times), color=_LINE, linewidth=4, zorder=1)
        for one in reversed(row.points):
            shape, colour = _MARKS[one.program]
            face = "white" if one.estimated else colour
            axes.plot(one.seconds, y, shape, markersize=9, color=face, markeredgecolor=colour, markeredgewidth=1.6)
        axes.text(1.12, y, _duration(times[0]), transform=axes.get_yaxis_transform(), ha="right", va="center")
        words = "" if row.ratio is None else f"{ratio_words(row.ratio)}x"
        axes.text(1.25, y, words, transform=axes.get_yaxis_transform(), ha="right", va="center", weight="bold")
    for x, head in ((1.12, "apsp"), (1.25, "ratio")):
        axes.text(x, -0.75, head, transform=axes.get_yaxis_transform(), ha="right", va="bottom", color=style.QUIET)
    _scales(axes, chart)
    _legend(axes, chart)
    style.save(drawn, name, IMAGES, chart.words)


def _scales(axes: Axes, chart: Chart) -> None:
    axes.set_yticks(range(len(chart.rows)), [row.label for row in chart.rows])
    axes.set_ylim(len(chart.rows) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _place: _duration(value)))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.grid(axis="x", color=_LINE, linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines["left"].set_visible(False)
    axes.set_xlabel(f"{chart.axis}, logarithmic scale: left is faster")


def _legend(axes: Axes, chart: Chart) -> None:
    programs = dict.fromkeys(one.program for row in chart.rows for one in row.points)
    marks = [
        Line2D([], [], linestyle="none", marker=_MARKS[one][0], color=_MARKS[one][1], markersize=9, label=one)
        for one in programs
    ]
    if any(one.estimated for row in chart.rows for one in row.points):
        marks.append(
            Line2D([], [], linestyle="none", marker="o", color="white", markeredgecolor=style.INK, markersize=9,
                   label="hollow: estimated from a part of the work")
        )  # fmt: skip
    spaces = {"handletextpad": 0.1, "columnspacing": 1}
    axes.figure.legend(handles=marks, loc="outside upper left", ncols=9, frameon=False, **spaces)


def _duration(value: float) -> str:
    unit, factor = ("s", 1.0) if value >= 1 else ("ms", 1e3) if value >= 1e-3 else ("µs", 1e6)
    return f"{value * factor:,.0f} {unit}" if value * factor >= 100 else f"{value * factor:.3g} {unit}"


if __name__ == "__main__":
    for name, chart in CHARTS.items():
        draw(name, chart())
