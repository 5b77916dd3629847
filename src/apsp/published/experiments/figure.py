"""The figures of a series: seconds, or counts, against the axis, and ratios below. Needs matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from apsp.figures.files import require
from apsp.published.experiments.cells import Cell
from apsp.published.experiments.counting import MEASURES, short, value
from apsp.published.experiments.counts_table import count_rows
from apsp.published.experiments.model import Series
from apsp.published.experiments.styles import INK, QUIET, label_ends, style_of
from apsp.published.experiments.table import rows

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["EMULATED", "draw"]

EMULATED = "emulated GPU: counts instead of seconds"
"""Text in the titles of figures and pages with counts."""

_PANEL = 4.5  # inches
_AXES = 0.8 * _PANEL * 72  # points

_NARROW = 4.0
"""Minimum ratio of top to bottom of an axis, so that a few percent do not look large."""

_WIDE = 100.0
"""Axes with a smaller ratio of top to bottom than this get more numbers."""

Lines = dict[str, list[tuple[float, float]]]
"""Label -> points."""


def draw(series: Series, cells: Sequence[Cell], scale: float = 1.0) -> Figure:
    """Draw seconds, and below them the speed-up over the baseline of the series, if that ran.

    If cells were counted on an emulated GPU: the measure of the series, and below it that of the baseline over that of
    each entry.

    Parameters
    ----------
    scale : float
        The scale of the inputs; printed numbers are drawn if it is 1.

    Raises
    ------
    MissingDependencyError
    """
    require()
    from matplotlib.figure import Figure

    is_counted = any(cell.counts is not None for cell in cells)
    upper, lower = _counts(series, cells) if is_counted else _seconds(series, cells, scale)
    panels = [upper, lower] if lower else [upper]
    figure = Figure(figsize=(10, _PANEL * len(panels)), facecolor="white", layout="constrained")
    every = figure.subplots(len(panels), 1, squeeze=False)[:, 0]
    styles = {one.label: style_of(number) for number, one in enumerate(series.entries)}
    unit = MEASURES[series.count].words if is_counted else "seconds"
    over = f"{series.counted_baseline} over each" if is_counted else f"times faster than\n{series.baseline}"
    if is_counted:
        ticks = _counted_ticks(series, cells)
    else:
        ticks = dict(zip((case.name for case in series.cases), _places(series, scale), strict=True))
    for axes, lines, label in zip(every, panels, (unit, over), strict=False):
        for name, points in lines.items():
            axes.plot(*zip(*points, strict=True), label=name, **styles[name])
        if axes is every[0] and scale == 1 and not is_counted:
            _draw_printed(axes, series, ticks, styles)
        _finish(axes, series, ticks, label, scale)
        if is_counted and any(case.x is None for case in series.cases):
            axes.set_xticks(list(ticks.values()), _sized(ticks, cells))
        ends = [(*points[-1], name, styles[name]) for name, points in lines.items()]
        label_ends(axes, ends, _AXES)
    title = f"{series.title}\n{EMULATED}" if is_counted else series.title
    every[0].set_title(title, loc="left", fontsize=12, fontweight="bold", color=INK, pad=10)
    return figure


def _seconds(series: Series, cells: Sequence[Cell], scale: float) -> tuple[Lines, Lines]:
    known = {(row.cell.case, row.cell.label): row for row in rows(series, cells)}
    upper: Lines = {}
    lower: Lines = {}
    for one in series.entries:
        for place, case in zip(_places(series, scale), series.cases, strict=True):
            row = known.get((case.name, one.label))
            if row is None:
                continue
            if row.cell.time:
                upper.setdefault(one.label, []).append((place, row.cell.time))
            if row.over_baseline:
                lower.setdefault(one.label, []).append((place, row.over_baseline))
    return upper, lower


def _counts(series: Series, cells: Sequence[Cell]) -> tuple[Lines, Lines]:
    ticks = _counted_ticks(series, cells)
    upper: Lines = {}
    lower: Lines = {}
    for row in count_rows(series, cells):
        place, number = ticks[row.cell.case], value(row.cell, series.count)
        if number:
            upper.setdefault(row.cell.label, []).append((place, number))
        if row.ratio:
            lower.setdefault(row.cell.label, []).append((place, row.ratio))
    return upper, lower


def _places(series: Series, scale: float) -> list[float]:
    """The positions of the cases on the axis: at their number, or side by side."""
    numbers = [case.x for case in series.cases]
    grows = series.axis in ("vertices", "arcs")
    return [float(number if x is None else x * scale if grows else x) for number, x in enumerate(numbers)]


def _counted_ticks(series: Series, cells: Sequence[Cell]) -> dict[str, float]:
    """The same at the sizes that were counted."""
    sizes = {cell.case: cell for cell in cells if cell.counts is not None}
    places = {}
    for number, case in enumerate(series.cases):
        cell = sizes.get(case.name)
        if cell is None:
            continue
        numbers = {"vertices": cell.n, "arcs": cell.m}
        places[case.name] = float(number if case.x is None else numbers.get(series.axis, case.x))
    return places


def _sized(ticks: dict[str, float], cells: Sequence[Cell]) -> list[str]:
    """Names of kinds of graphs with the size that was counted."""
    sizes = {cell.case: cell.n for cell in cells if cell.counts is not None}
    return [f"{case}\nn = {sizes[case]:,}" for case in ticks]


def _draw_printed(axes: Axes, series: Series, ticks: dict[str, float], styles: dict[str, dict[str, Any]]) -> None:
    """Draw printed seconds as hollow marks of the same shape."""
    labels = {label for _, label in series.printed}
    for one in series.entries:
        points = [
            (place, series.printed[case, one.label])
            for case, place in ticks.items()
            if (case, one.label) in series.printed
        ]
        if points:
            hollow = styles[one.label] | {"linestyle": "none", "markerfacecolor": "white", "markersize": 7}
            axes.plot(*zip(*points, strict=True), **hollow)
    if labels:
        axes.text(0.01, 0.98, "hollow marks: as printed", transform=axes.transAxes, va="top", fontsize=8.5, color=INK)


def _finish(axes: Axes, series: Series, ticks: dict[str, float], label: str, scale: float) -> None:
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    axes.set_yscale("log")
    low, high = axes.get_ylim()
    if high < _NARROW * low:
        middle = (low * high) ** 0.5
        low, high = middle / _NARROW**0.5, middle * _NARROW**0.5
        axes.set_ylim(low, high)
    if high < _WIDE * low:  # powers of ten alone would leave the axis without numbers
        axes.yaxis.set_major_locator(LogLocator(subs=(1.0, 1.5, 2.0, 3.0, 5.0, 7.0)))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}" if value < 1e4 else short(value)))
    axes.yaxis.set_minor_formatter(NullFormatter())
    places = list(ticks.values())
    if all(case.x is not None for case in series.cases):
        axes.set_xscale("log")
        axes.set_xticks(places, [f"{place:,.0f}" for place in places], rotation=20, ha="right")
        axes.minorticks_off()
    else:
        axes.set_xticks(places, list(ticks))
    axes.set_xlabel(series.axis + ("" if scale == 1 else f" (at {scale:g} of the paper's size)"), color=INK)
    axes.set_ylabel(label, color=INK)
    axes.grid(color="#e8eaef", zorder=0)
    axes.tick_params(which="both", colors=QUIET, labelcolor=INK, length=0)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
