"""One shortest path: Dijkstra from the source and, backwards, from the target, until they meet.

Sources: Nicholson 1966, "Finding the shortest route between two points in a network"; Pohl 1971, "Bi-directional
search".
Input: a graph without negative arcs. Cost: O(n + m) once per graph; then, per pair, what lies within about half of the
distance from either end.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp.graph.arc_positions import arcs_between
from apsp.graph.csr import arc_arrays
from apsp.graph.device import DeviceGraph
from apsp.graph.model import Graph
from apsp.graph.reversal import arcs_by_head

__all__ = ["BidirectionalSearch", "is_searchable"]

_LONGEST = 2**61


def is_searchable(graph: Graph) -> bool:
    """Whether `BidirectionalSearch` takes the graph: in host memory, no negative arc, no sum that overflows."""
    if isinstance(graph, DeviceGraph) or graph.has_negative_arc:
        return False
    longest = max(graph.n, 1) * graph.longest_arc
    return longest < (_LONGEST if graph.has_integer_weights else float(np.finfo(graph.weights.dtype).max))  # type: ignore[union-attr]


class BidirectionalSearch:
    """Shortest paths of single pairs of vertices.

    Parameters
    ----------
    graph : Graph
        One that `is_searchable`.
    """

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        forward = backward = arc_arrays(graph, graph.weights)
        if graph.directed:
            backward = _cpu.ArcArrays(*arcs_by_head(graph, graph.weights), graph.zones if graph.has_zones else None)
        self._search = _cpu.BidirectionalSearch(forward, backward, math.nextafter(graph.longest_arc, math.inf))

    def distance(self, source: int, target: int) -> int | float | None:
        """The distance between two positions, for floats the sum of a path in the order of its arcs; None if none."""
        found = self._search.path(source, target)
        if found is None or self._graph.has_integer_weights:
            return None if found is None else found[0]
        path = _without_loops(found[1])
        arcs = arcs_between(self._graph.indptr, self._graph.indices, path[:-1], path[1:])
        weights: npt.NDArray[Any] = self._graph.weights[arcs]  # type: ignore[index]
        return float(np.add.accumulate(weights)[-1]) if len(weights) else 0.0

    def path(self, source: int, target: int) -> list[int] | None:
        """The positions of the vertices of a shortest path, both ends included; None if there is none."""
        found = self._search.path(source, target)
        return None if found is None else _without_loops(found[1]).tolist()


def _without_loops(path: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    """The path with each vertex once: both searches may take arcs of length zero, or as good as zero by rounding."""
    if len(np.unique(path)) == len(path):
        return path
    last = {vertex: place for place, vertex in enumerate(path.tolist())}
    kept, place = [], 0
    while place < len(path):
        place = last[int(path[place])]
        kept.append(place)
        place += 1
    return path[kept]
