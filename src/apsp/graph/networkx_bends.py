"""The bends of the streets of OSMnx: lines of shapely in the edge attribute `geometry`."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp._types import NetworkXGraph
from apsp.graph.bends import Bends
from apsp.graph.networkx_arcs import Arcs, arcs_of

__all__ = ["bends_of_edges"]


def bends_of_edges(
    G: NetworkXGraph,
    arcs: Arcs,
    kept: npt.NDArray[np.bool_] | None,
    coordinates: npt.NDArray[np.float64],
    positions: Mapping[Hashable, int],
    *,
    exact: bool,
) -> Bends | None:
    """Return the bends of the arcs, in the order of `arcs_of`; None if no edge has any.

    A line of an undirected graph may begin at either end of its edge. It is read in the direction in which its ends are
    nearer to those of the arc. Edges whose attribute is not a line of shapely are straight.

    Parameters
    ----------
    G : networkx.Graph
    arcs : Arcs
        With the lengths, by an attribute.
    kept : (m,) bool or None
        The arcs that exist; None means all of them.
    coordinates : (n, 2) float64
    positions : mapping
        Of the nodes.
    exact : bool
        None count unless all begin and end where their nodes are: they may have other coordinates.

    Raises
    ------
    GraphError
        If a line has a point that is not two finite numbers.
    """
    values = arcs_of(G, "geometry", positions).values
    if values is None or isinstance(values, np.ndarray):
        return None
    lines = np.fromiter((getattr(value, "geom_type", "") == "LineString" for value in values), bool, len(values))
    if not lines.any():
        return None
    import shapely

    shapes = np.full(len(values), None, dtype=object)
    for place in np.flatnonzero(lines):
        shapes[place] = values[place]
    tails, heads = arcs.tails, arcs.heads
    if kept is not None:
        shapes, tails, heads = shapes[kept], tails[kept], heads[kept]
    points, numbers = shapely.get_coordinates(shapes, return_index=True)
    return _oriented(points, numbers, coordinates[tails], coordinates[heads], exact)


def _oriented(
    points: npt.NDArray[np.float64], numbers: npt.NDArray[Any], begins: npt.NDArray[np.float64],
    ends: npt.NDArray[np.float64], exact: bool,
) -> Bends | None:  # fmt: skip
    """The bends of arcs between points, from the points of all lines and the numbers of their arcs."""
    counts = np.bincount(numbers, minlength=len(begins))
    some = np.flatnonzero(counts)
    last = np.cumsum(counts)[some] - 1
    first = last - counts[some] + 1

    def apart(at_first: npt.NDArray[np.float64], at_last: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        away: npt.NDArray[np.float64] = np.hypot(*(points[first] - at_first[some]).T)
        away += np.hypot(*(points[last] - at_last[some]).T)
        return away

    is_against = np.zeros(len(begins), dtype=bool)
    is_against[some] = apart(ends, begins) < apart(begins, ends)
    against = is_against[some, None]
    own = np.ones(len(points), dtype=bool)
    own[first] = (points[first] != np.where(against, ends[some], begins[some])).any(axis=1)
    own[last] = (points[last] != np.where(against, begins[some], ends[some])).any(axis=1)
    if exact and (own[first] | own[last]).any():
        return None
    indptr = np.append(0, np.cumsum(np.bincount(numbers[own], minlength=len(begins))))
    return Bends(indptr, points[own]).along(np.arange(len(begins)), is_against)
