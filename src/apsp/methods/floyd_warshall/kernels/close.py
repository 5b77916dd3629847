"""Floyd-Warshall on one page in the memory of one GPU.

Source: Katz, Kider 2008, section 3 (tiles of the diagonal, their panels, the rest). Input: a square page in kernel
values. Output: the closed page, in place. Cost: n^3 (choose, join) pairs and copies of two panels, 2 n x 512 values.

The idea: small pages take one launch, whose blocks wait for one another (close.cu). In larger ones a block of the
diagonal is closed in this way, and its panels relaxed, on a second stream, while the rest is relaxed through the
previous block.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from apsp.gpu import jit
from apsp.gpu.page import Page, algebra_of, is_aligned, stride
from apsp.methods.backend import Backend
from apsp.methods.floyd_warshall.kernels.update import update
from apsp.semiring import Algebra

__all__ = ["Closing", "expression"]

_TILE, _THREADS, _SLOTS = 64, 128, 4  # of close.cu
_BLOCKS_OF_MULTIPROCESSOR = 2
_LEAD = 512
"""Tiles relaxed between the last strip of a step and the next panels: about the number that runs while a tile is
closed."""

_ONE_LAUNCH = 2560
"""Largest page that is closed by one launch."""

_WIDTH = 512
"""Number of pivots that larger pages are relaxed through at a time."""

_PAIRS_BETWEEN_LOOKS = 4e11
"""Number of pairs after which the host waits for the device, for progress, Ctrl-C and negative cycles: about 30 ms."""


def expression(algebra: str) -> str:
    """The kernel of close.cu for an algebra."""
    return f"apsp::close<{algebra}>"


class Closing:
    """Closes pages of one GPU, one at a time; a `Backend` allocates and copies."""

    def __init__(self, backend: Backend) -> None:
        self.backend = backend
        self.cupy = jit.cupy()
        self._sides: list[Any] = []
        """Two streams beside the current one; a page that one launch closes needs none."""

    def close(
        self,
        page: Page,
        algebra: Algebra,
        progress: Callable[[int], None] | None = None,
        *,
        one_launch: int = _ONE_LAUNCH,
        width: int = _WIDTH,
    ) -> int:
        """Close a square page of the diagonal (Floyd-Warshall).

        Pages of up to `one_launch` vertices take one launch; larger ones are relaxed through `width` pivots at a time.
        """
        n = page.shape[0]
        # 1 + row of a negative cycle, or 0. Zeros written on another stream might arrive late.
        self._found = self.cupy.zeros(1, dtype=np.int32)
        work = _Work(page, algebra)
        if n <= one_launch:
            self._close_block(work, 0, n)
        else:
            self._close_blocks(work, width, progress)
        bad_vertex = self._look()
        if progress is not None and n and bad_vertex < 0:
            progress(n)
        return bad_vertex

    def _close_blocks(self, work: _Work, width: int, progress: Callable[[int], None] | None) -> None:
        n, cuda = work.page.shape[0], self.cupy.cuda
        page = work.page
        if not self._sides:
            self._sides = [cuda.Stream(non_blocking=True, priority=-5) for _ in range(2)]
        scratch = (self.backend.allocate(width, n, page.dtype), self.backend.allocate(n, width, page.dtype))
        main = cuda.get_current_stream()
        try:
            self._after(self._sides[0], main)
            with self._sides[0]:
                self._close_block(work, 0, width)
            self._relax_panels(work, scratch, 0, width)
            unseen = 0.0
            for start in range(0, n, width):
                end = min(start + width, n)
                self._relax_rest(work, scratch, start, end, min(end + width, n))
                unseen += float(n) * n * width
                if unseen >= _PAIRS_BETWEEN_LOOKS and end < n:
                    unseen = 0.0
                    if self._look() >= 0:
                        break
                    if progress is not None:
                        progress(end)
        except BaseException:  # the other streams and their memory are freed, possibly before their work is done
            for side in self._sides:
                side.synchronize()
            raise
        finally:  # memory that is freed next may still be in use on the other streams
            for side in self._sides:
                self._after(main, side)

    def _relax_rest(self, work: _Work, scratch: tuple[Page, Page], start: int, end: int, next_end: int) -> None:
        """Relax all rows and columns except the panels through the pivots [start, end); first the block [end, next_end)
        and its panels.
        """
        main, row_side = self.cupy.cuda.get_current_stream(), self._sides[0]
        for side in self._sides:
            self._after(main, side)
        pivots = (start, end)
        if end < next_end:
            following = (end, next_end)
            work.relax(following, following, pivots)
            self._after(row_side, main)
            with row_side:
                self._close_block(work, *following)
            work.relax(following, None, pivots, skip=(start, next_end))
            work.relax(None, following, pivots, skip=(start, next_end))
            for side in self._sides:
                self._after(side, main)
            self._relax_panels(work, scratch, *following)
        work.relax(None, None, pivots, skip=(start, next_end))

    def _relax_panels(self, work: _Work, scratch: tuple[Page, Page], start: int, end: int) -> None:
        """Relax rows and columns of the pivots [start, end) through their closed block."""
        row_side, column_side = self._sides
        pivots, n, size = (start, end), work.page.shape[0], end - start
        self._after(column_side, row_side)
        with row_side:
            before = scratch[0][:size, :n]
            self.backend.copy(work.page[start:end], before)
            work.relax(pivots, None, pivots, skip=pivots, right=before)
        with column_side:
            before = scratch[1][:n, :size]
            self.backend.copy(work.page[:, start:end], before)
            work.relax(None, pivots, pivots, skip=pivots, left=before)

    def _close_block(self, work: _Work, start: int, end: int) -> None:
        """Launch close.cu on a block of the diagonal, on the current stream."""
        size, dtype = end - start, work.page.dtype
        if size == 0:
            return
        block = work.page[start:end, start:end]
        tiles = -(-size // _TILE)
        word = max(dtype.itemsize, 4)
        counters = self.cupy.empty(_counters(size), dtype=np.int32)
        counters.data.memset_async(0, counters.nbytes, self.cupy.cuda.get_current_stream())
        panels = self.cupy.empty(_panel_bytes(size, dtype.itemsize), dtype=np.int8)
        name = expression(algebra_of(block, work.algebra))
        shared_bytes = (_TILE * (_TILE + 16 // word) + _TILE * _TILE) * word
        kernel = jit.kernels("close.cu", (name,), shared_bytes=shared_bytes)[name]
        blocks = min(max(tiles * tiles, 1), _BLOCKS_OF_MULTIPROCESSOR * jit.multiprocessors())
        kernel(
            (blocks,), (_THREADS,),
            (block, stride(block), np.int32(size), np.int32(is_aligned(block)),
             np.int32(start), np.int32(_LEAD), panels, counters, self._found),
            shared_mem=shared_bytes,
        )  # fmt: skip

    def _after(self, later: Any, earlier: Any) -> None:
        """Make work queued on `later` from now on wait for the work queued on `earlier`."""
        event = self.cupy.cuda.Event(disable_timing=True)
        event.record(earlier)
        later.wait_event(event)

    def _look(self) -> int:
        """Wait for the device; return the row on a negative closed walk found so far, or -1."""
        for side in self._sides:
            side.synchronize()
        return int(self._found.get()[0]) - 1


class _Work(NamedTuple):
    """A page that is being closed."""

    page: Page
    algebra: Algebra

    def relax(
        self,
        rows: tuple[int, int] | None,
        columns: tuple[int, int] | None,
        pivots: tuple[int, int],
        *,
        skip: tuple[int, int] = (0, 0),
        left: Page | None = None,
        right: Page | None = None,
    ) -> None:
        """Relax rows and columns (from, to), or for None all except those in `skip`, through the pivots.

        `left` and `right` are the columns and the rows of the pivots, if they are not those of the page.
        """
        down, across = slice(*(rows or (None,))), slice(*(columns or (None,)))
        middle = slice(*pivots)
        update(
            self.page[down, across],
            self.page[down, middle] if left is None else left,
            self.page[middle, across] if right is None else right,
            self.algebra,
            skip_rows=skip if rows is None else (0, 0),
            skip_columns=skip if columns is None else (0, 0),
        )


def _counters(n: int) -> int:
    tiles = -(-n // _TILE)
    return 1 + tiles * tiles + tiles


def _panel_bytes(n: int, itemsize: int) -> int:
    return _SLOTS * 2 * -(-n // _TILE) * _TILE * _TILE * max(itemsize, 4)
