"""Sums of amounts over the distances of a block of rows, where it lies (on a GPU: kernels/weigh.py)."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp.reductions.weighing import Weighing
from apsp.system.array_device import gpu_of, is_on_gpu, to_host

__all__ = ["RowWeigher"]


class RowWeigher:
    """Adds up amounts over rows, where the rows lie.

    Parameters
    ----------
    weighing : Weighing
    threads : int
        For rows in host memory.
    """

    def __init__(self, weighing: Weighing, threads: int) -> None:
        self._weighing, self._threads = weighing, threads
        self._on_gpu: tuple[int, Any] | None = None

    def sums(self, distances: Any) -> npt.NDArray[np.float64]:
        """The sums over rows of distances to all vertices, (rows, cutoffs, kinds)."""
        contiguous = distances.shape[1] <= 1 or distances.strides[1] == distances.itemsize
        dist = distances if contiguous else distances.copy(order="C")
        if is_on_gpu(dist):
            return self._sums_on_gpu(dist)
        sums = self._weighing.empty(len(dist))
        _cpu.weigh_rows(to_host(dist), self._weighing.arrays(dist.dtype, sums), self._threads)
        return sums

    def _sums_on_gpu(self, dist: Any) -> npt.NDArray[np.float64]:
        from apsp.reductions.kernels.weigh import AmountsOnDevice, weigh_rows

        gpu = gpu_of(dist)
        if self._on_gpu is None or self._on_gpu[0] != gpu:
            with dist.device:
                self._on_gpu = gpu, AmountsOnDevice(self._weighing)
        return weigh_rows(dist, self._on_gpu[1])
