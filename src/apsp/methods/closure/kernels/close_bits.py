"""Warshall on a bit matrix in the memory of one GPU.

Source: Warshall 1962; Katz, Kider 2008, section 3 (the diagonal, its panels, the rest). Input: a square page of uint64,
64 columns per word. Output: the closed page, in place. Cost: n^3 pairs of bits, a third or less if the page is
triangular; a transposed copy of one panel.

The idea: levels of pivots. Blocks of 256, two launches each, close a block of 4,096 of the diagonal; the rest of the
page is united through 4,096 or 8,192 pivots at once, so that an entry is read and written once for that many pairs. In
a triangular page (of an acyclic graph in topological order), only one side of a pivot needs work.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from apsp.gpu import jit
from apsp.gpu.page import Page, address
from apsp.methods.closure.kernels.bits import counts_bits, launch_multiply, multiply

__all__ = ["EXPRESSION", "close"]

EXPRESSION = "apsp::close_panels"
_BLOCK = 256
_WIDTHS = ((8192, 49152), (4096, 8192))
"""Pivots of an outer step, and the number of rows from which on they are faster."""

_PAIRS_BETWEEN_LOOKS = 4e13
"""Number of pairs after which the host waits for the device, for progress and Ctrl-C: about 20 ms."""


def close(
    page: Page,
    *,
    lower: bool = False,
    progress: Callable[[int], None] | None = None,
    widths: tuple[tuple[int, int], ...] = _WIDTHS,
) -> None:
    """Close a page on the current GPU.

    Parameters
    ----------
    page : (n, ceil(n / 64)) uint64 of the device
    lower : bool
        No bit lies above the diagonal.
    progress : callable, optional
        Called with the number of pivots done, out of n.
    widths : tuple of pairs of int
        Pivots of an outer step, and the number of rows from which on they are used.
    """
    n = page.shape[0]
    width = next((width for width, least in widths if n >= least), max(n, 1))
    stream, unseen = jit.cupy().cuda.get_current_stream(), 0.0
    for start in range(0, n, width):
        end = min(start + width, n)
        if end - start == n:
            _close_narrow(page, lower)
        else:
            close(page[start:end, start // 64 : -(-end // 64)], lower=lower)
            _relax(page, start, end, lower)
        unseen += float(n) * n * width
        if unseen >= _PAIRS_BETWEEN_LOOKS or (end == n and progress is not None):
            unseen = 0.0
            stream.synchronize()
            if progress is not None:
                progress(end)


def _relax(page: Page, start: int, end: int, lower: bool) -> None:
    """Unite the rows of the page through the pivots [start, end), which are closed."""
    words = (start // 64, -(-end // 64))
    diagonal = page[start:end, slice(*words)]
    if lower:  # vertices that reach a pivot are below it, those that it reaches to the left
        across, down = page[start:end, : words[0]], page[end:, slice(*words)]
        multiply(across, diagonal, across)
        multiply(down, down, diagonal)
        multiply(page[end:, : words[0]], down, across)
    else:
        across, down, pivots = page[start:end], page[:, slice(*words)], (start, end)
        multiply(across, diagonal, across, skip_words=words)
        multiply(down, down, diagonal, skip_rows=pivots)
        multiply(page, down, across, skip_rows=pivots, skip_words=words)


def _close_narrow(page: Page, lower: bool) -> None:
    """Close a page by blocks of 256 pivots; there are many short launches, so addresses are computed without slicing
    arrays.
    """
    (n, words), cupy = page.shape, jit.cupy()
    kernel = jit.kernels("close_bits.cu", (EXPRESSION,))[EXPRESSION]
    first, pitch, transposes = address(page), page.strides[0], counts_bits()
    t = cupy.zeros((-(-words // 4) * 256 if transposes else 0, 64), dtype=np.uint8)
    null_or_t: Any = t if transposes else np.uint64(0)
    for start in range(0, n, _BLOCK):
        end, left = min(start + _BLOCK, n), start // 64
        right = -(-end // 64)
        word_to, row_from = (left, end) if lower else (words, 0)
        blocks = -(-word_to // 2) + -(-(n - row_from) // 128) + 1
        numbers = (n, start, word_to, row_from)
        kernel((blocks,), (_BLOCK,), (page, np.int64(pitch // 8), *map(np.int32, numbers), null_or_t, np.int32(64)))
        if not transposes:
            multiply(page[row_from:, :word_to], page[row_from:, left:right], page[start:end, :word_to])
            continue
        skips = ((0, 0), (0, 0)) if lower else ((start, end), (left, right))
        launch_multiply(
            (first + row_from * pitch, pitch), (first + row_from * pitch + left * 8, pitch), t,
            (n - row_from, word_to, right - left), *skips,
        )  # fmt: skip
