"""The nearest streets of points."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from apsp._types import LabelsLike, PlacesLike
from apsp.errors import GraphError, RequestError, shown
from apsp.graph.places.frames import Frame, frame_of
from apsp.graph.places.places import Places
from apsp.graph.places.points import points_of
from apsp.graph.places.streets import Points, Streets, strongly_connected
from apsp.system.arguments import flag, number, one_of

if TYPE_CHECKING:
    from apsp.graph.model import Graph

__all__ = ["check_angles", "snapped"]


def snapped(
    graph: Graph,
    points: PlacesLike,
    *,
    crs: str | None,
    limit: float | None,
    to: str,
    speed: float | None,
    largest_component: bool,
    labels: LabelsLike | str | None,
    unsnapped: Literal["error", "unreachable"],
) -> Places:
    """Find the nearest point of a street, or the nearest vertex, to each of some points: `Graph.snap`."""
    frame = frame_of(crs, graph.crs)
    by_vertex = one_of(to, "to", ("edge", "vertex")) == "vertex"
    one_of(unsnapped, "unsnapped", ("error", "unreachable"))
    farthest = math.inf if limit is None else float(number(limit, "limit", least=0))
    pace = None if speed is None else float(number(speed, "speed"))
    if pace is not None and pace <= 0:
        raise RequestError(f"speed must be a number above 0, not {shown(speed)}")
    one_part = flag(largest_component, "largest_component")
    found = points_of(points, labels, frame)
    if graph.coordinates is None:
        raise GraphError(
            "the graph has no coordinates, which streets need: apsp.from_edges(..., coordinates=...), or a file "
            "with coordinates"
        )
    space = frame.spaced(found.points)
    arcs, fractions = np.full(len(space), -1, dtype=np.int64), np.zeros(len(space))
    index = _index_of(graph, frame, by_vertex=by_vertex, one_part=one_part)
    if isinstance(index, Points):
        vertices, there = index.nearest(space, farthest)
    else:
        arcs, fractions, there = index.nearest(space, farthest)
        tails = np.searchsorted(graph.indptr, arcs, side="right") - 1
        vertices = np.where(arcs < 0, -1, np.where(fractions == 1.0, graph.indices[arcs], tails))
        arcs = np.where((fractions == 0.0) | (fractions == 1.0), -1, arcs)
    off = vertices < 0
    fractions = np.where(arcs < 0, 0.0, fractions)
    legs = np.where(off, math.inf, frame.lengths(space, there))
    on_street: Any = np.where(off[:, None], math.nan, frame.flat(there))
    return Places(
        graph, found.labels, found.points, arcs, vertices.astype(np.int32), fractions, on_street, legs, pace,
        unsnapped, frame.crs,
    )  # fmt: skip


def _index_of(graph: Graph, frame: Frame, *, by_vertex: bool, one_part: bool) -> Streets | Points:
    """The streets or the vertices of a graph with coordinates, indexed; they are stored with the graph.

    Raises
    ------
    GraphError, RequestError
        If there are none, or the coordinates are no angles.
    """
    stored: dict[tuple[str, bool, bool], Streets | Points] = graph.__dict__.setdefault("_indexed_places", {})
    key = frame.crs, by_vertex, one_part
    if key in stored:
        return stored[key]
    assert graph.coordinates is not None
    among: Any = np.isfinite(graph.coordinates).all(axis=1)
    if graph.zones is not None:
        among &= ~graph.zones
    if one_part:
        among &= strongly_connected(graph)
    if frame.degree is not None:
        check_angles(graph.coordinates[among] * frame.degree, frame.crs)
        if graph.links is not None and graph.links.bends is not None:
            check_angles(graph.links.bends.points * frame.degree, frame.crs)
    index = stored[key] = (Points if by_vertex else Streets)(graph, frame, among)
    return index


def check_angles(points: Any, crs: str) -> None:
    """Raise RequestError if coordinates of a graph, in degrees, are not longitudes and latitudes."""
    if len(points) and (np.abs(points) > (180.0, 90.0)).any():
        raise RequestError(
            f"crs={crs!r}: the coordinates of the graph are not longitudes from -180 to 180 and latitudes from -90 to "
            "90: crs='plane' is for projected coordinates, 'microdegrees' for those of DIMACS files"
        )
