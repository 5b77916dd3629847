"""Launching `update`: C = choose(C, A join B) on pages of one GPU.

Source: Katz, Kider 2008, section 3 (the third phase). Input: C (rows, columns), A (rows, depth), B (depth, columns) in
kernel values, any strides and alignment; C overlaps neither A nor B. Cost: rows x columns x depth (choose, join) pairs.
"""

from __future__ import annotations

import numpy as np

from apsp.backend import Algebra, Page
from apsp.cuda import jit
from apsp.cuda.page import algebra_of, is_aligned, stride

__all__ = ["expressions", "update"]

_ROWS, _ROW_BYTES, _THREADS = 128, 512, 256  # of a tile
_STAGES, _LEFT_BYTES, _STAGE_BYTES = 3, 128 * 80, 64 * 512  # of its shared memory; the last one divided by the itemsize


def expressions(algebra: str) -> tuple[str, str]:
    """The kernels of update.cu for an algebra: for aligned pages, and for any."""
    return f"apsp::update<{algebra}, true>", f"apsp::update<{algebra}, false>"


def update(
    c: Page,
    a: Page,
    b: Page,
    algebra: Algebra,
    *,
    skip_rows: tuple[int, int] = (0, 0),
    skip_columns: tuple[int, int] = (0, 0),
) -> None:
    """Launch on all of c but the rows and columns to be skipped, on the current stream of the current GPU."""
    (rows, columns), depth, itemsize = c.shape, a.shape[1], c.dtype.itemsize
    grid = (_tiles(columns, _ROW_BYTES // itemsize, skip_columns), _tiles(rows, _ROWS, skip_rows))
    if 0 in grid or depth == 0:
        return
    aligned, anyhow = wanted = expressions(algebra_of(c, algebra))
    found = jit.kernels("update.cu", wanted, shared_bytes=_shared_bytes(itemsize))
    kernel = found[aligned if all(is_aligned(page) for page in (c, a, b)) else anyhow]
    arguments = (
        c, stride(c), a, stride(a), b, stride(b),
        *(np.int32(value) for value in (rows, columns, depth, *skip_rows, *skip_columns)),
    )  # fmt: skip
    kernel(grid, (_THREADS,), arguments, shared_mem=_shared_bytes(itemsize))


def _tiles(size: int, length: int, skip: tuple[int, int]) -> int:
    return -(-skip[0] // length) + -(-(size - skip[1]) // length)


def _shared_bytes(itemsize: int) -> int:
    return _STAGES * (_LEFT_BYTES + _STAGE_BYTES // itemsize)
