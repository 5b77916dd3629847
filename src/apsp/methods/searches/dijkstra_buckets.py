"""Dijkstra from every source over all cores, with a ring of buckets instead of a heap.

Sources: Dial 1969; Cherkassky, Goldberg, Silverstein 1999, "Buckets, heaps, lists, and monotone priority queues",
section 4 (the hot queue: buckets, and a heap inside the open one).
Input: a graph without negative arcs, any of the five dtypes. Output: as `Solver.fill`.
Cost: m + n operations per source if the buckets are narrow, at most m log n; per thread 20 KB and 8 bytes per queued
vertex beyond the memory of Dijkstra with a heap. Raises MethodRefusedError for negative arcs.

The idea: lengths leave the queue in increasing order, and differ by at most the longest arc, so 4,096 buckets in a ring
are sufficient; a bit set finds the next bucket that is not empty. The queue is in cpp/searches/buckets.hpp.
"""

from __future__ import annotations

from apsp import _cpu
from apsp.graph.csr import arc_lengths
from apsp.methods.problem import Problem, Solver
from apsp.methods.rows.request import RowSolver, refuse_negative_arcs

__all__ = ["prepare"]


def prepare(problem: Problem) -> Solver:
    """Prepare the method for a problem."""
    refuse_negative_arcs("dijkstra-buckets", problem.graph)
    return RowSolver(problem, _cpu.bucket_rows, _cpu.bucket_weigh, weights=arc_lengths(problem.graph, problem.dtype))
