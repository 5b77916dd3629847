"""Rows of distances with a cutoff, filled with the pairs that `apsp.within` finds.

Sources: as of `apsp.methods.near.preparing`.
Input: a graph without negative arcs, any of the five dtypes. Output: as `Solver.fill`.
Cost: of what is within the cutoff, and n to write a row; the pairs of some sources are in memory at a time. Raises
MethodRefusedError for negative arcs.

The idea: a search without bounds resets, reads and writes all n vertices per source in the order of the graph. What is
near takes no time for the others, and they are all the same "no path", which is written as fast as memory takes it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp.graph.csr import arc_arrays, arc_lengths
from apsp.methods.near.cost import COSTS as KINDS
from apsp.methods.near.matrix_cost import MOST_PAIRS, NAME, choice_for
from apsp.methods.near.solver import NearProblem, NearSolver
from apsp.methods.problem import IntArray, KernelProgress, Problem, Solver
from apsp.methods.registry import source_solver
from apsp.methods.rows.request import fill_empty, refuse_negative_arcs
from apsp.methods.source_cost import SourceChoice

__all__ = ["prepare"]


def prepare(problem: Problem, *, by: str | None = None, most: int = MOST_PAIRS) -> Solver:
    """Prepare the method for a problem.

    Parameters
    ----------
    by : str, optional
        The method for near pairs.
    most : int
        Pairs in memory at a time, unless one source has more.
    """
    refuse_negative_arcs(NAME, problem.graph)
    return _NearMatrix(problem, by, most)


class _NearMatrix(Solver):
    """A `Solver` that writes near pairs."""

    def __init__(self, problem: Problem, by: str | None, most: int) -> None:
        self.problem, self._by = problem, by
        self._arcs = arc_arrays(problem.graph, arc_lengths(problem.graph, problem.dtype))
        self._is_target: npt.NDArray[np.bool_] | None = None
        if problem.targets is not None:
            self._is_target = np.zeros(problem.graph.n, dtype=bool)
            self._is_target[problem.targets] = True
        self._most = max(most, problem.graph.n)
        self._found: tuple[NearSolver, bool, int] | None = None

    def fill(
        self, sources: IntArray, dist: npt.NDArray[Any], pred: IntArray | None, progress: KernelProgress | None = None
    ) -> None:
        """Find the pairs of some sources at a time, and write their rows."""
        cutoff, threads = self.problem.cutoff, self.problem.threads
        if cutoff is not None and cutoff < 0:
            fill_empty(self.problem, dist, pred)
            return
        if not len(sources):
            return
        if self._found is None:
            self._found = self._prepared(len(sources))
        solver, by_target, height = self._found
        is_target = self._is_target if pred is None else None
        start = 0
        while start < len(sources):
            some = sources[start : start + height]
            pairs = solver.find(
                some, cutoff, is_target=is_target, by_target=by_target, most=self._most, threads=threads,
                progress=_from(start, progress),
            )  # fmt: skip
            if pairs is None:  # more than expected; of one source there are never too many
                height = max(len(some) // 2, 1)
                continue
            rows = slice(start, start + len(some))
            to = _cpu.RowArrays(some, dist[rows], None if pred is None else pred[rows], self.problem.targets)
            _cpu.write_near(
                self._arcs, to, starts=pairs.starts, targets=pairs.targets, distances=pairs.distances, threads=threads
            )
            start += len(some)

    def _prepared(self, at_once: int) -> tuple[NearSolver, bool, int]:
        """A method for near pairs, whether it has the order of the targets at no cost, and sources per call of it."""
        problem, first = self.problem, next(iter(KINDS))
        graph, rows = problem.graph, max(problem.graph.n if problem.rows is None else problem.rows, at_once)
        found = choice_for(graph, problem.dtype, problem.cutoff, rows, at_once, problem.threads, self._by)
        choice, reached = (SourceChoice(first, 0.0, 0.0), float(graph.n)) if found is None else found
        near = NearProblem(graph, problem.dtype, rows, problem.threads)
        solver: NearSolver = source_solver("within", choice.method)(near, choice)
        return solver, choice.method != first, max(int(self._most / (2 * reached + 1)), 1)


def _from(start: int, progress: KernelProgress | None) -> KernelProgress | None:
    """Progress behind the rows before `start`."""
    return None if progress is None else lambda done: progress(start + done)
