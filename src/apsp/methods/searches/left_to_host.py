"""Problems that GPU solvers pass to Johnson's method on the CPU: sums of negative floats, which may cancel."""

from __future__ import annotations

from typing import Any

import numpy as np

from apsp.methods.problem import IntArray, KernelProgress, Problem
from apsp.methods.searches import johnson
from apsp.system.array_device import is_on_gpu, module_of

__all__ = ["johnson_on_host"]


def johnson_on_host(
    problem: Problem, sources: IntArray, dist: Any, pred: Any, progress: KernelProgress | None = None
) -> None:
    """Fill arrays on any device as `Solver.fill` does."""
    on_host = [np.empty(array.shape, array.dtype) if is_on_gpu(array) else array for array in (dist, pred)]
    johnson.prepare(problem).fill(sources, on_host[0], on_host[1], progress)
    for array, filled in zip((dist, pred), on_host, strict=True):
        if array is not filled:
            with array.device:
                array[...] = module_of(array).asarray(filled)
