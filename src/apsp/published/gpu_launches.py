"""The launches that the published single-source methods share: the recording kernel, and the GPU of all of them.

Input: a GPU and the expressions of two kernels. Raises DeviceError without a GPU.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

import numpy as np

from apsp.gpu import jit
from apsp.gpu.memory import on_gpu
from apsp.gpu.page import Page
from apsp.published.recording import record_expression

__all__ = ["GpuLaunches"]

_THREADS = 256


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
        The scattering and the checking kernel.
    """

    def __init__(self, gpu: int, dtype: np.dtype[Any], source: str, expressions: tuple[str, str]) -> None:
        self.gpu, self.module = gpu, jit.cupy()
        record = record_expression(dtype.name)
        with self.here():
            found = jit.kernels(source, expressions)
            self.scattering, self.checking = (found[expression] for expression in expressions)
            self.recording = jit.kernels("recording.cu", (record,))[record]

    def here(self) -> AbstractContextManager[None]:
        """Return a context that works on the GPU of these kernels."""
        return on_gpu(self.gpu)

    def record(
        self, inverse: tuple[Page, ...], first: Page, costs: Page, no_path: Any, parents: Page, flag: Page
    ) -> None:
        """Record the parents of the converged vertices, with one thread per entry."""
        n, tasks = costs.shape
        arguments = (*inverse, np.int32(n), np.int32(tasks), first, costs, no_path, parents, flag)
        self.recording((-(-n * tasks // _THREADS),), (_THREADS,), arguments)
