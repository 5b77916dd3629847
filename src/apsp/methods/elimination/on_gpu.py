"""Elimination with the sweeps on a GPU: the factor is computed by the CPU, distances in the memory of the GPU.

Sources: as elimination.py; Sao, Kannan, Gera, Vuduc 2020, section 4 (dense work on a GPU).
Input: any graph, any of the five dtypes. Output: as `Solver.fill`. Cost: ordering and factor on all cores; then on the
GPU `row_pairs` and `climb_pairs` of `EliminationTree` for each source. Device memory: the factor, labels (for each lane
the distances to the vertices above its own, twice), and for rows, if they are not the whole matrix, as much again.
Raises NegativeCycleError with the cycle, DtypeRangeError.

The idea: supernodes of a level of the tree do not depend on each other, so a level is a launch of small dense (min,+)
products, whose long side is all sources. The whole matrix is written in place, a row per vertex; see kernels/sweeps.py.
Several GPUs have copies of the factor and share the sources; see rows_on_gpus.py.

Negative floats whose sums rounding makes inexact, and paths of such floats, are computed by Johnson's method, as on the
CPU.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.methods.elimination.factor_rows import FactorRows
from apsp.methods.elimination.kernels.names import lanes_of_a_word
from apsp.methods.elimination.preparation import factor_of_problem, prepared_for_others
from apsp.methods.elimination.tree import elimination_tree
from apsp.methods.problem import IntArray, KernelProgress, Problem, Solver
from apsp.methods.rows.rows_on_gpus import RowsOnGpus
from apsp.methods.searches.left_to_host import johnson_on_host
from apsp.reductions.row_sums import RowSums
from apsp.reductions.weighing import Weighing
from apsp.system.cached import cached_property
from apsp.system.threads import Threads

__all__ = ["prepare"]


def prepare(problem: Problem) -> Solver:
    """Prepare the method for a problem: compute the factor. A negative cycle is raised here."""
    return _Elimination(problem)


class _Elimination(Solver):
    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        tree = elimination_tree(problem.graph, threads=problem.threads)
        assert tree is not None
        with Threads(1, "apsp-layout") as beside:  # computing the factor needs no interpreter
            prepared = beside.submit(tree.layout.prepare, lanes_of_a_word(problem.dtype))
            self.factor = factor_of_problem(problem)
            prepared.result()

    def fill(self, sources: IntArray, dist: Any, pred: Any, progress: KernelProgress | None = None) -> None:
        """Write distances from the sources and, if requested, their predecessors. `ran_on` is then the device."""
        self.ran_on = None
        blurred = self.problem.graph.has_negative_arc and self.problem.dtype.kind == "f"
        if self.factor is None or (pred is not None and blurred):
            self.ran_on = "cpu"
            johnson_on_host(self.problem, sources, dist, pred, progress)
            return
        first = self._rows.each[0] if isinstance(self._rows, RowsOnGpus) else self._rows
        assert isinstance(first, FactorRows)
        if first.is_whole_matrix(sources, dist):
            first.fill_whole(sources, dist, pred, progress)
        else:
            self._rows.fill(sources, dist, pred, progress)

    @property
    def can_measure(self) -> bool:
        """Whether rows can be summed up: on one GPU if lines can be, on several for all distances."""
        return self.factor is not None and self.problem.targets is None and self._rows.can_measure

    def measure(self, sources: IntArray, progress: KernelProgress | None = None) -> RowSums:
        """Sum up the rows of the sources."""
        return self._rows.measure(sources, progress)

    def can_weigh(self, weighing: Weighing) -> bool:
        """Whether amounts can be added up while rows are computed: on one GPU."""
        return self.factor is not None and self._rows.can_weigh(weighing)

    def weigh(
        self, sources: IntArray, weighing: Weighing, progress: KernelProgress | None = None
    ) -> npt.NDArray[np.float64]:
        """Add up amounts over the rows of the sources."""
        return self._rows.weigh(sources, weighing, progress)

    def preparation(self, rate: float) -> Mapping[str, npt.NDArray[Any]]:
        """The order, and the factor."""
        return prepared_for_others(self.problem.graph, self.factor, rate)

    @cached_property
    def _rows(self) -> FactorRows | RowsOnGpus:
        factor, problem = self.factor, self.problem
        assert factor is not None

        def make_rows(one: Problem) -> FactorRows:
            return FactorRows(one, factor)

        return RowsOnGpus(problem, make_rows) if len(problem.gpus) > 1 else make_rows(problem)
