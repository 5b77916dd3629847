"""Katz and Kider's blocked Floyd-Warshall in shared memory, with cells that store an intermediate vertex.

Source: Katz, Kider 2008, sections 4.1 to 4.4, algorithm 3, equations 3 to 7. Input: a graph without negative arcs.
Output: as `Solver.fill`; predecessors come from the cells by recursive expansion. Cost: n^3 pairs in 3 n / 18 launches;
cells of two values (8 or 16 bytes per pair) on the host, and one page of them in device memory, or three at a time if
one page cannot hold all or several GPUs share the work. Raises MethodRefusedError, DeviceError, MemoryLimitError.

Corrected: a length of 0 is a length, "no path" is half of the range of integers and infinity for floats (the paper
writes [0, 0] for "no path", which cannot be distinguished from arcs of length 0), the diagonal is the empty path, and n
is padded to whole blocks. Paths of zones, which cells do not record, are found from the distances.

The idea: a block of pivots is closed in shared memory; blocks in its row and column then depend on it and themselves,
all others on one of each. Each pass is a launch, since blocks of threads cannot wait for each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.errors import MemoryLimitError
from apsp.methods.problem import IntArray, KernelProgress, Problem, Solver
from apsp.published.katz_kider_pages import BLOCK, Worker, close_cells, page_side
from apsp.published.katz_kider_paths import expand, predecessors_of_cells
from apsp.published.whole_matrix import WholeMatrix

__all__ = ["LARGEST_BLOCK", "KatzKider", "pack", "prepare", "side_that_fits", "unpack"]

LARGEST_BLOCK = 32
"""1,024 threads, the maximum of a block today."""

_SPARE = 0.97  # of free device memory


def prepare(problem: Problem, *, block: int = BLOCK, side: int | None = None) -> Solver:
    """Prepare the method for a problem; `KatzKider` describes the options."""
    return KatzKider(problem, block=block, side=side)


class KatzKider(WholeMatrix):
    """The three passes, over one page or several.

    Parameters
    ----------
    problem : Problem
    block : int
        Rows and columns of a block, 1 to 32.
    side : int, optional
        Of a page, a multiple of block; by default chosen by the number of GPUs and their memory.
    workers : sequence of Worker, optional
        By default the GPUs of the problem.
    """

    def __init__(
        self,
        problem: Problem,
        *,
        block: int = BLOCK,
        side: int | None = None,
        workers: Sequence[Worker] | None = None,
    ) -> None:
        super().__init__(problem, self._close_cells)
        if not 1 <= block <= LARGEST_BLOCK:
            raise ValueError(f"a block has 1 to {LARGEST_BLOCK} rows and columns, not {block}")
        if side is not None and (side < block or side % block):
            raise ValueError(f"the side of a page is a multiple of the block ({block}), not {side}")
        self.block, self.side = block, side
        self._gpus, self._gpu_memory = problem.gpus or (0,), problem.gpu_memory
        self._workers = workers
        self._between: npt.NDArray[Any] | None = None

    def path(self, i: int, j: int) -> list[int] | None:
        """The path from i to j by expansion of the cells, after `fill`; the pair must have one."""
        if self._between is None:
            raise ValueError("fill the distances first")
        return expand(self._between, i, j)

    def _close_cells(self, page: npt.NDArray[Any], progress: KernelProgress | None) -> int:
        n, itemsize = len(page), 2 * page.itemsize
        side = self.side or side_that_fits(n, self.block, itemsize, self._gpus, self._gpu_memory)
        cells = pack(page, -(-n // side) * side)
        workers = self._workers if self._workers is not None else self._gpu_workers(page.dtype.name)
        close_cells(cells, side, workers, None if progress is None else lambda done: progress(min(done, n)))
        self.timings = {"kernels": max(worker.seconds for worker in workers)}
        page[...], self._between = unpack(cells, n, page.dtype)
        return -1

    def _gpu_workers(self, dtype: str) -> list[Worker]:
        from apsp.gpu.page import VALUES
        from apsp.published.katz_kider_gpu import GpuWorker

        return [GpuWorker(gpu, f"apsp::Paths<{VALUES[dtype]}>", self.block) for gpu in self._gpus]

    def _read_predecessors(self, square: npt.NDArray[Any], pred: IntArray) -> None:
        between = None if self.problem.graph.has_zones else self._between
        if between is None or not predecessors_of_cells(between, square, pred):
            super()._read_predecessors(square, pred)


def pack(page: npt.NDArray[Any], padded: int) -> npt.NDArray[Any]:
    """(padded, padded, 2) cells [intermediate or -1, bits of the length] from (n, n) kernel values."""
    n, dtype = len(page), page.dtype
    none = np.inf if dtype.kind == "f" else np.iinfo(dtype).max // 2
    cells = np.empty((padded, padded, 2), dtype=f"int{8 * dtype.itemsize}")
    cells[:, :, 0] = -1
    lengths = cells[:, :, 1].view(dtype)
    lengths[...] = none
    lengths[:n, :n] = page
    every = np.arange(padded)
    lengths[every, every] = 0
    return cells


def unpack(cells: npt.NDArray[Any], n: int, dtype: np.dtype[Any]) -> tuple[npt.NDArray[Any], npt.NDArray[np.int32]]:
    """The lengths (n, n) of dtype, and the intermediate vertices (n, n) int32."""
    return cells[:n, :n, 1].view(dtype), cells[:n, :n, 0].astype(np.int32)


def side_that_fits(n: int, block: int, itemsize: int, gpus: Sequence[int], gpu_memory: int | None) -> int:
    """Side of a page: that of the matrix if it fits on one GPU, else the largest of which three pages fit.

    Raises
    ------
    MemoryLimitError
        If three blocks do not fit.
    """
    from apsp.gpu.memory import free_bytes

    free = int(min(free_bytes(gpu, gpu_memory) for gpu in gpus) * _SPARE)
    padded = -(-n // block) * block
    if len(gpus) == 1 and padded * padded * itemsize <= free:
        return padded
    most = int((free / (3 * itemsize)) ** 0.5)
    if most < block:
        needed = 3 * block * block * itemsize
        raise MemoryLimitError("three pages of one block each", needed, free, ["more gpu_memory", "a GPU that is idle"])
    return page_side(n, block, len(gpus), most)
