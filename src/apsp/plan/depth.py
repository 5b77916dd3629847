"""How many arcs the longest of the shortest paths have, about: two breadth-first searches.

The first starts at the vertex with most arcs out, the second where the first ended. What the second finds is at most
the diameter in arcs, and in practice nearly that (Magnien, Latapy, Habib 2009, section 3). Cost: O(m), a few
nanoseconds an arc each.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from apsp import _cpu
from apsp.graph.device import DeviceGraph
from apsp.graph.model import Graph
from apsp.plan.statistics import GraphStatistics, keep_statistics
from apsp.semiring import is_unreachable
from apsp.solvers.sparse.request import csr_arguments

__all__ = ["pays_to_sound", "with_depth"]

_SECONDS = 4e-5
_SECONDS_AN_ARC = 1.5e-8
"""Of both searches, an arc or a vertex."""

_SHARE = 0.1
"""Of the expected seconds that they may take."""


def pays_to_sound(statistics: GraphStatistics, seconds: float) -> bool:
    """Whether to look where the work is expected to take so many seconds."""
    if statistics.depth is not None or statistics.lies_on_gpu or statistics.m == 0:
        return False
    return _SECONDS + _SECONDS_AN_ARC * (statistics.n + statistics.m) < _SHARE * seconds


def with_depth(statistics: GraphStatistics, graph: Graph, *, sums: bool = True) -> GraphStatistics:
    """The statistics, completed by the arcs of a longest path that two searches found; kept with the graph.

    Parameters
    ----------
    sums : bool
        As of `statistics_of`, which made them.
    """
    if isinstance(graph, DeviceGraph) or statistics.depth is not None:
        return statistics
    far = int(np.argmax(np.diff(graph.indptr)))
    depth = 0
    for _ in range(2):
        far, found = _farthest(graph, far)
        depth = max(depth, found)
    sounded = replace(statistics, depth=depth)
    keep_statistics(graph, sounded, sums=sums)
    return sounded


def _farthest(graph: Graph, root: int) -> tuple[int, int]:
    """A vertex with most arcs between it and the root, and how many."""
    levels = np.empty((1, graph.n), dtype=np.int32)
    _cpu.bfs_rows(**csr_arguments(graph), sources=np.array([root], dtype=np.int32), dist=levels)
    levels[is_unreachable(levels)] = -1
    far = int(np.argmax(levels[0]))
    return far, int(levels[0, far])
