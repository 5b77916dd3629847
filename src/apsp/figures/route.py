"""A route on a map: its line, its ends with their names, and an inset if it is too short to be seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.figures.styles import INK, PAPER, ROUTE, literal

__all__ = ["Route", "draw_inset", "draw_route", "is_short"]

_SHORT = 0.15
"""Share of the map's extent below which a route gets an inset."""

_INSET = 0.36
"""Share of the map's width and height that the inset takes."""


@dataclass(frozen=True)
class Route:
    """The route and the vertices to mark.

    Attributes
    ----------
    line : (k, 2) float64
        Points of a path; may be empty.
    marked : sequence of ((2,) float64, str)
        Points to mark, with their names: at most two.
    """

    line: npt.NDArray[np.float64]
    marked: Sequence[tuple[npt.NDArray[np.float64], str]]


def is_short(points: npt.NDArray[np.float64], line: npt.NDArray[np.float64]) -> bool:
    """Whether a route is hard to see on the whole map."""
    if len(line) < 2:
        return False
    return 0 < _extent(line) < _SHORT * _extent(points)


def _extent(points: npt.NDArray[np.float64]) -> float:
    return float((np.nanmax(points, axis=0) - np.nanmin(points, axis=0)).max())


def draw_route(axes: Any, route: Route, *, named: bool) -> None:
    """Draw the line and its ends; smaller and without names if an inset shows them."""
    from matplotlib.patheffects import Normal, Stroke

    wide = 2.6 if named else 1.8
    if len(route.line) > 1:
        x, y = route.line.T
        axes.plot(
            x, y, color=ROUTE, linewidth=wide, solid_capstyle="round", solid_joinstyle="round", zorder=4,
            path_effects=[Stroke(linewidth=2 * wide, foreground=PAPER), Normal()],
        )  # fmt: skip
    for number, (point, name) in enumerate(route.marked):
        place = (float(point[0]), float(point[1]))
        if np.isnan(place).any():
            continue
        size = 70 if named else 25
        axes.scatter(place[:1], place[1:], s=size, color=ROUTE, edgecolors=PAPER, linewidths=size / 35, zorder=5)
        if named:
            others = [other for place, (other, _) in enumerate(route.marked) if place != number]
            above = not others or place[1] > others[0][1] or (place[1] == others[0][1] and place[0] <= others[0][0])
            axes.annotate(
                literal(name), place, xytext=(0, 9 if above else -9), textcoords="offset points", fontsize=9,
                fontweight="bold", ha=_side(axes, place[0]), va="bottom" if above else "top", color=INK, zorder=6,
                path_effects=[Stroke(linewidth=3, foreground=PAPER), Normal()], parse_math=False,
            )  # fmt: skip


def _side(axes: Any, x: float) -> str:
    """Return the side of a name: names near the left or right end of the map are written towards its middle."""
    left, right = axes.get_xlim()
    place = (x - left) / (right - left)
    return "left" if place < 0.1 else "right" if place > 0.9 else "center"


def draw_inset(axes: Any, points: npt.NDArray[np.float64], route: Route, aspect: float) -> Any:
    """Draw axes with the surroundings of the route, in the emptiest corner that the route leaves free, and a box on the
    map around the part that they show.
    """
    from matplotlib.patches import Rectangle

    shown = route.line
    middle = (shown.min(axis=0) + shown.max(axis=0)) / 2
    (left, right), (bottom, top) = axes.get_xlim(), axes.get_ylim()
    origin, size = np.array([left, bottom]), np.array([right - left, top - bottom])
    half = 0.65 * float((np.ptp(shown, axis=0) / size).max()) * size
    middle = np.clip(middle, origin + half, origin + size - half)
    low, high = middle - half, middle + half
    corner = _corner((points - origin) / size, (low - origin) / size, (high - origin) / size)
    inset = axes.inset_axes(
        (*corner, _INSET, _INSET), xlim=(low[0], high[0]), ylim=(low[1], high[1]), facecolor=PAPER, zorder=7
    )
    inset.set_aspect(aspect)
    inset.set_xticks([])
    inset.set_yticks([])
    for side in inset.spines.values():
        side.set_color(INK)
    axes.add_patch(Rectangle(tuple(low), *(2 * half), fill=False, edgecolor=INK, linewidth=1, zorder=6))
    return inset


def _corner(
    places: npt.NDArray[np.float64], low: npt.NDArray[np.float64], high: npt.NDArray[np.float64]
) -> tuple[float, float]:
    """Return the lower left corner of the inset, in shares of the map: over the fewest vertices, and not over the box
    from low to high.
    """
    ends = (0.0, 1 - _INSET)
    corners = [(x, y) for x in ends for y in ends]

    def covered(corner: tuple[float, float]) -> tuple[bool, int]:
        over = bool(((low < np.add(corner, _INSET)) & (high > corner)).all())
        return over, int(((places >= corner) & (places <= np.add(corner, _INSET))).all(axis=1).sum())

    return min(corners, key=covered)
