"""Pairs within a cutoff on a GPU, and on the CPU if a GPU fails that the request does not name."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

from apsp.errors import DeviceError, MemoryLimitError
from apsp.facts.one_gpu import OneGpu
from apsp.gpu.emulated.run import entered
from apsp.gpu.memory import free_on_failure
from apsp.methods.label_correcting.near_on_gpu import NearSearchesOnGpu
from apsp.methods.near.solver import NearProblem, NearSolver
from apsp.methods.problem import IntArray
from apsp.methods.searches.near import NearRows

__all__ = ["NearOnGpu"]


class NearOnGpu:
    """A `NearSolver` of one GPU.

    Parameters
    ----------
    problem : NearProblem
        Without other costs.
    gpu : OneGpu
    otherwise : callable
        Prepares a solver of the CPU, if the GPU fails and the request does not name it.
    """

    def __init__(self, problem: NearProblem, gpu: OneGpu, otherwise: Callable[[], NearSolver]) -> None:
        self._gpu, self._threads, self._otherwise = gpu, problem.threads, otherwise
        self._searches = NearSearchesOnGpu(problem.graph, problem.dtype, gpu.gpu)
        self._instead: NearSolver | None = None

    def find(self, sources: IntArray, cutoff: float | None, *, sums: bool = False, **request: Any) -> NearRows | None:
        """Return the pairs of some sources; see `NearSolver.find`."""
        assert not sums
        if self._instead is None:
            gpu = self._gpu
            inside = entered(gpu.gpu + 1, gpu.memory, self._threads) if gpu.is_emulated else nullcontext()
            try:
                with inside, free_on_failure((gpu.gpu,)):
                    return self._searches.find(sources, cutoff, **request)
            except (DeviceError, MemoryLimitError):
                if gpu.is_named:
                    raise
                self._instead = self._otherwise()
        return self._instead.find(sources, cutoff, **request)
