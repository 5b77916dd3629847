"""Distances from and to a few vertices, chosen one after another: searches without a plan.

Sources: Beamer, Asanovic, Patterson 2012, "Direction-optimizing breadth-first search", for hops; Cherkassky, Goldberg,
Silverstein 1999, "Buckets, heaps, lists, and monotone priority queues", section 4, for lengths (the queue of
`apsp.methods.searches.dijkstra_buckets`).
Cost: O(n + m) per search; once, a copy of the arcs, and one of the reversed arcs of a directed graph.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp.graph.csr import arc_arrays, arc_lengths
from apsp.graph.model import Graph
from apsp.methods.problem import IntArray
from apsp.system.cached import cached_property

__all__ = ["FewSources", "searched_dtype"]

_BRIEF = 1 << 20
"""Vertices and arcs of some searches that take less than the start of a thread saves."""


def searched_dtype(graph: Graph) -> np.dtype[Any] | None:
    """A dtype that holds the sum of any three distances; None if there is none, or with negative arcs."""
    if not graph.is_weighted:
        return np.dtype(np.int32 if graph.n < 2**29 else np.int64)
    least, longest = graph.weight_range or (0, 0)
    if least < 0:
        return None
    bound = longest * max(graph.n, 1)
    assert graph.weights is not None
    if graph.weights.dtype.kind == "f":
        return np.dtype(np.float64) if bound < np.finfo(np.float64).max / 4 else None
    return np.dtype(np.int32) if bound < 2**29 else np.dtype(np.int64) if bound < 2**61 else None


class FewSources:
    """Rows of distances from or to vertices of a graph without negative arcs.

    Parameters
    ----------
    graph : Graph
    dtype : numpy dtype
        Of the distances: `searched_dtype`.
    threads : int
    """

    def __init__(self, graph: Graph, dtype: np.dtype[Any], threads: int) -> None:
        self.graph = graph
        self.dtype = dtype
        self.threads = threads

    def distances_from(self, vertices: IntArray) -> npt.NDArray[Any]:
        """(k, n) distances from each vertex."""
        return self._rows(vertices, lambda: self._levels if self._in_levels else self._searches)

    def distances_to(self, vertices: IntArray) -> npt.NDArray[Any]:
        """(k, n) distances to each vertex."""
        return self._rows(vertices, lambda: self._levels_back if self._in_levels else self._searches_back)

    @property
    def has_words(self) -> bool:
        """Whether searches share passes over the arcs: `farthest_from`."""
        return self._in_levels

    def farthest_from(self, vertices: IntArray) -> npt.NDArray[np.int32]:
        """(k,) largest distance from each vertex to one that it reaches; 64 vertices take as long as a few rows."""
        found = np.empty(len(vertices), dtype=np.int32)
        self._levels.farthest(sources=vertices, distances=found, threads=self._useful(len(vertices)))
        return found

    @property
    def _in_levels(self) -> bool:
        return not self.graph.is_weighted and self.dtype == np.int32

    def _rows(
        self, vertices: IntArray, searches: Callable[[], _cpu.KeptLevels | _cpu.KeptSearches]
    ) -> npt.NDArray[Any]:
        dist = np.empty((len(vertices), self.graph.n), dtype=self.dtype)
        searches().rows(_cpu.RowArrays(vertices, dist), self._useful(len(vertices)))
        return dist

    def _useful(self, count: int) -> int:
        """The number of threads for some searches."""
        return self.threads if count * (self.graph.n + self.graph.m) > _BRIEF else 1

    @cached_property
    def reversed_graph(self) -> Graph:
        """The graph with the direction of every arc reversed; the same if it is undirected."""
        return self.graph.reversed() if self.graph.directed else self.graph

    @cached_property
    def _levels(self) -> _cpu.KeptLevels:
        return _levels(self.graph, self.reversed_graph)

    @cached_property
    def _levels_back(self) -> _cpu.KeptLevels:
        return _levels(self.reversed_graph, self.graph) if self.graph.directed else self._levels

    @cached_property
    def _searches(self) -> _cpu.KeptSearches:
        return self._kept(self.graph)

    @cached_property
    def _searches_back(self) -> _cpu.KeptSearches:
        return self._kept(self.reversed_graph)

    def _kept(self, graph: Graph) -> _cpu.KeptSearches:
        return _cpu.kept_searches(arc_arrays(graph, arc_lengths(graph, self.dtype)))


def _levels(out: Graph, into: Graph) -> _cpu.KeptLevels:
    return _cpu.KeptLevels(arc_arrays(out), arc_arrays(into))  # fmt: skip
