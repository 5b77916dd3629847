"""The histogram of distances."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from apsp.figures.files import require
from apsp.figures.styles import BAR, INK, PAPER, QUIET, ROUTE, wrapped
from apsp.system.arguments import text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["draw_histogram"]

_LETTER = 0.0125
"""Width of a letter in the name of a mark, as a share of the axis."""


def draw_histogram(
    edges: npt.ArrayLike,
    counts: npt.ArrayLike,
    *,
    title: str = "",
    label: str = "distance",
    marks: Sequence[tuple[str, float]] = (),
    ax: Any = None,
) -> Figure:
    """Draw the number of pairs by distance.

    Parameters
    ----------
    edges : (B + 1,) numbers
        Limits of the bins. A bin of integers does not include its upper limit, so bars are centred on the integers that
        they stand for.
    counts : (B,) integers
        Pairs in each bin.
    marks : sequence of (str, float)
        Named distances to mark, such as ("mean", 12.5).
    ax : matplotlib Axes, optional
        Axes to draw in; by default a new figure.

    Raises
    ------
    RequestError
        If a text is not a string, or `ax` not axes.
    MissingDependencyError
    """
    require()
    text(label, "label")
    from matplotlib.ticker import EngFormatter, MaxNLocator, StrMethodFormatter

    from apsp.figures.canvas import axes_for, entitle

    edges, counts = np.asarray(edges), np.asarray(counts, dtype=float)
    whole = edges.dtype.kind in "iu"
    limits = edges.astype(float) - (0.5 if whole else 0.0)
    figure: Figure
    figure, axes = axes_for(ax, 8, 4.5)
    gap = 0.6 if len(counts) <= 200 else 0
    axes.bar(
        limits[:-1], counts, width=np.diff(limits), align="edge", color=BAR, edgecolor=PAPER, linewidth=gap, zorder=2
    )
    top = counts.max(initial=1.0)
    rows = _draw_marks(axes, limits, top, marks)
    axes.set_ylim(0, top * (1.08 + 0.075 * rows))
    axes.set_xlabel(wrapped(label, "label"), color=INK, parse_math=False)
    axes.set_ylabel("pairs of vertices", color=INK)
    axes.xaxis.set_major_locator(MaxNLocator(nbins=10, steps=[1, 2, 2.5, 5, 10], integer=whole))
    axes.yaxis.set_major_formatter(EngFormatter(sep=""))
    large = np.abs(limits).max(initial=0) >= 1e5
    axes.xaxis.set_major_formatter(EngFormatter(sep="") if large else StrMethodFormatter("{x:,.6g}"))
    axes.grid(axis="y", color="#e8eaef", zorder=0)
    axes.tick_params(colors=QUIET, labelcolor=INK, length=0)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(QUIET)
    entitle(axes, text(title, "title"))
    return figure


def _draw_marks(axes: Any, limits: npt.NDArray[np.float64], top: float, marks: Sequence[tuple[str, float]]) -> int:
    """Draw lines at named distances, with the names above the bars, in several rows if they would overlap."""
    span = max(float(limits[-1] - limits[0]), 1e-300)
    taken: list[list[tuple[float, float]]] = []
    for name, value in sorted(marks, key=lambda mark: mark[1]):
        place, wide = (value - limits[0]) / span, _LETTER * (len(name) + 1)
        right = place + wide > 1
        ends = (place - wide, place) if right else (place, place + wide)
        level = next(
            (row for row, used in enumerate(taken) if all(ends[1] <= low or high <= ends[0] for low, high in used)),
            len(taken),
        )
        if level == len(taken):
            taken.append([])
        taken[level].append(ends)
        height = top * (1.04 + 0.075 * level)
        axes.plot([value, value], [0, height], color=ROUTE, linewidth=1.2, zorder=3)
        axes.annotate(
            name, (value, height), xytext=(-4 if right else 4, 0), textcoords="offset points", fontsize=9, color=ROUTE,
            va="center", ha="right" if right else "left", bbox={"facecolor": PAPER, "edgecolor": "none", "pad": 1},
            zorder=4,
        )  # fmt: skip
    return len(taken)
