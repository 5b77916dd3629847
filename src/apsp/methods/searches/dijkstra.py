"""Dijkstra from every source over all cores, with a 4-ary heap.

Sources: Dijkstra 1959; Johnson 1975, "Priority queues with update and finding minimum spanning trees" (d-ary heaps).
Input: a graph without negative arcs, any of the five dtypes. Output: as `Solver.fill`.
Cost: m + n log n operations per source; 12 n bytes per thread and one copy of the arcs beyond the output.
Raises MethodRefusedError for negative arcs.

The idea: sources are independent, so each thread searches from one source at a time with its own labels and queue,
which are small enough for its cache, and writes the finished row once. The search is in cpp/searches/search.hpp.
"""

from __future__ import annotations

from apsp import _cpu
from apsp.graph.csr import arc_lengths
from apsp.methods.problem import Problem, Solver
from apsp.methods.rows.request import RowSolver, refuse_negative_arcs

__all__ = ["prepare"]


def prepare(problem: Problem) -> Solver:
    """Prepare the method for a problem."""
    refuse_negative_arcs("dijkstra", problem.graph)
    return RowSolver(
        problem, _cpu.dijkstra_rows, _cpu.dijkstra_weigh, weights=arc_lengths(problem.graph, problem.dtype)
    )
