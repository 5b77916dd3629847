"""Launches Floyd-Warshall on many small graphs: one block of threads per graph, one launch.

Source: Katz, Kider 2008, section 3 (tiles). Input: (b, n, n) lengths on a GPU, public values. Output: all distances,
public values, predecessors if requested, and a status per graph. Cost: n^3 pairs per graph, one read and one write of
the matrices up to n = 128 (64 for 8 bytes); a larger graph passes through the second-level cache once per tile of
pivots, or with predecessors per group of 4 pivots.

The idea: a small graph stays in the registers of its block from start to end, so that thousands of them are limited by
arithmetic, not by launches.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.gpu import jit
from apsp.gpu.page import address, algebra_name

__all__ = ["close_batch", "expression", "expressions"]

_SIDES = ((32, 4, 16), (64, 4, 4), (128, 8, 1))
"""Tiles that hold a whole graph: rows of the tile, rows of a thread, blocks on a multiprocessor."""


MOST_WITH_PATHS = 1024
"""Vertices of the largest graph whose columns of pivots fit into shared memory."""


def expression(algebra: str, itemsize: int, n: int, capability: tuple[int, int], *, paths: bool) -> tuple[str, int]:
    """The kernel of batch.cu for graphs of n vertices, and the threads of its blocks."""
    wide = itemsize == 8
    for side, rows, blocks in _SIDES:
        if n <= side and not (wide and side == 128):
            if paths and not wide and side < 128 and capability >= (10, 0):
                blocks = blocks * 3 // 4  # with all of them, this compiler does not keep the values in registers
            shape = f"{side}, {rows}, {blocks // (1 + wide)}, {'true' if paths else 'false'}"
            return f"apsp::close_small<{algebra}, {shape}>", side // 4 * (side // rows)
    if paths:
        threads = 256 if wide else 512
        return f"apsp::close_large_tracked<{algebra}, 4, {MOST_WITH_PATHS}, {threads}>", threads
    side = 64 if wide or capability >= (10, 0) else 128  # the values that the compiler keeps in registers
    return f"apsp::close_large<{algebra}, {side}>", 4 * side


def expressions(algebra: str, itemsize: int, capability: tuple[int, int], *, paths: bool) -> tuple[str, ...]:
    """All kernels of batch.cu for an algebra, with paths or without."""
    return tuple(
        dict.fromkeys(expression(algebra, itemsize, n, capability, paths=paths)[0] for n in (32, 64, 128, 129))
    )


def close_batch(
    lengths: Any, out: Any, pred: Any, sizes: npt.NDArray[np.int32] | None, semiring: str, largest: float
) -> npt.NDArray[np.int32]:
    """Compute all distances of every graph on the current GPU, which must hold the arrays.

    Predecessors are written to `pred`, (b, n, n) int32, contiguous, unless it is None; n is then at most
    MOST_WITH_PATHS.
    """
    cupy, dtype = jit.cupy(), out.dtype
    count, n = out.shape[:2]
    status = cupy.empty(count, dtype=np.int32)
    algebra, paths = algebra_name(semiring, dtype.name, False), pred is not None
    name, threads = expression(algebra, dtype.itemsize, n, jit.capability(), paths=paths)
    null, aligned = np.uint64(0), _is_aligned(lengths) and _is_aligned(out) and (not paths or _is_aligned(pred))
    jit.kernels("batch.cu", (name,))[name](
        (count,), (threads,),
        (lengths, *_strides(lengths), out, *_strides(out), pred if paths else null, np.int32(n),
         null if sizes is None else cupy.asarray(sizes), dtype.type(largest), np.int32(aligned), status),
    )  # fmt: skip
    found: npt.NDArray[np.int32] = status.get()
    return found


def _strides(array: Any) -> tuple[np.int64, np.int64]:
    """Values from one graph to the next, and from one row to the next."""
    return np.int64(array.strides[0] // array.itemsize), np.int64(array.strides[1] // array.itemsize)


def _is_aligned(array: Any) -> bool:
    """Whether rows consist of whole vectors of 4 values, aligned as the kernels read them."""
    least = min(4 * array.itemsize, 16)
    return array.shape[2] % 4 == 0 and all(place % least == 0 for place in (address(array), *array.strides[:2]))
