"""The trees of shortest paths between the vertices and their nearest facilities.

For distances that were not found by one search from all facilities, which knows its paths: graphs with negative arcs.

Cost: O(n + m), one search in the graph with a further vertex that stands for all facilities: the arcs from a facility
into its cell begin there. Of the other arcs those within a cell are enough: if a vertex on the path from a facility was
as near to an earlier one, then so would be the end of the path. A facility may be in the cell of another one, at
distance 0; if it is a zone, it has a cell of its own, too.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.graph.model import Graph
from apsp.methods.problem import IntArray
from apsp.result.paths import predecessors_from_distances
from apsp.semiring import NO_VERTEX

__all__ = ["steps_to_facilities"]


def steps_to_facilities(
    graph: Graph, seeds: IntArray, nearest: IntArray, distances: npt.NDArray[Any]
) -> npt.NDArray[np.int32]:
    """Return the vertex before each vertex on the path from its facility; -1 where there is none.

    Parameters
    ----------
    graph : Graph
        With arcs in the direction of the search.
    seeds : (f,) int32
        The facilities, in ascending order.
    nearest : (n,) int32
        The nearest facility of each vertex, -1 if there is none.
    distances : (n,) array
        From it.
    """
    n, heads, tails = graph.n, graph.indices, graph.tails()
    cell = nearest[heads]
    leaves = (tails == cell) & (heads != tails)  # arcs from the facility itself, which may be a zone
    within = (cell != NO_VERTEX) & (nearest[tails] == cell) & (tails != cell)
    if graph.zones is not None:
        within &= ~graph.zones[tails]
    roots = seeds[nearest[seeds] == seeds]
    weights = graph.arc_weights(np.int64 if distances.dtype.kind in "iu" else np.float64)
    first, lengths = np.append(heads[leaves], roots), np.append(weights[leaves], np.zeros(len(roots), weights.dtype))
    order = np.argsort(first, kind="stable")
    counts = np.append(np.bincount(tails[within], minlength=n), len(first))
    rooted = Graph(
        np.append(0, np.cumsum(counts)),
        np.append(heads[within], first[order]).astype(np.int32),
        np.append(weights[within], lengths[order]),
    )
    found = predecessors_from_distances(rooted, n, np.append(distances, distances.dtype.type(0)))[:n]
    own = np.where(nearest == np.arange(n), NO_VERTEX, nearest)
    return np.where(found == n, own, found).astype(np.int32)
