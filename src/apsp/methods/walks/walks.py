"""The k shortest walks of pairs, from the distances of all vertices to the targets.

Sources: Eppstein 1998, "Finding the k shortest paths", SIAM Journal on Computing 28 (walks as deviations from a tree of
shortest paths); Martins, Pascoal and Santos 1999, "Deviation algorithms for ranking shortest paths", International
Journal of Foundations of Computer Science 10 (a walk at a time, without heaps of deviations).
Input: no negative arc after potentials. Cost: a row of distances per target; then, per pair and walk, the vertices
after its last deviation, and the logarithm of the number of walks.
Corrections: the papers ask for a tree of shortest paths, which arcs of length zero and rounded distances do not tell:
ways to the target are searched for among arcs that are tight up to rounding. Of floats, the sum of a walk is added in
its order, bounds are rounded down, and of the walks to a vertex no more than k are continued, without which cycles of
length zero would be followed for ever.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp.errors import DtypeRangeError, MemoryLimitError
from apsp.graph.model import Graph
from apsp.graph.path_length import own_paths
from apsp.methods.closure.condensation import strong_components
from apsp.methods.problem import IntArray
from apsp.methods.simple_paths.simple_paths import FoundPaths, SimplePathSearch
from apsp.semiring import is_unreachable
from apsp.system.machine import Machine, refuse_unless_fits, usable

__all__ = ["WalkSearch"]

_THREAD_BYTES = 40
"""Of the kernel, per vertex."""

_WALK_BYTES = 20
"""Of the shortest walk: its length, where it begins, and a vertex."""

_PAIRS = 100
"""Pairs that are looked at for cycles."""


class WalkSearch(SimplePathSearch):
    """Finds the shortest walks of pairs of positions, as `SimplePathSearch` finds simple paths.

    Attributes
    ----------
    stage : str
    takes_whole_floats_as_integers : bool
        No: a walk may be longer than any path, so that its sum is rounded.
    """

    stage: ClassVar[str] = "walks"
    takes_whole_floats_as_integers: ClassVar[bool] = False

    def _found(self, arcs: _cpu.ArcArrays, **request: Any) -> FoundPaths:
        pairs = len(request["sources"])
        fixed = _THREAD_BYTES * request["dist"].shape[1] * min(request["threads"], max(pairs, 1))
        what = f"the {request['k']:,} shortest walks of {pairs:,} pairs"
        remedies = ("a smaller k", "fewer pairs at a time", "fewer threads")
        refuse_unless_fits(fixed, what, *remedies)
        available = usable(Machine.detect())
        least = _WALK_BYTES * request["k"]
        if fixed + least * pairs > available:  # walks that surely exist are not computed first
            endless = _endless(self._graph, request["dist"], request["rows"], request["sources"])
            refuse_unless_fits(fixed + least * endless, what, *remedies)
        try:
            found = FoundPaths(*_cpu.shortest_walks(arcs, most_bytes=max(available - fixed, 0), **request))
        except OverflowError:
            raise DtypeRangeError("walks may be longer than 2^61; use float weights, or a smaller k") from None
        except MemoryError:
            raise MemoryLimitError(what, available + 1, available, remedies) from None
        return found if self._graph._turned is None else _by_own_vertices(self._graph, found)


def _endless(graph: Graph, dist: npt.NDArray[Any], rows: IntArray, sources: IntArray) -> int:
    """How many of the first pairs have infinitely many walks: by a cycle that the source reaches, and that leads on.

    Parameters
    ----------
    dist : (R, n) array
        Distances to the targets.
    rows, sources : (pairs,) int32
    """
    _, parts = strong_components(graph)
    on_cycle = np.bincount(parts)[parts] > 1
    tails = graph.tails()
    on_cycle[tails[tails == graph.indices]] = True
    if graph.zones is not None:
        on_cycle &= ~graph.zones
    found, hops = 0, np.empty((1, graph.n), dtype=np.int32)
    every = _cpu.ArcArrays(graph.indptr, graph.indices, zones=graph.zones)
    for row, source in zip(rows[:_PAIRS], sources[:_PAIRS], strict=True):
        _cpu.bfs_rows(every, _cpu.RowArrays(np.array([source], dtype=np.int32), hops))
        met = on_cycle & ~is_unreachable(hops[0]) & ~is_unreachable(dist[row])
        found += bool(met.any())
    return found


def _by_own_vertices(graph: Graph, found: FoundPaths) -> FoundPaths:
    """Walks of a graph with turns, those of equal length by their vertices, which copies have other numbers than."""
    vertices, offsets = own_paths(graph, found.vertices, found.offsets)
    written = vertices.astype(">i4").tobytes()  # they compare as the numbers do
    pairs, lengths = np.repeat(np.arange(len(found.counts)), found.counts).tolist(), found.lengths.tolist()
    bounds = (4 * offsets).tolist()
    order = sorted(range(len(lengths)), key=lambda i: (pairs[i], lengths[i], written[bounds[i] : bounds[i + 1]]))
    starts, sizes = found.offsets[:-1][order], np.diff(found.offsets)[order]
    ends = np.concatenate([[0], np.cumsum(sizes)])
    places = np.repeat(starts - ends[:-1], sizes) + np.arange(ends[-1])
    return FoundPaths(found.counts, found.lengths, ends, found.vertices[places])
