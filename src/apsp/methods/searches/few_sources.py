"""Distances from and to a few vertices, chosen one after another: searches without a plan.

Source: as `apsp.methods.searches.bfs` for hops, `apsp.methods.searches.dijkstra_buckets` for lengths.
Cost: O(n + m) per search, and a second copy of the arcs of a directed graph, for searches against their direction.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.graph.model import Graph
from apsp.methods.problem import IntArray, Problem, Solver

__all__ = ["FewSources", "searched_dtype"]


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
        return self._rows(self._forward, vertices)

    def distances_to(self, vertices: IntArray) -> npt.NDArray[Any]:
        """(k, n) distances to each vertex."""
        return self._rows(self._backward, vertices)

    def _rows(self, solver: Solver, vertices: IntArray) -> npt.NDArray[Any]:
        dist = np.empty((len(vertices), self.graph.n), dtype=self.dtype)
        solver.fill(vertices, dist, None)
        return dist

    @functools.cached_property
    def _forward(self) -> Solver:
        return self._solver(self.graph)

    @functools.cached_property
    def _backward(self) -> Solver:
        return self._solver(self.graph.reversed()) if self.graph.directed else self._forward

    def _solver(self, graph: Graph) -> Solver:
        from apsp.methods.searches import bfs, dijkstra_buckets

        problem = Problem(graph, self.dtype, threads=self.threads)
        return dijkstra_buckets.prepare(problem) if graph.is_weighted else bfs.prepare(problem)
