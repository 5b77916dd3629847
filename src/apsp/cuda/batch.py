"""Launching `close_graphs`: Floyd-Warshall on many small graphs of one GPU, a block a graph.

Input: (b, n, n) public values on the device and optionally the graphs' sizes. Output: (b, n, n) public values, and what
is wrong with which graph. Cost: b n^3 (choose, join) pairs; 16 b bytes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from apsp.cuda import jit
from apsp.cuda.page import NARROW_NO_PATH, algebra_name
from apsp.semiring import Semiring

__all__ = ["MOST", "close_graphs", "expressions"]

MOST = 256
"""Vertices up to which one block closes a graph in less time than a launch of its own."""

_SIDES = (32, 64)


def expressions(algebra: str) -> tuple[str, ...]:
    """The kernels of batch.cu for an algebra, by the side of their tiles."""
    return tuple(f"apsp::close_graphs<{algebra}, {side}>" for side in _SIDES)


def close_graphs(matrices: Any, out: Any, sizes: Any | None, semiring: Semiring) -> Any | None:
    """Close all graphs of `matrices` into `out`, on the current stream of the current GPU, and wait.

    Parameters
    ----------
    matrices, out : (b, n, n) contiguous CuPy arrays; may be the same
    sizes : (b,) int32 CuPy array, optional

    Returns
    -------
    (b, 4) int32 NumPy array or None
        Where something is wrong: what (bits: 1 no length, 2 out of range, 4 negative cycle, 8 rounding), row, column.
    """
    cupy = jit.cupy()
    count, n, _ = matrices.shape
    dtype = matrices.dtype
    side = 32 if n <= 32 else 64
    expression = expressions(algebra_name(semiring.name, dtype.name, False))[_SIDES.index(side)]
    word = max(dtype.itemsize, 4)
    tile_bytes = (side * (side + 16 // word) + side * side) * word
    shared_bytes = 16 * side * word if n <= side else tile_bytes
    findings = cupy.zeros(4 * count + 1, dtype=np.int32)
    kernel = jit.kernels("batch.cu", (expression,), shared_bytes=tile_bytes)[expression]
    nonnegative_limit, limit = _limits(dtype)
    rounding = float(np.finfo(dtype).eps) if dtype.kind == "f" else 0.0
    kernel(
        (count,), (side * side // 32,),
        (matrices, out, np.int32(n), np.uint64(0) if sizes is None else sizes, np.float64(nonnegative_limit),
         np.float64(limit), np.float64(rounding), findings, findings[4 * count :]),
        shared_mem=shared_bytes,
    )  # fmt: skip
    if not findings[4 * count :].get()[0]:
        return None
    return findings[: 4 * count].get().reshape(count, 4)


def _limits(dtype: np.dtype[Any]) -> tuple[float, float]:
    """What a distance must stay below: without and with negative arcs; 0 if there is no limit."""
    if dtype.kind == "f":
        return 0.0, 0.0
    if dtype.kind == "u":
        return float(NARROW_NO_PATH), float(NARROW_NO_PATH)
    most = int(np.iinfo(dtype).max)
    return float(most // 2), float(most // 4)
