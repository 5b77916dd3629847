"""Floyd-Warshall as a program of three loops, on one thread: the CPU baseline of the course laboratory.

Source: Belinguier, Grahn, "All Pairs Shortest Path Problem in CUDA", section 1 (the listing); Floyd 1962. Input: any
graph. Output: as `Solver.fill`. Cost: n^3 pairs, one after another; no memory beyond the matrix. Raises
NegativeCycleError, DtypeRangeError. Corrected: "no path" is a large number instead of -1, which is a length if arcs may
be negative, as section 1 allows; a pivot on a negative cycle ends the work.

The idea: after pivot k, entry (i, j) is the shortest path through the vertices 0 .. k.
"""

from __future__ import annotations

from apsp import _cpu
from apsp.methods.problem import Problem, Solver
from apsp.published.whole_matrix import WholeMatrix

__all__ = ["prepare"]


def prepare(problem: Problem) -> Solver:
    """Prepare the method for a problem."""
    return WholeMatrix(problem, _cpu.published_close_sequential)
