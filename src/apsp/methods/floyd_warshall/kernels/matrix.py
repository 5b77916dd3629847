"""Launches the first and the last passes over a page: from the graph's arcs, and to public values."""

from __future__ import annotations

import numpy as np

from apsp.gpu import jit
from apsp.gpu.page import NARROW_NO_PATH, VALUES, Page, algebra_of, stride
from apsp.methods.rows.kernels.arcs import Arcs, DenseArcs
from apsp.semiring import Algebra

__all__ = [
    "extend",
    "extend_expression",
    "fill",
    "fill_dense_expression",
    "fill_expression",
    "finish",
    "finish_expression",
]

_THREADS = 256


def fill_expression(algebra: str) -> str:
    """The kernel of matrix.cu that writes a graph."""
    return f"apsp::fill<{algebra}>"


def fill_dense_expression(algebra: str, length: str) -> str:
    """The kernel of matrix.cu that writes a dense matrix of lengths."""
    return f"apsp::fill_dense<{algebra}, {length}>"


def extend_expression(algebra: str) -> str:
    """The kernel of matrix.cu that computes the rows of zones."""
    return f"apsp::extend<{algebra}>"


def finish_expression(dtype: str) -> str:
    """The kernel of matrix.cu that makes integers public."""
    return f"apsp::finish<{VALUES[dtype]}>"


def fill(page: Page, row_from: int, column_from: int, arcs: Arcs, algebra: Algebra) -> None:
    """Write the lengths of the graph into a page."""
    rows, columns = page.shape
    if rows == 0 or columns == 0:
        return
    corner = (page, stride(page), np.int32(columns), np.int32(row_from), np.int32(column_from))
    if isinstance(arcs, DenseArcs):
        expression = fill_dense_expression(algebra_of(page, algebra), arcs.value)
        jit.kernels("matrix.cu", (expression,))[expression]((rows,), (_THREADS,), (*corner, *arcs.arguments))
        return
    expression = fill_expression(algebra_of(page, algebra))
    zones = np.uint64(0) if arcs.zones is None else arcs.zones
    jit.kernels("matrix.cu", (expression,))[expression]((rows,), (_THREADS,), (*corner, *arcs[:3], zones))


def extend(page: Page, arcs: Arcs, algebra: Algebra) -> None:
    """Add paths that begin at zones to a closed page (n, n) in kernel values."""
    if isinstance(arcs, DenseArcs) or arcs.zones is None:
        return
    listed = jit.cupy().flatnonzero(arcs.zones).astype(np.int32)
    expression = extend_expression(algebra_of(page, algebra))
    jit.kernels("matrix.cu", (expression,))[expression](
        (len(listed),), (_THREADS,), (page, stride(page), np.int32(page.shape[1]), listed, *arcs)
    )


def finish(page: Page, algebra: Algebra) -> bool:
    """Convert kernel values to public values."""
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
