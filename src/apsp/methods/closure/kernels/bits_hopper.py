"""Launches the bit products of Hopper: C |= A (x) B over (or,and), both operands packed for its tensor cores.

Input: pages of uint64, 64 columns per word, rows of any stride: C (rows, words), A (rows, depth / 64), B (depth,
words); C may be A or B. Cost: rows x columns x depth pairs; copies of A and B, in tiles of 128 rows and 256 columns.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from apsp.gpu import jit
from apsp.gpu.page import Page, stride, tiles
from apsp.gpu.special import special_kernels

__all__ = ["EXPRESSIONS", "PAYS_FROM_DEPTH", "is_possible", "multiply"]

EXPRESSIONS = ("apsp::pack_left", "apsp::pack_right", "apsp::multiply_packed")
PAYS_FROM_DEPTH = 1024
"""Number of pivots of a product from which on packing is faster."""

_CLUSTER = 2  # blocks
_STAGE, _STAGE_BYTES = 1024, 128  # pivots of a stage; bytes of them in a row
_SHARED_BYTES = 4 * (128 + 256) * _STAGE_BYTES + 1024


def is_possible() -> bool:
    """Whether this is such a GPU, and kernels for its architecture can be compiled."""
    return jit.capability() == (9, 0) and _kernels() is not None


def multiply(c: Page, a: Page, b: Page, skip_rows: tuple[int, int], skip_words: tuple[int, int]) -> None:
    """Compute C |= a (x) b, except in the rows and words to be skipped, on the current stream of the current GPU."""
    (rows, words), (depth, depth_words) = c.shape, (b.shape[0], a.shape[1])
    found, empty = _kernels(), jit.cupy().empty
    groups = -(-tiles(rows, 128, skip_rows) // _CLUSTER)
    columns, stages = tiles(words, 4, skip_words), -(-depth // _STAGE)
    if found is None or groups * columns * stages == 0:
        return
    left = empty(_CLUSTER * groups * 128 * stages * _STAGE_BYTES, dtype=np.uint8)
    right = empty(columns * 256 * stages * _STAGE_BYTES, dtype=np.uint8)
    pack_left, pack_right, product = (found[expression] for expression in EXPRESSIONS)
    pack_left(
        (_CLUSTER * groups, stages), (256,), (left, a, stride(a), *map(np.int32, (rows, depth_words, *skip_rows)))
    )
    pack_right((columns, 4 * stages), (256,), (right, b, stride(b), *map(np.int32, (depth, words, *skip_words))))
    clusters = min(groups * columns, jit.multiprocessors() // _CLUSTER)
    product(
        (_CLUSTER * clusters,), (288,),
        (c, stride(c), left, right, *map(np.int32, (rows, words, stages, *skip_rows, *skip_words))),
        shared_mem=_SHARED_BYTES,
    )  # fmt: skip


def _kernels() -> dict[str, Any] | None:
    return special_kernels("bits_hopper.cu", EXPRESSIONS, _SHARED_BYTES, jit.current_device())
