"""Solvers on emulated GPUs: those of real GPUs, run inside the emulation.

Input: `prepare` of a method and a problem whose device is 'emulated'. Output: a `Solver` that enters the emulation for
each call. Results are copied to the host.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from apsp.gpu.emulated.run import Emulation, entered
from apsp.methods.problem import IntArray, KernelProgress, Problem, Solver
from apsp.reductions.row_sums import RowSums
from apsp.reductions.weighing import Weighing
from apsp.system.limits import allowed_cores

__all__ = ["EmulatedSolver", "inside", "prepare"]


class _Place(Protocol):
    """A problem, or a plan."""

    @property
    def device(self) -> str: ...
    @property
    def gpus(self) -> tuple[int, ...]: ...
    @property
    def gpu_memory(self) -> int | None: ...
    @property
    def threads(self) -> int: ...


def prepare(method: Callable[[Problem], Solver], problem: Problem) -> Solver:
    """Return `method(problem)`, on emulated GPUs if the problem requests them.

    Parameters
    ----------
    method : callable
        `prepare` of a solver module.
    problem : Problem
    """
    if problem.device != "emulated":
        return method(problem)
    with inside(problem):
        inner = method(problem)
    return EmulatedSolver(inner, problem)


def inside(place: _Place) -> AbstractContextManager[Emulation | None]:
    """Work on the emulated GPUs of a problem or a plan within the context, if it names some."""
    if place.device != "emulated":
        return nullcontext()
    return entered(max(place.gpus, default=0) + 1, place.gpu_memory, min(place.threads, allowed_cores()))


class EmulatedSolver(Solver):
    """A solver whose GPUs are emulated.

    Parameters
    ----------
    inner : Solver
        The solver, prepared on emulated GPUs.
    problem : Problem
        `gpus` are the numbers of emulated GPUs, `gpu_memory` the bytes of each, `threads` the cores they run on.
    """

    def __init__(self, inner: Solver, problem: Problem) -> None:
        self._inner, self._problem = inner, problem

    def fill(self, sources: IntArray, dist: Any, pred: Any, progress: KernelProgress | None = None) -> None:
        """Write distances from the sources and, if requested, their predecessors; the arrays are on the host."""
        with inside(self._problem):
            self._inner.fill(sources, dist, pred, progress)
        self.ran_on = "cpu" if self._inner.ran_on == "cpu" else None
        self.timings = self._inner.timings

    def backwards(self) -> Solver | None:
        """As the solver itself."""
        with inside(self._problem):
            inner = self._inner.backwards()
        return self if inner is self._inner else None if inner is None else EmulatedSolver(inner, self._problem)

    @property
    def can_measure(self) -> bool:
        """As the solver itself."""
        with inside(self._problem):
            return self._inner.can_measure

    def can_weigh(self, weighing: Weighing) -> bool:
        """As the solver itself."""
        with inside(self._problem):
            return self._inner.can_weigh(weighing)

    def weigh(
        self, sources: IntArray, weighing: Weighing, progress: KernelProgress | None = None
    ) -> npt.NDArray[np.float64]:
        """Add up amounts over the rows of the sources."""
        with inside(self._problem):
            return self._inner.weigh(sources, weighing, progress)

    def preparation(self, rate: float) -> Mapping[str, npt.NDArray[Any]]:
        """As the solver itself."""
        return self._inner.preparation(rate)

    def measure(self, sources: IntArray, progress: KernelProgress | None = None) -> RowSums:
        """Sum up the rows of the sources."""
        with inside(self._problem):
            return self._inner.measure(sources, progress)
