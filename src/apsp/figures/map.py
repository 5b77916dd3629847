"""A map: arcs at their coordinates, coloured by values of their vertices (distances), with a route on top."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from apsp.figures.bands import bands, colour_bar
from apsp.figures.files import require
from apsp.figures.options import Levels, Scale
from apsp.figures.route import Route, draw_inset, draw_route, is_short
from apsp.figures.routes import Routes, draw_routes
from apsp.figures.scale_bar import draw_scale_bar, metres_per_unit
from apsp.figures.styles import FAINT, QUIET
from apsp.figures.vertices import draw_vertices
from apsp.system.arguments import text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["Lines", "MapStyle", "draw_map"]

Points = npt.NDArray[np.float64]

_ROOM, _ROOM_FOR_NAMES = 0.02, 0.07
"""What is left free around the vertices, as a share of their extent."""

_NARROWEST = 6.0
"""Size of a figure in inches, large enough for titles."""


class Lines(NamedTuple):
    """k arcs as lines.

    Attributes
    ----------
    ends : (k, 2) int32
        The vertices that each joins.
    lines : sequence of k (p, 2) float64
        Its points.
    """

    ends: npt.NDArray[np.int32]
    lines: Sequence[Points]


@dataclass(frozen=True)
class MapStyle:
    """The style of a map; RequestError for a title or label that is not a string.

    Attributes
    ----------
    title, label : str
        Above the map, and above the colour bar.
    levels : int or sequence of numbers, optional
        Approximate number of bands of colour, or their upper limits (isochrones); by default about twelve.
    scale : {'metres', 'degrees', 'microdegrees'} or number, optional
        Unit of the coordinates, for a scale bar and for the true proportions of degrees.
    ax : matplotlib Axes, optional
        Axes to draw in; by default a new figure.
    """

    title: str = ""
    label: str = ""
    levels: Levels = None
    scale: Scale = None
    ax: Any = None

    def __post_init__(self) -> None:
        text(self.title, "title")
        text(self.label, "label")


def draw_map(
    points: Points,
    arcs: Lines,
    values: npt.NDArray[np.float64] | None,
    route: Route,
    style: MapStyle,
    names: Sequence[str] = (),
    routes: Routes = Routes(),  # noqa: B008 - it does not change
) -> Figure:
    """Draw arcs, each in the colour of the mean of its ends, and routes. Large values are drawn over small ones.

    Parameters
    ----------
    points : (n, 2) float64
        Coordinates; vertices with not-a-number are left out.
    arcs : Lines
        Those between vertices with coordinates.
    values : (n,) float64, optional
        Not-a-number where there is no value: such arcs are grey. None draws all arcs in the same colour.
    names : sequence of n str
        Of a small network, whose vertices are drawn.
    routes : Routes, optional
        More routes, each in a colour of its own.

    Raises
    ------
    RequestError
        If the style is invalid.
    MissingDependencyError
    """
    require()
    from apsp.figures.canvas import axes_for, entitle

    metres = metres_per_unit(style.scale, points)
    aspect = 1.0 if metres is None else metres[1] / metres[0]
    figure: Figure
    figure, axes = axes_for(style.ax, *_size(points, aspect))
    thin = float(np.clip(110 / np.sqrt(max(len(points), 1)), 0.25, 2.0))
    colours = _colours(arcs, values, style.levels, vertices=bool(names))
    drawn = _draw_arcs(axes, arcs, values, colours, thin)
    axes.set_aspect(aspect, anchor="W")
    axes.set_axis_off()
    _frame(axes, points, _ROOM_FOR_NAMES if names else _ROOM)
    draw_routes(axes, routes)
    short = is_short(points, route.line)
    draw_route(axes, route, named=not short)
    if short:
        inset = draw_inset(axes, points, route, aspect)
        _draw_arcs(inset, arcs, values, colours, max(thin, 1.0))
        draw_route(inset, route, named=True)
    if names:
        draw_vertices(axes, points, values, colours, names, route.marked)
    if metres is not None:
        draw_scale_bar(axes, metres)
    entitle(axes, style.title)
    if drawn is not None:
        colour_bar(figure, axes, drawn, style.label)
    return figure


def _colours(arcs: Lines, values: Points | None, levels: Levels, *, vertices: bool) -> dict[str, Any]:
    """The colour map and norm of all that is drawn; empty if nothing has a value."""
    if values is None:
        return {}
    drawn = np.append(values[arcs.ends].mean(axis=1), values if vertices else [])
    known = drawn[np.isfinite(drawn)]
    return bands(known, levels) if len(known) else {}


def _draw_arcs(axes: Any, arcs: Lines, values: Points | None, colours: dict[str, Any], thin: float) -> Any:
    """Draw arcs without a value in grey, then the others in colours, in the order of their values; return these, or
    None if there are none.
    """
    from matplotlib.collections import LineCollection

    if values is None:
        axes.add_collection(LineCollection(arcs.lines, colors=QUIET, linewidths=thin, zorder=1))
        return None
    mean = values[arcs.ends].mean(axis=1)
    order = np.argsort(mean, kind="stable")
    coloured = order[: np.count_nonzero(np.isfinite(mean))]
    unknown = [arcs.lines[arc] for arc in order[len(coloured) :].tolist()]
    axes.add_collection(LineCollection(unknown, colors=FAINT, linewidths=thin, zorder=1))
    if not len(coloured):
        return None
    lines = [arcs.lines[arc] for arc in coloured.tolist()]
    drawn = LineCollection(lines, array=mean[coloured], linewidths=thin, capstyle="round", zorder=2, **colours)
    axes.add_collection(drawn)
    return drawn


def _size(points: Points, aspect: float) -> tuple[float, float]:
    spread = np.nanmax(points, axis=0) - np.nanmin(points, axis=0)
    ratio = float(np.clip(spread[1] * aspect / spread[0] if spread[0] else 1.0, 0.4, 2.0))
    width = 8.0 if ratio <= 1 else 8.0 / ratio
    return max(width, _NARROWEST), width * ratio + 0.8


def _frame(axes: Any, points: Points, room: float) -> None:
    low, high = np.nanmin(points, axis=0), np.nanmax(points, axis=0)
    margin = room * max(float((high - low).max()), 1e-9)
    axes.set_xlim(low[0] - margin, high[0] + margin)
    axes.set_ylim(low[1] - margin, high[1] + margin)
