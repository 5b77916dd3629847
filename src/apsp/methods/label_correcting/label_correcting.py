"""Label correcting from many sources at once, one SIMD lane per source. (On a GPU: on_gpu.py.)

Sources: Okuyama, Ino, Hagihara 2010, "A task parallel algorithm for finding all-pairs shortest paths using the GPU",
section 4; Meyer, Sanders 2003, "Delta-stepping: a parallelizable shortest path algorithm", section 2 (windows of
distances); Beamer, Asanovic, Patterson 2012, "Direction-optimizing breadth-first search", section 4 (when to gather);
Levy, Low 1988, "A contraction algorithm for finding small cycle cutsets" (from which vertices to search).
Input: any graph, any of the five dtypes. Output: as `Solver.fill`.
Cost: every arc is relaxed a few times (2 to 10) for 128 (8-bit), 64 (16-bit), 32 (32-bit) or 16 (64-bit) sources
together; a thread needs 128 n bytes for labels and 13 n for queues, and the arcs are kept twice.
Raises NegativeCycleError with the cycle.

The idea: the labels of one vertex from all sources of a batch fill one line of the cache, so relaxing an arc is a load,
an addition and a minimum in SIMD registers for all of them, and wasted work takes little time. If many vertices change,
each gathers from its predecessors, without a branch that depends on labels; if few change, only their arcs are relaxed,
nearest distances first. Integers are computed in 16 bits if no sum overflows, which is checked, and distances alone in
8 bits if those of the first batches are small.

If the distances of most vertices are requested, without predecessors or a cutoff, only some of them are searched from:
the row of v is the minimum, over its arcs (v, u), of the weight plus the row of u. So the searches start from a set of
vertices that every cycle meets (30% of a random graph with four arcs per vertex, half of a grid), and each other row is
computed from those of its heads. This adds the weights of a path in another order, with as many roundings.

Sums over rows, for closeness or eccentricities, are taken from the labels if there are many vertices: every label is
read once, where a row would be written and read again.

Negative integer arcs are made non-negative by Johnson's potentials, which also find the negative cycle; for negative
floats Johnson's method is used, since the order of labels is not reliable if sums of floats cancel.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp.facts.potentials import potentials
from apsp.graph.csr import arc_arrays, arc_lengths
from apsp.methods.problem import IntArray, KernelProgress, Problem, Solver
from apsp.methods.rows.request import fill_empty
from apsp.methods.searches import johnson
from apsp.reductions.row_sums import RowSums

__all__ = ["prepare"]

_SUMMED = ("uint16", "int32")
_LEAST_SUMMED = 20_000
"""Vertices. Rows of fewer take less time in blocks, in which most of them follow from others."""


def prepare(problem: Problem) -> Solver:
    """Prepare the method for a problem: find potentials for negative arcs. A negative cycle is raised here."""
    if problem.device != "cpu":
        from apsp.methods.label_correcting import on_gpu as label_correcting_gpu

        return label_correcting_gpu.prepare(problem)
    graph = problem.graph
    if not graph.has_negative_arc:
        return _Lanes(problem, _cpu.label_solver(arc_arrays(graph, arc_lengths(graph, problem.dtype))))
    if problem.dtype.kind != "i":
        return johnson.prepare(problem)
    found = potentials(graph)
    make = _cpu.signed_label_solver_int32 if problem.dtype == np.int32 else _cpu.signed_label_solver_int64
    return _Lanes(problem, make(arc_arrays(graph, found.reduced), found.height))


class _Lanes(Solver):
    """Stores the arcs in the kernel's order, and its measurements, for all blocks of rows."""

    def __init__(self, problem: Problem, kernel: _cpu.LabelSolver) -> None:
        self.problem = problem
        self.kernel = kernel
        self.cutoff = problem.cutoff

    def fill(
        self,
        sources: IntArray,
        dist: npt.NDArray[Any],
        pred: IntArray | None,
        progress: KernelProgress | None = None,
    ) -> None:
        """Write distances from the sources and, if requested, their predecessors."""
        if self.cutoff is not None and self.cutoff < 0 and not self.problem.graph.has_negative_arc:
            fill_empty(self.problem, dist, pred)
            return
        rows = _cpu.RowArrays(sources, dist, pred, self.problem.targets, self.cutoff)
        self.kernel.rows(rows, self.problem.threads, progress)

    @property
    def can_measure(self) -> bool:
        """Whether the labels themselves can be summed up: of integers that int32 holds, and of many vertices."""
        problem = self.problem
        return (
            problem.dtype.name in _SUMMED
            and problem.graph.n >= _LEAST_SUMMED
            and problem.targets is None
            and not problem.graph.has_negative_arc
            and (self.cutoff is None or self.cutoff >= 0)
        )

    def measure(self, sources: IntArray, progress: KernelProgress | None = None) -> RowSums:
        """Sum up the rows of the sources."""
        sums = RowSums.empty(sources, np.int32)
        self.kernel.sums(_cpu.SumArrays(**vars(sums)), self.cutoff, self.problem.threads, progress)
        return sums
