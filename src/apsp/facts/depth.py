"""Estimates by breadth-first searches: the arcs of the longest shortest path, and the arcs that a search visits.

The first starts at the vertex with the most arcs out, the second at a vertex farthest from it. The depth
of the second is at most the diameter in arcs, and in practice nearly equal to it (Magnien, Latapy, Habib 2009, section
3). A few more start at random vertices if some vertices may reach few others. Cost: O(m), a few nanoseconds per arc and
search.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp.facts.statistics import GraphStatistics, keep_statistics
from apsp.graph.csr import arc_arrays
from apsp.graph.device import DeviceGraph
from apsp.graph.model import Graph
from apsp.semiring import is_unreachable

__all__ = ["pays_in_any_case", "pays_to_probe", "with_depth"]

_SECONDS = 4e-5
_SECONDS_AN_ARC = 1.5e-8
"""Seconds per arc or vertex, of both searches."""

_IN_CACHE, _VERTICES_IN_CACHE = 1 << 14, 1 << 15
_SECONDS_IN_CACHE, _SECONDS_A_VERTEX_IN_CACHE, _SECONDS_AN_ARC_IN_CACHE = 1e-5, 1e-8, 2e-9
"""The same for an undirected graph with at most so many vertices and arcs; and with at most so many vertices."""

_SECONDS_A_DISTANCE = 5e-10
"""Minimum on one core, by any method."""

_SHARE = 0.1
"""Share of the expected seconds that the searches may take."""

_FEWEST, _MOST, _LEVELS = 4, 32, 256
"""Minimum and maximum number of searches from random vertices, and the number of their levels in all: shallow graphs
get more searches, whose levels are processed together.
"""

_SMALL_SHARE = 0.03
"""The same for an undirected graph whose vertices are in cache: most of them have no surprising depth."""

_NEARLY_ALL = 0.9
"""Share of the arcs from which on a search is treated as reaching all of them."""


def pays_to_probe(statistics: GraphStatistics, seconds: float) -> bool:
    """Whether to search if the work is expected to take this many seconds."""
    if statistics.depth is not None or statistics.lies_on_gpu or statistics.m == 0:
        return False
    if not statistics.is_directed and statistics.n <= _VERTICES_IN_CACHE:
        search = _SECONDS_A_VERTEX_IN_CACHE * statistics.n + _SECONDS_AN_ARC_IN_CACHE * statistics.m
        if _SECONDS_IN_CACHE + search < _SMALL_SHARE * seconds:
            return True
    return _SECONDS + _SECONDS_AN_ARC * (statistics.n + statistics.m) < _SHARE * seconds


def pays_in_any_case(statistics: GraphStatistics, distances: int) -> bool:
    """Whether to search before the seconds of any method are estimated: a small graph, but so many distances that every
    method takes long enough.
    """
    size = statistics.n + statistics.m
    if statistics.depth is not None or statistics.lies_on_gpu or statistics.is_directed or size > _IN_CACHE:
        return False
    return _SECONDS_IN_CACHE + _SECONDS_AN_ARC_IN_CACHE * size < _SHARE * _SECONDS_A_DISTANCE * distances


def with_depth(statistics: GraphStatistics, graph: Graph, *, sums: bool = True) -> GraphStatistics:
    """Return the statistics, completed by the depth and the reached arcs; stored with the graph.

    Parameters
    ----------
    sums : bool
        As of `statistics_of`, which made them.
    """
    if isinstance(graph, DeviceGraph) or statistics.depth is not None:
        return statistics
    depth, reached = _cpu.depth(arc_arrays(graph))
    if graph.directed or reached < _NEARLY_ALL:
        reached = _met(graph, _levels(graph, _anywhere(graph.n, max(_LEVELS // max(depth, 1), _FEWEST))))
    probed = replace(statistics, depth=depth, reached=reached)
    keep_statistics(graph, probed, sums=sums)
    return probed


def _levels(graph: Graph, roots: npt.NDArray[Any]) -> npt.NDArray[np.int32]:
    """Return the arcs to every vertex (roots, n); -1 if there is no path."""
    levels = np.empty((len(roots), graph.n), dtype=np.int32)
    _cpu.bfs_rows(arc_arrays(graph), _cpu.RowArrays(roots.astype(np.int32), levels))
    levels[is_unreachable(levels)] = -1
    return levels


def _met(graph: Graph, levels: npt.NDArray[np.int32]) -> float:
    """Return the mean share of the arcs that leave the vertices reached by a search."""
    leaving = np.diff(graph.indptr)
    return float(np.mean((levels >= 0) @ leaving) / max(graph.m, 1))


def _anywhere(n: int, count: int) -> npt.NDArray[Any]:
    """Return random vertices, the same for every graph of this size."""
    return np.random.default_rng(n).choice(n, min(n, count, _MOST), replace=False)
