"""One GPU of Katz and Kider's algorithm: pages of cells there, and the three passes over their blocks.

Source: Katz, Kider 2008, sections 4.1, 4.2 (grids of 1, n - 1 by 2, and n - 1 by n - 1 blocks) and 4.4 (which page is
read in which pass). Input: pages of the host. Output: the same pages. Cost: side^3 pairs per page; device memory for
three pages. Raises DeviceError without a GPU.

The idea: a page is relaxed one block of pivots after the other; each block of threads holds the blocks that it needs in
shared memory.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from apsp.gpu import jit
from apsp.gpu.page import Page
from apsp.gpu.traffic import fetched, sent
from apsp.published.katz_kider_pages import HostPage

__all__ = ["GpuWorker", "expressions"]


def expressions(operations: str, block: int) -> tuple[str, str, str]:
    """The three passes of katz_kider.cu; operations is 'apsp::Closure' or for example 'apsp::Paths<int>'."""
    passes = ("primary", "singly_dependent", "doubly_dependent")
    first, second, third = (f"apsp::{name}<{operations}, {block}>" for name in passes)
    return first, second, third


class GpuWorker:
    """A worker on one GPU.

    Parameters
    ----------
    gpu : int
        Its number in CuPy.
    operations : str
        As for `expressions`.
    block : int
        Rows and columns of a block, at most 32.
    """

    def __init__(self, gpu: int, operations: str, block: int) -> None:
        from apsp.gpu.memory import on_gpu

        self._on_gpu, self._gpu, self._block = on_gpu, gpu, block
        self._cupy, names = jit.cupy(), expressions(operations, block)
        with on_gpu(gpu):
            found = jit.kernels("katz_kider.cu", names)
        self._primary_pass, self._single_pass, self._double_pass = (found[name] for name in names)
        self._primary: Page = None
        self.seconds = 0.0

    def close_primary(self, page: HostPage, first: int, *, send_back: bool) -> None:
        """Close a primary page: the three passes for each of its blocks."""
        with self._on_gpu(self._gpu):
            self._primary = None  # free its memory first
            here = self._primary = self._there(page)
            with self._timed():
                self._three_passes(here, first)
            if send_back:
                page[...] = fetched(here)

    def _three_passes(self, here: Page, first: int) -> None:
        side, blocks = np.int32(len(here)), len(here) // self._block
        for b in range(blocks):
            pivots = (side, np.int32(b), np.int64(first + b * self._block))
            self._launch(self._primary_pass, (1,), (here, *pivots))
            if blocks > 1:
                self._launch(self._single_pass, (blocks - 1, 2), (here, here, *pivots, np.int32(0), np.int32(1)))
                grid, skips = (blocks - 1, blocks - 1), (np.int32(1), np.int32(1))
                self._launch(self._double_pass, grid, (here, here, here, *pivots, *skips))

    def through_primary(self, page: HostPage, first: int, *, in_column: bool) -> None:
        """Relax a page in the row or column of the primary one.

        None of its blocks is the primary one, so a whole row or column of its blocks is relaxed in pass 2.
        """
        with self._on_gpu(self._gpu):
            here, side, blocks = self._there(page), np.int32(len(page)), len(page) // self._block
            column, row = (here, self._primary) if in_column else (self._primary, here)
            chosen = (np.int32(in_column), np.int32(0))
            with self._timed():
                for b in range(blocks):
                    pivots = (side, np.int32(b), np.int64(first + b * self._block))
                    self._launch(self._single_pass, (blocks, 1), (here, self._primary, *pivots, *chosen))
                    if blocks > 1:
                        grid = (blocks - 1, blocks) if in_column else (blocks, blocks - 1)
                        skips = (np.int32(in_column), np.int32(not in_column))
                        self._launch(self._double_pass, grid, (here, column, row, *pivots, *skips))
            page[...] = fetched(here)

    def through_both(self, page: HostPage, column: HostPage, row: HostPage, first: int) -> None:
        """Relax a page through its row and column pages."""
        with self._on_gpu(self._gpu):
            self._primary = None  # three pages at a time
            here, left, above = self._there(page), self._there(column), self._there(row)
            side, blocks, skips = np.int32(len(page)), len(page) // self._block, (np.int32(0), np.int32(0))
            with self._timed():
                for b in range(blocks):
                    pivots = (side, np.int32(b), np.int64(first + b * self._block))
                    self._launch(self._double_pass, (blocks, blocks), (here, left, above, *pivots, *skips))
            page[...] = fetched(here)

    @contextmanager
    def _timed(self) -> Iterator[None]:
        """Add the time of the launches inside to the seconds of kernels."""
        wait = self._cupy.cuda.get_current_stream().synchronize
        wait()
        before = time.perf_counter()
        yield
        wait()
        self.seconds += time.perf_counter() - before

    def _there(self, page: HostPage) -> Page:
        return sent(np.ascontiguousarray(page))

    def _launch(self, kernel: Any, grid: tuple[int, ...], arguments: tuple[Any, ...]) -> None:
        kernel(grid, (self._block, self._block), arguments)
