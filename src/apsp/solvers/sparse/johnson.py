"""Johnson: potentials that make every arc non-negative, then Dijkstra from every source.

Source: Johnson 1977, "Efficient algorithms for shortest paths in sparse networks", section 4.
Input: any graph, any of the five dtypes. Output: as `Solver.fill`. Cost: n m operations at worst for the potentials,
then m + n log n a source; 24 m + 40 n bytes, and 30 n a thread. Raises NegativeCycleError with the cycle.

The idea: reduced weights keep every shortest path and forbid negative arcs, so Dijkstra finds the paths. Integer
lengths are taken back exactly; a float length is added up anew along its path in the original weights, so no
height that cancels costs a digit.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp.solvers.problem import IntArray, KernelProgress, Problem, Solver
from apsp.solvers.sparse.potentials import Potentials, potentials
from apsp.solvers.sparse.request import arc_lengths, bound_in, fill_empty, graph_arguments

__all__ = ["prepare"]


def prepare(problem: Problem) -> Solver:
    """See `Problem` and `Solver`. The potentials are found here, so a negative cycle is raised here."""
    return _Johnson(problem)


class _Johnson:
    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        found = potentials(problem.graph)
        self.cutoff = bound_in(problem.cutoff, problem.dtype)
        self.arguments = graph_arguments(problem)
        if problem.dtype.kind == "f":
            self.reduced = found.reduced.astype(np.float64, copy=False)
            self.origin: npt.NDArray[Any] = arc_lengths(problem.graph, problem.dtype)
        else:
            self.reduced = _narrowest(problem, found)
            self.origin = found.height

    def fill(
        self,
        sources: IntArray,
        dist: npt.NDArray[Any],
        pred: IntArray | None,
        progress: KernelProgress | None = None,
    ) -> None:
        """See `Solver.fill`.

        With negative arcs, a vertex beyond the cutoff keeps its predecessor if a path within the cutoff passes it.
        """
        if self.cutoff is not None and self.cutoff < 0 and self.problem.dtype.kind == "u":
            fill_empty(self.problem, dist, pred)
            return
        _cpu.johnson_rows(
            **self.arguments,
            reduced=self.reduced,
            origin=self.origin,
            sources=sources,
            dist=dist,
            pred=pred,
            cutoff=self.cutoff,
            progress=progress,
        )


def _narrowest(problem: Problem, found: Potentials) -> npt.NDArray[Any]:
    """Reduced weights in int32 if every reduced length provably fits: a path has at most n - 1 arcs."""
    largest = int(found.reduced.max(initial=0))
    fits = largest * max(problem.graph.n - 1, 1) < np.iinfo(np.int32).max
    return found.reduced.astype(np.int32) if fits else found.reduced
