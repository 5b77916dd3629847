"""Johnson: potentials that make every arc non-negative, then Dijkstra from every source.

Source: Johnson 1977, "Efficient algorithms for shortest paths in sparse networks", section 4.
Input: any graph, any of the five dtypes. Output: as `Solver.fill`. Cost: n m operations at worst for the potentials,
then m + n log n per source; 24 m + 40 n bytes, and 30 n per thread. Raises NegativeCycleError with the cycle.

The idea: reduced weights preserve shortest paths and are not negative, so Dijkstra finds the paths, and their
lengths are restored exactly. Floats are integers in a common unit while the searches run (see potentials.py), so a
distance is the exact sum along its path, rounded once.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp.facts.potentials import Potentials, potentials, signed_floats
from apsp.graph.csr import arc_arrays
from apsp.methods.problem import IntArray, KernelProgress, Problem, Solver
from apsp.methods.rows.request import fill_empty

__all__ = ["prepare"]


def prepare(problem: Problem) -> Solver:
    """Prepare the method for a problem: find the potentials. A negative cycle is raised here."""
    return _Floats(problem) if problem.dtype.kind == "f" else _Integers(problem)


class _Integers(Solver):
    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.cutoff = problem.cutoff
        found = potentials(problem.graph)
        self.arcs, self.height = arc_arrays(problem.graph, _narrowest(problem, found)), found.height

    def fill(
        self,
        sources: IntArray,
        dist: npt.NDArray[Any],
        pred: IntArray | None,
        progress: KernelProgress | None = None,
    ) -> None:
        """Write distances from the sources and, if requested, their predecessors.

        With negative arcs, a vertex beyond the cutoff keeps its predecessor if a path within the cutoff passes it.
        """
        if self.cutoff is not None and self.cutoff < 0 and self.problem.dtype.kind == "u":
            fill_empty(self.problem, dist, pred)
            return
        rows = _cpu.RowArrays(sources, dist, pred, self.problem.targets, self.cutoff)
        _cpu.johnson_rows(self.arcs, self.height, rows, self.problem.threads, progress)


class _Floats(Solver):
    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.cutoff = problem.cutoff
        self.arcs = arc_arrays(problem.graph)
        self.searches = signed_floats(problem.graph)

    def fill(
        self,
        sources: IntArray,
        dist: npt.NDArray[Any],
        pred: IntArray | None,
        progress: KernelProgress | None = None,
    ) -> None:
        """Write distances from the sources and, if requested, their predecessors and `_Integers.fill`."""
        rows = _cpu.RowArrays(sources, dist, pred, self.problem.targets, self.cutoff)
        self.searches.rows(self.arcs, rows, self.problem.threads, progress)


def _narrowest(problem: Problem, found: Potentials) -> npt.NDArray[Any]:
    """Return reduced weights in int32 if every reduced length provably fits: a path has at most n - 1 arcs."""
    largest = int(found.reduced.max(initial=0))
    fits = largest * max(problem.graph.n - 1, 1) < np.iinfo(np.int32).max
    return found.reduced.astype(np.int32) if fits else found.reduced
