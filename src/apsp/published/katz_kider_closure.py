"""Katz and Kider's transitive closure: Warshall's algorithm in three passes over blocks in shared memory.

Source: Katz, Kider 2008, section 3.2 (algorithm 1) and 4.1 to 4.4; Warshall 1962. Input: any graph; weights are
ignored, every vertex reaches itself. Output: `Reachability`. Cost: n^3 pairs of ints, 4 bytes per pair on the host and,
by pages, in device memory (the paper uses ints to avoid bank conflicts). Raises DeviceError, MemoryLimitError.
The planner refuses graphs with zones. Corrected: n is padded to whole blocks.

The idea: the passes of katz_kider.py with (or, and) for (min, +), in cells of one int.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.graph.model import Graph
from apsp.methods.closure.closure import Reachability
from apsp.methods.problem import KernelProgress, Problem
from apsp.published.katz_kider import side_that_fits
from apsp.published.katz_kider_pages import Worker, close_cells

__all__ = ["BLOCK", "OPERATIONS", "close", "closure"]

OPERATIONS = "apsp::Closure"
BLOCK = 22
"""Rows and columns of a block: the maximum for the 512 threads of the paper's GPUs; the paper states no number."""

_ROWS_AT_ONCE = 256


def close(
    problem: Problem, progress: KernelProgress | None = None, timings: dict[str, float] | None = None
) -> npt.NDArray[np.uint64]:
    """Return the bits of a problem; parameters are those of `closure`."""
    found: npt.NDArray[np.uint64] = closure(
        problem.graph, gpus=problem.gpus, gpu_memory=problem.gpu_memory, progress=progress, timings=timings
    ).bits
    return found


def closure(
    graph: Graph,
    *,
    gpus: Sequence[int] = (0,),
    gpu_memory: int | None = None,
    block: int = BLOCK,
    side: int | None = None,
    workers: Sequence[Worker] | None = None,
    progress: KernelProgress | None = None,
    timings: dict[str, float] | None = None,
) -> Reachability:
    """Compute which vertices can be reached from which.

    Parameters
    ----------
    graph : Graph
    gpus : sequence of int
    gpu_memory : int, optional
        Bytes of each GPU; by default all free memory.
    block : int
        Rows and columns of a block, 1 to 32.
    side : int, optional
        Of a page, a multiple of block; by default chosen by the number of GPUs and their memory.
    workers : sequence of Worker, optional
        By default the GPUs.
    progress : callable, optional
        Called with the number of pivots done, out of n.
    timings : dict, optional
        Receives 'kernels', the seconds in which kernels ran on the busiest GPU.
    """
    n = graph.n
    if n == 0:
        return Reachability(0, np.zeros((0, 0), dtype=np.uint64))
    side = side or side_that_fits(n, block, 4, gpus, gpu_memory)
    padded = -(-n // side) * side
    cells = np.eye(padded, dtype=np.int32)
    cells[graph.tails(), graph.indices] = 1
    if workers is None:
        from apsp.published.katz_kider_gpu import GpuWorker

        workers = [GpuWorker(gpu, OPERATIONS, block) for gpu in gpus]
    close_cells(cells, side, workers, None if progress is None else lambda done: progress(min(done, n)))
    if timings is not None:
        timings["kernels"] = max(worker.seconds for worker in workers)
    return Reachability(n, _packed(cells, n))


def _packed(cells: npt.NDArray[Any], n: int) -> npt.NDArray[np.uint64]:
    """(n, ceil(n / 64)) uint64, one bit per pair."""
    bits = np.zeros((n, -(-n // 64)), dtype="<u8")
    octets = bits.view(np.uint8)
    for start in range(0, n, _ROWS_AT_ONCE):
        rows = np.packbits(cells[start : min(start + _ROWS_AT_ONCE, n), :n].astype(np.bool_), axis=1, bitorder="little")
        octets[start : start + len(rows), : rows.shape[1]] = rows
    return bits.astype(np.uint64, copy=False)
