"""Launches reductions of rows of distances: only a few numbers per row, and sums of columns, are copied from the
device.

Input: blocks of rows (S, n) on the device, public values. Output: as on the CPU, integers to the last bit. Cost: a pass
over the block each. The idea: a block of threads takes a row and joins its parts in a fixed order, so that every run
gives the same sums.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from apsp.gpu import jit
from apsp.gpu.page import VALUES, Page, stride
from apsp.system.array_device import to_host

__all__ = [
    "ColumnsOnDevice", "RowNumbers", "columns_expression", "count_between", "count_evenly", "count_expression",
    "reduce_rows", "rows_expression",
]  # fmt: skip

_THREADS = 256
_COUNTERS = 1024
"""Blocks of threads that count: enough for a large GPU, and few enough that merging their bins costs little."""


class RowNumbers(NamedTuple):
    """Numbers of each row, (S,) host arrays; see cpp/reductions/rows.hpp."""

    reached: npt.NDArray[np.int64]
    total: npt.NDArray[Any]
    reciprocals: npt.NDArray[np.float64]
    least: npt.NDArray[Any]
    largest: npt.NDArray[Any]
    farthest: npt.NDArray[np.int32]


def rows_expression(dtype: str) -> str:
    """The kernel of reduce.cu for rows."""
    return f"apsp::reduce_rows<{VALUES[dtype]}>"


def columns_expression(dtype: str) -> str:
    """The kernel of reduce.cu for columns."""
    return f"apsp::reduce_columns<{VALUES[dtype]}>"


def count_expression(dtype: str, bins: str) -> str:
    """The kernel of count.cu for `bins` of 'EvenBins' or 'GivenBins'."""
    of = f"apsp::EvenBins<{VALUES[dtype]}>" if bins == "EvenBins" else f"apsp::GivenBins<{VALUES[dtype]}>"
    return f"apsp::count_distances<{VALUES[dtype]}, {of}>"


def reduce_rows(dist: Page) -> RowNumbers:
    """Numbers of every row.

    Raises
    ------
    OverflowError
        If a sum of int64 may not fit int64.
    """
    cupy, (rows, n) = jit.cupy(), dist.shape
    total: Any = np.float64 if dist.dtype.kind == "f" else np.int64
    dtypes = (np.int64, total, np.float64, dist.dtype, dist.dtype, np.int32)
    with dist.device:
        arrays = [cupy.empty(rows, dtype=dtype) for dtype in dtypes]
        name = rows_expression(dist.dtype.name)
        if rows:
            jit.kernels("reduce.cu", (name,))[name]((rows,), (_THREADS,), (dist, stride(dist), np.int32(n), *arrays))
        numbers = RowNumbers(*map(to_host, arrays))
    if dist.dtype == np.int64:
        size = np.maximum(np.abs(numbers.largest.astype(object)), np.abs(numbers.least.astype(object)))
        wrong = np.flatnonzero(size * numbers.reached >= 2**63)
        if len(wrong):
            raise OverflowError(f"the sum of row {wrong[0]} may not fit int64")
    return numbers


def count_evenly(dist: Page, bins: int, exponent: int) -> npt.NDArray[np.int64]:
    """Counts of bins [i 2^exponent, (i + 1) 2^exponent), i from -bins to bins - 1."""
    fields = [("bins", "i4"), ("shift", "i4"), ("one", "f8"), ("other", "f8")]
    half = -exponent // 2
    struct = np.array((bins, min(max(exponent, 0), 63), 1.0, 1.0), dtype=np.dtype(fields, align=True))
    if dist.dtype.kind == "f":
        struct["one"], struct["other"] = math.ldexp(1.0, half), math.ldexp(1.0, -exponent - half)
    return _count(dist, "EvenBins", struct, 2 * bins)


def count_between(dist: Page, edges: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
    """Counts between given edges; the last one belongs to the last bin."""
    with dist.device:
        on_device = jit.cupy().asarray(edges)
        fields = [("edges", "u8"), ("count", "i4")]
        struct = np.array((on_device.data.ptr, len(edges) - 1), dtype=np.dtype(fields, align=True))
        return _count(dist, "GivenBins", struct, len(edges) - 1)


def _count(dist: Page, bins: str, struct: Any, size: int) -> npt.NDArray[np.int64]:
    rows, n = dist.shape
    with dist.device:
        counts = jit.cupy().zeros(size, dtype=np.int64)
        name = count_expression(dist.dtype.name, bins)
        if rows:
            jit.kernels("count.cu", (name,))[name](
                (min(rows, _COUNTERS),), (_THREADS,),
                (dist, stride(dist), np.int32(rows), np.int32(n), struct, counts),
            )  # fmt: skip
        return to_host(counts)


class ColumnsOnDevice:
    """Running sums of the columns of blocks of one dtype, in the memory of the GPU where the first block lies."""

    def __init__(self, first: Page) -> None:
        cupy, n = jit.cupy(), first.shape[1]
        total: Any = np.float64 if first.dtype.kind == "f" else np.int64
        with first.device:
            self._sums = [cupy.zeros(n, dtype=kind) for kind in (np.int64, total, *[np.float64] * 3)]
        self._name = columns_expression(first.dtype.name)

    def add(self, dist: Page) -> None:
        """Add the rows of a block, in order."""
        rows, n = dist.shape
        with dist.device:
            jit.kernels("reduce.cu", (self._name,))[self._name](
                (-(-n // _THREADS),), (_THREADS,), (dist, stride(dist), np.int32(rows), np.int32(n), *self._sums)
            )

    def sums(self) -> tuple[npt.NDArray[Any], ...]:
        """Reached, total and its error, reciprocals and their error, on the host."""
        return tuple(map(to_host, self._sums))
