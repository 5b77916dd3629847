"""Solvers on emulated GPUs: the same as on real ones, inside the emulation.

Input: `prepare` of a method and a problem whose device is 'emulated'. Output: a `Solver` that enters the emulation for
each call. Results go to the host.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Any

from apsp.gpu.emulated.run import Emulation, entered
from apsp.solvers.problem import IntArray, KernelProgress, Problem, Solver

__all__ = ["EmulatedSolver", "prepare"]


def prepare(method: Callable[[Problem], Solver], problem: Problem) -> Solver:
    """What `method(problem)` gives, on emulated GPUs where the problem says so.

    Parameters
    ----------
    method : callable
        `prepare` of a solver module.
    problem : Problem
    """
    return EmulatedSolver(method, problem) if problem.device == "emulated" else method(problem)


class EmulatedSolver:
    """A solver whose GPUs are emulated.

    Parameters
    ----------
    method : callable
        `prepare` of a solver module.
    problem : Problem
        `gpus` are the numbers of emulated GPUs, `gpu_memory` the bytes of each, `threads` the cores they run on.
    """

    def __init__(self, method: Callable[[Problem], Solver], problem: Problem) -> None:
        self._problem = problem
        with self._inside():
            self._solver = method(problem)

    def _inside(self) -> AbstractContextManager[Emulation]:
        problem = self._problem
        return entered(max(problem.gpus, default=0) + 1, problem.gpu_memory, problem.threads)

    @property
    def ran_on(self) -> str:
        """'emulated', or 'cpu' where the last run was left to the host."""
        return "cpu" if getattr(self._solver, "ran_on", None) == "cpu" else "emulated"

    @property
    def timings(self) -> Mapping[str, float]:
        """What the solver says of its last run."""
        return getattr(self._solver, "timings", {})

    def fill(self, sources: IntArray, dist: Any, pred: Any, progress: KernelProgress | None = None) -> None:
        """See `Solver.fill`; the arrays lie on the host."""
        with self._inside():
            self._solver.fill(sources, dist, pred, progress)
