"""Conversion of a Problem to the arguments of the row kernels: arc lengths in the dtype, cutoff, zones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.errors import MethodRefusedError
from apsp.graph.csr import csr_arguments
from apsp.graph.model import Graph
from apsp.methods.problem import IntArray, KernelProgress, Problem, Solver
from apsp.reductions.weighing import Weighing
from apsp.semiring import NO_VERTEX, unreachable

__all__ = [
    "RowSolver", "fill_empty", "graph_arguments", "refuse_negative_arcs",
    "refuse_weights",
]  # fmt: skip


def graph_arguments(problem: Problem) -> dict[str, Any]:
    """Return the keyword arguments of a row kernel that describe the graph and the request."""
    return {**csr_arguments(problem.graph), "targets": problem.targets, "threads": problem.threads}


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


class RowSolver(Solver):
    """A `Solver` whose rows come from one kernel.

    Parameters
    ----------
    kernel : callable
        Takes the keyword arguments of `graph_arguments` and of `fill`, the cutoff, and `more`.
    weigh_kernel : callable, optional
        Takes the same arguments with amounts instead of rows.
    more : arrays
        Further arguments of the kernel, such as weights.
    """

    def __init__(
        self,
        problem: Problem,
        kernel: Callable[..., None],
        weigh_kernel: Callable[..., None] | None = None,
        **more: npt.NDArray[Any],
    ) -> None:
        self.problem = problem
        self.kernel = kernel
        self.weigh_kernel = weigh_kernel
        self.cutoff = problem.cutoff
        self.arguments = graph_arguments(problem) | more

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
        self.kernel(**self.arguments, sources=sources, dist=dist, pred=pred, cutoff=self.cutoff, progress=progress)

    def can_weigh(self, weighing: Weighing) -> bool:  # noqa: ARG002
        """Whether there is a kernel for it, and rows are needed in whole."""
        return self.weigh_kernel is not None and self.problem.targets is None

    def weigh(
        self, sources: IntArray, weighing: Weighing, progress: KernelProgress | None = None
    ) -> npt.NDArray[np.float64]:
        """Add up amounts over the rows of the sources; searches stop at the longest cutoff."""
        assert self.weigh_kernel is not None
        arguments = {name: value for name, value in self.arguments.items() if name != "targets"}
        sums = weighing.empty(len(sources))
        self.weigh_kernel(
            **arguments, **weighing.arguments(self.problem.dtype), sources=sources, sums=sums, progress=progress
        )
        return sums
