"""Floyd-Warshall in the memory of one GPU: only the requested rows and columns are copied from it.

Source: Katz, Kider 2008, section 3. Input: any graph, also a dense matrix on the device. Output: as `Solver.fill`, into
arrays on the host or the device; an array on the device for all rows and columns is used as the page that is closed.
Cost: n^3 (choose, join) pairs, then a few passes over n^2. Device memory: the page, 4 bytes per pair for predecessors
if they stay there, and the work space of closing and of finding predecessors.

The idea: after the closing, the remaining steps are done by blocks of rows: predecessors, cutoff, the requested
columns, the copy.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.gpu.cutoff import is_longer
from apsp.gpu.page import Page
from apsp.methods.floyd_warshall.kernels.backend import CudaBackend
from apsp.methods.floyd_warshall.pages import close_pages
from apsp.methods.problem import IntArray, KernelProgress, Problem
from apsp.methods.rows.kernels.predecessors import TightArcs, find_tight_arcs, predecessors, rows_at_once
from apsp.methods.rows.read_off import make_public
from apsp.result.paths import passed_through
from apsp.semiring import NO_VERTEX, Algebra
from apsp.system.array_device import gpu_of, is_on_gpu, to_host

__all__ = ["InCore"]


@dataclass(frozen=True)
class InCore:
    """One solve on one GPU.

    Attributes
    ----------
    problem : Problem
    backend : CudaBackend
    algebra : Algebra
    refuse : callable
        Called with the vertex on a negative closed walk that closing found, or -1; raises the error.
    """

    problem: Problem
    backend: CudaBackend
    algebra: Algebra
    refuse: Callable[[int], None]

    def fill(self, sources: IntArray, dist: Any, pred: Any, progress: KernelProgress | None) -> None:
        """Write the rows; DtypeRangeError if the dtype is too narrow."""
        n = self.problem.graph.n
        if n == 0:
            return
        everything = self.problem.targets is None and np.array_equal(sources, np.arange(n))
        page = dist if everything and self._is_here(dist) else self.backend.allocate(n, n, dist.dtype)
        self.backend.fill(page, 0, 0, self.problem.graph, self.algebra)
        self.refuse(close_pages(self.backend, [[page]], [(0, n)], self.algebra, progress))
        self.backend.extend(page, self.problem.graph, self.algebra)
        make_public(self.backend, page, self.algebra)
        if pred is None and self.problem.cutoff is None and everything:
            if page is not dist:
                self.backend.copy(page, dist)
            return
        with self.backend.on_device():
            self._hand_over(page, sources, dist, pred)

    def _is_here(self, array: Any) -> bool:
        return is_on_gpu(array) and gpu_of(array) == self.backend.device

    def _hand_over(self, page: Page, sources: IntArray, dist: Any, pred: Any) -> None:
        """Copy the result block by block: predecessors, cutoff, the requested columns."""
        n = self.problem.graph.n
        all_rows = np.array_equal(sources, np.arange(n))
        tight = None if pred is None else self._tight(page)
        height = rows_at_once(n, page.itemsize)
        for start in range(0, len(sources), height):
            part = sources[start : start + height]
            here = slice(start, start + len(part))
            rows = page[here] if all_rows else page[self.backend.cupy.asarray(part)]
            before = None
            if tight is not None:
                before = pred[here] if self._is_here(pred) else self.backend.allocate(len(part), n, np.int32)
                predecessors(rows, part, before, tight, self.problem.graph)
            if self.problem.cutoff is not None:
                self._cut(rows, before)
            if page is not dist:
                self._put(rows if self.problem.targets is None else self._columns(rows), dist[here])
            if before is not None and not self._is_here(pred):
                self._put(before, pred[here])

    def _tight(self, page: Page) -> TightArcs:
        arcs = self.backend.weighted_arcs(self.problem.graph, page.dtype, self.algebra)
        return find_tight_arcs(page, arcs, self.problem.graph)

    def _columns(self, rows: Page) -> Page:
        return rows[:, self.backend.cupy.asarray(self.problem.targets)]

    def _put(self, block: Page, target: Any) -> None:
        """Copy a block of the device to the host or to another device."""
        if is_on_gpu(target):
            target[...] = block
        elif target.size and target.strides[1] == target.itemsize:
            self.backend.copy(self.backend.cupy.ascontiguousarray(block), target)
        else:
            target[...] = to_host(block)

    def _cut(self, rows: Page, before: Page | None) -> None:
        """Replace distances worse than the cutoff by "no path"."""
        assert self.problem.cutoff is not None
        semiring, cutoff = self.problem.semiring, self.problem.cutoff
        beyond = rows < cutoff if semiring.choose == "max" else is_longer(rows, cutoff)
        rows[beyond] = semiring.no_path(rows.dtype)
        if before is None:
            return
        if not self.algebra.nonnegative:
            passed: npt.NDArray[np.bool_] = passed_through(to_host(before), ~to_host(beyond))
            beyond &= ~self.backend.cupy.asarray(passed)
        before[beyond] = NO_VERTEX
