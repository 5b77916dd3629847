"""Matrices of several costs along shortest paths: the faster of elimination and of searches, over tuples.

Source: tuples of costs that are added by component and compared in the order of the costs are an ordered (min,+)
algebra (Carré 1971, "An algebra for network routing problems"), so every method for distances applies to them. Input: a
graph, (m, K) costs. Output: (K, S, T) float64. Cost: elimination: `EliminationTree.factor_pairs` tuples, then per
source the panels between the targets and the roots; searches: O(m log n) tuples per source.

The idea: among the paths of least first cost, the one with the least second cost is chosen, and so on, so that all
costs belong to one path, and no path is walked.
"""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp.errors import DeviceError, MemoryLimitError
from apsp.facts.one_gpu import OneGpu
from apsp.gpu.emulated.run import entered
from apsp.graph.csr import arc_arrays
from apsp.graph.model import Graph
from apsp.methods.elimination.tree import EliminationTree
from apsp.methods.problem import IntArray, KernelProgress
from apsp.methods.source_cost import SourceChoice

__all__ = ["MOST_COSTS", "SkimSolver", "factorise"]

FloatArray = npt.NDArray[np.float64]

_SIZES = (2, 4, 8, 16)
"""Numbers of costs that searches take."""

MOST_COSTS = _SIZES[-1]


class SkimSolver:
    """Computes rows of the matrices; what all rows need is computed with the first ones.

    Parameters
    ----------
    graph : Graph
    costs : (m, K) float64
        First costs are not negative; no cycle is below zero. At most MOST_COSTS.
    targets : (T,) int32
    choice : SourceChoice
        For all rows.
    threads : int
    """

    def __init__(self, graph: Graph, costs: FloatArray, targets: IntArray, choice: SourceChoice, threads: int) -> None:
        self._graph, self._costs, self._targets = graph, costs, targets
        self._choice, self._threads = choice, threads
        self._padded: FloatArray | None = None
        self._factor: tuple[FloatArray, FloatArray] | None = None

    @property
    def method(self) -> str:
        """'elimination' or 'searches'."""
        return self._choice.method

    @property
    def device(self) -> str:
        """Of the rows so far: 'cpu', 'cuda' or 'emulated'."""
        return self._choice.device

    def fill(self, sources: IntArray, out: FloatArray, progress: KernelProgress | None = None) -> None:
        """Write the rows of some sources.

        Parameters
        ----------
        out : (K, S, T) float64, contiguous

        Raises
        ------
        DeviceError, MemoryLimitError
            If a GPU that was named fails; otherwise the CPU does the work.
        """
        if out.size == 0:
            return
        shared: dict[str, Any] = {
            "arcs": arc_arrays(self._graph), "sources": sources, "targets": self._targets, "out": out,
            "threads": self._threads, "progress": progress,
        }  # fmt: skip
        tree, gpu = self._choice.tree, self._choice.gpu
        if tree is None:
            _cpu.skims_by_searches(costs=self._by_size(), **shared)
            return
        costs = np.ascontiguousarray(self._costs)
        if self._factor is None:
            self._factor = factorise(self._graph, costs, tree, threads=self._threads)
        if gpu is not None:
            try:
                _on_gpu(
                    self._graph, costs, tree, self._factor, sources, self._targets, out, gpu, self._threads, progress
                )
            except (DeviceError, MemoryLimitError):
                if gpu.is_named:
                    raise
                self._choice = self._choice.on_cpu()
            else:
                return
        first, others = self._factor
        _cpu.skims_by_elimination(tree=tree, costs=costs, first=first, others=others, **shared)

    def _by_size(self) -> FloatArray:
        """The costs, and zeros, in a number that searches take."""
        if self._padded is None:
            size = self._costs.shape[1]
            self._padded = np.zeros((self._graph.m, next(each for each in _SIZES if each >= size)))
            self._padded[:, :size] = self._costs
        return self._padded


def _on_gpu(
    graph: Graph, costs: FloatArray, tree: EliminationTree, factor: tuple[FloatArray, FloatArray], sources: IntArray,
    targets: IntArray, out: FloatArray, gpu: OneGpu, threads: int, progress: KernelProgress | None,
) -> None:  # fmt: skip
    from apsp.methods.skims.on_gpu import fill_on_gpu  # with the first GPU: `import apsp` stays quick

    inside = entered(gpu.gpu + 1, gpu.memory, threads) if gpu.is_emulated else nullcontext()
    with inside:
        fill_on_gpu(
            graph, costs, tree, factor, sources, targets, out, gpu=gpu.gpu, gpu_memory=gpu.memory, threads=threads,
            progress=progress,
        )  # fmt: skip


def factorise(
    graph: Graph, costs: FloatArray, tree: EliminationTree, *, threads: int = 1
) -> tuple[FloatArray, FloatArray]:
    """Return the factor over tuples: first costs (entries,), infinite without a path, and the others (entries, K - 1).

    Parameters
    ----------
    costs : (m, K) float64, contiguous
    """
    first, others = np.empty(tree.entries), np.empty((tree.entries, costs.shape[1] - 1))
    _cpu.skims_factor(tree=tree, arcs=arc_arrays(graph), costs=costs, first=first, others=others, threads=threads)
    return first, others
