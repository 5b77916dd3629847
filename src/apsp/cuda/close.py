"""Floyd-Warshall on one page in the memory of one GPU.

Source: Katz, Kider 2008, section 3 (tiles of the diagonal, their panels, the rest). Input: a square page in kernel
values. Output: the closed page, in place. Cost: n^3 (choose, join) pairs and copies of two panels, 2 n x 512 values.

The idea: small pages take one launch, whose blocks wait for one another (close.cu). In larger ones a block of the
diagonal is closed so, and its panels relaxed, on a second stream while the rest is relaxed through the block before.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from apsp.backend import Algebra, Backend, ClosedTile, Page
from apsp.cuda import jit
from apsp.cuda.page import algebra_of, is_aligned, stride
from apsp.cuda.update import update

__all__ = ["Closing", "expressions", "scratch_bytes"]

_TILE, _THREADS, _SLOTS = 64, 128, 4  # of close.cu
_BLOCKS_OF_MULTIPROCESSOR = 4
_LEAD = 512
"""Tiles relaxed between the last strip of a step and the next panels: about what runs while a tile is closed."""

_ONE_LAUNCH = 2560
"""Largest page that is closed by one launch."""

_WIDTHS = ((6144, 256), (2**31, 512))
"""(rows, width): pages of up to so many rows are relaxed through so many pivots at once."""

_PAIRS_BETWEEN_LOOKS = 4e11
"""Pairs after which the host waits for the device: for progress, Ctrl-C and negative cycles; about 30 ms."""


def expressions(algebra: str) -> tuple[str, str]:
    """The kernels of close.cu for an algebra: without and with witnesses."""
    return f"apsp::close<{algebra}, false>", f"apsp::close<{algebra}, true>"


def scratch_bytes(n: int, itemsize: int) -> int:
    """Device memory of closing an n x n page, beyond the page."""
    width = _width(n)
    of_blocks = 0 if n <= width else 2 * (n + 16) * width * itemsize
    return of_blocks + _panel_bytes(min(n, width), itemsize) + 4 * _counters(min(n, width)) + 4096


class Closing:
    """Closes pages of one GPU, whose `Backend` allocates and copies; one at a time."""

    def __init__(self, backend: Backend) -> None:
        self.backend = backend
        self.cupy = jit.cupy()
        cuda = self.cupy.cuda
        self._found = self.cupy.zeros(2, dtype=np.int32)  # 1 + row of a negative cycle or 0; rounding was forgiven
        self._sides = [cuda.Stream(non_blocking=True, priority=-5) for _ in range(2)]
        self._events = {name: cuda.Event(disable_timing=True) for name in ("block", "strips", "closed", "row", "column")}
        self._processors = cuda.Device().attributes["MultiProcessorCount"]

    def close(
        self,
        page: Page,
        algebra: Algebra,
        progress: Callable[[int], None] | None = None,
        *,
        via: Page | None = None,
        first_vertex: int = 0,
    ) -> ClosedTile:
        """See `Backend.close_tile`.

        Parameters
        ----------
        via : (n, n) int32 page, optional
            An entry that becomes better gets the first vertex of the panel of 128 in which it did.
        first_vertex : int
            Of the page in its matrix, a multiple of 128 where `via` is given.
        """
        n = page.shape[0]
        self._found.data.memset_async(0, self._found.nbytes, self.cupy.cuda.get_current_stream())
        width = _width(n)
        if n <= width:
            self._close_block(page, algebra, via, first_vertex, first_vertex)
        else:
            self._close_blocks(page, algebra, width, progress, via, first_vertex)
        closed = self._look()
        if progress is not None and n and closed.bad_vertex < 0:
            progress(n)
        return closed

    def _close_blocks(
        self,
        page: Page,
        algebra: Algebra,
        width: int,
        progress: Callable[[int], None] | None,
        via: Page | None,
        first_vertex: int,
    ) -> None:
        n = page.shape[0]
        step = _Step(self, page, algebra, via, first_vertex, width)
        step.begin()
        unseen = 0.0
        for start in range(0, n, width):
            end = min(start + width, n)
            step.relax(start, end, min(end + width, n))
            unseen += float(n) * n * width
            if unseen >= _PAIRS_BETWEEN_LOOKS and end < n:
                unseen = 0.0
                if self._look().bad_vertex >= 0:
                    break
                if progress is not None:
                    progress(end)

    def _close_block(self, page: Page, algebra: Algebra, via: Page | None, page_vertex: int, first_vertex: int) -> None:
        """Launch close.cu; `page_vertex` is the page's first vertex, counted from what `found` counts from."""
