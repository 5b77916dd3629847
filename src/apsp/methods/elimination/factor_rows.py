"""Rows, sums over rows, and the whole matrix from a factor on a GPU.

Input: a problem for one GPU, and the factor computed by the CPU. Output: as `Solver.fill` and `Solver.measure`. Cost,
and device memory: see on_gpu.py. Raises DtypeRangeError.

The idea: the whole matrix is written in place. Other rows are computed as lines, which are transposed or summed up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.gpu.memory import on_gpu
from apsp.gpu.page import Page
from apsp.methods.elimination.factor import Factor
from apsp.methods.elimination.factor_on_gpu import FactorOnGpu, can_weigh, has_sums, lanes_at_once, near_lanes_at_once
from apsp.methods.problem import IntArray, KernelProgress, Problem
from apsp.methods.rows.rows_on_gpu import RowsOnGpu
from apsp.reductions.row_sums import RowSums
from apsp.reductions.weighing import Weighing
from apsp.system.cached import cached_property

__all__ = ["FactorRows"]


class FactorRows(RowsOnGpu):
    """A `Solver` whose rows come from a factor, on one GPU.

    Parameters
    ----------
    problem : Problem
    factor : Factor
    """

    def __init__(self, problem: Problem, factor: Factor) -> None:
        gpu = problem.gpus[0] if problem.gpus else 0
        self._lanes = lanes_at_once(problem.graph, problem.dtype.itemsize, gpu, problem.gpu_memory)
        super().__init__(problem, lambda _: self._search_rows, self._lanes)
        self._factor = factor

    def is_whole_matrix(self, sources: IntArray, dist: Any) -> bool:
        """Whether all n x n distances are written to the memory of this GPU."""
        graph = self.problem.graph
        if not (self._lies_here(dist) and 0 < graph.n == len(sources)) or self.nothing_within_cutoff:
            return False
        whole = self.problem.targets is None and dist.strides[1] == dist.itemsize and not graph.has_zones
        return whole and bool((sources == np.arange(graph.n)).all())

    def fill_whole(self, sources: IntArray, dist: Any, pred: Any, progress: KernelProgress | None = None) -> None:
        """Write all distances; only if `is_whole_matrix`."""
        has_more = pred is not None or (self.cutoff is not None and not self.nonnegative)
        with on_gpu(self.gpu):
            self._on_gpu.matrix(dist, None if has_more else progress)
        if has_more:
            self.fill(sources, dist, pred, progress, search=_nothing)  # the rows are complete
        elif progress is not None:
            progress(len(sources))

    def backwards(self) -> None:
        """Return nothing: the factor is that of one direction."""

    @property
    def can_measure(self) -> bool:
        """Whether lines can be summed up, and some distance may be within the cutoff."""
        return self._sums_lines and not self.nothing_within_cutoff

    def measure(self, sources: IntArray, progress: KernelProgress | None = None) -> RowSums:
        """Sum up the rows of the sources."""
        if len(sources) == 0:
            return RowSums.empty(sources, self.problem.dtype)
        with on_gpu(self.gpu):
            return self._on_gpu.measure(sources, self._lanes, progress)

    def measure_parts(self, parts: Iterator[slice], sums: RowSums, done: Callable[[int], None]) -> None:
        """Sum up the parts of the rows that `parts` yields."""
        if not self._sums_lines:
            super().measure_parts(parts, sums, done)
            return
        with on_gpu(self.gpu):
            self._on_gpu.measure_parts(parts, sums, done)

    def can_weigh(self, weighing: Weighing) -> bool:  # noqa: ARG002
        """Whether amounts can be added up over lines."""
        return self.problem.targets is None and can_weigh(self.problem.graph, self.problem.dtype)

    def weigh(
        self, sources: IntArray, weighing: Weighing, progress: KernelProgress | None = None
    ) -> npt.NDArray[np.float64]:
        """Add up amounts over the rows of the sources; the way down skips what is beyond the longest cutoff."""
        if len(sources) == 0 or weighing.cutoffs[-1] < 0:
            return weighing.empty(len(sources))
        problem = self.problem
        with on_gpu(self.gpu):
            lanes = near_lanes_at_once(problem.graph, problem.dtype.itemsize, self.gpu, problem.gpu_memory)
            return self._on_gpu.weigh(sources, weighing, lanes, progress)

    def height(self, arrays: tuple[Any, ...]) -> int:
        """Return the rows of a block: at most the number that is swept together."""
        return self._lanes if not arrays and self._sums_lines else min(super().height(arrays), self._lanes)

    @property
    def _sums_lines(self) -> bool:
        """Whether lines are summed up directly: unless rows change after the search."""
        cuts_later = self.cutoff is not None and not self.nonnegative
        return has_sums(self.problem.graph, self.problem.dtype) and not cuts_later

    @cached_property
    def _on_gpu(self) -> FactorOnGpu:
        return FactorOnGpu(self._factor, self.cutoff)

    def _search_rows(self, sources: IntArray, _: Page, dist: Page, targets: Page | None) -> None:
        self._on_gpu.rows(sources, dist, None if targets is None else self.problem.targets)


def _nothing(*_: object) -> None:
    """Do nothing: rows do not change."""
