"""Warshall on a bit matrix in the memory of one GPU.

Source: Warshall 1962; Katz, Kider 2008, section 3 (the diagonal, its panels, the rest). Input: a square page of uint64,
64 columns a word. Output: the closed page, in place. Cost: n^3 pairs of bits, a third or less where the page is
triangular; a transposed copy of one panel.

The idea: two levels of pivots. Blocks of 256 close a block of 4,096 of the diagonal; the rest of the page is united
through 4,096 pivots at once, so that an entry is read and written once for as many pairs. A triangular page, of an
acyclic graph in topological order, has nothing to unite on one side of a pivot.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from apsp.backend import Page
from apsp.cuda import jit
from apsp.cuda.bits import multiply
from apsp.cuda.page import stride

__all__ = ["EXPRESSION", "close"]

EXPRESSION = "apsp::close_block"
_BLOCK = 256
_WIDTHS = (4096, _BLOCK)
_WIDE_PAYS_FROM = 8192
"""Rows from which the second level of pivots is faster than without it."""

_PAIRS_BETWEEN_LOOKS = 4e13
"""Pairs after which the host waits for the device: for progress and Ctrl-C; about 30 ms."""


def close(page: Page, *, lower: bool = False, progress: Callable[[int], None] | None = None) -> None:
    """Close a page on the current GPU.

    Parameters
    ----------
    page : (n, ceil(n / 64)) uint64 of the device
    lower : bool
        No bit lies above the diagonal.
    progress : callable, optional
        Told how many of the n pivots are done.
    """
    n = page.shape[0]
    widths = _WIDTHS if n >= _WIDE_PAYS_FROM else _WIDTHS[1:]
    stream, unseen = jit.cupy().cuda.get_current_stream(), 0.0
    for start in range(0, n, widths[0]):
        _through(page, start, widths, lower)
        unseen += float(n) * n * widths[0]
        end = min(start + widths[0], n)
        if unseen >= _PAIRS_BETWEEN_LOOKS or (end == n and progress is not None):
            unseen = 0.0
            stream.synchronize()
            if progress is not None:
                progress(end)


def _through(page: Page, start: int, widths: tuple[int, ...], lower: bool) -> None:
    """Unite the rows of the page through the pivots [start, start + widths[0])."""
    n = page.shape[0]
    end = min(start + widths[0], n)
    words = (start // 64, -(-end // 64))
    diagonal = page[start:end, slice(*words)]
    if len(widths) == 1:
        kernel = jit.kernels("close_bits.cu", (EXPRESSION,))[EXPRESSION]
        kernel((1,), (_BLOCK,), (diagonal, stride(diagonal), np.int32(end - start)))
    else:
        for inner in range(0, end - start, widths[1]):
            _through(diagonal, inner, widths[1:], lower)
    if end - start == n:
        return
    if lower:  # what reaches a pivot lies below it, what it reaches to the left
        across, down = page[start:end, : words[0]], page[end:, slice(*words)]
        multiply(across, diagonal, across)
        multiply(down, down, diagonal)
        multiply(page[end:, : words[0]], down, across)
    else:
        across, down, pivots = page[start:end], page[:, slice(*words)], (start, end)
        multiply(across, diagonal, across, skip_words=words)
        multiply(down, down, diagonal, skip_rows=pivots)
        multiply(page, down, across, skip_rows=pivots, skip_words=words)
