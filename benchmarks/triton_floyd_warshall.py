"""Blocked Floyd-Warshall in Triton, float32: an implementation by Python programming for a GPU, for comparison.

Venkataraman, Sahni, Mukhopadhyaya 2003: close a 128 x 128 block of the diagonal, relax its row and its column of blocks
through it, then all others through these two. n is a multiple of 128.
"""

from __future__ import annotations

from typing import Any

import torch
import triton
import triton.language as tl

BLOCK = 128
SHAPES = ((128, 128, 8), (128, 128, 4), (64, 128, 4), (128, 64, 4), (64, 64, 4))
"""Rows, columns and warps of a program of the last phase; the fastest is taken."""


@triton.jit  # type: ignore[untyped-decorator]
def close_diagonal(dist, stride, first, B: tl.constexpr):  # type: ignore[no-untyped-def]
    """Close the block of the diagonal that begins at `first`; one program."""
    lines = tl.arange(0, B)
    places = dist + (first + lines[:, None]).to(tl.int64) * stride + first + lines[None, :]
    tile = tl.load(places)
    for k in range(B):
        column = tl.min(tl.where(lines[None, :] == k, tile, float("inf")), axis=1)
        row = tl.min(tl.where(lines[:, None] == k, tile, float("inf")), axis=0)
        tile = tl.minimum(tile, column[:, None] + row[None, :])
    tl.store(places, tile)


@triton.jit  # type: ignore[untyped-decorator]
def relax(  # type: ignore[no-untyped-def]
    dist, stride, first, PHASE: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr, B: tl.constexpr
):
    """dist[i, j] = min(dist[i, j], dist[i, k] + dist[k, j]) over the pivots [first, first + B).

    Phase 1 owns the row of blocks, phase 2 the column, phase 3 everything else.
    """
    if PHASE == 1:
        row, column = first, tl.program_id(0) * COLUMNS
    elif PHASE == 2:
        row, column = tl.program_id(0) * ROWS, first
    else:
        row, column = tl.program_id(1) * ROWS, tl.program_id(0) * COLUMNS
    row_is_pivot = (row >= first) & (row < first + B)
    column_is_pivot = (column >= first) & (column < first + B)
    if PHASE == 1:
        skip = column_is_pivot
    elif PHASE == 2:
        skip = row_is_pivot
    else:
        skip = row_is_pivot | column_is_pivot
    if not skip:
        rows = (row + tl.arange(0, ROWS)).to(tl.int64) * stride
        columns = column + tl.arange(0, COLUMNS)
        places = dist + rows[:, None] + columns[None, :]
        best = tl.load(places).to(
            tl.int32, bitcast=True
        )  # floats of at least 0 have the order of their bits as integers
        left = dist + rows + first
        right = dist + first.to(tl.int64) * stride + columns
        for k in range(0, B, 2):
            one = tl.load(left + k)[:, None] + tl.load(right + k * stride)[None, :]
            other = tl.load(left + k + 1)[:, None] + tl.load(right + (k + 1) * stride)[None, :]
            best = tl.minimum(best, tl.minimum(one.to(tl.int32, bitcast=True), other.to(tl.int32, bitcast=True)))
        if PHASE != 3:
            tl.debug_barrier()
        tl.store(places, best.to(tl.float32, bitcast=True))


def floyd_warshall(dist: Any, shape: tuple[int, int, int]) -> Any:
    """Close a contiguous float32 tensor in place."""
    n = dist.shape[0]
    rows, columns, warps = shape
    for first in range(0, n, BLOCK):
        close_diagonal[(1,)](dist, n, first, BLOCK, num_warps=16)
        relax[(n // 64,)](dist, n, first, 1, BLOCK, 64, BLOCK, num_warps=8)
        relax[(n // 64,)](dist, n, first, 2, 64, BLOCK, BLOCK, num_warps=8)
        relax[(n // columns, n // rows)](dist, n, first, 3, rows, columns, BLOCK, num_warps=warps)
    return dist


def fastest_shape(n: int) -> tuple[int, int, int]:
    """The shape of the last phase that is fastest at n."""
    dist = torch.rand((n, n), device="cuda")
    best, least = SHAPES[0], float("inf")
    for shape in SHAPES:
        rows, columns, warps = shape
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        for turn in range(3):
            if turn == 1:
                begin.record()
            relax[(n // columns, n // rows)](dist, n, 0, 3, rows, columns, BLOCK, num_warps=warps)
        end.record()
        end.synchronize()
        if begin.elapsed_time(end) < least:
            best, least = shape, begin.elapsed_time(end)
    return best
