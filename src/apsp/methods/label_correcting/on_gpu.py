"""Label correcting on a GPU: a block of threads per source, its labels in shared memory.

Sources: Davidson, Baxter, Garland, Owens 2014, "Work-efficient parallel GPU methods for single-source shortest paths",
section 4 (near-far lists); Okuyama, Ino, Hagihara 2010 (all sources as independent tasks).
Input: any graph, any of the five dtypes. Output: as `Solver.fill`. Cost: every arc is relaxed once or twice per source;
device memory: the arcs twice, and labels if they do not fit into shared memory.
Raises NegativeCycleError with the cycle.

The idea: a search that stays on one multiprocessor takes a few cycles per arc, and hundreds of searches run at once.
Labels below a threshold are processed in rounds, so that little work is repeated. With negative integers every round
processes all labels, as in Bellman-Ford, and a search with more rounds than a path can have arcs has found a negative
cycle, which the CPU then locates. Negative floats are computed by Johnson's method, since sums that cancel are not
exact. If much of the graph is chains, searches start only from their ends: see through_core.py.
"""

from __future__ import annotations

import copy
import math
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.gpu.page import Page
from apsp.methods.label_correcting.kernels.label_correcting import LabelCorrecting
from apsp.methods.label_correcting.near_on_gpu import NearSearchesOnGpu
from apsp.methods.label_correcting.through_core import ThroughCore, may_have_chains, searches_of
from apsp.methods.problem import IntArray, KernelProgress, Problem, Solver
from apsp.methods.rows.rows_on_gpu import RowsOnGpu, Search
from apsp.methods.rows.rows_on_gpus import rows_on_gpus
from apsp.methods.searches.left_to_host import johnson_on_host
from apsp.methods.searches.negative_cycle import refuse_negative_cycle
from apsp.reductions.row_sums import RowSums
from apsp.reductions.weighing import Weighing

__all__ = ["prepare"]


def prepare(problem: Problem) -> Solver:
    """Prepare the method for a problem."""
    graph = problem.graph
    if graph.has_zones:
        refuse_negative_cycle(graph)  # it may pass through a zone, which the kernels do not consider
    return _LabelCorrecting(problem)


class _EndlessError(Exception):
    """A search took more rounds than possible without a negative cycle."""


class _LabelCorrecting(Solver):
    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.rows: Solver = rows_on_gpus(problem, _search)
        self.near: NearSearchesOnGpu | None = None

    def fill(self, sources: IntArray, dist: Any, pred: Any, progress: KernelProgress | None = None) -> None:
        """Write distances from the sources and, if requested, their predecessors. `ran_on` is then the device."""
        self.ran_on = None
        graph = self.problem.graph
        if graph.has_negative_arc and self.problem.dtype.kind == "f":
            self._on_host(sources, dist, pred, progress)
            return
        try:
            self.rows.fill(sources, dist, pred, progress)
        except _EndlessError:
            refuse_negative_cycle(graph)
            self._on_host(sources, dist, pred, progress)

    def backwards(self) -> Solver | None:
        """Return the solver of distances to the sources; None with negative arcs, for which the CPU may be needed."""
        rows = None if self.problem.graph.has_negative_arc else self.rows.backwards()
        if rows is None or rows is self.rows:
            return None if rows is None else self
        found = copy.copy(self)
        found.rows = rows
        return found

    @property
    def can_measure(self) -> bool:
        """Whether there are no negative arcs, for which the CPU may compute the rows."""
        return self.rows.can_measure and not self.problem.graph.has_negative_arc

    def measure(self, sources: IntArray, progress: KernelProgress | None = None) -> RowSums:
        """Sum up the rows of the sources."""
        return self.rows.measure(sources, progress)

    def can_weigh(self, weighing: Weighing) -> bool:
        """Whether tables in shared memory hold what is within the cutoffs of most sources."""
        graph, longest = self.problem.graph, weighing.cutoffs[-1]
        if graph.has_negative_arc or not 0 <= longest < math.inf or len(self.problem.gpus) > 1 or graph.n == 0:
            return False
        if self.near is None or self.near.cutoff != longest:
            self.near = NearSearchesOnGpu(graph, self.problem.dtype, longest, *self.problem.gpus)
        return self.near.has_room()

    def weigh(
        self, sources: IntArray, weighing: Weighing, progress: KernelProgress | None = None
    ) -> npt.NDArray[np.float64]:
        """Add up amounts over what is within the cutoffs."""
        assert self.near is not None
        return self.near.weigh(sources, weighing, self.problem.threads, progress)

    def _on_host(self, sources: IntArray, dist: Any, pred: Any, progress: KernelProgress | None) -> None:
        self.ran_on = "cpu"
        johnson_on_host(self.problem, sources, dist, pred, progress)


def _search(rows: RowsOnGpu) -> Search:
    through_core = ThroughCore(rows) if may_have_chains(rows) else None
    whole: list[LabelCorrecting] = []

    def search(_: IntArray, sources: Page, dist: Page, targets: Page | None) -> None:
        if through_core is not None and through_core.rows(sources, dist, targets):
            return
        if not whole:
            whole.append(searches_of(rows.problem.graph, rows.arcs(), rows.problem.dtype))
        if not whole[0].rows(sources, dist, targets, rows.cutoff if rows.nonnegative else None):
            raise _EndlessError

    return search
