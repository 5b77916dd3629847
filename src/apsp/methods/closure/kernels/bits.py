"""Launches the bit kernels: C |= A (x) B over (or,and), one bit per pair.

Source: Arlazarov, Dinic, Kronrod, Faradzev 1970 (tables of unions). Input: pages of uint64, 64 columns per word: C
(rows, words), A (rows, depth / 64), B (depth, words), rows of any stride; bits of A beyond depth are ignored. C may be
B if A is closed, and A if B is closed. Cost: rows x columns x depth pairs, and a transposed copy of at most 8,192 rows
of B.

The idea: the tensor cores of compute capability 8 and 9 count, for 256 pivots at a time, those that join a row to a
column; a pair is reached if the count is not 0. On other GPUs a table of the unions of eight rows handles eight pivots.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from apsp.gpu import jit
from apsp.gpu.page import Page, address, stride, tiles
from apsp.methods.closure.kernels import bits_hopper

__all__ = [
    "MOST_PIVOTS",
    "counts_bits",
    "expressions",
    "launch_multiply",
    "multiply",
    "multiply_transposed",
    "transposed",
    "unite",
]

MOST_PIVOTS = 8192  # of a transposed copy
_STAGE = 512  # pivots of a stage: a transposed copy contains whole stages
_TILE_ROWS, _TILE_WORDS, _SHARED_BYTES = 128, 4, 4 * (128 + 256) * 64
_PRODUCTS = ("apsp::multiply_bits<true>", "apsp::multiply_bits<false>")  # of rows at multiples of 16 bytes, and others
_UNION_SHAPES = ((80, 2), (24, 2), (24, 1))  # rows of a warp; tables at a time


def expressions() -> dict[str, tuple[str, ...]]:
    """The kernels by file."""
    return {
        "bits.cu": ("apsp::transpose", *_PRODUCTS),
        "unions.cu": tuple(f"apsp::unite_rows<{rows}, {tables}>" for rows, tables in _UNION_SHAPES),
    }


def counts_bits() -> bool:
    """Whether the tensor cores of this GPU multiply bits: from Ampere to Hopper; later ones emulate it slowly."""
    return (8, 0) <= jit.capability() < (10, 0)


def multiply(
    c: Page,
    a: Page,
    b: Page,
    *,
    skip_rows: tuple[int, int] = (0, 0),
    skip_words: tuple[int, int] = (0, 0),
) -> None:
    """Compute C |= a (x) b, except in the rows and words to be skipped, on the current stream of the current GPU."""
    depth = b.shape[0]
    if c.size == 0 or depth == 0:
        return
    if not counts_bits():
        unite(c, a, b)
        return
    by_groups = depth >= bits_hopper.PAYS_FROM_DEPTH and bits_hopper.is_possible()
    for start in range(0, depth, MOST_PIVOTS):
        end = min(start + MOST_PIVOTS, depth)
        left, right = a[:, start // 64 : -(-end // 64)], b[start:end]
        if by_groups:
            bits_hopper.multiply(c, left, right, skip_rows, skip_words)
        else:
            multiply_transposed(c, left, transposed(right), skip_rows=skip_rows, skip_words=skip_words)


def transposed(b: Page) -> Page:
    """(columns, depth / 8) bytes, whole tiles of 256 columns and stages of 512 pivots."""
    depth, words = b.shape
    blocks, pitch = -(-words // _TILE_WORDS), -(-depth // _STAGE) * _STAGE // 8
    result = jit.cupy().empty((blocks * 256, pitch), dtype=np.uint8)
    if result.size == 0:
        return result
    kernel = jit.kernels("bits.cu", ("apsp::transpose",))["apsp::transpose"]
    kernel((blocks, pitch // 32), (256,), (result, np.int32(pitch), b, stride(b), np.int32(depth), np.int32(words)))
    return result


def multiply_transposed(
    c: Page, a: Page, t: Page, *, skip_rows: tuple[int, int] = (0, 0), skip_words: tuple[int, int] = (0, 0)
) -> None:
    """`multiply` by a page that `transposed` made."""
    (rows, words), depth_words = c.shape, a.shape[1]
    if t.shape[1]:
        launch_multiply(
            (address(c), c.strides[0]), (address(a), a.strides[0]), t, (rows, words, depth_words), skip_rows, skip_words
        )


def launch_multiply(
    c: tuple[int, int],
    a: tuple[int, int],
    t: Page,
    shape: tuple[int, int, int],
    skip_rows: tuple[int, int] = (0, 0),
    skip_words: tuple[int, int] = (0, 0),
) -> None:
    """The launch alone: c and a as (address, bytes from row to row), shape as (rows, words, words of a)."""
    rows, words, depth_words = shape
    count = tiles(rows, _TILE_ROWS, skip_rows) * tiles(words, _TILE_WORDS, skip_words)
    if count == 0:
        return
    expression = _PRODUCTS[0 if a[0] % 16 == 0 and a[1] % 16 == 0 else 1]
    kernel = jit.kernels("bits.cu", _PRODUCTS, shared_bytes=_SHARED_BYTES)[expression]
    numbers = (t.shape[1], rows, words, depth_words, *skip_rows, *skip_words)
    kernel(
        (min(count, jit.multiprocessors()),), (256,),
        (np.uint64(c[0]), np.int64(c[1] // 8), np.uint64(a[0]), np.int64(a[1] // 8), t, *map(np.int32, numbers)),
        shared_mem=_SHARED_BYTES,
    )  # fmt: skip


def unite(c: Page, a: Page, b: Page) -> None:
    """Compute the product by tables of unions."""
    (rows, words), depth = c.shape, b.shape[0]
    if 0 in (rows, words, depth):
        return
    of_warp, tables = _UNION_SHAPES[_union_shape(rows, words)]
    shared = 256 * 128 * tables + 4096 + 8 * 2 * 16 * of_warp
    kernel = union_kernel(of_warp, tables, shared)
    kernel(
        (-(-words // 16), -(-rows // (16 * of_warp))), (512,),
        (c, stride(c), a, stride(a), b, stride(b), *map(np.int32, (rows, words, depth))),
        shared_mem=shared,
    )  # fmt: skip


def union_kernel(of_warp: int, tables: int, shared: int) -> Any:
    """The kernel of unions.cu."""
    expression = f"apsp::unite_rows<{of_warp}, {tables}>"
    return jit.kernels("unions.cu", (expression,), shared_bytes=shared)[expression]


def _union_shape(rows: int, words: int) -> int:
    """Return the shape: two tables need 96 KiB per block; capability 7.5 has less. Few rows need small tiles."""
    if jit.capability() == (7, 5):
        return 2
    return 0 if -(-rows // 1280) * -(-words // 16) >= jit.multiprocessors() else 1
