"""What the kernels of single-source problems on one GPU need around them: the GPU, its memory, the recording kernel.

Input: a `Problem`. Raises MethodRefusedError for several GPUs, MemoryLimitError before the work if arrays do not fit.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

import numpy as np

from apsp.backend import Page
from apsp.cuda import jit
from apsp.cuda.backend import on_gpu
from apsp.cuda.memory import free_bytes
from apsp.errors import MethodRefusedError
from apsp.solvers.problem import Problem
from apsp.solvers.published.recording import FOLDER, record_expression

__all__ = ["GpuLaunches", "free_on", "only_gpu"]

_THREADS = 256


def only_gpu(name: str, problem: Problem) -> int:
    """The GPU of a method that takes one."""
    if len(problem.gpus) > 1:
        raise MethodRefusedError(name, "it runs on one GPU", ["floyd-warshall"])
    return problem.gpus[0] if problem.gpus else 0


def free_on(gpu: int, problem: Problem) -> int:
    """Bytes of the GPU that may be used."""
    return free_bytes(gpu, problem.gpu_memory)


class GpuLaunches:
    """Launches on the current stream of one GPU.

    Parameters
    ----------
    gpu : int
    dtype : numpy dtype
        Of the distances.
    source : str
        The file of the kernels, beside this one.
    expressions : tuple of str
        Its scattering and its checking kernel.
    """

    def __init__(self, gpu: int, dtype: np.dtype[Any], source: str, expressions: tuple[str, str]) -> None:
        self.gpu, self.module = gpu, jit.cupy()
        record = record_expression(dtype.name)
        with self.here():
            found = jit.kernels(source, expressions, folder=FOLDER)
            self.scattering, self.checking = (found[expression] for expression in expressions)
            self.recording = jit.kernels("recording.cu", (record,), folder=FOLDER)[record]

    def here(self) -> AbstractContextManager[None]:
        """See `Kernels.here`."""
        return on_gpu(self.gpu)

    def record(
        self, inverse: tuple[Page, ...], first: Page, costs: Page, no_path: Any, parents: Page, flag: Page
    ) -> None:
        """See `Kernels.record`: a thread an entry."""
        n, tasks = costs.shape
        arguments = (*inverse, np.int32(n), np.int32(tasks), first, costs, no_path, parents, flag)
        self.recording((-(-n * tasks // _THREADS),), (_THREADS,), arguments)
