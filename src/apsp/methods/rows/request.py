"""Conversion of a Problem to the arguments of the row kernels: arc lengths in the dtype, cutoff, zones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp.errors import MethodRefusedError
from apsp.graph.csr import arc_arrays
from apsp.graph.model import Graph
from apsp.methods.problem import IntArray, KernelProgress, Problem, Solver
from apsp.reductions.weighing import Weighing
from apsp.semiring import NO_VERTEX, unreachable

__all__ = ["RowSolver", "fill_empty", "refuse_negative_arcs", "refuse_weights"]


def fill_empty(problem: Problem, dist: npt.NDArray[Any], pred: IntArray | None) -> None:
    """Write "no path" everywhere (the cutoff is below zero)."""
    dist[...] = unreachable(problem.dtype)
    if pred is not None:
        pred[...] = NO_VERTEX


def refuse_negative_arcs(method: str, graph: Graph) -> None:
    """Raise MethodRefusedError if some arc is shorter than zero."""
    if graph.has_negative_arc:
        raise MethodRefusedError(
            method, "the graph has negative arcs", ["label-correcting", "johnson", "floyd-warshall"]
        )


def refuse_weights(method: str, graph: Graph) -> None:
    """Raise MethodRefusedError if the arcs have weights: the method counts hops."""
    if graph.is_weighted:
        reason = "it counts hops, and this graph has weights (graph.unweighted() drops them)"
        raise MethodRefusedError(method, reason, ["label-correcting", "dijkstra", "dijkstra-buckets", "johnson"])


_RowKernel: TypeAlias = Callable[[_cpu.ArcArrays, _cpu.RowArrays, int, KernelProgress | None], None]
_WeighKernel: TypeAlias = Callable[[_cpu.ArcArrays, IntArray, _cpu.WeighingArrays, int, KernelProgress | None], None]


class RowSolver(Solver):
    """A `Solver` whose rows come from one kernel.

    Parameters
    ----------
    kernel : callable
        Takes the arcs, the rows, the number of threads and the progress.
    weigh_kernel : callable, optional
        Takes the arcs, the sources, what is weighed, the number of threads and the progress.
    weights : (m,) array, optional
        Lengths of the arcs in the dtype of the distances.
    """

    def __init__(
        self,
        problem: Problem,
        kernel: _RowKernel,
        weigh_kernel: _WeighKernel | None = None,
        *,
        weights: npt.NDArray[Any] | None = None,
    ) -> None:
        self.problem = problem
        self.kernel = kernel
        self.weigh_kernel = weigh_kernel
        self.cutoff = problem.cutoff
        self.arcs = arc_arrays(problem.graph, weights)

    def fill(
        self,
        sources: IntArray,
        dist: npt.NDArray[Any],
        pred: IntArray | None,
        progress: KernelProgress | None = None,
    ) -> None:
        """Write distances from the sources and, if requested, their predecessors."""
        if self.cutoff is not None and self.cutoff < 0:
            fill_empty(self.problem, dist, pred)
            return
        rows = _cpu.RowArrays(sources, dist, pred, self.problem.targets, self.cutoff)
        self.kernel(self.arcs, rows, self.problem.threads, progress)

    def can_weigh(self, weighing: Weighing) -> bool:  # noqa: ARG002
        """Whether there is a kernel for it, and rows are needed in whole."""
        return self.weigh_kernel is not None and self.problem.targets is None

    def weigh(
        self, sources: IntArray, weighing: Weighing, progress: KernelProgress | None = None
    ) -> npt.NDArray[np.float64]:
        """Add up amounts over the rows of the sources; searches stop at the longest cutoff."""
        assert self.weigh_kernel is not None
        sums = weighing.empty(len(sources))
        arrays = weighing.arrays(self.problem.dtype, sums)
        self.weigh_kernel(self.arcs, sources, arrays, self.problem.threads, progress)
        return sums
