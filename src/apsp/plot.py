"""Figures: a map coloured by distance, with a route on it, and the histogram of distances. Needs matplotlib.

The functions return matplotlib figures that belong to no window; `save` writes one to a file.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from apsp.errors import GraphError, MissingDependencyError, RequestError
from apsp.graph.labels import Label
from apsp.graph.model import Graph
from apsp.semiring import is_unreachable
from apsp.system.place import to_host

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["ENDINGS", "draw_histogram", "draw_map", "require", "save"]

ENDINGS = (".png", ".svg", ".pdf")

_INK, _QUIET, _PAPER, _ROUTE = "#1f2430", "#8a90a0", "#ffffff", "#e5446d"
_FONT = {"family": ["DejaVu Sans"], "color": _INK}


def draw_map(
    graph: Graph,
    distances: npt.ArrayLike,
    *,
    source: Label | None = None,
    route: Sequence[Label] = (),
    title: str = "",
    label: str = "distance",
) -> Figure:
    """Draw the graph on its coordinates, every arc coloured by the distance of its ends, and a route on top.

    Parameters
    ----------
    graph : Graph
        With coordinates.
    distances : (n,) array
        One row of distances; "no path" is drawn grey.
    source : hashable, optional
        The vertex that the distances start from, as the graph labels it, to be marked.
    route : sequence of hashable
        Vertices of a path to draw on top.

    Raises
    ------
    GraphError
        If the graph has no coordinates.
    MissingDependencyError
    """
    require()
    from matplotlib.collections import LineCollection
    from matplotlib.figure import Figure

    points = graph.coordinates
    if points is None or np.isnan(points).all():
        raise GraphError("a map needs coordinates, and this graph has none")
    segments, ends = _segments(graph, points)
    values, reached = _arc_values(to_host(distances), ends)
    width, height = _size(points)
    figure = Figure(figsize=(width, height), facecolor=_PAPER, layout="constrained")
    axes = figure.add_subplot()
    thin = float(np.clip(110 / np.sqrt(graph.n), 0.25, 2.0))
    axes.add_collection(LineCollection(list(segments[~reached]), colors="#d9dce3", linewidths=thin, zorder=1))
    arcs = LineCollection(list(segments[reached]), array=values, linewidths=thin, zorder=2, **_bands(values))
    axes.add_collection(arcs)
    start = None if source is None else graph.index(source)
    _draw_route(axes, graph, points, start, [graph.index(vertex) for vertex in route])
    _bare(axes, points)
    if title:
        axes.set_title(title, loc="left", fontsize=12, fontweight="bold", pad=10, fontdict=_FONT)
    if len(values):
        bar = figure.colorbar(arcs, ax=axes, orientation="horizontal", shrink=0.6, aspect=50, pad=0.01, anchor=(0, 1))
        _quiet_bar(bar, label)
    return figure


def draw_histogram(
    edges: npt.ArrayLike,
    counts: npt.ArrayLike,
    *,
    title: str = "",
    label: str = "distance",
    marks: Sequence[tuple[str, float]] = (),
) -> Figure:
    """Draw how many pairs are how far apart.

    Parameters
    ----------
    edges : (B + 1,) numbers
        Where the bins begin and end.
    counts : (B,) integers
        Pairs in each bin.
    marks : sequence of (str, float)
        Named distances to point at, such as ("mean", 12.5).

    Raises
    ------
    MissingDependencyError
    """
    require()
    from matplotlib.figure import Figure
    from matplotlib.ticker import EngFormatter, StrMethodFormatter

    edges, counts = np.asarray(edges, dtype=float), np.asarray(counts, dtype=float)
    figure = Figure(figsize=(8, 4.5), facecolor=_PAPER, layout="constrained")
    axes = figure.add_subplot()
    widths = np.diff(edges)
    axes.bar(edges[:-1], counts, width=widths, align="edge", color="#3f7f93", edgecolor=_PAPER, linewidth=0.6, zorder=2)
    top = counts.max(initial=1.0)
    for level, (name, value) in enumerate(sorted(marks, key=lambda mark: mark[1])):
        axes.axvline(value, color=_ROUTE, linewidth=1.2, zorder=3)
        right = value > edges[0] + 0.85 * (edges[-1] - edges[0])
        axes.annotate(
            name, (value, top * (1.04 + 0.07 * (level % 3))), xytext=(-4 if right else 4, 0), fontsize=9, color=_ROUTE,
            textcoords="offset points", va="bottom", ha="right" if right else "left",
            bbox={"facecolor": _PAPER, "edgecolor": "none", "pad": 1}, zorder=4,
        )  # fmt: skip
    axes.set_ylim(0, top * (1.28 if marks else 1.05))
    axes.set_xlabel(label, color=_INK)
    axes.set_ylabel("pairs of vertices", color=_INK)
    axes.yaxis.set_major_formatter(EngFormatter(sep=""))
    large = np.abs(edges).max(initial=0) >= 1e5
    axes.xaxis.set_major_formatter(EngFormatter(sep="") if large else StrMethodFormatter("{x:,.6g}"))
    axes.grid(axis="y", color="#e8eaef", zorder=0)
    axes.tick_params(colors=_QUIET, labelcolor=_INK, length=0)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(_QUIET)
    if title:
        axes.set_title(title, loc="left", fontsize=12, fontweight="bold", pad=10, fontdict=_FONT)
    return figure


def save(figure: Figure, path: str | Path, *, dpi: int = 120) -> None:
    """Write a figure in the format that the ending of `path` says; .png with 128 colours, a third of the size.

    Raises
    ------
    OutputError
        If the file cannot be written.
    RequestError
        If the ending is not .png, .svg or .pdf.
    """
    from apsp.system.replacing import replacing

    check_ending(path)
    with replacing(path) as file:
        if Path(path).suffix != ".png":
            figure.savefig(file, format=Path(path).suffix[1:])
            return
        from PIL import Image

        drawn = io.BytesIO()
        figure.savefig(drawn, format="png", dpi=dpi)
        Image.open(drawn).convert("RGB").quantize(128, dither=Image.Dither.NONE).save(file, format="png", optimize=True)


def check_ending(path: str | Path) -> None:
    """RequestError if `save` could not write to such a name."""
    if Path(path).suffix not in ENDINGS:
        raise RequestError(f"{path}: figures end in {', '.join(ENDINGS)}")


def require() -> None:
    """MissingDependencyError if matplotlib is not there."""
    try:
        import matplotlib.figure  # noqa: F401
    except ImportError:
        raise MissingDependencyError("matplotlib", "drawing figures", "plot") from None


def _segments(graph: Graph, points: npt.NDArray[np.float64]) -> tuple[npt.NDArray[Any], npt.NDArray[np.int32]]:
    """Ends of the arcs, (k, 2, 2) coordinates and (k, 2) vertices, two opposite arcs drawn once."""
    tails, heads = graph.tails(), graph.indices
    ends = np.unique(np.sort(np.stack([tails, heads], axis=1), axis=1), axis=0)
    known: npt.NDArray[np.bool_] = np.logical_not(np.isnan(points).any(axis=1))
    ends = ends[(ends[:, 0] != ends[:, 1]) & known[ends].all(axis=1)]
    return points[ends], ends


def _arc_values(
    distances: npt.NDArray[Any], ends: npt.NDArray[np.int32]
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.bool_]]:
    """Mean distance of the ends of the reached arcs, and which arcs are reached."""
    reached: npt.NDArray[np.bool_] = np.logical_not(is_unreachable(distances)[ends].any(axis=1))
    return distances.astype(np.float64)[ends[reached]].mean(axis=1), reached


def _bands(values: npt.NDArray[np.float64]) -> dict[str, Any]:
    """Colour map and norm: about twelve bands with round limits, so that equal distances show as lines."""
    from matplotlib import colormaps
    from matplotlib.colors import BoundaryNorm
    from matplotlib.ticker import MaxNLocator

    low, high = (float(values.min()), float(values.max())) if len(values) else (0.0, 1.0)
    limits = MaxNLocator(nbins=14, steps=[1, 2, 2.5, 5, 10]).tick_values(low, high)
    map_ = colormaps["viridis_r"]
    return {"cmap": map_, "norm": BoundaryNorm(limits, map_.N)}


def _size(points: npt.NDArray[np.float64]) -> tuple[float, float]:
    spread = np.nanmax(points, axis=0) - np.nanmin(points, axis=0)
    ratio = float(np.clip(spread[1] / spread[0] if spread[0] else 1.0, 0.4, 2.0))
    width = 8.0 if ratio <= 1 else 8.0 / ratio
    return width, width * ratio + 0.8


def _draw_route(
    axes: Axes, graph: Graph, points: npt.NDArray[np.float64], source: int | None, route: Sequence[int]
) -> None:
    from matplotlib.patheffects import Normal, Stroke

    if len(route) > 1:
        x, y = points[list(route)].T
        axes.plot(
            x, y, color=_ROUTE, linewidth=2.6, solid_capstyle="round", solid_joinstyle="round", zorder=4,
            path_effects=[Stroke(linewidth=5, foreground=_PAPER), Normal()],
        )  # fmt: skip
    marked = dict.fromkeys(([] if source is None else [source]) + [*route[:1], *route[-1:]])
    for vertex in marked:
        place = (float(points[vertex, 0]), float(points[vertex, 1]))
        axes.scatter([place[0]], [place[1]], s=70, color=_ROUTE, edgecolors=_PAPER, linewidths=2, zorder=5)
        axes.annotate(
            graph.labels.text(vertex), place, xytext=(0, 9), textcoords="offset points", ha="center", fontsize=9,
            fontweight="bold", color=_INK, zorder=6, path_effects=[Stroke(linewidth=3, foreground=_PAPER), Normal()],
        )  # fmt: skip


def _bare(axes: Axes, points: npt.NDArray[np.float64]) -> None:
    axes.set_aspect("equal")
    low, high = np.nanmin(points, axis=0), np.nanmax(points, axis=0)
    margin = 0.02 * max(float((high - low).max()), 1e-9)
    axes.set_xlim(low[0] - margin, high[0] + margin)
    axes.set_ylim(low[1] - margin, high[1] + margin)
    axes.set_axis_off()


def _quiet_bar(bar: Any, label: str) -> None:
    from matplotlib.ticker import EngFormatter, StrMethodFormatter

    bar.outline.set_visible(False)
    large = bar.norm.vmax >= 1e5
    bar.set_ticks(bar.norm.boundaries[::2])
    bar.formatter = EngFormatter(sep="") if large else StrMethodFormatter("{x:,.6g}")
    bar.update_ticks()
    bar.ax.tick_params(colors=_QUIET, labelcolor=_INK, labelsize=9, length=0)
    bar.ax.minorticks_off()
    bar.ax.set_title(label, loc="left", color=_INK, fontsize=9, pad=4)
