"""Dijkstra from every source over all cores, with a 4-ary heap.

Sources: Dijkstra 1959; Johnson 1975, "Priority queues with update and finding minimum spanning trees" (d-ary heaps).
Input: a graph without negative arcs, any of the five dtypes. Output: as `Solver.fill`.
Cost: m + n log n operations a source; 12 n bytes a thread and one copy of the arcs beyond the output.
Raises MethodRefusedError for negative arcs.

The idea: sources are independent, so each thread searches from one source at a time with labels and queue of its own,
small enough for its cache, and writes the finished row once. cpp/sparse/search.hpp is the search.
"""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

from apsp import _cpu
from apsp.solvers.problem import IntArray, KernelProgress, Problem, Solver
from apsp.solvers.sparse.request import arc_lengths, bound_in, fill_empty, graph_arguments, refuse_negative_arcs

__all__ = ["prepare"]


def prepare(problem: Problem) -> Solver:
    """See `Problem` and `Solver`."""
    refuse_negative_arcs("dijkstra", problem.graph)
    return _Dijkstra(problem)


class _Dijkstra:
    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.weights = arc_lengths(problem.graph, problem.dtype)
        self.cutoff = bound_in(problem.cutoff, problem.dtype)
        self.arguments = graph_arguments(problem)

    def fill(
        self,
        sources: IntArray,
        dist: npt.NDArray[Any],
        pred: IntArray | None,
        progress: KernelProgress | None = None,
    ) -> None:
        """See `Solver.fill`."""
        if self.cutoff is not None and self.cutoff < 0:
            fill_empty(self.problem, dist, pred)
            return
        _cpu.dijkstra_rows(
            **self.arguments,
            weights=self.weights,
            sources=sources,
            dist=dist,
            pred=pred,
            cutoff=self.cutoff,
            progress=progress,
        )
