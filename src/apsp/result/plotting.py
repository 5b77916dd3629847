"""A map of a row of distances, and the display of a result in notebooks."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from apsp._types import VertexLike
from apsp.errors import RequestError, format_bytes
from apsp.figures.html import card, columns_html
from apsp.figures.map import MapStyle
from apsp.graph import plotting
from apsp.graph.long_table import NOTHING
from apsp.graph.model import Graph
from apsp.graph.places.path_steps import are_told_apart
from apsp.graph.to_numpy import narrow_note
from apsp.graph.turns.entered import streets_of
from apsp.graph.turns.turn_graph import own_vertices
from apsp.semiring import MIN_PLUS
from apsp.system.arguments import text
from apsp.system.array_device import device_name, to_host
from apsp.system.durations import duration
from apsp.system.numbers import counted, number_words

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from apsp.result.result import Result

__all__ = ["draw", "map_title", "result_html"]

_CORNER = 6
"""Rows and columns of the distances that a notebook shows."""


def draw(
    result: Result, source: VertexLike | None, target: VertexLike | None, unit: str, title: str | None, style: MapStyle
) -> Figure:
    """Draw the map of `apsp.result.result.Result.plot`."""
    graph, label = streets_of(result.graph), style.label
    text(unit, "unit")
    if not np.array_equal(result.target_positions, np.arange(own_vertices(result.graph))):
        raise RequestError("a map needs the distances to all vertices: solve without targets and places")
    if not len(result.source_positions):
        raise RequestError("a map needs the row of a source, and this result has none")
    start = graph.labels[int(result.source_positions[0])] if source is None else source
    route = [] if target is None else result.path(start, target)
    place = graph.index(start)
    if title is None:
        title = _title(label, _name(graph, start))
        if target is not None:
            length = result.distance(start, target)
            title = map_title(label, _name(graph, start), _name(graph, target), length, len(route) - 1, unit)
    named = replace(style, title=title, label=f"{label} ({unit})" if unit else label)
    links = None
    if route and result.graph._turned is not None and are_told_apart(graph):
        links = [int(link) for link in result.path(start, target, links=True)]
    line = plotting.route_of(graph, [graph.index(vertex) for vertex in route], [place], links)
    return plotting.draw(graph, _row(result, start), line, named)


def _name(graph: Graph, vertex: VertexLike) -> str:
    return plotting.name_of(graph, graph.index(vertex))


def _title(label: str, start: str) -> str:
    return f"{label[:1].upper()}{label[1:]} from {start}"


def map_title(label: str, start: object, end: object, distance: float, arcs: int, unit: str) -> str:
    """The title of a map with a path, which ends with its length: '1,089 s, 92 arcs'."""
    length = f"{number_words(distance)}{' ' if unit else ''}{unit}, {arcs:,} arc{'s' if arcs != 1 else ''}"
    return f"{_title(label, str(start))}\nShortest path to {end}: {length}"


def _row(result: Result, source: VertexLike) -> Any:
    """Distances to all vertices; not-a-number where there is no path (or, in other algebras, where the path has no
    arc).
    """
    row = to_host(result[source, :])
    floats = row.astype(np.float64)
    floats[row == result.semiring.no_path(row.dtype)] = np.nan
    if result.semiring is not MIN_PLUS:
        floats[row == result.semiring.empty_path(row.dtype)] = np.nan
    return floats


def result_html(result: Result) -> str:
    """The table of a result, with a thumbnail in the colours of the distances from the first source."""
    rows, columns = result.distances.shape
    info, pred = result.info, result.predecessors if result.has_predecessors else None
    size = result.distances.nbytes + (0 if pred is None else pred.nbytes)
    table: list[tuple[str, object]] = [
        ("sources x targets", f"{rows:,} x {columns:,}"),
        ("distances", f"{result.distances.dtype} on {device_name(result.distances)}"),
        ("note", narrow_note(result.distances.dtype)),
        ("predecessors", "kept" if result.has_predecessors else "not kept"),
        ("cutoff", None if result.cutoff is None else number_words(result.cutoff)),
        ("memory", format_bytes(size)),
        ("method", info.get("method")),
        ("time", duration(info["seconds"]) if isinstance(info.get("seconds"), float) else None),
    ]
    graph = result.graph
    values = _row(result, graph.labels[int(result.source_positions[0])]) if rows and columns == graph.n else None
    whole = values is not None and (result.target_positions == np.arange(graph.n)).all()
    table += [("graph", repr(graph))]
    return card("Result", table, plotting.small_map(graph, values if whole else None), _corner(result))


def _corner(result: Result) -> str:
    """The first distances, with the labels of their sources and targets."""
    corner = to_host(result.distances[:_CORNER, :_CORNER])
    rows, columns = result.distances.shape
    if not corner.size:
        return ""
    text, none = result.graph.labels.text, result.semiring.no_path(corner.dtype)
    names = [text(vertex) for vertex in result.source_positions[:_CORNER].tolist()]
    texts = [
        [NOTHING if distance == none else number_words(distance) for distance in column] for column in corner.T.tolist()
    ]
    heads = [text(vertex) for vertex in result.target_positions[:_CORNER].tolist()]
    more = "" if corner.shape == result.distances.shape else f"{len(names)} of {rows:,} rows, "
    more = more and f"{more}{len(heads)} of {counted(columns, 'column')}"
    return columns_html(list(zip(heads, texts, strict=True)), names) + more
