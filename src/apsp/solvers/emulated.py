"""Solvers on emulated GPUs: the same as on real ones, inside the emulation.

Input: `prepare` of a method and a problem whose device is 'emulated'. Output: a `Solver` that enters the emulation for
each call. Results go to the host.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Any

from apsp.gpu.emulated.run import Emulation, entered
from apsp.limits import allowed_cores
from apsp.solvers.problem import IntArray, KernelProgress, Problem, RowSums, Solver

__all__ = ["EmulatedSolver", "MeasuringSolver", "prepare"]


def prepare(method: Callable[[Problem], Solver], problem: Problem) -> Solver:
    """What `method(problem)` gives, on emulated GPUs where the problem says so.

    Parameters
    ----------
    method : callable
        `prepare` of a solver module.
    problem : Problem
    """
    if problem.device != "emulated":
        return method(problem)
    solver = EmulatedSolver(method, problem)
    return MeasuringSolver(solver) if hasattr(solver.inner, "measure") else solver


class EmulatedSolver:
    """A solver whose GPUs are emulated.

    Parameters
    ----------
    method : callable
        `prepare` of a solver module.
    problem : Problem
        `gpus` are the numbers of emulated GPUs, `gpu_memory` the bytes of each, `threads` the cores they run on.

    Attributes
    ----------
    inner : Solver
        What `method` made.
    """

    def __init__(self, method: Callable[[Problem], Solver], problem: Problem) -> None:
        self._problem = problem
        with self.inside():
            self.inner = method(problem)

    def inside(self) -> AbstractContextManager[Emulation]:
        """Make the emulated GPUs those of the code inside."""
        problem = self._problem
        return entered(max(problem.gpus, default=0) + 1, problem.gpu_memory, min(problem.threads, allowed_cores()))

    @property
    def ran_on(self) -> str:
        """'emulated', or 'cpu' where the last run was left to the host."""
        return "cpu" if getattr(self.inner, "ran_on", None) == "cpu" else "emulated"

    @property
    def timings(self) -> Mapping[str, float]:
        """What the solver says of its last run."""
        return getattr(self.inner, "timings", {})

    def fill(self, sources: IntArray, dist: Any, pred: Any, progress: KernelProgress | None = None) -> None:
        """See `Solver.fill`; the arrays lie on the host."""
        with self.inside():
            self.inner.fill(sources, dist, pred, progress)


class MeasuringSolver:
    """The same, of a solver that also sums up rows.

    Parameters
    ----------
    solver : EmulatedSolver
    """

    def __init__(self, solver: EmulatedSolver) -> None:
        self._solver = solver
        self.fill = solver.fill

    @property
    def ran_on(self) -> str:
        """See `EmulatedSolver`."""
        return self._solver.ran_on

    def measure(self, sources: IntArray, progress: KernelProgress | None = None) -> RowSums | None:
        """See `Solver`."""
        with self._solver.inside():
            found: RowSums | None = self._solver.inner.measure(sources, progress)  # type: ignore[attr-defined]
            return found
