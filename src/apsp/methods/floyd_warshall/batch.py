"""Floyd-Warshall on many small graphs at once.

Source: as floyd_warshall.py. Input: (b, n, n) lengths. Output: (b, n, n) distances, predecessors if requested, and a
status per graph: the caller, which has the graphs, raises errors. Cost: n^3 (choose, join) pairs per graph.

The idea: a graph is small enough for one core and its cache, or for one block of threads and its registers, so the
graphs are processed in parallel.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp.semiring import Semiring
from apsp.system.array_device import gpu_of, is_on_gpu, module_of, to_host

__all__ = ["NO_NUMBER", "OUT_OF_RANGE", "SOUND", "close_batch", "wants_batch"]

SOUND, NO_NUMBER, OUT_OF_RANGE, _UNPROVEN = -1, -2, -3, -4
"""As in batch.hpp and batch_values.cuh. Other values: there is a negative cycle, or sums of floats may cancel."""

_SMALL, _MEDIUM = 256, 1024


def wants_batch(count: int, n: int, threads: int, gpu: int | None) -> bool:
    """Whether solving graphs concurrently is faster than one after the other, each on all cores or the whole GPU."""
    if n <= _SMALL:
        return True
    if gpu is None:
        return n <= _MEDIUM and count >= threads
    from apsp.gpu import jit

    return n <= _MEDIUM and count >= jit.multiprocessors()


def close_batch(
    lengths: Any,
    out: Any,
    pred: Any,
    sizes: npt.NDArray[np.int32] | None,
    semiring: Semiring,
    largest: float,
    threads: int,
) -> npt.NDArray[np.int32]:
    """Compute all distances of every graph, and predecessors.

    Parameters
    ----------
    lengths, out : (b, n, n) arrays of one dtype, NumPy or CuPy, b and n at least 1
        Rows are contiguous. "No arc" and "no path" are the public values.
    pred : (b, n, n) int32 or None
        Predecessors, beside `out`: -1 where there is no path and for a vertex itself.
    sizes : (b,) int32 or None
        Vertices of each graph, 0 to n.
    largest : number
        Largest absolute length of an arc for which the dtype provably holds every distance.

    Returns
    -------
    (b,) int32
        SOUND; or NO_NUMBER, OUT_OF_RANGE, or another number, for which the matrices of the graph are undefined.
    """
    if is_on_gpu(out):
        from apsp.gpu.memory import on_gpu
        from apsp.methods.floyd_warshall.kernels import batch

        with on_gpu(gpu_of(out)):
            status = batch.close_batch(lengths, out, pred, sizes, semiring.name, largest)
            unproven = np.flatnonzero(status == _UNPROVEN)
            if len(unproven):
                some = None if sizes is None else sizes[unproven]
                status[unproven] = _examined(lengths, out, pred, unproven, some, semiring, largest, threads)
        return status
    status = np.empty(len(out), dtype=np.int32)
    _cpu.dense_close_batch(lengths, out, pred, sizes, semiring.name, largest, status, threads)
    return status


def _examined(
    lengths: Any,
    out: Any,
    pred: Any,
    unproven: npt.NDArray[np.intp],
    sizes: npt.NDArray[np.int32] | None,
    semiring: Semiring,
    largest: float,
    threads: int,
) -> npt.NDArray[np.int32]:
    """Examine on the host some graphs that a GPU has closed; with predecessors they are closed again there."""
    status = np.empty(len(unproven), dtype=np.int32)
    given = to_host(lengths[unproven])
    if pred is None:
        _cpu.dense_check_signed(given, sizes, status, threads)
        return status
    distances, before = np.empty_like(given), np.empty(given.shape, dtype=np.int32)
    _cpu.dense_close_batch(given, distances, before, sizes, semiring.name, largest, status, threads)
    module = module_of(out)
    out[unproven], pred[unproven] = module.asarray(distances), module.asarray(before)
    return status
