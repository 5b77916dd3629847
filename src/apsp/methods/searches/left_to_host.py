"""What solvers of GPUs leave to Johnson's method on the CPU: sums of floats that cancel have no last digit to trust."""

from __future__ import annotations

from typing import Any

import numpy as np

from apsp.methods.problem import IntArray, KernelProgress, Problem
from apsp.methods.searches import johnson
from apsp.system.place import is_on_gpu, module_of

__all__ = ["johnson_on_host"]


def johnson_on_host(
    problem: Problem, sources: IntArray, dist: Any, pred: Any, progress: KernelProgress | None = None
) -> None:
    """As `Solver.fill`, into arrays wherever they lie."""
    on_host = [np.empty(array.shape, array.dtype) if is_on_gpu(array) else array for array in (dist, pred)]
    johnson.prepare(problem).fill(sources, on_host[0], on_host[1], progress)
    for array, filled in zip((dist, pred), on_host, strict=True):
        if array is not filled:
            with array.device:
                array[...] = module_of(array).asarray(filled)
