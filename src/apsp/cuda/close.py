"""Floyd-Warshall on one page in the memory of one GPU.

Source: Katz, Kider 2008, section 3 (tiles of the diagonal, their panels, the rest). Input: a square page in kernel
values. Output: the closed page, in place. Cost: n^3 (choose, join) pairs and copies of two panels, 2 n x 512 values.

The idea: two levels of pivots. Tiles of 128 close a block of 512 of the diagonal; the rest of the page is relaxed
through 512 pivots at once, so that an entry is read and written once for 512 pairs.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from apsp.backend import Algebra, Backend, ClosedTile, Page
from apsp.cuda import jit
from apsp.cuda.page import algebra_of, stride
from apsp.cuda.update import update

__all__ = ["Closing", "expressions", "scratch_bytes"]

TILE = 128
BLOCK = 512
_BLOCKS_PAY_FROM = 6144
"""Rows from which the second level of pivots is faster than without it."""

_PAIRS_BETWEEN_LOOKS = 4e11
"""Pairs after which the host waits for the device: for progress, Ctrl-C and negative cycles; about 30 ms."""


def expressions(algebra: str) -> tuple[str, ...]:
    """The kernels of close.cu for an algebra."""
    return (f"apsp::close_tile<{algebra}>",)


def scratch_bytes(n: int, itemsize: int) -> int:
    """Device memory of closing an n x n page, beyond the page."""
    return 2 * (n + 16) * _width(n) * itemsize + 4096


class Closing:
    """Closes pages of one GPU, whose `Backend` allocates and copies; one at a time."""

    def __init__(self, backend: Backend) -> None:
        self.backend = backend
        self.cupy = jit.cupy()
        self._found = self.cupy.asarray([-1, 0], dtype=np.int32)  # row of a negative cycle or -1; rounding was forgiven
        self._side = self.cupy.cuda.Stream(non_blocking=True)
        self._ready, self._done = (self.cupy.cuda.Event(disable_timing=True) for _ in range(2))

    def close(self, page: Page, algebra: Algebra, progress: Callable[[int], None] | None = None) -> ClosedTile:
        """See `Backend.close_tile`."""
        n = page.shape[0]
        self._found[:] = self.cupy.asarray([-1, 0], dtype=np.int32)
        width = _width(n)
        scratch = (self.backend.allocate(width, n, page.dtype), self.backend.allocate(n, width, page.dtype))
        unseen = 0.0
        for start in range(0, n, width):
            self._through(page, scratch, start, width, algebra)
            unseen += float(n) * n * width
            if unseen >= _PAIRS_BETWEEN_LOOKS or start + width >= n:
                unseen = 0.0
                if self._look().bad_vertex >= 0:
                    break
                if progress is not None:
                    progress(min(start + width, n))
        return self._look()

    def _through(
        self, page: Page, scratch: tuple[Page, Page], start: int, width: int, algebra: Algebra, first_vertex: int = 0
    ) -> None:
        """Relax the page through the pivots [start, start + width); scratch holds a copy of either panel."""
        n = page.shape[0]
        end = min(start + width, n)
        diagonal = page[start:end, start:end]
        if width == TILE:
            self._close_one(diagonal, algebra, first_vertex + start)
        else:
            for inner in range(0, end - start, TILE):
                self._through(diagonal, scratch, inner, TILE, algebra, first_vertex + start)
        if end - start == n:
            return
        pivots = (start, end)
        across, down = page[start:end], page[:, start:end]
        before_across, before_down = scratch[0][: end - start, :n], scratch[1][:n, : end - start]
        main = self.cupy.cuda.get_current_stream()
        self._ready.record(main)
        self.backend.copy(across, before_across)
        update(across, diagonal, before_across, algebra, skip_columns=pivots)
        with self._side:  # the two panels share nothing but the closed block of the diagonal, which they read
            self._side.wait_event(self._ready)
            self.backend.copy(down, before_down)
            update(down, before_down, diagonal, algebra, skip_rows=pivots)
            self._done.record(self._side)
        main.wait_event(self._done)
        update(page, down, across, algebra, skip_rows=pivots, skip_columns=pivots)

    def _close_one(self, tile: Page, algebra: Algebra, first_vertex: int) -> None:
        expression = f"apsp::close_tile<{algebra_of(tile, algebra)}>"
        jit.kernels("close.cu", (expression,))[expression](
            (1,), (1024,),
            (tile, stride(tile), np.int32(tile.shape[0]), np.float64(algebra.slack), np.int32(first_vertex),
             self._found),
        )  # fmt: skip

    def _look(self) -> ClosedTile:
        """Wait for the device, and what it has found so far."""
        bad_vertex, rounded = self._found.get().tolist()
        return ClosedTile(bad_vertex, bool(rounded))


def _width(n: int) -> int:
    return BLOCK if n >= _BLOCKS_PAY_FROM else TILE
