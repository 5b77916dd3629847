"""The figure of a series: seconds against the axis, the printed numbers as hollow marks. Needs matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from apsp.experiments.cells import Cell
from apsp.experiments.model import Series
from apsp.experiments.table import rows
from apsp.plot import require

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["draw"]

_COLOURS = ("#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#ee8866", "#44bb99", "#997700")
_TUNED = ("#1f2430", "#5a6072", "#8a90a0", "#b4b9c6", "#3f4658")
_MARKS = "osD^vP*X<>"
_INK, _QUIET = "#1f2430", "#8a90a0"


def draw(series: Series, cells: Sequence[Cell], scale: float = 1.0) -> Figure:
    """Seconds, and below them how many times faster than the baseline of the series, if that ran.

    Parameters
    ----------
    scale : float
        The scale of the inputs; printed numbers are drawn where it is 1.

    Raises
    ------
    MissingDependencyError
    """
    require()
    from matplotlib.figure import Figure

    known = {(row.cell.case, row.cell.label): row for row in rows(series, cells)}
    shown = [one for one in series.entries if any((case.name, one.label) in known for case in series.cases)]
    panels = 2 if any(row.over_baseline is not None for row in known.values()) else 1
    figure = Figure(figsize=(9, 4.5 * panels), facecolor="white", layout="constrained")
    upper, *lower = figure.subplots(panels, 1, squeeze=False)[:, 0]
    places = _places(series, scale)
    for number, one in enumerate(series.entries):
        if one not in shown:
            continue
        palette = _TUNED if one.is_tuned else _COLOURS
        style: dict[str, Any] = {
            "color": palette[number % len(palette)], "marker": _MARKS[number % len(_MARKS)],
            "linestyle": "--" if one.is_tuned else "-", "linewidth": 1.6, "markersize": 6,
        }  # fmt: skip
        points = [
            (place, known[case.name, one.label])
            for place, case in zip(places, series.cases, strict=True)
            if (case.name, one.label) in known
        ]
        _line(upper, [(x, row.cell.time) for x, row in points], one.label, style)
        for axes in lower:
            _line(axes, [(x, row.over_baseline) for x, row in points], one.label, style)
    if scale == 1:
        _draw_printed(upper, series, places)
    _finish(upper, series, places, "seconds", scale)
    for axes in lower:
        _finish(axes, series, places, f"times faster than\n{series.baseline}", scale)
    upper.set_title(series.title, loc="left", fontsize=12, fontweight="bold", color=_INK, pad=10)
    upper.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False, fontsize=9)
    return figure


def _places(series: Series, scale: float) -> list[float]:
    """Where the cases stand on the axis: at their number, or one beside the other."""
    numbers = [case.x for case in series.cases]
    grows = series.axis in ("vertices", "arcs")
    return [float(number if x is None else x * scale if grows else x) for number, x in enumerate(numbers)]


def _line(axes: Axes, points: list[tuple[float, float | None]], label: str, style: dict[str, Any]) -> None:
    there = [(x, y) for x, y in points if y is not None]
    if there:
        axes.plot(*zip(*there, strict=True), label=label, **style)


def _draw_printed(axes: Axes, series: Series, places: list[float]) -> None:
    for number, one in enumerate(series.entries):
        points = [
            (place, series.printed[case.name, one.label])
            for place, case in zip(places, series.cases, strict=True)
            if (case.name, one.label) in series.printed
        ]
        if points:
            axes.plot(
                *zip(*points, strict=True), label=f"{one.label}, as printed", color=_COLOURS[number % len(_COLOURS)],
                marker=_MARKS[number % len(_MARKS)], markerfacecolor="white", linestyle=":", linewidth=1, markersize=7,
            )  # fmt: skip


def _finish(axes: Axes, series: Series, places: list[float], label: str, scale: float) -> None:
    from matplotlib.ticker import FuncFormatter, NullFormatter

    axes.set_yscale("log")
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.yaxis.set_minor_formatter(NullFormatter())
    if all(case.x is not None for case in series.cases):
        axes.set_xscale("log")
        axes.set_xticks(places, [f"{place:,.0f}" for place in places], rotation=20, ha="right")
        axes.minorticks_off()
    else:
        axes.set_xticks(places, [case.name for case in series.cases])
    axes.set_xlabel(series.axis + ("" if scale == 1 else f" (at {scale:g} of the paper's size)"), color=_INK)
    axes.set_ylabel(label, color=_INK)
    axes.grid(color="#e8eaef", zorder=0)
    axes.tick_params(colors=_QUIET, labelcolor=_INK, length=0)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
