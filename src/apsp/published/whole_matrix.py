"""The frame of a published Floyd-Warshall: making the matrix, and reading the results from it.

Input: a `Problem`, and a function that closes an (n, n) matrix on the host. Output: as `Solver.fill`. Cost: a few
passes over n^2 besides the closing; (n, n) distances more if not all rows and columns are requested. Raises
NegativeCycleError, DtypeRangeError, and on GPUs DeviceError and MemoryLimitError.

The idea: the papers begin and end with a matrix on the host, so the tuned solver handles arcs, zones, predecessors,
cutoff and requested columns; only its closing is replaced.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.errors import MemoryLimitError
from apsp.gpu import jit
from apsp.gpu.page import Page
from apsp.methods.backend import CpuBackend
from apsp.methods.floyd_warshall.floyd_warshall import FloydWarshall
from apsp.methods.problem import KernelProgress, Problem
from apsp.published.one_gpu import free_on, only_gpu
from apsp.semiring import Algebra

__all__ = ["Close", "OneGpu", "WholeMatrix"]

Close = Callable[[npt.NDArray[Any], KernelProgress | None], int]
"""Closes an (n, n) matrix of kernel values in place; -1, or a vertex on a negative closed walk."""

_LAUNCHES_AT_ONCE = 256  # between two reports of progress


class _Backend(CpuBackend):
    """The kernels of the CPU, with one of them replaced."""

    def __init__(self, threads: int, close: Close) -> None:
        super().__init__(threads)
        self._close = close

    def close_tile(
        self,
        page: Page,
        algebra: Algebra,  # noqa: ARG002 - these methods compute in (min,+) alone
        progress: KernelProgress | None = None,
    ) -> int:
        """Close a square page of the diagonal (Floyd-Warshall)."""
        return self._close(page, progress)


class WholeMatrix(FloydWarshall):
    """All n x n distances, with another way to close the matrix.

    Parameters
    ----------
    problem : Problem
    close : Close

    Attributes
    ----------
    timings : dict
        Of the last `fill` on a GPU: seconds of 'kernels', from the first launch to the end of the last.
    """

    def __init__(self, problem: Problem, close: Close) -> None:
        super().__init__(replace(problem, device="cpu", gpus=(), gpu_memory=None, matrix_in=None))
        self.backend = _Backend(problem.threads, close)
        self.ran_on = problem.device
        self.timings: dict[str, float] = {}


class OneGpu(WholeMatrix):
    """A method for one GPU that copies the matrix there, launches a kernel for each pivot, and copies it back.

    Parameters
    ----------
    name : str
        Name of the method, for its errors.
    problem : Problem
    """

    def __init__(self, name: str, problem: Problem) -> None:
        super().__init__(problem, self._close_on_gpu)
        self._gpu, self._given = only_gpu(name, problem), problem
        self._kernel: Any = None

    def kernel(self, source: str, expression: str) -> Any:
        """The one kernel of the method, looked up once."""
        if self._kernel is None:
            self._kernel = jit.kernels(source, (expression,))[expression]
        return self._kernel

    def launch(self, matrix: Page, k: int) -> None:
        """Relax every pair of the matrix (n, n) of the device through pivot k."""
        raise NotImplementedError

    def given(self, page: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Convert kernel values to the matrix of the paper, contiguous."""
        return np.ascontiguousarray(page)

    def taken(self, matrix: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Convert the closed matrix of the paper to kernel values."""
        return matrix

    def _close_on_gpu(self, page: npt.NDArray[Any], progress: KernelProgress | None) -> int:
        from apsp.gpu import jit
        from apsp.gpu.memory import on_gpu
        from apsp.gpu.traffic import fetched, sent

        self._check_memory(page.nbytes)
        cupy = jit.cupy()
        with on_gpu(self._gpu):
            matrix, wait = sent(self.given(page)), cupy.cuda.get_current_stream().synchronize
            wait()
            before = time.perf_counter()
            self.close_pivots(matrix, wait, progress)
            self.timings = {"kernels": time.perf_counter() - before}
            page[...] = self.taken(fetched(matrix))
        return -1

    def close_pivots(self, matrix: Page, wait: Callable[[], None], progress: KernelProgress | None) -> None:
        """Launch once per pivot; the host waits only to report progress."""
        n = len(matrix)
        for k in range(n):
            self.launch(matrix, k)
            if progress is not None and (k + 1) % _LAUNCHES_AT_ONCE == 0:
                wait()
                progress(k + 1)
        wait()
        if progress is not None:
            progress(n)

    def _check_memory(self, needed: int) -> None:
        free = free_on(self._gpu, self._given)
        if needed > free:
            remedies = ["method='katz-kider' or 'floyd-warshall', which work in pages", "a narrower dtype"]
            raise MemoryLimitError(f"the matrix on GPU {self._gpu}", needed, free, remedies)
