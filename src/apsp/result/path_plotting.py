"""A map of several paths: the streets around them in grey, and each path in a colour of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from apsp._types import NumPyArray
from apsp.figures.map import MapStyle, draw_map
from apsp.figures.route import Route
from apsp.figures.routes import Routes
from apsp.figures.vertices import MOST_NAMED
from apsp.graph import plotting
from apsp.graph.shapes.features import path_corners
from apsp.system.arguments import text
from apsp.system.numbers import number_words

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from apsp.graph.model import Graph
    from apsp.result.many_paths import ManyPaths

__all__ = ["draw_paths"]

_ROOM = 0.15
"""Around the paths, as a share of their extent."""


def draw_paths(
    paths: ManyPaths, lengths: Sequence[tuple[NumPyArray, str]], title: str | None, style: MapStyle
) -> Figure:
    """Draw the map of `ManyPaths.plot`.

    Parameters
    ----------
    lengths : sequence of ((k,) numbers, str)
        What the legend says of each path: numbers with their units.
    title : str or None
        None names the ends of the paths.

    Raises
    ------
    GraphError
        If the graph has no coordinates.
    RequestError
        If the paths consist of links, do not know their graph, or the style is invalid.
    MissingDependencyError
    """
    graph = paths._lying_on()
    points = plotting.known_points(graph)
    for _, unit in lengths:
        text(unit, "unit")
    there = np.flatnonzero(np.diff(paths.offsets))
    ends = [(int(paths.positions[paths.offsets[i]]), int(paths.positions[paths.offsets[i + 1] - 1])) for i in there]
    distinct = list(dict.fromkeys(ends))
    lines = []
    for number, (source, target) in zip(there.tolist(), ends, strict=True):
        name = ", ".join(f"{number_words(each[number].item())} {unit}".rstrip() for each, unit in lengths)
        if len(distinct) > 1:
            name = f"{plotting.name_of(graph, source)} to {plotting.name_of(graph, target)}: {name}"
        vertices = paths.positions[paths.offsets[number] : paths.offsets[number + 1]]
        lines.append((_line(graph, points, vertices, paths._links_between(number, number + 1)), name))
    both = dict.fromkeys(distinct[0]) if len(distinct) == 1 else {}
    marked = [(points[vertex], plotting.name_of(graph, vertex)) for vertex in both]
    if title is None:
        title = f"From {marked[0][1]} to {marked[-1][1]}" if marked else ""
    named = MapStyle(title, style.label, None, style.scale, style.ax)
    names = [plotting.name_of(graph, vertex) for vertex in range(graph.n)] if graph.n <= MOST_NAMED else []
    shown = points if names else _near(points, [line for line, _ in lines])
    grey, streets = np.full(graph.n, np.nan), plotting.lines_of(graph, shown)
    return draw_map(shown, streets, grey, Route(np.empty((0, 2)), marked), named, names, Routes(lines, style.label))


def _line(graph: Graph, points: NumPyArray, path: NumPyArray, links: NumPyArray | None) -> NumPyArray:
    known = path[np.isfinite(points[path]).all(axis=1)]
    return path_corners(
        graph, np.array([0, len(known)]), known, links=links if len(known) == len(path) else None
    ).points


def _near(points: NumPyArray, lines: list[NumPyArray]) -> NumPyArray:
    """The points around lines, and not-a-number elsewhere."""
    corners = np.concatenate([np.empty((0, 2)), *lines])
    if not len(corners) or not np.ptp(corners, axis=0).any():
        return points
    low, high = corners.min(axis=0), corners.max(axis=0)
    room = np.maximum(_ROOM * (high - low).max(), 0.3 * (high - low).max() - (high - low) / 2)
    inside = ((points >= low - room) & (points <= high + room)).all(axis=1)
    return np.where(inside[:, None], points, np.nan)
