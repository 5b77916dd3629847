"""Maps of a graph, and its display in notebooks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from apsp._types import VertexLike
from apsp.errors import GraphError, RequestError, format_bytes, shown
from apsp.figures.html import card
from apsp.figures.map import Lines, MapStyle, draw_map
from apsp.figures.route import Route
from apsp.figures.thumbnail import MOST_ARCS, MOST_VERTICES, thumbnail
from apsp.figures.vertices import MOST_NAMED
from apsp.graph.aligned import per_vertex
from apsp.graph.arc_positions import arcs_between
from apsp.graph.labels import Labels
from apsp.graph.places.path_ends import path_of, paths_in
from apsp.graph.places.path_steps import links_of_steps
from apsp.graph.places.places import Places
from apsp.graph.shapes.features import path_corners
from apsp.semiring import is_unreachable
from apsp.system.array_device import to_host
from apsp.system.numbers import number_words

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from apsp.graph.model import Graph

__all__ = [
    "draw", "graph_html", "graph_rows", "known_points", "known_values", "lines_of", "name_of", "positions_on",
    "route_between_places", "route_of", "small_map",
]  # fmt: skip

Values = npt.NDArray[np.float64]

_LONGEST = 40
"""Maximum number of letters of a label in a figure."""


def draw(graph: Graph, values: Any, route: Route, style: MapStyle) -> Figure:
    """Draw a map.

    Parameters
    ----------
    values : (n,) numbers or None
        "No path" and not-a-number are drawn grey.
    route : Route

    Raises
    ------
    GraphError
        If the graph has no coordinates.
    RequestError
        If values have another shape, or the style is invalid.
    MissingDependencyError
    """
    points = known_points(graph)
    found = None if values is None else known_values(graph, values)
    names = [name_of(graph, vertex) for vertex in range(graph.n)] if graph.n <= MOST_NAMED else []
    return draw_map(points, lines_of(graph, points), found, route, style, names)


def known_points(graph: Graph) -> Values:
    """The coordinates; GraphError if there are none."""
    points = graph.coordinates
    if points is None or np.isnan(points).any(axis=1).all():
        raise GraphError(
            "a map needs coordinates, and this graph has none: apsp.from_edges(..., coordinates=points), or "
            "graph.with_coordinates(apsp.layout(graph)), points by its distances"
        )
    return points


def route_of(
    graph: Graph, route: Sequence[int], marked: Sequence[int] = (), links: Sequence[int] | None = None
) -> Route:
    """A route along a path of positions and, if they are given, its links: its ends are marked, and other vertices.

    Raises
    ------
    GraphError, RequestError
        If the graph has no coordinates, or the links are not those of the path.
    """
    points = known_points(graph)
    names = [(points[vertex], name_of(graph, vertex)) for vertex in dict.fromkeys([*marked, *route[:1], *route[-1:]])]
    known = np.array([vertex for vertex in route if np.isfinite(points[vertex]).all()], dtype=np.int32)
    taken = None if links is None else links_of_steps(graph, path_of(route), [links], None, None)
    bounds = np.array([0, len(known)])
    return Route(path_corners(graph, bounds, known, links=taken if len(known) == len(route) else None).points, names)


def route_between_places(
    graph: Graph, route: Sequence[VertexLike], sources: Places | None, targets: Places | None,
    links: Sequence[int] | None = None,
) -> Route:  # fmt: skip
    """A route along a path of labels whose ends are places, or one of them, and its links if given: point to point.

    Raises
    ------
    GraphError, RequestError
        If the graph has no coordinates, or as `Graph.path_features`.
    """
    points = known_points(graph)
    found = paths_in(graph, [route], sources, targets)
    taken = None if links is None else links_of_steps(graph, found, [links], sources, targets)
    parts = [path_corners(graph, found.offsets, found.positions, found.before, found.after, taken).points]
    names = []
    for places, end in ((sources, found.sources), (targets, found.targets)):
        if end[0] < 0:  # no path
            continue
        labels, at = (graph.labels, points) if places is None else (places.labels, places.points)
        names.append((at[end[0]], _name(labels, int(end[0]))))
        if places is not None:
            parts.insert(0 if end is found.sources else len(parts), at[end])
    return Route(np.concatenate(parts), names)


def name_of(graph: Graph, vertex: int) -> str:
    """A label in a figure: one line, cut to a readable length."""
    return _name(graph.labels, vertex)


def _name(labels: Labels, position: int) -> str:
    text = " ".join(labels.text(position).split())
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


def positions_on(graph: Graph, route: Iterable[VertexLike]) -> list[int]:
    """The positions of the vertices of a path.

    Raises
    ------
    GraphError, RequestError
    """
    if not isinstance(route, Iterable) or getattr(route, "ndim", 1) != 1:
        raise RequestError(f"route must be a sequence of vertices, not {shown(route)}")
    return [graph.index(vertex) for vertex in route]


def known_values(graph: Graph, values: Any) -> Values:
    """Numbers of vertices as floats, not-a-number where they mean "no path".

    Raises
    ------
    RequestError
        If there is not one number per vertex.
    """
    try:
        array = to_host(per_vertex(values, graph.labels, "values"))
    except (TypeError, ValueError):  # NumPy cannot convert it to an array
        array = np.empty(0)
    if array.shape != (graph.n,) or array.dtype.kind not in "iufb":
        raise RequestError(f"values must be an array of {graph.n} numbers, one per vertex, not {shown(values)}")
    floats: Values = array.astype(np.float64)
    missing = ~np.isfinite(floats)
    if array.dtype.kind != "b":
        missing |= is_unreachable(array)
    floats[missing] = np.nan
    return floats


def _ends(graph: Graph, points: npt.NDArray[np.float64]) -> npt.NDArray[np.int32]:
    """(k, 2) pairs of vertices joined by an arc, each pair once; both have coordinates."""
    tails, heads = graph.tails(), graph.indices
    known: npt.NDArray[np.bool_] = np.logical_not(np.isnan(points).any(axis=1))
    keep = (tails != heads) & known[tails] & known[heads]
    low, high = np.minimum(tails, heads)[keep], np.maximum(tails, heads)[keep]
    pairs = np.unique(low.astype(np.int64) * graph.n + high)
    return np.stack(np.divmod(pairs, max(graph.n, 1)), axis=1).astype(np.int32)


def lines_of(graph: Graph, points: Values) -> Lines:
    """The arcs between vertices with coordinates, one per pair, with the bends of their links."""
    ends = _ends(graph, points)
    if graph.links is None or graph.links.bends is None:
        return Lines(ends, list(points[ends]))
    back = arcs_between(graph.indptr, graph.indices, *ends.T) < 0
    ends[back] = ends[back, ::-1]
    return Lines(ends, list(path_corners(graph, 2 * np.arange(len(ends) + 1), ends.ravel())))


def small_map(graph: Graph, values: Values | None = None) -> str:
    """A thumbnail in SVG; empty without coordinates, and for a large graph."""
    points = graph.coordinates
    if points is None or graph.n > MOST_VERTICES or graph.m > MOST_ARCS:
        return ""
    return thumbnail(points, _ends(graph, points), values)


def graph_html(graph: Graph) -> str:
    """The table of a graph, with a thumbnail."""
    name = type(graph).__name__
    return card(name, [*graph_rows(graph), ("memory", _memory(graph))], small_map(graph))


def graph_rows(graph: Graph) -> list[tuple[str, object]]:
    """The rows of the table of a graph."""
    some = ", ".join(graph.labels.word(vertex) for vertex in range(min(graph.n, 3)))
    points = graph.coordinates
    return [
        ("vertices", f"{graph.n:,}"),
        ("arcs", f"{graph.m:,}, {'directed' if graph.directed else 'undirected: two per edge'}"),
        ("weights", _weights(graph)),
        ("labels", f"{some}{', ...' if graph.n > 3 else ''}" if graph.has_labels else None),
        ("coordinates", None if points is None else f"of {int((~np.isnan(points).any(axis=1)).sum()):,} vertices"),
        ("zones", f"{int(graph.zones.sum()):,}" if graph.zones is not None and graph.has_zones else None),
    ]


def _weights(graph: Graph) -> str:
    if not graph.is_weighted:
        return "none: distances count arcs"
    low, high = graph.weight_range
    return f"{graph.weight_dtype}, {number_words(low)} to {number_words(high)}"


def _memory(graph: Graph) -> str | None:
    arrays = (vars(graph)["matrix"],) if "matrix" in vars(graph) else (graph.indptr, graph.indices, graph.weights)
    return format_bytes(sum(array.nbytes for array in arrays if array is not None))
