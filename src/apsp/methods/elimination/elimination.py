"""Elimination: a factor of the graph on a nested dissection order, then rows of distances from it.

Sources: Carré 1971; George 1973; Sao, Kannan, Gera, Vuduc 2020, "A supernodal all-pairs shortest path algorithm".
Input: any graph, any of the five dtypes. Output: as `Solver.fill`. Cost: see `EliminationTree`: for planar graphs about
n log n values, n^1.5 pairs for the factor and n log n per source; with large separators, up to n^3 pairs and n^2
values. Raises NegativeCycleError with the cycle, DtypeRangeError.

The idea: graphs such as roads and grids have small separators. After the vertices between separators are eliminated, a
row of distances takes a few operations per vertex, in SIMD lanes over the sources, without a queue.

Sums of negative floats may cancel: if a cycle is zero within rounding, Johnson's method is used, whose sums are exact.
It is also used for paths with negative floats, since with rounding it may be unclear which arcs are on shortest paths.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp.graph.csr import arc_arrays
from apsp.graph.places.ends import Ends
from apsp.methods.elimination.factor import Factor
from apsp.methods.elimination.preparation import factor_of_problem, keep, prepared_for_others
from apsp.methods.problem import IntArray, KernelProgress, Problem, Solver
from apsp.methods.rows.read_off import forget_beyond
from apsp.methods.rows.request import fill_empty
from apsp.methods.searches import johnson
from apsp.reductions.row_sums import RowSums
from apsp.reductions.weighing import Weighing
from apsp.semiring import Algebra
from apsp.system.cached import cached_property

__all__ = ["keep", "prepare"]


def prepare(problem: Problem) -> Solver:
    """Prepare the method for a problem: compute the factor. A negative cycle is raised here."""
    if problem.device != "cpu":
        from apsp.methods.elimination import on_gpu as elimination_gpu

        return elimination_gpu.prepare(problem)
    return _Elimination(problem)


class _Elimination(Solver):
    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.cutoff = problem.cutoff
        self.factor = factor_of_problem(problem)

    def fill(
        self,
        sources: IntArray,
        dist: npt.NDArray[Any],
        pred: IntArray | None,
        progress: KernelProgress | None = None,
    ) -> None:
        """Write distances from the sources and, if requested, their predecessors."""
        problem, factor = self.problem, self.factor
        negative = problem.graph.has_negative_arc
        if factor is None or (pred is not None and negative and problem.dtype.kind == "f"):
            self._johnson.fill(sources, dist, pred, progress)
        elif self.cutoff is not None and self.cutoff < 0 and not negative:
            fill_empty(problem, dist, pred)
        elif pred is None or not negative:
            factor.rows(
                sources, problem.targets, dist, pred=pred, cutoff=self.cutoff, threads=problem.threads,
                progress=progress,
            )  # fmt: skip
        else:
            self._fill_with_signed_paths(factor, sources, dist, pred, progress)

    @property
    def can_fill_between(self) -> bool:
        """Whether the factor takes points between ends, which no cutoff applies to."""
        return self.factor is not None and self.cutoff is None and self.factor.has_between

    def fill_between(
        self, sources: Ends, targets: Ends, dist: npt.NDArray[np.float64], progress: KernelProgress | None = None
    ) -> None:
        """Write distances between points, by one search for both ends of each source."""
        assert self.factor is not None
        self.factor.between(sources, targets, dist, threads=self.problem.threads, progress=progress)

    @cached_property
    def _johnson(self) -> Solver:
        """Return Johnson's solver; its potentials are used for every block of rows."""
        return johnson.prepare(self.problem)

    @property
    def can_measure(self) -> bool:
        """Whether the factor has sums, and rows are needed in whole."""
        return self.factor is not None and self.factor.has_sums and self.problem.targets is None

    def measure(self, sources: IntArray, progress: KernelProgress | None = None) -> RowSums:
        """Sum up the rows of the sources."""
        assert self.factor is not None
        return self.factor.measure(sources, cutoff=self.cutoff, threads=self.problem.threads, progress=progress)

    def can_weigh(self, weighing: Weighing) -> bool:
        """Whether the factor adds up amounts, and rows are needed in whole."""
        return self.factor is not None and self.problem.targets is None and self.factor.can_weigh(weighing)

    def weigh(
        self, sources: IntArray, weighing: Weighing, progress: KernelProgress | None = None
    ) -> npt.NDArray[np.float64]:
        """Add up amounts over the rows of the sources; the sweeps skip what is beyond the longest cutoff."""
        assert self.factor is not None
        return self.factor.weigh(sources, weighing, threads=self.problem.threads, progress=progress)

    def preparation(self, rate: float) -> Mapping[str, npt.NDArray[Any]]:
        """The order, and the factor."""
        return prepared_for_others(self.problem.graph, self.factor, rate)

    def _fill_with_signed_paths(
        self, factor: Factor, sources: IntArray, dist: npt.NDArray[Any], pred: IntArray, progress: KernelProgress | None
    ) -> None:
        """Compute whole rows, find the shortest path trees from them, then copy the requested columns.

        With negative arcs distances do not rise along a path, so that a last arc alone does not give a tree.
        """
        problem, whole = self.problem, dist
        if problem.targets is not None:
            whole = np.empty((len(sources), problem.graph.n), dtype=problem.dtype)
        factor.rows(sources, None, whole, threads=problem.threads, progress=progress)
        _cpu.tree_rows(
            arc_arrays(problem.graph, problem.graph.weights),
            sources=sources,
            dist=whole,
            pred=pred,
            threads=problem.threads,
        )
        if self.cutoff is not None:  # not earlier: the length of a path may fall below it again
            every = np.arange(len(sources), dtype=np.int32)
            forget_beyond(self.cutoff, every, whole, pred, Algebra(problem.semiring, False))
        if problem.targets is not None:
            dist[...] = whole[:, problem.targets]
