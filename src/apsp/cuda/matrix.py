"""Launching the first and the last pass over a page: from the graph's arcs, and to public values."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.backend import Algebra, Page
from apsp.cuda import jit
from apsp.cuda.page import NARROW_NO_PATH, VALUES, algebra_of, stride
from apsp.graph.model import Graph

__all__ = ["fill", "fill_expression", "finish", "finish_expression"]

_THREADS = 256


def fill_expression(algebra: str) -> str:
    """The kernel of matrix.cu that writes a graph."""
    return f"apsp::fill<{algebra}>"


def finish_expression(dtype: str) -> str:
    """The kernel of matrix.cu that makes integers public."""
    return f"apsp::finish<{VALUES[dtype]}>"


def fill(page: Page, row_from: int, column_from: int, graph: Graph, algebra: Algebra) -> None:
    """See `Backend.fill`."""
    rows, columns = page.shape
    if rows == 0 or columns == 0:
        return
    expression = fill_expression(algebra_of(page, algebra))
    kernel = jit.kernels("matrix.cu", (expression,))[expression]
    to_device = jit.cupy().asarray
    first, last = (int(graph.indptr[row]) for row in (row_from, row_from + rows))
    indptr = graph.indptr[row_from : row_from + rows + 1] - first
    weights = _kernel_weights(graph, page.dtype, algebra, first, last)
    arrays = [to_device(array) for array in (indptr, graph.indices[first:last], weights)]
    terminals = np.uint64(0) if graph.terminals is None else to_device(graph.terminals[row_from : row_from + rows])
    kernel(
        (rows,), (_THREADS,),
        (page, stride(page), np.int32(columns), np.int32(row_from), np.int32(column_from), *arrays, terminals),
    )  # fmt: skip


def finish(page: Page, algebra: Algebra) -> bool:
    """See `Backend.finish`."""
    dtype = page.dtype
    if algebra.semiring.join != "add" or dtype.kind == "f" or page.size == 0:
        return True
    limit = np.iinfo(dtype).max // 4 + 1
    threshold = NARROW_NO_PATH if dtype.kind == "u" else np.iinfo(dtype).max // 2 if algebra.nonnegative else limit
    expression = finish_expression(dtype.name)
    kernel = jit.kernels("matrix.cu", (expression,))[expression]
    out_of_range = jit.cupy().zeros(1, dtype=np.int32)
    least = dtype.type(0 if dtype.kind == "u" else -limit)
    kernel(
        (page.shape[0],), (_THREADS,),
        (page, stride(page), np.int32(page.shape[1]), dtype.type(threshold), least, out_of_range),
    )  # fmt: skip
    return not out_of_range.get()[0]


def _kernel_weights(graph: Graph, dtype: np.dtype[Any], algebra: Algebra, first: int, last: int) -> npt.NDArray[Any]:
    """Weights of the arcs [first, last) in the dtype of the page; at least "no path" is "no path"."""
    weights = np.ones(last - first, dtype=dtype) if graph.weights is None else graph.weights[first:last]
    if algebra.semiring.join == "add" and dtype.kind != "f":
        limit = NARROW_NO_PATH if dtype.kind == "u" else np.iinfo(dtype).max // 2
        if np.iinfo(weights.dtype).max > limit:
            weights = np.minimum(weights, limit)
    return np.ascontiguousarray(weights, dtype=dtype)
