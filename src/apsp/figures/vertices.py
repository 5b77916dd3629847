"""The vertices of a small network: dots with their names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.figures.styles import FAINT, INK, PAPER, QUIET, literal

__all__ = ["MOST_NAMED", "draw_vertices"]

MOST_NAMED = 40
"""Vertices of the largest network whose names fit a map."""


def draw_vertices(
    axes: Any,
    points: npt.NDArray[np.float64],
    values: npt.NDArray[np.float64] | None,
    colours: Mapping[str, Any],
    names: Sequence[str],
    marked: Sequence[tuple[npt.NDArray[np.float64], str]],
) -> None:
    """Draw dots in the colours of their values, and the names of those that no route marks."""
    from matplotlib.patheffects import Normal, Stroke

    there = np.isfinite(points).all(axis=1)
    plain = there if values is None else there & ~np.isfinite(values)
    x, y = points[plain].T
    axes.scatter(x, y, s=42, color=QUIET if values is None else FAINT, edgecolors=PAPER, zorder=4.5)
    if values is not None and colours:
        known = there & ~plain
        x, y = points[known].T
        axes.scatter(x, y, s=42, c=values[known], edgecolors=PAPER, zorder=4.5, **colours)
    for vertex in np.flatnonzero(there).tolist():
        if not any(np.array_equal(points[vertex], point) for point, _ in marked):
            axes.annotate(
                literal(names[vertex]), points[vertex], xytext=(0, 6), textcoords="offset points", fontsize=8,
                ha="center", va="bottom", color=INK, zorder=4.6, parse_math=False,
                path_effects=[Stroke(linewidth=2.5, foreground=PAPER), Normal()],
            )  # fmt: skip
