"""An oracle whose factor lies on a GPU as well: rows and blocks of distances are computed there, and stay there.

Input: the factor computed by the CPU or there. Output: CuPy arrays, or the caller's arrays. Cost and idea: see
`apsp.methods.elimination.kernels.sweeps`. Raises MemoryLimitError and DeviceError instead of CuPy's errors.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.errors import MemoryLimitError
from apsp.gpu import jit
from apsp.gpu.memory import free_bytes, free_on_failure, on_gpu
from apsp.gpu.page import Page, allocate
from apsp.graph.device import device_array
from apsp.methods.elimination.factor import Factor
from apsp.methods.elimination.factor_on_gpu import FactorOnGpu, has_sums, lanes_at_once
from apsp.methods.elimination.values_on_gpu import FactorsOnGpu, factors_of
from apsp.methods.problem import IntArray, KernelProgress
from apsp.reductions.row_sums import RowSums
from apsp.semiring import unreachable
from apsp.system.array_device import gpu_of, is_on_gpu, lies_on_gpu, to_host

__all__ = ["OracleOnGpu"]

_PAIRS_FROM, _KEPT_PAIRS_FROM = 10_000, 1_000
"""Pairs from which on a GPU computes them: the labels take milliseconds, a pair some microseconds on the CPU. And if
the labels are kept on both.
"""

_BLOCK_BYTES = 2 << 30
"""Bytes of a block of a stream without a requested number of rows."""


class OracleOnGpu:
    """A factor on a GPU.

    Parameters
    ----------
    labels : bool
        Keep labels for pairs, if they fit.
    before : OracleOnGpu, optional
        That of other weights on the same tree.

    Attributes
    ----------
    factors : FactorsOnGpu
        Computes the factors of other weights.
    """

    def __init__(self, factor: Factor, gpu: int, *, labels: bool, before: OracleOnGpu | None = None) -> None:
        self.gpu, self.graph, self.dtype = gpu, factor.graph, factor.dtype
        self._height = lanes_at_once(factor.graph, factor.dtype.itemsize, gpu)
        self.factors: FactorsOnGpu = factors_of(factor, gpu) if before is None else before.factors
        with free_on_failure((gpu,)), on_gpu(gpu):
            self._factor = FactorOnGpu(factor, None, self.factors.there)
            kept = labels and not self.graph.has_zones and self._factor.many_pairs.keep()
        self._pairs_from = _KEPT_PAIRS_FROM if kept else _PAIRS_FROM

    def matrix(
        self, sources: IntArray | None, targets: IntArray | None, dist: Any, progress: KernelProgress | None
    ) -> None:
        """Write the distances to dist (S, T), on this GPU or on the host; None means all vertices."""
        with free_on_failure((self.gpu,)), on_gpu(self.gpu):
            whole = sources is None and targets is None and not self.graph.has_zones
            if whole and is_on_gpu(dist) and dist.size:
                self._factor.matrix(dist, progress)
                return
            rows = np.arange(self.graph.n, dtype=np.int32) if sources is None else sources
            for start in range(0, len(rows), self._height):
                part = slice(start, min(start + self._height, len(rows)))
                if is_on_gpu(dist):
                    self._factor.rows(rows[part], dist[part], targets)
                else:
                    here = allocate(self.gpu, part.stop - part.start, dist.shape[1], self.dtype)
                    self._factor.rows(rows[part], here, targets)
                    dist[part] = to_host(here)
                if progress is not None:
                    progress(part.stop)

    def pairs(
        self, sources: IntArray, targets: IntArray, dist: npt.NDArray[Any], progress: KernelProgress | None
    ) -> None:
        """Write dist (k,), on the host: the distance of every pair; only if it `takes_pairs`."""
        with free_on_failure((self.gpu,)), on_gpu(self.gpu):
            self._factor.pairs(sources, targets, dist, progress)

    def takes_pairs(self, count: int) -> bool:
        """Whether so many pairs are worth the way to the GPU."""
        return count >= self._pairs_from and not self.graph.has_zones

    def pairs_there(self, sources: Any, targets: Any) -> Page | None:
        """The distance of every pair on this GPU, where (k,) positions of sources and targets lie.

        None if they do not, if some do not exist, or if the GPU has no memory for labels.
        """
        with free_on_failure((self.gpu,)), on_gpu(self.gpu):
            starts, ends = self._positions(sources, "sources"), self._positions(targets, "targets")
            if starts is None or ends is None or len(starts) != len(ends) or self.graph.has_zones:
                return None
            pairs = self._factor.many_pairs
            return pairs.distances(starts, ends) if pairs.keep() else None

    def _positions(self, chosen: Any, word: str) -> Page | None:
        if not lies_on_gpu(chosen):
            return None
        array = device_array(chosen, word)
        if gpu_of(array) != self.gpu or array.ndim != 1 or array.dtype.kind not in "iu" or not len(array):
            return None
        if int(array.min()) < 0 or int(array.max()) >= self.graph.n:
            return None
        return jit.cupy().ascontiguousarray(array.astype(np.int32))

    def measure(self, sources: IntArray, progress: KernelProgress | None) -> RowSums:
        """Sums over the rows of some vertices, if the oracle `has_sums`."""
        with free_on_failure((self.gpu,)), on_gpu(self.gpu):
            return self._factor.measure(sources, self._height, progress)

    @property
    def has_sums(self) -> bool:
        """Whether `measure` can sum up rows."""
        return has_sums(self.graph, self.dtype)

    def longest_from(self, source: int) -> int | float:
        """The longest distance from a vertex."""
        row = np.empty((1, self.graph.n), dtype=self.dtype)
        self.matrix(np.array([source], dtype=np.int32), None, row, None)
        found: int | float = row[row != unreachable(self.dtype)].max().item()
        return found

    def block_rows(self) -> int:
        """Rows of a block of a stream."""
        return max(_BLOCK_BYTES // max(self.graph.n * self.dtype.itemsize, 1), 1)

    def empty(
        self, rows: int, columns: int, remedy: str = "oracle.stream(), a block of rows at a time"
    ) -> npt.NDArray[Any]:
        """An uninitialised array for distances.

        Raises MemoryLimitError.
        """
        needed, free = rows * columns * self.dtype.itemsize, free_bytes(self.gpu)
        if needed > free:
            what = f"{rows:,} x {columns:,} distances in {self.dtype} on GPU {self.gpu}"
            raise MemoryLimitError(what, needed, free, [remedy])
        array: npt.NDArray[Any] = allocate(self.gpu, rows, columns, self.dtype)
        return array
