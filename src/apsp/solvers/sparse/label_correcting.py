"""Label correcting from many sources at once, one SIMD lane a source.

Sources: Okuyama, Ino, Hagihara 2010, "A task parallel algorithm for finding all-pairs shortest paths using the GPU",
section 4; Meyer, Sanders 2003, "Delta-stepping: a parallelizable shortest path algorithm", section 2 (windows of
distances); Beamer, Asanovic, Patterson 2012, "Direction-optimizing breadth-first search", section 4 (when to gather).
Input: any graph, any of the five dtypes. Output: as `Solver.fill`.
Cost: every arc is relaxed some times (2 to 10) for 64 (16-bit), 32 (32-bit) or 16 (64-bit) sources together; a thread
needs 128 n bytes for labels and 13 n for queues, and the arcs are kept twice. Raises NegativeCycleError with the cycle.

The idea: the labels of one vertex from all sources of a batch fill one line of the cache, so relaxing an arc is a load,
an addition and a minimum in SIMD registers for all of them, and wasted work costs little. Where many vertices change,
each gathers from its predecessors, without a branch that depends on labels; where few do, the arcs of those alone are
relaxed, nearest distances first. Integers are computed in 16 bits wherever no sum overflows, which is checked.

Negative integer arcs are made non-negative by Johnson's potentials, which also find the negative cycle; negative floats
are left to Johnson's method, since sums of floats that cancel have no order of labels to rely on.
"""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

from apsp import _cpu
from apsp.solvers.problem import IntArray, KernelProgress, Problem, Solver
from apsp.solvers.sparse import johnson
from apsp.solvers.sparse.potentials import potentials
from apsp.solvers.sparse.request import RowSolver, arc_lengths, bound_in, graph_arguments

__all__ = ["prepare"]


def prepare(problem: Problem) -> Solver:
    """See `Problem` and `Solver`. With negative arcs the potentials are found here, and a negative cycle raised."""
    if not problem.graph.has_negative_arc:
        return RowSolver(problem, _cpu.label_correcting_rows, weights=arc_lengths(problem.graph, problem.dtype))
    if problem.dtype.kind != "i":
        return johnson.prepare(problem)
    return _Signed(problem)


class _Signed:
    """With negative arcs: labels are reduced lengths, turned back as rows are written."""

    def __init__(self, problem: Problem) -> None:
        found = potentials(problem.graph)
        self.cutoff = bound_in(problem.cutoff, problem.dtype)
        self.arguments = graph_arguments(problem) | {"reduced": found.reduced, "height": found.height}

    def fill(
        self,
        sources: IntArray,
        dist: npt.NDArray[Any],
        pred: IntArray | None,
        progress: KernelProgress | None = None,
    ) -> None:
        """See `Solver.fill`."""
        _cpu.label_correcting_rows(
            **self.arguments, sources=sources, dist=dist, pred=pred, cutoff=self.cutoff, progress=progress
        )
