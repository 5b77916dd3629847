"""Rows of distances from several GPUs: sources are shared between them, each has a copy of the graph.

Input: a problem that names several GPUs, and a function that makes the solver of one. Output: as `Solver.fill`; sums
over rows are computed on the GPU that computes the rows. Cost: that of one GPU divided by their number, and the
preparation of the graph on each. The idea: rows do not depend on each other, so the GPUs only share a counter of
blocks: see shared_rows.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from apsp.methods.problem import IntArray, KernelProgress, Problem, Solver
from apsp.methods.rows.request import fill_empty
from apsp.methods.rows.rows_on_gpu import RowsOnGpu, Search
from apsp.methods.rows.shared_rows import Parts, Task, share
from apsp.reductions.row_sums import RowSums

__all__ = ["RowsOnGpus", "rows_on_gpus"]

_ROUNDS = 4
"""Blocks that each GPU should get at least, so that none waits long for the last."""

_WHOLE = 1024
"""Number of rows below which a block does not keep a GPU busy."""


def rows_on_gpus(problem: Problem, make_search: Callable[[RowsOnGpu], Search]) -> RowsOnGpu | RowsOnGpus:
    """Return the solver of rows on the GPUs of a problem, one or several; see `RowsOnGpu`."""

    def make_rows(one: Problem) -> RowsOnGpu:
        return RowsOnGpu(one, make_search)

    return RowsOnGpus(problem, make_rows) if len(problem.gpus) > 1 else make_rows(problem)


class RowsOnGpus(Solver):
    """A `Solver` whose rows are computed on several GPUs.

    Parameters
    ----------
    problem : Problem
        If it names a GPU twice, two threads of the host use that GPU.
    make_rows : callable
        Returns the solver of rows on one GPU; its problem has only this GPU.

    Attributes
    ----------
    each : list of RowsOnGpu
        The solvers, in the order of the GPUs.
    """

    def __init__(self, problem: Problem, make_rows: Callable[[Problem], RowsOnGpu]) -> None:
        self.problem = problem
        threads = max(problem.threads // len(problem.gpus), 1)
        self.each = [make_rows(replace(problem, gpus=(gpu,), threads=threads)) for gpu in problem.gpus]

    def fill(self, sources: IntArray, dist: Any, pred: Any, progress: KernelProgress | None = None) -> None:
        """Write distances from the sources and, if requested, their predecessors."""
        if self.problem.graph.n == 0 or len(sources) == 0:
            return
        if self.each[0].nothing_within_cutoff:
            fill_empty(self.problem, dist, pred)
            return
        arrays = (dist,) if pred is None else (dist, pred)

        def of(one: RowsOnGpu) -> Task:
            def work(parts: Iterator[slice], done: Callable[[int], None]) -> None:
                one.fill_parts(parts, sources, arrays, done)
                one.wait()

            return work

        self._share(of, self._parts(len(sources), arrays), progress)

    @property
    def can_measure(self) -> bool:
        """Whether rows are needed in whole, and some distance may be within the cutoff."""
        return self.problem.targets is None and not self.each[0].nothing_within_cutoff

    def measure(self, sources: IntArray, progress: KernelProgress | None = None) -> RowSums:
        """Sum up the rows of the sources: each GPU sums up the rows that it computes."""
        sums = RowSums.empty(sources, self.problem.dtype)
        if len(sources):

            def of(one: RowsOnGpu) -> Task:
                return lambda parts, done: one.measure_parts(parts, sums, done)

            self._share(of, self._parts(len(sources), ()), progress)
        return sums

    def _share(self, of: Callable[[RowsOnGpu], Task], parts: Parts, progress: KernelProgress | None) -> None:
        """Share the rows among at most as many GPUs as there are blocks: copying the graph takes time."""
        share([of(one) for one in self.each[: parts.count]], parts, progress)

    def _parts(self, rows: int, arrays: tuple[Any, ...]) -> Parts:
        """Return blocks that are small enough to occupy all GPUs, but not too small for one."""
        even = -(-rows // (_ROUNDS * len(self.each)))
        even = max(-(-even // _WHOLE) * _WHOLE, 1)
        return Parts(rows, min(even, *(one.height(arrays) for one in self.each)))
