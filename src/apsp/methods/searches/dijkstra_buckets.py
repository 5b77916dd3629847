"""Dijkstra from every source over all cores, with a ring of buckets instead of a heap.

Sources: Dial 1969; Cherkassky, Goldberg, Silverstein 1999, "Buckets, heaps, lists, and monotone priority queues",
section 4 (the hot queue: buckets, and a heap inside the open one).
Input: a graph without negative arcs, any of the five dtypes. Output: as `Solver.fill`.
Cost: a source m + n operations where the buckets are narrow, never more than m log n; 20 KB and 8 bytes a queued vertex
a thread beyond what Dijkstra with a heap takes. Raises MethodRefusedError for negative arcs.

The idea: lengths leave the queue in growing order, within one longest arc of each other, so 4,096 buckets in a ring
hold them all; a bit set finds the next bucket that is not empty. cpp/searches/buckets.hpp is the queue.
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
    return RowSolver(problem, _cpu.bucket_rows, weights=arc_lengths(problem.graph, problem.dtype))
